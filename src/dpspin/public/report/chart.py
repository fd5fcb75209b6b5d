"""Geometry of the support chart. Positions are percentages of the plot's width, so it fits any screen and paper."""

import math
from dataclasses import dataclass

from dpspin.boundary.plan import PlanEntry, SemanticPlan
from dpspin.public.report.numbers import plain
from dpspin.public.report.scale import detection_limit, scale_of, top_of

STEPS = {4: 6, 2: 9}  # steps of an axis, and the longest tick in characters that leaves room for them on a phone
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
    unit = scale_of(plan).unit
    ticks, top = _axis(unit.per * top_of(plan), unit.sign)
    full = top / unit.per
    return Chart(
        ticks=ticks,
        bands=_bands(plan, full),
        detection_limit=_on_axis(detection_limit(plan), full),
        bars=tuple(_bar(entry, plan.denominator, full) for entry in plan.entries),
    )


def _axis(top: float, sign: str) -> tuple[tuple[Tick, ...], float]:
    """Return the ticks of an axis that holds ``top`` and where it ends: five at most, fewer where numbers are long."""
    for most, longest in STEPS.items():
        ticks, end = _ticks(top, sign, most)
        if all(len(tick.text) <= longest for tick in ticks):
            return ticks, end
    return _ticks(top, sign, 1)


def _ticks(top: float, sign: str, most: int) -> tuple[tuple[Tick, ...], float]:
    step, count = round_steps(top, most)
    return tuple(Tick(round(100 * i / count, 3), plain(i * step) + sign) for i in range(count + 1)), step * count


def round_steps(top: float, most: int) -> tuple[float, int]:
    """Return the smallest round step (1, 2 or 5 times a power of ten) of which ``most`` hold ``top``, and how many do.

    >>> round_steps(17.1, 4), round_steps(0.3, 4), round_steps(31840, 2)
    ((5.0, 4), (0.1, 3), (20000.0, 2))
    """
    magnitude = 10.0 ** math.floor(math.log10(top / most))
    step = next(factor * magnitude for factor in (1, 2, 5, 10) if top <= factor * magnitude * most * (1 + 1e-9))
    return step, max(1, math.ceil(top / step - 1e-9))


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
