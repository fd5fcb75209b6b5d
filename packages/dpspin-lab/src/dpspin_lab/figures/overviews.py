"""Figures that compare data sets, mechanisms and other starts than the paper's; and the controlled probe."""

from collections.abc import Iterator, Mapping, Sequence

from dpspin_lab.figures.curves import (
    COLOURS,
    Curve,
    Drawn,
    colour_of,
    draw,
    label_of,
    legend,
    legend_of_mechanisms,
    per_mechanism,
    sheet,
)
from dpspin_lab.figures.summary_tables import Table, as_in_the_paper
from dpspin_lab.runs.config import PAPERS, MechanismName
from dpspin_lab.runs.grids import MAIN_K, MAIN_L

MAIN = f"K={MAIN_K} and L={MAIN_L}"
EVERY = tuple(name.value for name in MechanismName)


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
            draw(panel, per_mechanism(table.main_setting, PAPERS), "epsilon", "support_mass_loss")
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
            caption = f"{table.title}: utility over the number of protected units, ε={table.epsilon:g}, {MAIN}."
            yield Drawn(f"n_{table.dataset}_{table.unit}", caption, figure)


def beyond(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Every mechanism there is, and the public-only plan, over epsilon."""
    for table in tables:
        every = [name.value for name in MechanismName]
        figure, [axes] = sheet(1, 2, width=3.4, height=2.7)
        for panel, measure in zip(axes, ("overlap", "support_mass_loss"), strict=True):
            draw(panel, per_mechanism(table.main_setting, every), "epsilon", measure)
        legend_of_mechanisms(figure, every)
        caption = f"{table.title}: mechanisms beyond the paper's, m={table.m}, {MAIN}; the public-only plan has ε=0."
        yield Drawn(f"beyond_{table.dataset}_{table.unit}", caption, figure)


def _by_unit(tables: Sequence[Table]) -> Iterator[tuple[str, list[Table]]]:
    for unit in dict.fromkeys(table.unit for table in tables):
        yield unit, [table for table in tables if table.unit == unit]


def _curves(tables: Sequence[Table]) -> Iterator[Curve]:
    for table in tables:
        for mechanism in PAPERS:
            yield Curve(table.main_setting.where(mechanism=mechanism), _colour(table, tables), mechanism)


def _colour(table: Table, tables: Sequence[Table]) -> str:
    return colour_of(table.dataset, [each.dataset for each in tables])


def over_time(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Draw the plan's utility where auxiliary text is as old as the records, and where it is older."""
    for table in tables:
        main = as_in_the_paper(table)
        panels = {
            "split by hash": main.main.where(m=main.m),
            "split by time": table.where(split="time", assignment_map="ngram"),
        }
        yield from _beside(table, panels, ("overlap", "support_mass_loss"), "time")


def by_map(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Draw the paper's map and the hybrid on the same atoms: against the truth where it is known."""
    for table in tables:
        hybrid = table.where(split="hash", assignment_map="hybrid")
        if hybrid.rows:
            fixed = {name: hybrid.rows[0][name] for name in ("m", "dictionary", table.size_field)}
            same = table.where(split="hash", assignment_map="ngram", **fixed)
            measures = ("truth_overlap", "truth_tv") if hybrid.measured("truth_tv").rows else ("overlap",)
            yield from _beside(table, {"the paper's map": same, "hybrid map": hybrid}, measures, "map")


def _beside(table: Table, panels: Mapping[str, Table], measures: Sequence[str], name: str) -> Iterator[Drawn]:
    shown = {title: rows.where(K=MAIN_K, L=MAIN_L) for title, rows in panels.items()}
    if not all(rows.rows for rows in shown.values()):
        return
    figure, axes = sheet(len(measures), len(shown), width=3.4, height=2.5)
    for line, measure in zip(axes, measures, strict=True):
        for panel, (title, rows) in zip(line, shown.items(), strict=True):
            draw(panel, per_mechanism(rows, EVERY), "epsilon", measure)
            panel.set_title(f"{title}, m={rows.values('m')[0]}", fontsize=8)
    legend_of_mechanisms(figure, EVERY)
    told = " and ".join(label_of(measure) for measure in measures)
    caption = f"{table.title}: {told} over epsilon, {' and '.join(shown)}, K={MAIN_K}, L={MAIN_L}."
    yield Drawn(f"{name}_{table.dataset}_{table.unit}", caption, figure)


def probe(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Admission and mention over the support; colours are epsilons, dashes mechanisms."""
    for table in tables:
        figure, [axes] = sheet(1, 2, width=3.4, height=2.7)
        for panel, measure in zip(axes, ("probe_admission", "probe_mention"), strict=True):
            draw(panel, _probe_curves(table), "probe_support", measure)
        epsilons = table.values("epsilon")
        legend(figure, {f"ε={epsilon:g}": colour_of(epsilon, epsilons) for epsilon in epsilons}, PAPERS)
        caption = f"{table.title}: how often the probe atom is admitted (left) and mentioned (right)."
        yield Drawn(f"probe_{table.dataset}_{table.unit}", caption, figure)


def rank(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Draw the probe's rank in the exact sketch; the dashed line is the edge of the plan."""
    for table in tables:
        epsilons = table.values("epsilon")
        rows = table.where(mechanism=PAPERS[0], epsilon=epsilons[0])
        figure, [[panel]] = sheet(1, 1, width=3.6, height=2.6)
        draw(panel, [Curve(rows, COLOURS[0], PAPERS[0])], "probe_support", "probe_rank")
        panel.axhline(MAIN_L, color="black", linestyle="--", linewidth=0.8)
        caption = f"{table.title}: rank of the probe atom without noise; dashed: L={MAIN_L}. Never part of a release."
        yield Drawn(f"probe_rank_{table.dataset}_{table.unit}", caption, figure)


def _probe_curves(table: Table) -> Iterator[Curve]:
    epsilons = table.values("epsilon")
    for epsilon in epsilons:
        for mechanism in PAPERS:
            rows = table.where(mechanism=mechanism, epsilon=epsilon)
            yield Curve(rows, colour_of(epsilon, epsilons), mechanism)
