"""``dpspin atoms build``: dictionaries from auxiliary records, by fixed rules, with a manifest."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.options import JsonOption
from dpspin.cli.terminal import say
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.public.atoms.build.manifest import Built

app = typer.Typer(
    help="Build a dictionary from AUXILIARY records, NEVER from the protected: that would publish them unprotected.",
    no_args_is_help=True,
)

AuxArgument = Annotated[
    str, typer.Argument(metavar="AUX", help="AUXILIARY or public records (file, folder, glob): NEVER the protected.")
]
TextOption = Annotated[str, typer.Option("--text", help="The column with the records' words.")]
OutOption = Annotated[
    Path, typer.Option("--out", help="The dictionary to write, a .json file that does not exist yet.")
]
UserOption = Annotated[
    str | None, typer.Option("--user", help="The column with the user id: a release that protects users needs it.")
]


@app.command("taxonomy")
def taxonomy(
    aux: AuxArgument,
    text: TextOption,
    out: OutOption,
    size: Annotated[int, typer.Option("--size", "-m", min=1, help="The most atoms to take.")],
    level: Annotated[
        list[str] | None,
        typer.Option(
            "--level", help="A column of the taxonomy, the broadest first (default: Product, Issue, Sub-issue)."
        ),
    ] = None,
    min_support: Annotated[int, typer.Option("--min-support", min=1, help="The fewest records with a path.")] = 1,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take the taxonomy paths that most auxiliary records carry; of equal ones the first by name."""
    from dpspin.building import build_taxonomy
    from dpspin.public.atoms.build.taxonomy import CFPB_LEVELS

    _require_new(out)
    built = build_taxonomy(
        aux,
        text=text,
        size=size,
        name=out.stem,
        levels=level or CFPB_LEVELS,
        min_support=min_support,
        user=user,
    )
    _write(built, out, as_json=as_json)


@app.command("phrases")
def phrases(
    aux: AuxArgument,
    text: TextOption,
    out: OutOption,
    profile: Annotated[
        str,
        typer.Option(
            "--profile",
            help="generic (any English text), a YAML file with the rules of your field, or a field of the paper: "
            "amazon-beauty, yelp-restaurants.",
        ),
    ] = "generic",
    size: Annotated[
        int | None, typer.Option("--size", "-m", min=1, help="The most atoms to take (default: all).")
    ] = None,
    min_support: Annotated[
        int | None,
        typer.Option("--min-support", min=1, help="The fewest records with a phrase (default: the profile's)."),
    ] = None,
    user: UserOption = None,
    count_users: Annotated[
        bool, typer.Option("--count-users", help="Support counts the users who say a phrase, not the records.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Take the two-word phrases that most auxiliary records say, through the paper's steps."""
    from dpspin.building import build_phrases

    _require_new(out)
    if count_users and user is None:
        raise RequestError("--count-users needs the column with the user id (--user)")
    built = build_phrases(
        aux,
        profile,
        text=text,
        size=size,
        min_support=min_support,
        user=user,
        by_user=count_users,
        name=out.stem,
    )
    _write(built, out, as_json=as_json)


def _manifest_beside(out: Path) -> Path:
    return out.with_suffix(".manifest.json")


def _require_new(out: Path) -> None:
    if out.suffix.lower() != ".json":
        raise RequestError(f"--out takes a .json file, not {out.name!r}")
    for file in (out, _manifest_beside(out)):
        if file.exists():
            raise RequestError(f"{file} exists; a dictionary is never changed in place, choose another name")


def _write(built: "Built", out: Path, *, as_json: bool) -> None:
    from dpspin.public.atoms.dictionary_files import dumps

    manifest = _manifest_beside(out)
    out.write_text(dumps(built.universe), encoding="utf-8")
    manifest.write_text(built.manifest.to_json(), encoding="utf-8")
    if as_json:
        say(built.manifest.to_json(), nl=False)
        return
    for step in built.manifest.steps:
        say(f"{step.candidates:>8}  {step.name}")
    say(f"{built.universe.size} atoms in {out}, how they came about in {manifest}", err=True)
    say(f"read them before you use them: dpspin atoms show {out}", err=True)
