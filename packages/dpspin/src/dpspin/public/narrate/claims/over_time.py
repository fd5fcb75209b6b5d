"""Claims about the plans of a series: which shares differ between two periods, since when, and what that rests on.

They stand in texts about a series only. Every one of them names its periods, so that none can pass for another.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal
from typing import Any, ClassVar, Final

from dpspin.boundary import percentages
from dpspin.boundary.comparison_fields import Direction
from dpspin.boundary.series_changes import PlansInTime, Step
from dpspin.public.narrate.claims.changes import NO_THEME, UNREAD
from dpspin.public.narrate.claims.claim import Claim, Problem, broken
from dpspin.public.narrate.facts import Facts
from dpspin.public.wording.quantities import denominator_words, unit_words

BESIDE: Final = {NO_THEME["filed"][0]: "none", UNREAD[0]: "not_read"}  # of masses: a series counts no units
REMARKS: Final = ("simulated", "filed", "fading", "not_why")


@dataclass(frozen=True, slots=True)
class OfSeries(Claim):
    """What is said of a series."""

    def _elsewhere(self, facts: Facts) -> Problem | None:
        return broken("no-series", "There is no series here.", unless=facts.time is not None)

    def _law(self, facts: Facts) -> Problem | None:
        return self._law_of(facts, _time(facts))

    def _figures(self, facts: Facts) -> Mapping[str, Any]:
        return self._figures_of(facts, _time(facts))

    def _no_share(self, facts: Facts) -> Problem | None:  # noqa: ARG002  whatever the last plan knows
        """Ask nothing more: two periods are compared only where the shares of both are known."""
        return None

    def _law_of(self, facts: Facts, time: PlansInTime) -> Problem | None:  # noqa: ARG002  some hold of every series
        """Return why this cannot be said of this series."""
        return None

    def _figures_of(self, facts: Facts, time: PlansInTime) -> Mapping[str, Any]:  # noqa: ARG002  some have none
        """Return the true figures."""
        return {}


def _time(facts: Facts) -> PlansInTime:
    assert facts.time is not None  # noqa: S101  no law is broken
    return facts.time


@dataclass(frozen=True, slots=True)
class DiffersOverTime(OfSeries):
    """The share of a theme is larger or smaller in a period than in the one before, or in the first one."""

    kind: ClassVar[str] = "differs_over_time"
    theme: int
    period: str
    earlier: str
    telling: str | None = None
    before: Decimal | None = None
    after: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None

    def _law_of(self, facts: Facts, time: PlansInTime) -> Problem | None:
        step = time.step(self.earlier, self.period)
        apart = step is not None and step.direction(self.theme) != "not_apart"
        name = facts.labels.get(self.theme, self.theme)
        message = f"The shares of {name!r} in {self.earlier} and {self.period} are not told apart."
        return broken("unsupported-change", message, unless=apart)

    def _figures_of(self, facts: Facts, time: PlansInTime) -> Mapping[str, Any]:  # noqa: ARG002  of the series alone
        return _ends(time.step(self.earlier, self.period), self.theme)


def _ends(step: Step | None, place: int | str) -> dict[str, object]:
    """Return the figures; points are told as so many more or so many less, and not where nothing is told apart."""
    assert step is not None  # noqa: S101  no law is broken
    change, (low, high) = step.changes[place], step.ends(place)
    ends: dict[Direction, tuple[Decimal | None, ...]] = {
        "up": (low, high),
        "down": (-high, -low),
        "not_apart": (None, None),
    }
    both = [percentages.rounded(each, step.decimals, ROUND_HALF_EVEN) for each in (change.share_a, change.share_b)]
    figures = zip(("before", "after", "low", "high"), (*both, *ends[change.direction]), strict=True)
    return {"telling": change.direction, **dict(figures)}


@dataclass(frozen=True, slots=True)
class NotApartOverTime(OfSeries):
    """The shares of these themes in two periods are not told apart."""

    kind: ClassVar[str] = "not_apart_over_time"
    themes: tuple[int, ...]
    period: str
    earlier: str

    def _law_of(self, facts: Facts, time: PlansInTime) -> Problem | None:  # noqa: ARG002  of the series alone
        """Ask that there are themes, each once, that both periods were compared, and that none is told apart."""
        step = time.step(self.earlier, self.period)
        once = bool(self.themes) and len({*self.themes}) == len(self.themes)
        equal = step is not None and {*self.themes} <= {*step.themes} - {*step.moved}
        return broken("unsupported-change", "Some of these are told apart, or not compared.", unless=once and equal)


@dataclass(frozen=True, slots=True)
class SinceWhen(OfSeries):
    """Since when, and up to the last period, a theme has a larger or smaller share than in the first period."""

    kind: ClassVar[str] = "since_when"
    theme: int
    telling: str | None = None
    period: str | None = None
    last: str | None = None
    earlier: str | None = None
    low: Decimal | None = None

    def _law_of(self, facts: Facts, time: PlansInTime) -> Problem | None:
        since = time.since(self.theme)
        name = facts.labels.get(self.theme, self.theme)
        message = f"The share of {name!r} is not told apart from that of {time.periods[0]} in the last two periods."
        return broken("unsupported-change", message, unless=since is not None and since.period != time.last)

    def _figures_of(self, facts: Facts, time: PlansInTime) -> Mapping[str, Any]:  # noqa: ARG002  of the series alone
        since = time.since(self.theme)
        assert since is not None  # noqa: S101  no law is broken
        periods = {"period": since.period, "last": time.last, "earlier": time.periods[0]}
        return {"telling": since.direction, **periods, "low": since.least}


@dataclass(frozen=True, slots=True)
class OfStep(OfSeries):
    """What is said of all that differs between a period and the one before."""

    period: str

    def _law_of(self, facts: Facts, time: PlansInTime) -> Problem | None:
        message = f"{self.period} is not compared with the period before it."
        return broken("unsupported-change", message, unless=self.period in time.steps) or (
            self._law_of_step(facts, time.steps[self.period])
        )

    def _figures_of(self, facts: Facts, time: PlansInTime) -> Mapping[str, Any]:
        step = time.steps[self.period]
        return {"earlier": step.earlier, **self._figures_of_step(facts, step)}

    def _law_of_step(self, facts: Facts, step: Step) -> Problem | None:  # noqa: ARG002  some hold of every step
        """Return why this cannot be said of this step."""
        return None

    def _figures_of_step(self, facts: Facts, step: Step) -> Mapping[str, Any]:  # noqa: ARG002  some have no more
        """Return the true figures, but for the name of the earlier period."""
        return {}


@dataclass(frozen=True, slots=True)
class MovedOverTime(OfStep):
    """How many themes are told apart from one period to the next, and by how much any other one differs at most."""

    kind: ClassVar[str] = "moved_over_time"
    found: str | None = None
    size: int | None = None
    count: int | None = None
    earlier: str | None = None
    reach: Decimal | None = None

    def _figures_of_step(self, facts: Facts, step: Step) -> Mapping[str, Any]:  # noqa: ARG002  of the step alone
        others = [each.most for each in step.themes.values() if each.direction == "not_apart"]
        count = len(step.moved)
        return {
            "found": "all" if not others else "some" if count else "none",
            "size": len(step.themes),
            "count": count if count and others else None,
            "reach": percentages.rounded(max(others), step.decimals, ROUND_CEILING) if others else None,
        }


@dataclass(frozen=True, slots=True)
class BeyondChanceOverTime(OfStep):
    """Which themes differ between two periods by more than chance in who wrote would explain: all of those."""

    kind: ClassVar[str] = "beyond_chance_over_time"
    found: str | None = None
    themes: tuple[int, ...] | None = None
    earlier: str | None = None
    units: str | None = None

    def _law_of_step(self, facts: Facts, step: Step) -> Problem | None:  # noqa: ARG002  of the step alone
        return broken("unsupported-change", "No theme is told apart.", unless=bool(step.moved))

    def _figures_of_step(self, facts: Facts, step: Step) -> Mapping[str, Any]:
        units = unit_words(facts.plan.statement.unit)
        return {
            "found": "some" if step.beyond_chance else "none",
            "themes": step.beyond_chance or None,
            "units": units,
        }

    @property
    def rows(self) -> tuple[int, ...]:
        """The themes that it names."""
        return self.themes or ()


@dataclass(frozen=True, slots=True)
class BesideOverTime(OfStep):
    """Whether what fits no theme, or was not read, differs from one period to the next: the first other explanation."""

    kind: ClassVar[str] = "beside_over_time"
    part: str
    telling: str | None = None
    earlier: str | None = None
    before: Decimal | None = None
    after: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None

    def _law_of_step(self, facts: Facts, step: Step) -> Problem | None:  # noqa: ARG002  of the step alone
        measured = BESIDE.get(self.part) in step.changes
        return broken("unsupported-coverage", "This was not measured, or not so.", unless=measured)

    def _figures_of_step(self, facts: Facts, step: Step) -> Mapping[str, Any]:  # noqa: ARG002  of the step alone
        return _ends(step, BESIDE[self.part])


@dataclass(frozen=True, slots=True)
class Steps(OfSeries):
    """In how many of the steps from one released period to the next some theme is told apart."""

    kind: ClassVar[str] = "steps"
    found: str | None = None
    size: int | None = None
    count: int | None = None

    def _figures_of(self, facts: Facts, time: PlansInTime) -> Mapping[str, Any]:  # noqa: ARG002  of the series alone
        size, count = len(time.steps), sum(bool(step.moved) for step in time.steps.values())
        found = "some" if count else "none" if size else "nothing"
        return {"found": found, "size": size or None, "count": count or None}


@dataclass(frozen=True, slots=True)
class TooNoisy(OfSeries):
    """In how many released periods what shares refer to is too noisy to compare them."""

    kind: ClassVar[str] = "too_noisy"
    count: int | None = None

    def _law_of(self, facts: Facts, time: PlansInTime) -> Problem | None:  # noqa: ARG002  of the series alone
        lost = len(time.known) < len(time.periods)
        return broken("unsupported-number", "The shares of all periods are known.", unless=lost)

    def _figures_of(self, facts: Facts, time: PlansInTime) -> Mapping[str, Any]:  # noqa: ARG002  of the series alone
        return {"count": len(time.periods) - len(time.known)}


@dataclass(frozen=True, slots=True)
class OwnPeriods(OfSeries):
    """What shares refer to: each to its own period."""

    kind: ClassVar[str] = "own_periods"
    last: str | None = None
    denominator: str | None = None

    def _figures_of(self, facts: Facts, time: PlansInTime) -> Mapping[str, Any]:
        return {"last": time.last, "denominator": denominator_words(facts.plan)}


@dataclass(frozen=True, slots=True)
class TimeConfidence(OfSeries):
    """With which confidence all differences of a series hold together, and what that does not cover."""

    kind: ClassVar[str] = "time_confidence"
    confidence: Decimal | None = None

    def _figures_of(self, facts: Facts, time: PlansInTime) -> Mapping[str, Any]:  # noqa: ARG002  of the series alone
        return {"confidence": percentages.confidence(time.beta)}


@dataclass(frozen=True, slots=True)
class TimeRemark(OfSeries):
    """One of the fixed sentences about a series."""

    kind: ClassVar[str] = "time_remark"
    remark: str

    def _law_of(self, facts: Facts, time: PlansInTime) -> Problem | None:  # noqa: ARG002  of the plans alone
        simulated = not all(plan.is_private for plan in time.plans.values())
        applies = {"simulated": simulated}.get(self.remark, self.remark in REMARKS)
        return broken("unsupported-public-claim", "This is not true of this series.", unless=applies)
