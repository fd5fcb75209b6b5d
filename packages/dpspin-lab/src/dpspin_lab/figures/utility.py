"""Utility over epsilon, over the number of units, and beyond the paper's mechanisms: figures that compare data sets."""

from collections.abc import Iterator, Sequence

from dpspin_lab.figures.lines import Curve, draw, legend, legend_of_mechanisms, per_mechanism
from dpspin_lab.figures.style import Drawn, colour_of, sheet
from dpspin_lab.figures.tables import Table
from dpspin_lab.runs.grids import MAIN_K, MAIN_L
from dpspin_lab.runs.mechanism import PAPERS, MechanismName

MAIN = f"K={MAIN_K} and L={MAIN_L}"


def utility(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Overlap@L and MassRetained over epsilon, one figure per unit; colours are data sets, dashes mechanisms."""
    for unit, chosen in _by_unit(tables):
        figure, [axes] = sheet(1, 2, width=3.4, height=2.7)
        for panel, measure in zip(axes, ("overlap", "mass_retained"), strict=True):
            draw(panel, _curves(chosen), "epsilon", measure)
        legend(figure, {table.dataset: _colour(table, chosen) for table in chosen}, PAPERS)
        bound = ", user bound B=1" if unit == "user" else ""
        caption = f"{unit.capitalize()}-level plan utility over epsilon with {MAIN}{bound}."
        yield Drawn(f"utility_{unit}", caption, figure)


def support_loss(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Support-mass loss over epsilon on a symmetric logarithmic axis, one panel per data set."""
    for unit, chosen in _by_unit(tables):
        figure, [axes] = sheet(1, len(chosen), width=2.8, height=2.5)
        for panel, table in zip(axes, chosen, strict=True):
            draw(panel, per_mechanism(_shown(table), PAPERS), "epsilon", "support_mass_loss")
            panel.set_title(f"{table.dataset}, m={table.m}", fontsize=8)
        legend_of_mechanisms(figure, PAPERS)
        caption = f"{unit.capitalize()}-level support-mass loss over epsilon with {MAIN}; compare within a panel only."
        yield Drawn(f"loss_{unit}", caption, figure)


def unit_counts(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Overlap@L, MassRetained and loss over the number of protected units at one epsilon."""
    for table in tables:
        first = table.where(B=table.values("B")[0]) if table.values("B") else table
        rows = first.where(K=MAIN_K, L=MAIN_L, m=table.m, epsilon=table.epsilon, mechanism=PAPERS)
        if len(rows.values(table.size_field)) > 1:
            figure, [axes] = sheet(1, 3)
            for panel, measure in zip(axes, ("overlap", "mass_retained", "support_mass_loss"), strict=True):
                draw(panel, per_mechanism(rows, PAPERS), table.size_field, measure)
            legend_of_mechanisms(figure, PAPERS)
            caption = f"{_name(table)}: utility over the number of protected units, ε={table.epsilon:g}, {MAIN}."
            yield Drawn(f"n_{table.dataset}_{table.unit}", caption, figure)


def beyond(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Every mechanism there is, and the public-only plan, over epsilon."""
    for table in tables:
        every = [name.value for name in MechanismName]
        figure, [axes] = sheet(1, 2, width=3.4, height=2.7)
        for panel, measure in zip(axes, ("overlap", "support_mass_loss"), strict=True):
            draw(panel, per_mechanism(_shown(table), every), "epsilon", measure)
        legend_of_mechanisms(figure, every)
        caption = f"{_name(table)}: mechanisms beyond the paper's, m={table.m}, {MAIN}; the public-only plan has ε=0."
        yield Drawn(f"beyond_{table.dataset}_{table.unit}", caption, figure)


def _by_unit(tables: Sequence[Table]) -> Iterator[tuple[str, list[Table]]]:
    for unit in dict.fromkeys(table.unit for table in tables):
        yield unit, [table for table in tables if table.unit == unit]


def _curves(tables: Sequence[Table]) -> Iterator[Curve]:
    for table in tables:
        for mechanism in PAPERS:
            yield Curve(_shown(table).where(mechanism=mechanism), _colour(table, tables), mechanism)


def _shown(table: Table) -> Table:
    return table.main.where(K=MAIN_K, L=MAIN_L, m=table.m)


def _colour(table: Table, tables: Sequence[Table]) -> str:
    return colour_of(table.dataset, [each.dataset for each in tables])


def _name(table: Table) -> str:
    return f"{table.dataset}, {table.unit} level"
