"""``dpspin lab results``: the results page of the documentation, from the tables of an evaluation."""

from pathlib import Path
from typing import Annotated

import typer

from dpspin.cli.terminal import say
from dpspin_lab.commands.place import without_release


def results(
    runs: Annotated[Path, typer.Argument(metavar="RUNS", help="The folder that dpspin lab paper wrote.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", callback=without_release, help="The page; its figures go into a folder of its name beside it."
        ),
    ],
) -> None:
    """Write what was run and what it says about each claim of the paper, as a page with figures."""
    from dpspin_lab.results.writing import write_page

    for path in write_page(runs, out):
        say(str(path))
