"""Geometry of the support chart. Positions are percentages of the plot's width, so it fits any screen and paper."""

import math
from dataclasses import dataclass

from dpspin.boundary.plan import PlanEntry, SemanticPlan

TICK_GOAL = 5
CHARACTER = 2.6  # percent of a phone's plot that one small character takes


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled position on the axis of support."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Band:
    """The range of one support bin; the name is left out where it would not fit (the caption lists all bins)."""

    start: float
    width: float
    name: str
    shaded: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """One theme: bar up to its support, whisker over its certified interval."""

    support: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that all rows share, and one bar per entry, by rank."""

    ticks: tuple[Tick, ...]
    bands: tuple[Band, ...]
    detection_limit: float
    bars: tuple[Bar, ...]


def chart_of(plan: SemanticPlan) -> Chart:
    """Lay out the supports of a plan on one axis that holds every interval and the detection limit."""
    limit = detection_limit(plan)
    top = max([limit, *(entry.high / plan.denominator for entry in plan.entries)])
    step, count = _axis(100 * top)
    full = step * count / 100
    return Chart(
        ticks=tuple(_tick(i, step, count) for i in range(count + 1)),
        bands=_bands(plan, full),
        detection_limit=_on_axis(limit, full),
        bars=tuple(_bar(entry, plan.denominator, full) for entry in plan.entries),
    )


def detection_limit(plan: SemanticPlan) -> float:
    """Return the support that a theme must exceed to be told from zero."""
    return plan.rules.certificates.admission_threshold / plan.denominator


def _axis(top: float) -> tuple[float, int]:
    """Return a round step (1, 2 or 5 times a power of ten) and how many of them hold ``top``.

    >>> _axis(12.04), _axis(0.3)
    ((2.0, 7), (0.05, 6))
    """
    magnitude = 10.0 ** math.floor(math.log10(top / TICK_GOAL))
    step = min((factor * magnitude for factor in (1, 2, 5, 10)), key=lambda s: abs(math.log(top / s / TICK_GOAL)))
    return step, max(1, math.ceil(top / step - 1e-9))


def _tick(i: int, step: float, count: int) -> Tick:
    return Tick(at=round(100 * i / count, 3), text=f"{float(f'{i * step:.6g}'):g}%")


def _bands(plan: SemanticPlan, full: float) -> tuple[Band, ...]:
    rising = plan.rules.bins[::-1]
    starts = [_on_axis(support_bin.at_least, full) for support_bin in rising]
    widths = [end - start for start, end in zip(starts, [*starts[1:], 100.0], strict=True)]
    return tuple(
        Band(start, width, support_bin.name if len(support_bin.name) * CHARACTER < width else "", shaded=i % 2 == 1)
        for i, (support_bin, start, width) in enumerate(zip(rising, starts, widths, strict=True))
        if width > 0
    )


def _bar(entry: PlanEntry, denominator: int, full: float) -> Bar:
    return Bar(
        support=_on_axis(entry.support, full),
        low=_on_axis(entry.low / denominator, full),
        high=_on_axis(entry.high / denominator, full),
    )


def _on_axis(support: float, full: float) -> float:
    return round(min(100.0, 100 * support / full), 3)
