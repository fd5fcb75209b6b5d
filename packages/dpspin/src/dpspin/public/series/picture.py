"""Geometry of a series: small pictures in which every share is the band between its ends, period by period.

A band is drawn in steps, one for each period: nothing is known of the time between, and a line through the middles
would look as if something were. Across, a period is one unit wide; upwards, the picture has a height of 100.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from dpspin.boundary.comparable import released_by_place
from dpspin.boundary.comparison_fields import Change, Direction
from dpspin.boundary.series_changes import PlansInTime, Step
from dpspin.boundary.series_levels import areas_in, areas_of, counted_part, levels_of
from dpspin.boundary.view_cells import Range
from dpspin.public.narrate.claims.life_of_series import new_lives
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.chart import NONE, axis_of
from dpspin.public.report.csv_tables import NOT_READ
from dpspin.public.wording.numbers import Scale, decimals_for, plain

HEIGHT = 100.0
MOST_CHANGED = 4  # themes that are shown before all others
ARROWS: Mapping[Direction, str] = {"up": "▲", "down": "▼", "not_apart": ""}
HOLLOW: Mapping[Direction, str] = {"up": "△", "down": "▽", "not_apart": ""}  # chance in who wrote may explain it


def sign_of(change: Change) -> str:
    """Mark a change that is told apart."""
    return (ARROWS if change.beyond_chance else HOLLOW)[change.direction]


@dataclass(frozen=True, slots=True)
class Band:
    """Periods one after the other whose share lies alike to that of the first: above it, below it, or not told."""

    direction: Direction
    path: str


@dataclass(frozen=True, slots=True)
class Arrow:
    """A change from the period before that is more than noise and chance explain; ``at`` is in percent of the width."""

    direction: Direction
    sign: str
    at: float


@dataclass(frozen=True, slots=True)
class Panel:
    """One theme, area or part over time; ``notes`` name its changes in words."""

    name: str
    atom_id: int | None
    top: str
    bands: tuple[Band, ...]
    ticks: str  # a short line at every released share
    arrows: tuple[Arrow, ...]
    interval: str  # of the latest period in which it is known
    notes: tuple[str, ...]


Look = Callable[[str], Direction]


@dataclass(frozen=True)
class Picture:
    """Everything that is drawn of a series, on the calendar up to the last released period."""

    facts: Facts
    time: PlansInTime

    @cached_property
    def calendar(self) -> tuple[str, ...]:
        """The periods that are drawn, released or not."""
        return self.time.calendar[: self.time.calendar.index(self.time.last) + 1]

    @property
    def skipped(self) -> list[int]:
        """The places of the periods that were not released."""
        return [place for place, name in enumerate(self.calendar) if name not in self.time.plans]

    @cached_property
    def scale(self) -> Scale:
        """How shares are written, all alike: with the decimals that the narrowest interval allows."""
        widths = [50 * (each.high - each.low) for levels in self._levels.values() for each in levels.values()]
        return Scale(decimals_for(min(widths, default=1.0)))

    @cached_property
    def _levels(self) -> dict[str, dict[int | str, Range]]:
        beta = self.time.beta_of_a_period
        return {name: levels_of(plan, beta) for name, plan in self.time.plans.items() if name in self.time.known}

    def level(self, place: int | str) -> dict[str, Range]:
        """Return a share by the periods in which it is known."""
        return {name: levels[place] for name, levels in self._levels.items()}

    @cached_property
    def areas(self) -> tuple[Panel, ...]:
        """The areas, the largest first."""
        areas, beta = areas_in(self.facts.atoms), self.time.beta_of_a_period
        sums = {name: areas_of(self.time.plans[name], areas, beta) for name in self._levels}
        drawn = {area: {name: levels[area] for name, levels in sums.items()} for area in areas}
        ranked = sorted((area for area in areas if drawn[area]), key=lambda area: -_size(drawn[area]))
        return tuple(self._panel(area, drawn[area]) for area in ranked)

    @cached_property
    def themes(self) -> tuple[Panel, ...]:
        """The themes, the largest first; those that never stand clear of the noise come last."""
        ranked = sorted(self.facts.labels, key=lambda atom: (atom not in self.clear, -_size(self.level(atom))))
        return tuple(self._theme(atom) for atom in ranked if self.level(atom))

    @property
    def changed(self) -> tuple[Panel, ...]:
        """The themes that changed by more than noise and chance explain, the latest change first."""
        drawn = {panel.atom_id: panel for panel in self.themes}
        return tuple(drawn[atom] for atom in self.time.moved[:MOST_CHANGED])

    @cached_property
    def clear(self) -> frozenset[int]:
        """The themes that stand clear of the noise in some period, or changed."""
        above = (atom for atom in self.facts.labels if any(each.low > 0 for each in self.level(atom).values()))
        return frozenset((*above, *self.time.moved))

    @cached_property
    def beside(self) -> tuple[Panel, ...]:
        """What fits no theme, and what was not read, where they are measured."""
        named = {"none": NONE, "not_read": NOT_READ}
        known = [place for place in named if place in self.measured and self._levels]
        return tuple(self._panel(named[place], self.level(place)) for place in known)

    @cached_property
    def measured(self) -> frozenset[int | str]:
        """Everything that has a released value in every period."""
        return frozenset(released_by_place(self.facts.plan))

    @cached_property
    def counted(self) -> dict[str, Range]:
        """How much of what was wanted was counted, period by period."""
        return {name: counted_part(plan, self.time.beta_of_a_period) for name, plan in self.time.plans.items()}

    @cached_property
    def fading(self) -> Panel:
        """The same as a panel."""
        return self._panel("counted", self.counted, whole=Scale(0))

    @property
    def lives(self) -> list[float]:
        """Where new lives began, in units of periods."""
        return [float(self.calendar.index(name)) for name in new_lives(self.time)]

    def _theme(self, atom: int) -> Panel:
        steps = [step for step in self.time.steps.values() if atom in step.beyond_chance]
        notes = [*(_told(step, atom) for step in reversed(steps[-2:])), *self._since(atom)]
        arrows = tuple(self._arrow(step, atom) for step in steps)
        name, level = self.facts.labels[atom], self.level(atom)
        return self._panel(name, level, look=self._look(atom), atom=atom, arrows=arrows, notes=notes)

    def _look(self, atom: int) -> Look:
        """Show how it lies to the first period, beyond the noise; of a theme that changed by more than chance only."""

        def look(period: str) -> Direction:
            step = self.time.from_first.get(period)
            return step.direction(atom) if step is not None and atom in self.time.moved else "not_apart"

        return look

    def _arrow(self, step: Step, atom: int) -> Arrow:
        direction = step.direction(atom)
        place = self.calendar.index(step.period)
        return Arrow(direction, ARROWS[direction], round(100 * (place + 0.5) / len(self.calendar), 2))

    def _since(self, atom: int) -> Iterator[str]:
        """Say since when it is above or below the first period, where it is drawn so."""
        since = self.time.since(atom)
        if since is not None and since.period != self.time.last and atom in self.time.moved:
            side = "above" if since.direction == "up" else "below"
            yield f"{side} {self.time.periods[0]} since {since.period}, by {since.least:,f} points or more"

    def _panel(
        self,
        name: str,
        level: dict[str, Range],
        *,
        look: Look = lambda _: "not_apart",
        atom: int | None = None,
        arrows: tuple[Arrow, ...] = (),
        notes: Sequence[str] = (),
        whole: Scale | None = None,
    ) -> Panel:
        highest = 1.0 if whole else max(each.high for each in level.values())
        ticks, end = axis_of(100 * highest)
        full, now = end / 100, whole or self.scale
        latest = level[next(reversed(level))]
        return Panel(
            name=name,
            atom_id=atom,
            top=ticks[-1].text,
            bands=tuple(self._bands(level, look, full)),
            ticks=" ".join(self._tick(period, each.value / full) for period, each in level.items()),
            arrows=arrows,
            interval=now.interval(latest.low, latest.high),
            notes=tuple(notes),
        )

    def _bands(self, level: Mapping[str, Range], look: Look, full: float) -> Iterator[Band]:
        """Join neighbouring periods that look alike; a period that was not released leaves a gap."""
        looks = [look(period) if period in level else None for period in self.calendar]
        for direction, run in groupby(range(len(looks)), key=lambda place: looks[place]):
            if direction is not None:
                places = [*run]
                ends = [level[self.calendar[place]] for place in places]
                yield Band(direction, _outline(places[0], [(each.low / full, each.high / full) for each in ends]))

    def _tick(self, period: str, share: float) -> str:
        place = self.calendar.index(period)
        return f"M{place + 0.2:g} {_up(share)}h.6"


def _told(step: Step, atom: int) -> str:
    """Name a change.

    It is more than noise and chance explain, so both ends lie on one side of zero.
    """
    low, high = step.ends(atom)
    return f"{ARROWS[step.direction(atom)]} {step.period}: {low:+,f} to {high:+,f} points from {step.earlier}"


def _size(level: Mapping[str, Range]) -> float:
    return sum(each.value for each in level.values()) / max(1, len(level))


def _up(share: float) -> str:
    return plain(HEIGHT * (1 - min(1.0, share)), 4)


def _outline(start: int, ends: Sequence[tuple[float, float]]) -> str:
    """Draw around the ends: along the upper ones to the right, along the lower ones back.

    >>> _outline(2, [(0.1, 0.3), (0.2, 0.5)])
    'M2 70H3V50H4V80H3V90H2Z'
    """
    upper = "V".join(f"{_up(high)}H{start + 1 + place}" for place, (_, high) in enumerate(ends))
    last = start + len(ends)
    lower = "V".join(f"{_up(low)}H{last - 1 - place}" for place, (low, _) in enumerate(reversed(ends)))
    return f"M{start} {upper}V{lower}Z"
