"""Geometry of the chart: areas with their themes on one axis. Positions are percentages of its width."""

from collections.abc import Iterator
from dataclasses import dataclass

from dpspin.public.narrate.as_read import AsRead, Estimate
from dpspin.public.narrate.facts import Facts
from dpspin.public.wording.numbers import UNKNOWN, Tick, detection_limit, plain, round_steps, scale_of

STEPS = {4: 6, 2: 9}  # steps of an axis, and the longest tick in characters that leaves room for them on a phone
NONE = "none of these"
MOST_LANES = 24  # areas without a listed theme are drawn up to here


@dataclass(frozen=True, slots=True)
class Span:
    """A range on the axis."""

    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Lane:
    """One bar, of an area (which has no ``atom_id``) or of a listed theme, with what may be wrong with it.

    ``noise`` is the certified interval; ``sorting`` what the map's errors on test text would make of it, if known.
    Where a sample was read, the bar is the best guess, ``sorting`` what a reader would file, and ``noise`` is a mark
    without width at what the map alone filed, which is ``interval`` in words.
    """

    name: str
    atom_id: int | None
    clear: bool
    share: str
    interval: str
    end: float
    noise: Span
    sorting: Span | None


@dataclass(frozen=True, slots=True)
class Group:
    """An area with its listed themes; without an area, the themes that have none, or whose areas do not add up."""

    area: Lane | None
    themes: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that is drawn. ``beside`` is what fits no theme and what was not read, where they are measured.

    ``undrawn`` counts the areas for which there was no room.
    """

    ticks: tuple[Tick, ...]
    groups: tuple[Group, ...]
    beside: tuple[Lane, ...]
    undrawn: int

    @property
    def lanes(self) -> Iterator[Lane]:
        """Every bar from top to bottom."""
        for group in self.groups:
            yield from (() if group.area is None else (group.area,))
            yield from group.themes
        yield from self.beside

    @property
    def shows_sorting(self) -> bool:
        """Whether any bar has the second band."""
        return any(lane.sorting for lane in self.lanes)


@dataclass(frozen=True, slots=True)
class _Axis:
    facts: Facts
    full: float

    def at(self, share: float) -> float:
        return round(min(100.0, 100 * share / self.full), 3)

    def span(self, low: float, high: float) -> Span:
        return Span(self.at(low), self.at(high))

    def lane(self, name: str, estimate: Estimate, members: tuple[int, ...] = (), entry: int | None = None) -> Lane:
        scale, sorting = scale_of(self.facts.plan), self.facts.sorting_range(members) if members else None
        return Lane(
            name=name,
            atom_id=entry,
            clear=entry is None or self.facts.listed[entry].clears_noise,
            share=scale.text(estimate.share),
            interval=scale.interval(estimate.low, estimate.high),
            end=self.at(estimate.share),
            noise=self.span(estimate.low, estimate.high),
            sorting=None if sorting is None else self.span(*sorting),
        )

    def lane_as_read(self, name: str, estimate: Estimate, best: float, filed: float, entry: int | None = None) -> Lane:
        assert self.facts.read is not None  # noqa: S101  asked for where a sample was read only
        told = range_words(self.facts.read, estimate)
        return Lane(
            name=name,
            atom_id=entry,
            clear=True,
            share=told,
            interval=scale_of(self.facts.plan).text(filed),
            end=self.at(best),
            noise=self.span(filed, filed),
            sorting=self.span(estimate.low, estimate.high),
        )

    def theme(self, atom: int) -> Lane:
        return self.lane(self.facts.labels[atom], self.facts.theme(atom), (atom,), atom)

    def group(self, area: str, themes: tuple[int, ...]) -> Group:
        whole = self.lane(area, self.facts.area_estimates[area], self.facts.areas[area])
        return Group(whole, tuple(map(self.theme, themes)))


def chart_of(facts: Facts) -> Chart:
    """Lay out a plan on one axis that holds every bar with its bands, and the detection limit."""
    return _chart_as_filed(facts) if facts.read is None else _chart_as_read(facts, facts.read)


def _chart_as_read(facts: Facts, read: AsRead) -> Chart:
    """Lay out the themes in the order of the reading; it says nothing of areas."""
    drawn = [*read.listed.values(), *filter(None, [read.none])]
    filed = [facts.theme(atom).share for atom in read.listed]
    ticks, percent = axis_of(100 * max([*(each.high for each in drawn), *read.best_guesses.values(), *filed]))
    axis = _Axis(facts, percent / 100)
    themes = tuple(
        axis.lane_as_read(facts.labels[atom], each, read.best_guesses[atom], facts.theme(atom).share, atom)
        for atom, each in read.listed.items()
    )
    none, filed_none = read.grounded.none, facts.plan.uncovered
    beside: tuple[Lane, ...] = ()
    if read.none is not None and none is not None and filed_none is not None:
        beside = (axis.lane_as_read(NONE, read.none, none.best_guess, facts.beside(filed_none).share),)
    return Chart(ticks=ticks, groups=(Group(None, themes),), beside=beside, undrawn=0)


def range_words(read: AsRead, estimate: Estimate) -> str:
    """Write what a reader would file."""
    return UNKNOWN if not read.plan.has_shares else "{:,f}% to {:,f}%".format(*read.outward(estimate))


def _chart_as_filed(facts: Facts) -> Chart:
    listed = _listed_by_area(facts)
    areas = sorted((area for area in listed if area is not None), key=lambda area: -facts.area_estimates[area].share)
    silent = [area for area in areas if not listed[area]]
    room = max(0, MOST_LANES - len(facts.listed) - (len(areas) - len(silent)))
    drawn = [area for area in areas if area not in silent[room:]]
    ticks, percent = axis_of(100 * _top(facts, drawn))
    axis = _Axis(facts, percent / 100)
    alone = listed.get(None, ())
    groups = [axis.group(area, listed[area]) for area in drawn]
    return Chart(
        ticks=ticks,
        groups=(*groups, Group(None, tuple(map(axis.theme, alone)))) if alone else tuple(groups),
        beside=tuple(axis.lane(name, estimate) for name, estimate in _beside(facts)),
        undrawn=len(silent[room:]),
    )


def _listed_by_area(facts: Facts) -> dict[str | None, tuple[int, ...]]:
    """Return the listed themes of every area whose sum is known, and under None those of no such area."""
    found: dict[str | None, tuple[int, ...]] = dict.fromkeys(facts.area_estimates, ())
    for atom, entry in facts.listed.items():
        area = entry.parent if entry.parent in found else None
        found[area] = (*found.get(area, ()), atom)
    return found


def _beside(facts: Facts) -> Iterator[tuple[str, Estimate]]:
    none, unread = facts.plan.uncovered, facts.plan.not_read
    sure = unread if unread is not None and unread.low > 0 else None  # else the table is place enough for it
    for name, value in ((NONE, none), ("not read", sure)):
        if value is not None:
            yield name, facts.beside(value)


def _top(facts: Facts, areas: list[str]) -> float:
    """Return the largest share that the chart must hold."""
    drawn = [(facts.area_estimates[area], facts.areas[area]) for area in areas]
    drawn += [(facts.theme(atom), (atom,)) for atom in facts.listed]
    ranges = filter(None, (facts.sorting_range(members) for _, members in drawn))
    highs = [*(one.high for one, _ in drawn), *(one.high for _, one in _beside(facts)), *(high for _, high in ranges)]
    return max([detection_limit(facts.plan), *highs])


def axis_of(top: float, unit: str = "%") -> tuple[tuple[Tick, ...], float]:
    """Return the ticks of an axis that holds ``top`` and where it ends: five at most, fewer where numbers are long."""
    for most, longest in STEPS.items():
        ticks, end = _ticks(top, most, unit)
        if all(len(tick.text) <= longest for tick in ticks):
            return ticks, end
    return _ticks(top, 1, unit)


def _ticks(top: float, most: int, unit: str) -> tuple[tuple[Tick, ...], float]:
    step, count = round_steps(top, most)
    return tuple(Tick(round(100 * i / count, 3), f"{plain(i * step)}{unit}") for i in range(count + 1)), step * count
