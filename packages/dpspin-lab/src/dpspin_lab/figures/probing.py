"""The controlled probe: admission, mention and non-private rank over its support."""

from collections.abc import Iterator, Sequence

from dpspin_lab.figures.lines import Curve, draw, legend
from dpspin_lab.figures.style import COLOURS, Drawn, colour_of, sheet
from dpspin_lab.figures.tables import Table
from dpspin_lab.runs.grids import MAIN_L
from dpspin_lab.runs.mechanism import PAPERS


def probe(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Admission and mention over the support; colours are epsilons, dashes mechanisms."""
    for table in tables:
        figure, [axes] = sheet(1, 2, width=3.4, height=2.7)
        for panel, measure in zip(axes, ("probe_admission", "probe_mention"), strict=True):
            draw(panel, _curves(table), "probe_support", measure)
        epsilons = table.values("epsilon")
        legend(figure, {f"ε={epsilon:g}": colour_of(epsilon, epsilons) for epsilon in epsilons}, PAPERS)
        caption = f"{_name(table)}: how often the probe atom is admitted (left) and mentioned (right)."
        yield Drawn(f"probe_{table.dataset}_{table.unit}", caption, figure)


def rank(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Draw the probe's rank in the exact sketch; the dashed line is the edge of the plan."""
    for table in tables:
        epsilons = table.values("epsilon")
        rows = table.where(mechanism=PAPERS[0], epsilon=epsilons[0])
        figure, [[panel]] = sheet(1, 1, width=3.6, height=2.6)
        draw(panel, [Curve(rows, COLOURS[0], PAPERS[0])], "probe_support", "probe_rank")
        panel.axhline(MAIN_L, color="black", linestyle="--", linewidth=0.8)
        caption = f"{_name(table)}: rank of the probe atom without noise; dashed: L={MAIN_L}. Never part of a release."
        yield Drawn(f"probe_rank_{table.dataset}_{table.unit}", caption, figure)


def _curves(table: Table) -> Iterator[Curve]:
    epsilons = table.values("epsilon")
    for epsilon in epsilons:
        for mechanism in PAPERS:
            rows = table.where(mechanism=mechanism, epsilon=epsilon)
            yield Curve(rows, colour_of(epsilon, epsilons), mechanism)


def _name(table: Table) -> str:
    return f"{table.dataset}, {table.unit} level"
