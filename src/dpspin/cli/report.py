"""``dpspin report``: the HTML page of a plan."""

from pathlib import Path
from typing import Annotated

import typer

from dpspin.cli.options import PlanArgument


def report(
    plan: PlanArgument,
    out: Annotated[Path, typer.Option("--out", help="Where to write the page.")] = Path("report.html"),
    text: Annotated[
        str | None,
        typer.Option("--text", help="A display text to show instead of the template's; it is verified first."),
    ] = None,
) -> None:
    """Write a plan's report as one self-contained HTML file."""
    from dpspin.cli.files import atoms_beside, read_plan, read_text
    from dpspin.public.report.folder import narrate_both, report_page, write_whole

    released = read_plan(plan)
    atoms = atoms_beside(plan, released)
    words = read_text(text) if text is not None else narrate_both(released, atoms).display.text
    write_whole(out, report_page(released, atoms, words).encode())
    typer.echo(f"wrote {out}", err=True)
