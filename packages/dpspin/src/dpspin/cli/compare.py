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
    text = found.to_json() if as_json else found.on_terminal(width()) + "\n"
    for path, content in ((out, found.to_html), (csv, found.to_csv)):
        if path is not None:
            _write(path, content(), found)
    say(text, nl=False)


def _write(path: Path, content: str, found: "Compared") -> None:
    """Write one file, whole or not at all; what is simulated stays out of releases, and a release out of the lab."""
    from dpspin.boundary.safe_files import write_published
    from dpspin.cli.report import date_release, require_its_place

    for one in found.facts.each:
        require_its_place(path.parent, one.plan)
    write_published(path, content.encode())
    date_release(path.parent)
    say(f"wrote {path}", err=True)
