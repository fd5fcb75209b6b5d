"""What the plans of a series say of change over time: from each period to the next, and since the first one.

Pure post-processing of released numbers, by the law of `boundary.comparison` for two plans.

Theorem (over time). Let the calendar have W periods. What is compared is each released period with the released one
before it, and with the first: at most P = 2W - 3 pairs, whichever periods are skipped. Where each pair has beta/P, all
differences of all pairs hold together with 1 - beta (a union). P follows from the calendar alone, so an interval that
was told once stays as it is when later periods come, and everything that was ever told of a calendar holds together. A
life that moves the calendar on makes P larger, and all intervals a little wider.

Since when. If in every period from one to the last the difference from the first period leaves out zero on the same
side, then all those shares are certainly larger (smaller) than the first: it is read off the same intervals.

Periods are skipped, and lives renewed, by decisions that do not look at the noise. The noise of a later period is
independent of everything before it, so a decision that does look can only choose which pair stands in the family.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import pairwise, takewhile

from dpspin.boundary.comparable import Place, is_known, released_by_place, require_same_measurement
from dpspin.boundary.comparison import certified_changes
from dpspin.boundary.comparison_fields import Change, Direction, ends_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.series import SeriesPlace
from dpspin.errors import PlanError


def place_of(plan: SemanticPlan) -> SeriesPlace:
    """Return where a plan stands in its series; refuse one that is of none."""
    if plan.series is None:
        raise PlanError("this plan is of no series: it stands for itself")
    return plan.series


@dataclass(frozen=True, slots=True)
class Step:
    """What differs between an earlier period and a later one, and with how many decimals it is written."""

    earlier: str
    period: str
    decimals: int
    changes: Mapping[Place, Change]

    @property
    def themes(self) -> dict[int, Change]:
        """The changes of themes, by id."""
        return {place: change for place, change in self.changes.items() if isinstance(place, int)}

    def direction(self, theme: int) -> Direction:
        """Whether a theme is told apart, and how; one that not both plans released is not."""
        return self.changes[theme].direction if theme in self.changes else "not_apart"

    def ends(self, place: Place) -> tuple[Decimal, Decimal]:
        """Return the ends of a difference in points, rounded outward."""
        return ends_of(self.changes[place], self.decimals)

    @property
    def moved(self) -> tuple[int, ...]:
        """The themes that are told apart: those beyond chance first, and of these the surest change."""
        apart = {theme: change for theme, change in self.themes.items() if change.direction != "not_apart"}
        return tuple(sorted(apart, key=lambda theme: (not apart[theme].beyond_chance, -apart[theme].certain)))

    @property
    def beyond_chance(self) -> tuple[int, ...]:
        """Those of them that differ by more than chance in who wrote would explain."""
        return tuple(theme for theme in self.moved if self.changes[theme].beyond_chance)


@dataclass(frozen=True, slots=True)
class Since:
    """A theme's share is larger (``up``) or smaller than in the first period, from one period to the last."""

    direction: Direction
    period: str
    least: Decimal  # by so many points at least, in each of those periods


@dataclass(frozen=True)
class PlansInTime:
    """The plans of a series in the order of its calendar, which all measured the same in the same way."""

    released: tuple[SemanticPlan, ...]

    def __post_init__(self) -> None:
        calendars = [place_of(plan).terms.every for plan in self.released]
        if len({(every.every, every.column, every.zone) for every in calendars}) > 1:
            raise PlanError("these plans are of different calendars: they are not of one series")
        names = [place_of(plan).period for plan in self.released]
        if names != sorted({*names}):
            raise PlanError("the periods of a series stand in the order of its calendar, each once")
        for name, plan in zip(names[1:], self.released[1:], strict=True):
            require_same_measurement(self.released[0], plan, (names[0], name))
        if len({tuple(released_by_place(plan).items()) for plan in self.released}) < len(names):
            raise PlanError("two periods have the same noise: one plan stands in the place of another")

    @cached_property
    def plans(self) -> dict[str, SemanticPlan]:
        """The plans by the names of their periods."""
        return {place_of(plan).period: plan for plan in self.released}

    @cached_property
    def places(self) -> dict[str, SeriesPlace]:
        """Where each of them stands in the series: its life and terms, and what was wanted."""
        return {name: place_of(plan) for name, plan in self.plans.items()}

    @cached_property
    def calendar(self) -> tuple[str, ...]:
        """The periods that the series has in all, released or not: those of all of its lives, in their order."""
        lives = {place.life: place.terms.every for place in self.places.values()}
        return tuple(sorted({name for every in lives.values() for name in every.declared}))

    @cached_property
    def periods(self) -> tuple[str, ...]:
        """The names of the released periods."""
        return tuple(self.plans)

    @property
    def last(self) -> str:
        """The name of the last released period."""
        return self.periods[-1]

    @cached_property
    def beta(self) -> float:
        """The chance of error of everything that is said together."""
        return max(plan.rules.beta for plan in self.plans.values())

    @property
    def pairs(self) -> int:
        """How many pairs of periods are compared in the whole calendar, at most."""
        return max(1, 2 * len(self.calendar) - 3)

    @property
    def beta_of_a_period(self) -> float:
        """The part of one period, where every period of the calendar has its numbers (`boundary.series_levels`)."""
        return self.beta / len(self.calendar)

    @cached_property
    def steps(self) -> dict[str, Step]:
        """From the period before to each one; not where what shares refer to is too noisy in one of the two."""
        return self._compared(pairwise(self.periods))

    @cached_property
    def moved(self) -> tuple[int, ...]:
        """The themes that changed in some step by more than chance would explain: the latest change first."""
        latest = (self.steps.get(period) for period in reversed(self.periods))
        return tuple(dict.fromkeys(theme for step in latest if step is not None for theme in step.beyond_chance))

    @cached_property
    def from_first(self) -> dict[str, Step]:
        """From the first period to each later one."""
        return self._compared((self.periods[0], period) for period in self.periods[1:])

    def _compared(self, pairs: Iterable[tuple[str, str]]) -> dict[str, Step]:
        known = ((earlier, period) for earlier, period in pairs if {earlier, period} <= self.known)
        return {period: self._step(earlier, period) for earlier, period in known}

    @cached_property
    def known(self) -> frozenset[str]:
        """The periods in which what shares refer to is known well enough."""
        beta = self.beta / (2 * self.pairs)  # each plan has half of its pair's
        return frozenset(period for period, plan in self.plans.items() if is_known(plan, beta))

    def _step(self, earlier: str, period: str) -> Step:
        before, after = self.plans[earlier], self.plans[period]
        return Step(earlier, period, *certified_changes(before, after, self.beta / self.pairs))

    def step(self, earlier: str, period: str) -> Step | None:
        """Return what differs between two periods, where they are compared."""
        found = (steps.get(period) for steps in (self.steps, self.from_first))
        return next((step for step in found if step is not None and step.earlier == earlier), None)

    def since(self, theme: int) -> Since | None:
        """Return since when a theme is certainly above or below its share in the first period, up to the last one."""
        run: list[Step] = []
        for period in reversed(self.periods[1:]):
            step = self.from_first.get(period)
            if step is None or step.direction(theme) == "not_apart":
                break
            run.append(step)
        same = [*takewhile(lambda step: step.direction(theme) == run[0].direction(theme), run)]
        nearer = [max(low, -high) for low, high in (step.ends(theme) for step in same)]
        return Since(same[0].direction(theme), same[-1].period, min(nearer)) if same else None
