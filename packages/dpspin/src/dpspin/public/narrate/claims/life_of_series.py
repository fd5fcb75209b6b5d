"""Claims about the life of a series: what it costs, which periods are missing, and how its users fade from it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any, ClassVar

from dpspin.boundary import percentages
from dpspin.boundary.series_changes import PlansInTime
from dpspin.boundary.series_levels import counted_part
from dpspin.public.narrate.claims.claim import Problem, broken
from dpspin.public.narrate.claims.over_time import OfSeries
from dpspin.public.narrate.facts import Facts


@dataclass(frozen=True, slots=True)
class CountedPart(OfSeries):
    """How much of what the users of a period would have added with full allowances was counted."""

    kind: ClassVar[str] = "counted_part"
    period: str
    telling: str | None = None
    low: Decimal | None = None
    high: Decimal | None = None

    def _law_of(self, facts: Facts, time: PlansInTime) -> Problem | None:  # noqa: ARG002  of the series alone
        released = self.period in time.plans
        return broken("unsupported-number", f"{self.period} was not released.", unless=released)

    def _figures_of(self, facts: Facts, time: PlansInTime) -> Mapping[str, Any]:  # noqa: ARG002  of the series alone
        part = counted_part(time.plans[self.period], time.beta_of_a_period)
        low, high = percentages.outward(part.low, part.high, 0)
        known = low > 0 or high < percentages.HUNDRED
        return {"telling": "known", "low": low, "high": high} if known else {"telling": "lost"}


@dataclass(frozen=True, slots=True)
class NewLife(OfSeries):
    """With which period a new life of the series began, in which allowances were full again."""

    kind: ClassVar[str] = "new_life"
    period: str

    def _law_of(self, facts: Facts, time: PlansInTime) -> Problem | None:  # noqa: ARG002  of the series alone
        began = self.period in new_lives(time)
        return broken("unsupported-public-claim", f"No new life began with {self.period}.", unless=began)


def new_lives(time: PlansInTime) -> list[str]:
    """Return the periods that are of another life than the one before."""
    return [new for old, new in pairwise(time.periods) if time.places[old].life != time.places[new].life]


@dataclass(frozen=True, slots=True)
class Skipped(OfSeries):
    """How many periods of the calendar, up to the last released one, were not released."""

    kind: ClassVar[str] = "skipped"
    last: str | None = None
    size: int | None = None
    count: int | None = None

    def _law_of(self, facts: Facts, time: PlansInTime) -> Problem | None:  # noqa: ARG002  of the series alone
        return broken("unsupported-number", "No period was skipped.", unless=bool(skipped(time)))

    def _figures_of(self, facts: Facts, time: PlansInTime) -> Mapping[str, Any]:  # noqa: ARG002  of the series alone
        return {"last": time.last, "size": time.calendar.index(time.last) + 1, "count": len(skipped(time))}


def skipped(time: PlansInTime) -> list[str]:
    """Return the periods before the last released one that were not released, and never will be."""
    return [name for name in time.calendar[: time.calendar.index(time.last)] if name not in time.plans]


@dataclass(frozen=True, slots=True)
class SeriesLoss(OfSeries):
    """What all released periods of the series together cost a user, over all of its lives."""

    kind: ClassVar[str] = "series_loss"
    lived: str | None = None
    last: str | None = None
    epsilon: Decimal | None = None
    delta: Decimal | None = None
    count: int | None = None

    def _law_of(self, facts: Facts, time: PlansInTime) -> Problem | None:  # noqa: ARG002  of the series alone
        private = all(plan.is_private for plan in time.plans.values())
        return broken("not-private", "These numbers are simulated and not private.", unless=private)

    def _figures_of(self, facts: Facts, time: PlansInTime) -> Mapping[str, Any]:  # noqa: ARG002  of the series alone
        """Add up the losses of the lives, each of which was paid for whole."""
        lives = {place.life: place.terms.epsilon for place in time.places.values()}
        loss = {"epsilon": percentages.upward(math.fsum(lives.values())), "delta": percentages.upward(0.0)}
        several = {"lived": "several", "count": len(lives)} if len(lives) > 1 else {"lived": "once"}
        return {"last": time.last, **loss, **several}
