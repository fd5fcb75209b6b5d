"""``dpspin report``: the HTML page of a plan."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.options import LengthName, PlanArgument
from dpspin.errors import InputError, RequestError

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.boundary.plan import SemanticPlan
    from dpspin.public.stage3_narrate.narrate import Narration


def report(
    plan: PlanArgument,
    out: Annotated[Path, typer.Option("--out", help="Where to write the page.")] = Path("report.html"),
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", help="Public shares to compare with: CSV or JSON (atom_id or label, share)."),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option("--text", help="A display text to show instead of the template's; it is verified first."),
    ] = None,
    length: Annotated[
        LengthName | None, typer.Option("--length", help="The template's text: short or full (default).")
    ] = None,
) -> None:
    """Write a plan's report as one self-contained HTML file."""
    from dpspin.cli.files import read_plan, read_text
    from dpspin.public.report import folder
    from dpspin.public.stage0_atoms.files import atoms_beside
    from dpspin.public.stage3_narrate.history import feedback_on
    from dpspin.public.stage3_narrate.policy import Mode
    from dpspin.public.stage3_narrate.verify.verifier import verify

    if text is not None and length is not None:
        raise RequestError("--length is for the template's text, and --text brings another: leave one out")
    released = read_plan(plan)
    atoms, words = atoms_beside(plan, released), None if text is None else read_text(text)
    if baseline is not None:
        released = _beside(baseline, released, atoms)
    verdict = None if words is None else verify(released, words, Mode.DISPLAY, atoms)
    told = None if words is not None else _by_template(released, length or LengthName.FULL, atoms)
    folder.write_whole(out, folder.report(released, text=words, narration=told, atoms=atoms).encode())
    typer.echo(f"wrote {out}", err=True)
    if words is not None and verdict is not None and not verdict.accepted:
        typer.echo(f"left out, because the plan does not support it:\n{feedback_on(words, verdict)}", err=True)
        raise typer.Exit(1)


def _by_template(plan: "SemanticPlan", length: LengthName, atoms: "AtomUniverse | None") -> "Narration":
    from dpspin.public.stage3_narrate.decoders.template import TemplateDecoder
    from dpspin.public.stage3_narrate.narrate import narrate
    from dpspin.public.stage3_narrate.policy import Length, Mode

    return narrate(plan, TemplateDecoder(Mode.DISPLAY, Length(length.value)), atoms=atoms)


def _beside(baseline: Path, plan: "SemanticPlan", atoms: "AtomUniverse | None") -> "SemanticPlan":
    """Read the plan again beside another public baseline: post-processing, at no cost."""
    from dpspin.boundary.reading import reading_of, reread
    from dpspin.public.stage0_atoms.baseline_files import read_baseline

    if atoms is None:
        raise InputError("a baseline names atoms, so the atoms.json of this plan must lie beside it")
    reading = reading_of(plan).model_copy(update={"baseline": read_baseline(baseline, atoms)})
    return reread(plan, atoms, reading)
