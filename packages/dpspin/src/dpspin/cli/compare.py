"""``dpspin compare``: what differs between two releases, from their plans alone."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.flags import JsonOption
from dpspin.cli.terminal import say, width
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.public.compare.compare import Compared

A = Annotated[str, typer.Argument(metavar="A", help="A release folder or a plan.json file.")]
B = Annotated[str, typer.Argument(metavar="B", help="Another one, of the same dictionary, map, unit and quantity.")]


def compare(
    a: A,
    b: B,
    out: Annotated[Path | None, typer.Option("--out", help="Write the page, as one HTML file.")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write the changes as a table: one row each.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Say which themes have a larger or smaller share in B than in A, certified with the noise of both plans.

    Post-processing only: no record is read, and nothing is charged.
    """
    from dpspin.public.compare.compare import compare as compared

    if csv is not None and csv.suffix.lower() != ".csv":
        raise RequestError(f"{str(csv)!r} must end in .csv: it says what the file is")
    found = compared(a, b)
    if not as_json:
        say(f"A is {a}, and B is {b}.", err=True)
    text = found.to_json() if as_json else found.on_terminal(width()) + "\n"
    for path, content in ((out, found.to_html), (csv, found.to_csv)):
        if path is not None:
            _write(path, content(), found)
    _tell_names(found, out)
    say(text, nl=False)


def _tell_names(found: "Compared", out: Path | None) -> None:
    """Say where readers of the page cannot know which release is which: paths stay out of what is published."""
    one, other = ((each.plan.title, each.plan.about, each.plan.dictionary.name) for each in found.facts.each)
    if out is not None and one == other:
        say(
            f"{out} does not say which is which: A and B bear the same title, period and date. "
            "Give each release a --title or a --period",
            err=True,
        )


def _write(path: Path, content: str, found: "Compared") -> None:
    """Write one file, whole or not at all; what is simulated stays out of releases, and a release out of the lab."""
    from dpspin.boundary.safe_files import write_published
    from dpspin.cli.report import date_release, require_its_place

    for one in found.facts.each:
        require_its_place(path.parent, one.plan)
    write_published(path, content.encode())
    date_release(path.parent)
    say(f"wrote {path}", err=True)
