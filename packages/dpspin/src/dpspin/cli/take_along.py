"""What ``dpspin report`` writes beside the page: a table, a workbook, a chart."""

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.terminal import say
from dpspin.errors import RequestError

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


@dataclass(frozen=True, slots=True)
class Wanted:
    """The files that are asked for beside the page."""

    csv: Path | None
    xlsx: Path | None
    chart: Path | None

    @property
    def paths(self) -> tuple[Path, ...]:
        """Where they are to be."""
        return tuple(path for path in (self.csv, self.xlsx, self.chart) if path is not None)

    def require(self) -> None:
        """Refuse names that would hide what is in the files, before anything is done."""
        for path, endings in ((self.csv, (".csv",)), (self.xlsx, (".xlsx",)), (self.chart, (".svg", ".png", ".pdf"))):
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
