"""Ablations in panels over K and L: against epsilon, m and B, and as heat maps."""

from collections.abc import Iterator, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.colors import SymLogNorm

from dpspin_lab.figures.curves import (
    LINEAR_BELOW,
    Curve,
    Drawn,
    colour_of,
    draw,
    label_of,
    legend,
    legend_of_mechanisms,
    per_mechanism,
    sheet,
    title_of,
)
from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.runs.config import PAPERS

DARK = 0.5  # of the colour scale: from here on figures are written in white
MEASURES = ("overlap", "mass_retained", "support_mass_loss", "j_kp", "cos_tfidf")


def over_epsilon(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Each measure over epsilon; colours are dictionary sizes, then user bounds, and dashes are mechanisms."""
    for table in tables:
        for measure in MEASURES:
            yield from _panels(table, table.main.where(mechanism=PAPERS), "epsilon", measure, "m")
        rows = _of_main_bounds(table)
        for measure in MEASURES if len(rows.values("B")) > 1 else ():
            yield from _panels(table, rows, "epsilon", measure, "B")


def over_m(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Each measure over the dictionary size at one epsilon, where there are several sizes."""
    for table in tables:
        rows = table.main.where(mechanism=PAPERS, epsilon=table.epsilon)
        for measure in MEASURES if len(rows.values("m")) > 1 else ():
            yield from _panels(table, rows, "m", measure)


def over_bound(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Each measure over the user bound B at one epsilon."""
    for table in (table for table in tables if table.values("B")):
        rows = table.where(mechanism=PAPERS, epsilon=table.epsilon, m=table.m, **_main_size(table))
        for measure in MEASURES:
            yield from _panels(table, rows, "B", measure)


def heat(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Support-mass loss over K and L at one epsilon, one panel per mechanism."""
    for table in tables:
        rows = table.main.where(epsilon=table.epsilon, m=table.m)
        figure, [axes] = sheet(1, len(PAPERS), width=2.5, height=2.2)
        for panel, mechanism in zip(axes, PAPERS, strict=True):
            _heat_map(panel, rows.where(mechanism=mechanism), rows.where(mechanism=PAPERS))
            panel.set_title(title_of(mechanism), fontsize=7)
        caption = f"{table.title}: support-mass loss over K and L, ε={table.epsilon:g}, m={table.m}."
        yield Drawn(f"heat_{table.dataset}_{table.unit}", caption, figure)


def _panels(table: Table, rows: Table, x: str, measure: str, colour: str = "") -> Iterator[Drawn]:
    """Draw a measure over x; curves of one mechanism differ in a column that has colours, where one is named."""
    shown = rows.measured(measure)
    ks, ls, coloured = shown.values("K"), shown.values("L"), shown.values(colour)
    if not shown.rows:
        return
    figure, axes = sheet(len(ks), len(ls))
    for line, k in zip(axes, ks, strict=True):
        for panel, size in zip(line, ls, strict=True):
            here = shown.where(K=k, L=size)
            draw(panel, _by(here, colour, coloured) if colour else per_mechanism(here, PAPERS), x, measure)
            panel.set_title(f"K={k}, L={size}", fontsize=8)
    if colour:
        legend(figure, {f"{colour}={value:g}": colour_of(value, coloured) for value in coloured}, PAPERS)
    else:
        legend_of_mechanisms(figure, PAPERS)
    fixed = "" if x == "epsilon" else f" at ε={table.epsilon:g}"
    beside = f" by user bound, m={table.m}" if colour == "B" else ""
    caption = f"{table.title}: {label_of(measure)} over {label_of(x)}{fixed}{beside}; panels vary K and L."
    kind = f"{x}_bounds" if colour == "B" else x
    yield Drawn(f"{kind}_{measure}_{table.dataset}_{table.unit}", caption, figure)


def _of_main_bounds(table: Table) -> Table:
    """Return the rows of the paper's user-level configurations: the bounds that have more than one epsilon."""
    rows = table.where(mechanism=PAPERS, m=table.m, **_main_size(table))
    return rows.where(B=tuple(bound for bound in rows.values("B") if len(rows.where(B=bound).values("epsilon")) > 1))


def _main_size(table: Table) -> dict[str, Any]:
    return {table.size_field: table.main.rows[0][table.size_field]}


def _by(rows: Table, column: str, values: Sequence[float]) -> Iterator[Curve]:
    for value in values:
        for mechanism in PAPERS:
            yield Curve(rows.where(mechanism=mechanism, **{column: value}), colour_of(value, values), mechanism)


def _heat_map(panel: Axes, rows: Table, all_rows: Table) -> None:
    ks, ls = all_rows.values("K"), all_rows.values("L")
    loss = {(row["K"], row["L"]): row["support_mass_loss"] for row in rows.rows}
    grid = [[loss.get((k, size), float("nan")) for size in ls] for k in ks]
    largest = max(row["support_mass_loss"] for row in all_rows.rows)
    norm = SymLogNorm(LINEAR_BELOW, vmin=0.0, vmax=max(largest, LINEAR_BELOW))
    panel.imshow(grid, norm=norm, cmap="cividis_r", aspect="auto")
    panel.set_xticks(range(len(ls)), [str(size) for size in ls])
    panel.set_yticks(range(len(ks)), [str(k) for k in ks])
    panel.set_xlabel("plan size L")
    panel.set_ylabel("atoms per record K")
    for row, k in enumerate(ks):
        for column, size in enumerate(ls):
            value = loss.get((k, size))
            dark = value is not None and norm(value) > DARK
            text = "" if value is None else f"{value:.3g}"
            panel.text(column, row, text, ha="center", va="center", fontsize=7, color="white" if dark else "black")
