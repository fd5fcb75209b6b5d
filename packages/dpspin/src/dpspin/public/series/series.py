"""``dpspin series show``: what the published plans of a series say together. No record is read, nothing is charged."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dpspin.boundary.folders import PLAN
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.safe_files import date_folder_to_the_day, write_published
from dpspin.boundary.series import SeriesIndex, SeriesPeriod
from dpspin.boundary.series_changes import PlansInTime, place_of
from dpspin.errors import InputError, TemplateRefused
from dpspin.public.atoms.packs import require_atoms_beside
from dpspin.public.narrate.decoders.template import TemplateDecoder
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.verify import Verdict, check_text
from dpspin.public.report.folder import claim_line
from dpspin.public.series.page import series_page
from dpspin.public.series.picture import Picture
from dpspin.public.series.rows import series_csv, terminal_text


@dataclass(frozen=True)
class Series:
    """The released plans of a series, and how they are told; ``str`` of it is the text."""

    picture: Picture
    title: str = ""

    @property
    def time(self) -> PlansInTime:
        """Every change with its interval, as data."""
        return self.picture.time

    @cached_property
    def text(self) -> str:
        """The sentences; each was read back and holds."""
        text = TemplateDecoder()(self.picture.facts)
        verdict = self.verify(text)
        if not verdict.accepted:
            why = ", ".join(verdict.rules())
            raise TemplateRefused(f"the template's text was refused ({why}), so nothing is shown: please report this")
        return text

    def __str__(self) -> str:
        return self.text

    def verify(self, text: str) -> Verdict:
        """Check a text about this series, whoever wrote it."""
        return check_text(text, Language(self.picture.facts, Mode.DISPLAY))

    def to_csv(self) -> str:
        """Return a tidy table: one row for each period and theme."""
        return series_csv(self.picture)

    def to_html(self) -> str:
        """Return the page, without scripts or network."""
        return series_page(self.picture, self.verify(self.text), self.title)

    def on_terminal(self, width: int) -> str:
        """Return what a terminal of this width shows."""
        return terminal_text(self.picture, self.text, width)

    def files(self) -> dict[str, str]:
        """Return everything that is published of the series beside its plans, by the names of the files."""
        return {
            "summary.txt": f"{self.text}\n",
            "claims.jsonl": "".join(map(claim_line, self.verify(self.text).sentences)),
            "series.csv": self.to_csv(),
            "index.html": self.to_html(),
        }


def read_series(release: str | Path) -> Series:
    """Read the folder in which a series is published: its index, and the plans that it lists."""
    return _listed(Path(release), SeriesIndex.load(release))


def _listed(release: Path, index: SeriesIndex) -> Series:
    if not index.periods:
        raise InputError("no period of this series is released yet: there is nothing to show", code="series.empty")
    plans = tuple(_plan(release, period) for period in index.periods)
    atoms = require_atoms_beside(release / index.periods[-1].plan, plans[-1])
    time = PlansInTime(plans)
    return Series(Picture(Facts(plans[-1], atoms, time=time), time), index.title)


def _plan(release: Path, period: SeriesPeriod) -> SemanticPlan:
    """Read a plan where the folder of its period has it, and nowhere else."""
    plan = SemanticPlan.load(release / period.name / PLAN)
    place = place_of(plan)
    if (place.period, place.life, period.plan) != (period.name, period.life, f"{period.name}/{PLAN}"):
        raise InputError(
            f"the index of the series names another plan than the one of {period.name}: publish the folder again as "
            "it was written",
            code="series.index",
        )
    return plan


def write_series(release: str | Path) -> Series:
    """Write page, table, text and claims of a series beside its plans, each file whole or not at all.

    They are written again where another run has added a period meanwhile.
    """
    folder, written = Path(release), None
    while written != (index := SeriesIndex.load(folder)):
        series = _listed(folder, index)
        for name, content in series.files().items():
            write_published(folder / name, content.encode())
        written = index
    date_folder_to_the_day(folder)
    return series
