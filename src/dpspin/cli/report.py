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
    from dpspin.cli.files import read_plan, read_text
    from dpspin.public.report import folder
    from dpspin.public.stage0_atoms.files import atoms_beside

    released = read_plan(plan)
    words = None if text is None else read_text(text)
    page = folder.report(released, text=words, atoms=atoms_beside(plan, released))
    folder.write_whole(out, page.encode())
    typer.echo(f"wrote {out}", err=True)
