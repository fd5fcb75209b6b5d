"""What a plan of a series says of its place in it, and what in it does not follow from its terms."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from dpspin.boundary.denominator import PaidCount
from dpspin.boundary.plan_fields import NEWEST_SCHEMA, PlanFields
from dpspin.boundary.series import SeriesPlace


def series_contradictions(plan: PlanFields) -> Iterator[str]:
    """Yield what is wrong with a plan's place in its series."""
    if (plan.series is None) != (plan.statement.series is None):
        yield "a place in a series goes with a statement about its life"
    if plan.series is not None:
        yield from _contradictions(plan.series, plan)


def _contradictions(place: SeriesPlace, plan: PlanFields) -> Iterator[str]:
    if plan.schema_version != NEWEST_SCHEMA:
        yield f"a place in a series goes with schema {NEWEST_SCHEMA}"
    if place.terms != plan.statement.series:
        yield "a plan's place in its series and its statement have different terms"
    if isinstance(plan.denominator, PaidCount):
        yield "no count is bought with a period of a series"
    if place.period not in place.terms.every.declared:
        yield "the period is none of its calendar"
    if place.wanted_noise.scale < place.terms.wanted_noise.scale * (1 - 1e-9):
        yield "the stated noise of what was wanted is too small for its part of the privacy loss"


@dataclass(frozen=True, slots=True)
class Fading:
    """How much of the mass that was wanted in a period could still be counted: 1 where no allowance was used up."""

    part: float
    low: float
    high: float


def fading_of(plan: PlanFields, beta: float | None = None) -> Fading | None:
    """Return counted over wanted, with ends that hold together with probability 1 - beta; None where that is unknown.

    ``beta`` is the plan's own, unless several periods are told together.

    Counted is the sum of all released masses, so its noise is a sum of as many terms; wanted has a noise of its own.
    A quarter of beta is for each end of each of the two.
    """
    if plan.series is None:
        return None
    masses, tail = plan.released_masses, (beta or plan.rules.beta) / 4
    counted, of_counted = math.fsum(masses), plan.statement.noise.sum_quantile(len(masses), tail)
    wanted, of_wanted = plan.series.wanted, plan.series.wanted_noise.sum_quantile(1, tail)
    if wanted <= of_wanted:
        return None
    ends = (
        counted / wanted,
        (counted - of_counted) / (wanted + of_wanted),
        (counted + of_counted) / (wanted - of_wanted),
    )
    return Fading(*(min(1.0, max(0.0, each)) for each in ends))
