"""``dpspin key``: make a key to sign with, and show the public one that others check by."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from dpspin.cli.terminal import attended, say
from dpspin.errors import SigningError

if TYPE_CHECKING:
    from dpspin.boundary.signing import PublicKey, SigningKey

app = typer.Typer(help="Keys to sign approvals and releases with.", no_args_is_help=True)

PASSPHRASE: Final = "DPSPIN_KEY_PASSPHRASE"  # noqa: S105  the name of a variable, and no passphrase
IN_THE_CLEAR: Final = (
    "This key has no passphrase: whoever can read the file can sign in this name. Keep it where nobody else can"
)
KeyOption = Annotated[
    Path, typer.Option("--key", help="The key file of `dpspin key new` to sign with.", show_default=False)
]


@app.command("new")
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The key file to make; it stays with its holder.")],
    name: Annotated[str, typer.Option("--name", help="Who holds it, as others shall read it: a person or an office.")],
    without_passphrase: Annotated[
        bool,
        typer.Option("--without-passphrase", help="Store the key in the clear, as for a machine's own.", metavar=""),
    ] = False,
) -> None:
    """Make a key. Its passphrase is asked for, or taken from DPSPIN_KEY_PASSPHRASE; the public key is printed."""
    from dpspin.boundary.signing import make_key, write_key

    made = make_key(name)
    write_key(file, made, None if without_passphrase else _chosen_passphrase())
    say(f"{file} is the key of {name}: it stays with them. Others get the line below, and its fingerprint", err=True)
    if without_passphrase:
        say(f"{IN_THE_CLEAR}.", err=True)
    _show(made.public)


@app.command("show")
def show(
    key: Annotated[str, typer.Argument(metavar="KEY", help="A key file, a file with a public key, or its line.")],
) -> None:
    """Print the public key, which anybody may have, and on stderr the fingerprint to compare. Needs no passphrase."""
    from dpspin.boundary.signing import read_public_key

    _show(read_public_key(key))


def _show(public: "PublicKey") -> None:
    say(public.text)
    say(f"fingerprint: {public.fingerprint}", err=True)


def open_key(file: Path) -> "SigningKey":
    """Open a key file to sign with; its passphrase is asked for where it has one."""
    from dpspin.boundary.signing import KeyFile

    held = KeyFile.read(file)
    return held.opened(_passphrase(f"Passphrase of {file}") if held.needs_passphrase else None)


def _chosen_passphrase() -> str:
    return _passphrase("Passphrase for the new key", twice=True)


def _passphrase(asked: str, *, twice: bool = False) -> str:
    """Take a passphrase from the environment, or from whoever sits there."""
    if told := os.environ.get(PASSPHRASE):
        return told
    if not attended():
        raise SigningError(f"the key's passphrase is needed, and nobody is there to ask: set {PASSPHRASE}")
    return str(typer.prompt(asked, hide_input=True, confirmation_prompt=twice, err=True))
