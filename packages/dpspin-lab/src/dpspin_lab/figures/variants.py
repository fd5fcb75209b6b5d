"""Other starts than the paper's, records split by time and another map, in panels beside each other."""

from collections.abc import Iterator, Mapping, Sequence

from dpspin_lab.figures.lines import draw, legend_of_mechanisms, per_mechanism
from dpspin_lab.figures.style import Drawn, label_of, sheet
from dpspin_lab.figures.tables import Table, as_in_the_paper
from dpspin_lab.runs.grids import MAIN_K, MAIN_L
from dpspin_lab.runs.mechanism import MechanismName

EVERY = tuple(name.value for name in MechanismName)


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
    caption = (
        f"{table.dataset}, {table.unit} level: {told} over epsilon, {' and '.join(shown)}, K={MAIN_K}, L={MAIN_L}."
    )
    yield Drawn(f"{name}_{table.dataset}_{table.unit}", caption, figure)
