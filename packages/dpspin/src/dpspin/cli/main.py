"""The ``dpspin`` command. Each command imports what it needs when it runs, so that ``--help`` answers at once."""

import errno
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from typing import Annotated, Any, Final, NoReturn, cast

import typer

from dpspin.boundary.printable import is_printable, printable
from dpspin.boundary.software import SOFTWARE
from dpspin.cli import (
    approve,
    atoms,
    audit,
    check,
    compare,
    demo,
    key,
    ledger,
    narrate,
    phrases,
    plans,
    preview,
    read,
    release,
    report,
    sample,
    series,
    serve,
    sign,
    sketch,
    verify,
)
from dpspin.cli.app import open_app
from dpspin.cli.flags import in_users_words
from dpspin.cli.terminal import say
from dpspin.errors import TRY_AGAIN, ChangedReading, DpSpinError, InputError, NewLedger, RequestError, where_unforeseen

app = typer.Typer(
    name="dpspin",
    help="Measure predefined themes in private text under differential privacy, and read a report that is checked.",
    no_args_is_help=True,
    epilog="Exit codes: 0 done, 1 a finding (text rejected), 2 bad input, 3 refused by the ledger, 75 try again later.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

START, LAB = "Start here", "Lab (nothing is private)"
BOTH = "Keys and signatures"
CURATOR, PUBLIC = "Curator's side (reads private records)", "Public side (reads the plan only)"
app.command("demo", rich_help_panel=START)(demo.demo)
app.add_typer(atoms.app, name="atoms", rich_help_panel=START)
app.command("preview", rich_help_panel=START)(preview.preview)
app.command("app", rich_help_panel=CURATOR)(open_app)
app.command("check", rich_help_panel=CURATOR)(check.check)
app.command("release", rich_help_panel=CURATOR)(release.release)
app.command("sample", rich_help_panel=CURATOR)(sample.sample)
app.command("read", rich_help_panel=CURATOR)(read.read)
app.command("sketch", rich_help_panel=CURATOR)(sketch.sketch)
app.add_typer(phrases.app, name="phrases", rich_help_panel=CURATOR)
app.add_typer(series.app, name="series", rich_help_panel=CURATOR)
app.add_typer(ledger.app, name="ledger", rich_help_panel=CURATOR)
app.command("approve", rich_help_panel=CURATOR)(approve.approve)
app.command("decline", rich_help_panel=CURATOR)(approve.decline)
app.command("narrate", rich_help_panel=PUBLIC)(narrate.narrate)
app.command("verify", rich_help_panel=PUBLIC)(verify.verify)
app.command("ask", rich_help_panel=PUBLIC)(plans.ask)
app.command("report", rich_help_panel=PUBLIC)(report.report)
app.command("compare", rich_help_panel=PUBLIC)(compare.compare)
app.command("serve", rich_help_panel=PUBLIC)(serve.serve)
app.command("mcp", rich_help_panel=PUBLIC)(serve.mcp)
app.command("schema", rich_help_panel=PUBLIC)(plans.schema)
app.add_typer(key.app, name="key", rich_help_panel=BOTH)
app.command("sign", rich_help_panel=BOTH)(sign.sign)
app.command("audit", rich_help_panel=LAB)(audit.audit)


def _add_installed_commands() -> None:
    """Add the commands of other distributions: the laboratory's, where it is installed."""
    installed = entry_points(group="dpspin.commands")
    for command in installed:
        app.add_typer(command.load(), name=command.name, rich_help_panel=LAB)
    if "lab" not in installed.names:
        app.command("lab", hidden=True, context_settings={"ignore_unknown_options": True})(_lab_is_elsewhere)


def _lab_is_elsewhere(words: Annotated[list[str] | None, typer.Argument()] = None) -> None:  # noqa: ARG001  any words
    """Say where the laboratory is."""
    raise InputError("the laboratory is a distribution of its own; install it with: pip install dpspin-lab")


_add_installed_commands()


def _show_version(asked: bool) -> None:
    if asked:
        say(SOFTWARE)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.", metavar=""),
    ] = False,
) -> None:
    """Options of the command itself."""


PASSING: Final = frozenset(
    (
        *(errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ESTALE, errno.EAGAIN, errno.EBUSY, errno.ENOMEM, errno.EMFILE),
        *(errno.ENFILE, errno.ETIMEDOUT, errno.ECONNREFUSED, errno.ECONNRESET, errno.EPIPE, errno.EHOSTUNREACH),
    )
)  # all others, such as a name that is too long, are for a person
MISUSE: Final = cast("type[Exception]", typer.BadParameter.__mro__[1])  # every mistake in the words of a command


def run() -> None:
    """Run the command; an error becomes one line on stderr and its exit code."""
    try:
        _require_plain(sys.argv[1:])
        with _stopping_in_order(), warnings.catch_warnings():
            for told in (NewLedger, ChangedReading):
                warnings.simplefilter("always", told)
            warnings.showwarning = _tell_warning
            code = app(standalone_mode=False)
    except typer.Abort:
        _stop("stopped. If anything was charged, it is stored, and to run it again costs nothing more", 2)
    except MISUSE as error:
        _stop_usage(error)
    except DpSpinError as error:
        _stop(in_users_words(error), error.exit_code)
    except OSError as error:
        place = "" if error.filename is None else f": {os.fsdecode(error.filename)}"
        code = TRY_AGAIN if error.errno in PASSING else 2
        _stop(
            f"{error.strerror or 'a file cannot be used'}{place}. If anything was charged, it is stored: run it again",
            code,
        )
    except Exception as error:  # noqa: BLE001  whatever it is, its message may quote a record
        _stop(where_unforeseen(error), DpSpinError.exit_code)
    sys.exit(code if isinstance(code, int) else 0)


@contextmanager
def _stopping_in_order() -> Iterator[None]:
    """Let SIGTERM stop as Ctrl-C does: what is temporary is removed, and a container's first process stops at all."""
    before = signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _tell_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Say a warning in one line, as everything else is said."""
    say(f"{message}.", err=True)


def _stop_usage(error: Any) -> NoReturn:  # noqa: ANN401  the parser's own type, which typer does not name
    """Say in one line what is wrong with the words of a command; a command without any words shows its help."""
    if type(error).__name__ == "NoArgsIsHelpError":
        say(error.format_message())
        sys.exit(2)
    why = error.format_message().replace("Value error, ", "").strip().rstrip(".")
    path = "dpspin" if error.ctx is None else error.ctx.command_path
    _stop(f"{why}{'' if why.endswith('?') else '.'} See: {path} --help", 2)


def _require_plain(words: list[str]) -> None:
    """Refuse arguments that would be obeyed or hidden wherever they are printed, and those that are no text at all."""
    for number, word in enumerate(words, start=1):
        if not is_printable(word):
            raise RequestError(
                f"argument {number} ({printable(word)}) holds characters that are no text, or are not seen: control "
                "characters, marks of direction, or bytes that are not UTF-8. Leave them out, or rename the file"
            )


def _stop(why: str, code: int) -> NoReturn:
    say(f"dpspin: {why}".replace("\n", "\\n"), err=True)
    sys.exit(code)
