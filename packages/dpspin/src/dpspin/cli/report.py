"""``dpspin report``: the HTML page of a plan, and tables and a chart to take along."""

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import narrate as writing
from dpspin.cli.flags import FLAGS, PlanArgument
from dpspin.cli.narrate import WritingOptions, tell_fallback
from dpspin.cli.terminal import say
from dpspin.errors import RequestError
from dpspin.public.narrate.modes import DecoderName, Mode

PAGE = Path("report.html")

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.boundary.plan import SemanticPlan


CsvOption = Annotated[
    Path | None, typer.Option("--csv", help="Write the themes as a table: one row each, listed or not.")
]
XlsxOption = Annotated[
    Path | None, typer.Option("--xlsx", help="Write an Excel workbook: themes, areas, all values, what they mean.")
]
ChartOption = Annotated[
    Path | None, typer.Option("--chart", help="Write the listed themes as a chart: .svg, .png or .pdf.")
]
LabelOption = Annotated[
    Path | None,
    typer.Option("--label", help="Write the privacy label in the fields of NIST SP 800-226 and of OpenDP's registry."),
]


def report(
    plan: PlanArgument,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Where to write the page; report.html unless only other files are asked for."),
    ] = None,
    csv: CsvOption = None,
    xlsx: XlsxOption = None,
    chart: ChartOption = None,
    label: LabelOption = None,
    baseline: Annotated[
        Path | None,
        typer.Option("--baseline", help="Public shares to compare with: CSV or JSON (atom_id or label, share)."),
    ] = None,
    sizes: Annotated[list[str] | None, typer.Option("--sizes", help=FLAGS["sizes"].help, show_default=False)] = None,
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

    With --csv, --xlsx, --chart or --label, those files are written instead, and with --out the page as well.
    """
    from dpspin.cli.plans import plan_in, read_plan
    from dpspin.public.atoms.packs import require_atoms_beside

    options = WritingOptions(decoder, length, llm_url, llm_model, llm_price, attempts, temperature, seed)
    options.require()
    if text is not None and options.asks_a_model:
        raise RequestError("--text gives the words, so no model is asked for them: leave out --text or --decoder")
    if text is not None and length is not None:
        raise RequestError("--length is for the template's text, and --text brings another: leave one out")
    wanted = Wanted(csv, xlsx, chart, label)
    wanted.require()
    page = PAGE if out is None and not wanted.paths else out
    if page is None and (text is not None or length is not None or options.asks_a_model):
        raise RequestError("a text is for the page, and only other files are asked for: add --out for the page")
    plan = plan_in(plan)
    released = read_plan(plan)
    places = {path.parent for path in (*wanted.paths, page) if path is not None}
    for place in places:
        require_its_place(place, released)
    atoms = require_atoms_beside(plan, released)
    if baseline is not None or sizes:
        released = _read_again(released, atoms, baseline, sizes or [])
    try:
        wanted.write(released, atoms)
        if page is not None:
            _write_page(page, released, atoms, text, options)
    finally:
        for place in places:
            date_release(place)


def _write_page(
    out: Path, plan: "SemanticPlan", atoms: "AtomUniverse", text: str | None, options: WritingOptions
) -> None:
    if text is None:
        _write_narrated(out, plan, atoms, options)
    else:
        _write_given(out, plan, atoms, text)


def require_its_place(folder: Path, plan: "SemanticPlan") -> None:
    """Keep the page of a release out of the lab, and the page of a simulation out of releases."""
    from dpspin.boundary.folders import require_no_lab

    if plan.is_private:
        require_no_lab(folder)
    else:
        from dpspin.boundary.folders import require_no_release

        require_no_release(folder)


def date_release(folder: Path) -> None:
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
    from dpspin.cli.plans import read_text
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


def _read_again(plan: "SemanticPlan", atoms: "AtomUniverse", baseline: Path | None, sizes: list[str]) -> "SemanticPlan":
    """Read the plan beside another public baseline, or with other sizes for its views: post-processing, at no cost."""
    from dpspin.boundary.read_plan import ReaderChoices, reading_of, reread
    from dpspin.boundary.request_terms import read_as
    from dpspin.public.atoms.baseline_files import read_baseline

    reading = dict(reading_of(plan))
    if baseline is not None:
        reading["baseline"] = read_baseline(baseline, atoms)
    if sizes:
        reading["sizes"] = sizes
    return reread(plan, atoms, read_as(ReaderChoices, reading))


@dataclass(frozen=True, slots=True)
class Wanted:
    """The files that are asked for beside the page."""

    csv: Path | None
    xlsx: Path | None
    chart: Path | None
    label: Path | None

    @property
    def endings(self) -> tuple[tuple[Path | None, tuple[str, ...]], ...]:
        """How the name of each may end."""
        return (
            (self.csv, (".csv",)),
            (self.xlsx, (".xlsx",)),
            (self.chart, (".svg", ".png", ".pdf")),
            (self.label, (".json",)),
        )

    @property
    def paths(self) -> tuple[Path, ...]:
        """Where they are to be."""
        return tuple(path for path, _ in self.endings if path is not None)

    def require(self) -> None:
        """Refuse names that would hide what is in the files, before anything is done."""
        for path, endings in self.endings:
            if path is not None and path.suffix.lower() not in endings:
                raise RequestError(f"{str(path)!r} must end in {' or '.join(endings)}: it says what the file is")

    def write(self, plan: "SemanticPlan", atoms: "AtomUniverse") -> None:
        """Write each of them, whole or not at all."""
        from dpspin.boundary.safe_files import write_published

        for path, content in self._contents(plan, atoms).items():
            write_published(path, content)
            say(f"wrote {path}", err=True)

    def _contents(self, plan: "SemanticPlan", atoms: "AtomUniverse") -> dict[Path, bytes]:
        """Make all of them before one is written: a library may be missing."""
        made: dict[Path, bytes] = {}
        if self.csv is not None:
            from dpspin.public.report.csv_tables import themes_csv

            made[self.csv] = themes_csv(plan, atoms).encode()
        if self.xlsx is not None:
            from dpspin.public.report.workbook import workbook

            made[self.xlsx] = workbook(plan, atoms)
        if self.chart is not None:
            made[self.chart] = _chart(plan, self.chart)
        if self.label is not None:
            from dpspin.public.report.label_elsewhere import label_elsewhere

            made[self.label] = label_elsewhere(plan).encode()
        return made


def _chart(plan: "SemanticPlan", path: Path) -> bytes:
    """Draw the chart, and say in one line if the font lacks letters."""
    from dpspin.boundary.plan_views import MISSING, picture

    with warnings.catch_warnings(record=True) as told:
        warnings.filterwarnings("always", MISSING)
        content = picture(plan, path.suffix.lower().removeprefix("."))
    if told:
        say("some letters are drawn as boxes, because the chart's font lacks them: an .svg file shows them", err=True)
    return content
