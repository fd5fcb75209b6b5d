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
from dpspin_lab.runs.grids import MAIN_K, MAIN_L

DARK = 0.5  # of the colour scale: from here on figures are written in white
MEASURES = ("overlap", "mass_retained", "support_mass_loss", "j_kp", "cos_tfidf")


def over_epsilon(tables: Sequence[Table]) -> Iterator[Drawn]:
    """Each measure over epsilon; colours are dictionary sizes, dashes mechanisms."""
    for table in tables:
        rows = table.main.where(mechanism=PAPERS)
        for measure in MEASURES:
            yield from _panels(table, rows, "epsilon", measure, by_size=True)
        yield from _by_bound(table)


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


def _panels(table: Table, rows: Table, x: str, measure: str, *, by_size: bool = False) -> Iterator[Drawn]:
    shown = rows.measured(measure)
    ks, ls, sizes = shown.values("K"), shown.values("L"), shown.values("m")
    if not shown.rows:
        return
    figure, axes = sheet(len(ks), len(ls))
    for line, k in zip(axes, ks, strict=True):
        for panel, size in zip(line, ls, strict=True):
            here = shown.where(K=k, L=size)
            draw(panel, _by_size(here, sizes) if by_size else per_mechanism(here, PAPERS), x, measure)
            panel.set_title(f"K={k}, L={size}", fontsize=8)
    if by_size:
        legend(figure, {f"m={m}": colour_of(m, sizes) for m in sizes}, PAPERS)
    else:
        legend_of_mechanisms(figure, PAPERS)
    fixed = "" if x == "epsilon" else f" at ε={table.epsilon:g}"
    caption = f"{table.title}: {label_of(measure)} over {label_of(x)}{fixed}; panels vary K and L."
    yield Drawn(f"{x}_{measure}_{table.dataset}_{table.unit}", caption, figure)


def _by_bound(table: Table) -> Iterator[Drawn]:
    """Draw the paper's user-level configurations beside each other, at the main K, L and m; colours are bounds."""
    rows = table.where(mechanism=PAPERS, K=MAIN_K, L=MAIN_L, m=table.m, **_main_size(table))
    bounds = [bound for bound in rows.values("B") if len(rows.where(B=bound).values("epsilon")) > 1]
    measures = [measure for measure in MEASURES if rows.measured(measure).rows]
    if len(bounds) < 2:  # noqa: PLR2004  there is nothing to compare
        return
    figure, [axes] = sheet(1, len(measures))
    for panel, measure in zip(axes, measures, strict=True):
        curves = (
            Curve(rows.where(mechanism=mechanism, B=bound), colour_of(bound, bounds), mechanism)
            for bound in bounds
            for mechanism in PAPERS
        )
        draw(panel, curves, "epsilon", measure)
    legend(figure, {f"B={bound:g}": colour_of(bound, bounds) for bound in bounds}, PAPERS)
    caption = f"{table.title}: utility over ε by user bound, K={MAIN_K}, L={MAIN_L}, m={table.m}."
    yield Drawn(f"epsilon_bounds_{table.dataset}_{table.unit}", caption, figure)


def _main_size(table: Table) -> dict[str, Any]:
    return {table.size_field: table.main.rows[0][table.size_field]}


def _by_size(rows: Table, sizes: Sequence[int]) -> Iterator[Curve]:
    for m in sizes:
        for mechanism in PAPERS:
            yield Curve(rows.where(mechanism=mechanism, m=m), colour_of(m, sizes), mechanism)


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
