"""What in a plan of a series does not follow from its terms."""

from collections.abc import Iterator

from dpspin.boundary.denominator import PaidCount
from dpspin.boundary.plan_fields import SERIES_SCHEMA, PlanFields
from dpspin.boundary.series import SeriesPlace


def series_contradictions(plan: PlanFields) -> Iterator[str]:
    """Yield what is wrong with a plan's place in its series."""
    if (plan.series is None) != (plan.statement.series is None):
        yield "a place in a series goes with a statement about its life"
    if plan.series is not None:
        yield from _contradictions(plan.series, plan)


def _contradictions(place: SeriesPlace, plan: PlanFields) -> Iterator[str]:
    if plan.schema_version != SERIES_SCHEMA:
        yield f"a place in a series goes with schema {SERIES_SCHEMA}"
    if place.terms != plan.statement.series:
        yield "a plan's place in its series and its statement have different terms"
    if isinstance(plan.denominator, PaidCount):
        yield "no count is bought with a period of a series"
    if place.period not in place.terms.every.declared:
        yield "the period is none of its calendar"
    if place.wanted_noise.scale < place.terms.wanted_noise.scale * (1 - 1e-9):
        yield "the stated noise of what was wanted is too small for its part of the privacy loss"
