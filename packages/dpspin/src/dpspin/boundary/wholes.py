"""When released parts can be shares of a measured whole: noise can make a part come out as more than all of it."""

import math
from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Decimal
from functools import partial

from dpspin.boundary.denominator import FreeTotal, PaidCount, PublicNumber
from dpspin.boundary.percentages import HUNDRED, decimals_of, rounded
from dpspin.boundary.plan_fields import PlanFields
from dpspin.boundary.privacy import MASS

Part = tuple[float, float]  # a share, and the lower end of its interval


def most_of(plan: PlanFields) -> float:
    """Return the most that a share can be: of a total all of it, of a count what each unit adds.

    A declared number is the curator's word, so nothing is known of that.
    """
    match plan.denominator:
        case PublicNumber():
            return math.inf
        case FreeTotal():
            return 1.0
        case PaidCount():
            return plan.statement.unit.bound


def contradict(plan: PlanFields, parts: Iterable[Part]) -> bool:
    """Tell whether these cannot be parts of one whole, no two of which share anything.

    One of them is all of it or more beyond the noise, so that the interval of what is possible has no width; or two of
    them are each told as all of it.
    """
    most, known = most_of(plan), [*parts]
    whole = HUNDRED * Decimal(most)
    told_as_whole = [rounded(share, decimals_of(plan), ROUND_HALF_EVEN) >= whole for share, _ in known]
    return any(low >= most for _, low in known) or sum(told_as_whole) > 1


def has_shares(plan: PlanFields) -> bool:
    """Tell whether shares say anything: what they refer to stands clear of the noise, and no part of it beyond it."""
    return plan.denominator.is_known and not any(
        contradict(plan, map(partial(_part, plan), masses)) for masses in _apart(plan)
    )


def _apart(plan: PlanFields) -> Iterable[list[float]]:
    """Yield the released values in groups, in each of which no two share anything.

    Masses never do. A unit that is counted counts for several themes, and may have text that was not read as well; but
    not for one of them and for none.
    """
    released = plan.entries if plan.noisy_sketch is None else plan.noisy_sketch
    themes = [each.noisy_mass for each in released]
    none, not_read = ([] if one is None else [one.noisy_mass] for one in (plan.uncovered, plan.not_read))
    if plan.statement.quantity == MASS:
        return ([*themes, *none, *not_read],)
    return ([*sorted(themes)[-1:], *none], not_read)


def _part(plan: PlanFields, mass: float) -> Part:
    return mass / plan.denominator.value, (mass - plan.rules.certificates.interval_below) / plan.denominator.high
