"""``dpspin report``: the HTML page of a plan, and tables and a chart to take along."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import take_along, writing
from dpspin.cli.options import PlanArgument
from dpspin.cli.terminal import say
from dpspin.cli.writing import WritingOptions, tell_fallback
from dpspin.errors import RequestError
from dpspin.public.narrate.modes import DecoderName, Mode

PAGE = Path("report.html")

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.boundary.plan import SemanticPlan


def report(
    plan: PlanArgument,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Where to write the page; report.html unless only other files are asked for."),
    ] = None,
    csv: take_along.CsvOption = None,
    xlsx: take_along.XlsxOption = None,
    chart: take_along.ChartOption = None,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", help="Public shares to compare with: CSV or JSON (atom_id or label, share)."),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option("--text", help="A display text to show instead of the template's; it is verified first."),
    ] = None,
    length: writing.TemplateLengthOption = None,
    decoder: writing.DecoderOption = DecoderName.TEMPLATE,
    llm_url: writing.UrlOption = None,
    llm_model: writing.ModelOption = None,
    llm_price: writing.PriceOption = None,
    attempts: writing.AttemptsOption = writing.ATTEMPTS,
    temperature: writing.TemperatureOption = 0.0,
    seed: writing.LlmSeedOption = 0,
) -> None:
    """Write a plan's report as one self-contained HTML file; where a model writes, narration.json beside it.

    With --csv, --xlsx or --chart, those files are written instead, and with --out the page as well.
    """
    from dpspin.cli.files import plan_in, read_plan
    from dpspin.public.atoms.packs import require_atoms_beside

    options = WritingOptions(decoder, length, llm_url, llm_model, llm_price, attempts, temperature, seed)
    options.require()
    if text is not None and options.asks_a_model:
        raise RequestError("--text gives the words, so no model is asked for them: leave out --text or --decoder")
    if text is not None and length is not None:
        raise RequestError("--length is for the template's text, and --text brings another: leave one out")
    wanted = take_along.Wanted(csv, xlsx, chart)
    wanted.require()
    page = PAGE if out is None and not wanted.paths else out
    if page is None and (text is not None or length is not None or options.asks_a_model):
        raise RequestError("a text is for the page, and only other files are asked for: add --out for the page")
    plan = plan_in(plan)
    released = read_plan(plan)
    places = {path.parent for path in (*wanted.paths, page) if path is not None}
    for place in places:
        _require_its_place(place, released)
    atoms = require_atoms_beside(plan, released)
    if baseline is not None:
        released = _beside(baseline, released, atoms)
    try:
        wanted.write(released, atoms)
        if page is not None:
            _write_page(page, released, atoms, text, options)
    finally:
        for place in places:
            _date_release(place)


def _write_page(
    out: Path, plan: "SemanticPlan", atoms: "AtomUniverse", text: str | None, options: WritingOptions
) -> None:
    if text is None:
        _write_narrated(out, plan, atoms, options)
    else:
        _write_given(out, plan, atoms, text)


def _require_its_place(folder: Path, plan: "SemanticPlan") -> None:
    """Keep the page of a release out of the lab, and the page of a simulation out of releases."""
    from dpspin.boundary.folders import require_no_lab

    if plan.is_private:
        require_no_lab(folder)
    else:
        from dpspin.boundary.folders import require_no_release

        require_no_release(folder)


def _date_release(folder: Path) -> None:
    """Date a release to the day again when a page was put into it; other folders keep their own time."""
    from dpspin.boundary.safe_files import date_folder_to_the_day

    if (folder / "plan.json").is_file():
        date_folder_to_the_day(folder)


def _write_narrated(out: Path, plan: "SemanticPlan", atoms: "AtomUniverse", options: WritingOptions) -> None:
    """Write the page around a text that is written here."""
    from dpspin.boundary.safe_files import write_published
    from dpspin.public.report import folder

    told, record = options.narrated(plan, Mode.DISPLAY, atoms)
    tell_fallback(record)
    if options.asks_a_model:
        write_published(out.with_name("narration.json"), record.to_json().encode())
    page = folder.report(plan, atoms, narration=told, model=options.model)
    write_published(out, page.encode())
    say(f"wrote {out}", err=True)


def _write_given(out: Path, plan: "SemanticPlan", atoms: "AtomUniverse", text: str) -> None:
    """Write the page around a given text, and name what was left out of it, and what it leaves unsaid."""
    from dpspin.boundary.safe_files import write_published
    from dpspin.cli.files import read_text
    from dpspin.public.narrate.decoders.decoder import Attempt
    from dpspin.public.narrate.verify import verify
    from dpspin.public.report import folder

    words = read_text(text)
    verdict = verify(plan, words, Mode.DISPLAY, atoms)
    write_published(out, folder.report(plan, atoms, text=words).encode())
    say(f"wrote {out}", err=True)
    if not verdict.accepted:
        say(f"the text is not accepted; what is refused was left out:\n{Attempt.of(words, verdict).feedback}", err=True)
        raise typer.Exit(1)


def _beside(baseline: Path, plan: "SemanticPlan", atoms: "AtomUniverse") -> "SemanticPlan":
    """Read the plan again beside another public baseline: post-processing, at no cost."""
    from dpspin.boundary.read_plan import reading_of, reread
    from dpspin.public.atoms.baseline_files import read_baseline

    reading = reading_of(plan).model_copy(update={"baseline": read_baseline(baseline, atoms)})
    return reread(plan, atoms, reading)
