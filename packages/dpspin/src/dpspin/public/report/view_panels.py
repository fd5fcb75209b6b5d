"""Geometry of the views: for few values a panel per theme with a dot and an interval for each, for many a heat map."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dpspin.boundary.percentages import outward
from dpspin.boundary.view_cells import Range, ViewCell
from dpspin.boundary.view_tables import ViewTable, tables_of
from dpspin.boundary.views import loss_of_view
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language, Pen
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.outline_of_views import view_claims
from dpspin.public.report.chart import Span, axis_of
from dpspin.public.wording.numbers import Scale, Tick, plain_up

MOST_PANELS: Final = 8  # values that a panel has room for
DEEPEST: Final = 40  # percent of the bars' colour, on which words can still be read


@dataclass(frozen=True, slots=True)
class ValueLane:
    """One value in a theme's panel; ``differs`` says how its share lies to that of all other values, in points.

    ``step`` says by how much it certainly rose or fell since the period before.
    """

    value: str
    share: str
    interval: str
    dot: float
    span: Span
    shade: int
    sign: str  # "higher", "lower" or nothing
    differs: str
    step: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One listed theme by all values that have enough mass to tell; ``gap`` is that of the only two."""

    theme: str
    atom_id: int
    lanes: tuple[ValueLane, ...]
    gap: str


@dataclass(frozen=True, slots=True)
class ViewPicture:
    """One view as it is drawn; ``too_little`` are the values without enough mass to tell anything."""

    title: str
    counts: bool  # of units that mention a theme, and not shares of a value's mass
    sized: bool  # shares are of declared sizes
    ticks: tuple[Tick, ...]
    values: tuple[str, ...]
    panels: tuple[Panel, ...]
    too_little: tuple[str, ...]
    epsilon: str
    sentences: tuple[str, ...]

    @property
    def has_steps(self) -> bool:
        """Whether anything certainly rose or fell from one period to the next."""
        return any(lane.step for panel in self.panels for lane in panel.lanes)

    @property
    def is_heat_map(self) -> bool:
        """Whether there are too many values for panels."""
        return len(self.values) > MOST_PANELS


def view_pictures(facts: Facts) -> tuple[ViewPicture, ...]:
    """Lay out every view of a plan that lists a theme."""
    return tuple(_picture(facts, table) for table in tables_of(facts.plan) if facts.plan.entries)


def _picture(facts: Facts, table: ViewTable) -> ViewPicture:
    known = [*filter(table.is_known, range(len(table.values)))]
    cells = [cell for cell in table.cells if cell.place in known]
    counts = not table.has_shares
    top = max([_shown(cell, counts=counts).high for cell in cells], default=1.0) * (1 if counts else 100)
    ticks, full = axis_of(top, "" if counts else "%")
    scale = None if counts else Scale(table.decimals)

    def lanes(atom: int) -> Iterator[ValueLane]:
        for cell in cells:
            if cell.atom_id == atom:
                yield _lane(table, cell, _shown(cell, counts=counts), full / (1 if counts else 100), scale)

    pen = Pen(Language(facts, Mode.DISPLAY))
    return ViewPicture(
        title=table.view.facet.title,
        counts=counts,
        sized=bool(table.sizes),
        ticks=ticks,
        values=tuple(table.values[place] for place in known),
        panels=tuple(Panel(facts.labels[atom], atom, tuple(lanes(atom)), _gap(table, atom)) for atom in facts.listed),
        too_little=tuple(value for place, value in enumerate(table.values) if place not in known),
        sentences=tuple(map(pen.sentence, view_claims(table.view.facet.title, facts))),
        epsilon=plain_up(loss_of_view(facts.plan.statement.loss, table.view).epsilon),
    )


def _shown(cell: ViewCell, *, counts: bool) -> Range:
    return cell.mass if counts or cell.share is None else cell.share


def _lane(table: ViewTable, cell: ViewCell, shown: Range, full: float, scale: Scale | None) -> ValueLane:
    def at(value: float) -> float:
        return round(min(100.0, 100 * value / full), 3)

    told = (f"{shown.value:,.0f}", f"{math.floor(shown.low):,} to {math.ceil(shown.high):,}")  # outward, as all ranges
    if scale is not None:
        told = (scale.text(shown.value), scale.interval(shown.low, shown.high))
    sign = {True: "higher", False: "lower"}[cell.difference.low > 0] if cell in table.apart and cell.difference else ""
    return ValueLane(
        value=table.values[cell.place],
        share=told[0],
        interval=told[1],
        dot=at(shown.value),
        span=Span(at(shown.low), at(shown.high)),
        shade=round(DEEPEST * at(shown.value) / 100),
        sign=sign,
        differs="" if cell.difference is None or scale is None else _points(cell.difference, scale),
        step=_step(table, cell),
    )


def _step(table: ViewTable, cell: ViewCell) -> str:
    """Say by how much a share rose or fell since the period before, where that is certain."""
    told = table.between(cell.atom_id, cell.place, cell.place - 1) if table.is_of_periods and cell.place else None
    if told is None or not table.tells_apart(told):
        return ""
    low, high = table.ends(told)
    return f"rose by {low} to {high} points" if low > 0 else f"fell by {-high} to {-low} points"


def _gap(table: ViewTable, atom: int) -> str:
    """Say how two values differ, where there are only two."""
    if table.is_of_periods or not table.steps:
        return ""
    here, there = table.steps[0]
    told = table.between(atom, here, there)
    if told is None:
        return ""
    low, high = table.ends(told)
    points = f"{table.values[here]} against {table.values[there]}: {low:+f} to {high:+f} points"
    return points if table.tells_apart(told) else f"{points}, not told apart"


def _points(difference: Range, scale: Scale) -> str:
    """Write a difference of shares, rounded outward.

    >>> _points(Range(0.02, 0.0111, 0.0315), Scale(1))
    '+1.1 to +3.2 points'
    """
    low, high = outward(difference.low, difference.high, scale.decimals)
    return f"{low:+f} to {high:+f} points"
