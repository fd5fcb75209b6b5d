"""Shares of a plan as percentages, with the decimals that the noise allows, and whether they say anything at all.

Sentences, tables and pictures round alike. Noise can make a part come out as more than the whole: then there are none.
"""

import math
from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from functools import partial
from typing import Final

from dpspin.boundary.denominator import FreeTotal, PaidCount, PublicNumber
from dpspin.boundary.plan_fields import PlanFields
from dpspin.boundary.privacy import MASS

HUNDRED: Final = Decimal(100)
NEAR_CERTAIN: Final = Decimal("1e-12")  # a confidence is written up to here, and never as certainty
DIGITS: Final = 10  # of a number that is bought, such as epsilon
ALL_BUT_ALL: Final = 0.999  # from here on a chance is rounded down: it is never certainty
COARSE: Final = 10  # points from which on a first decimal says nothing


def decimals_of(plan: PlanFields) -> int:
    """Return the decimals of a percentage that the noise allows: half of the last one is no more than its reach."""
    error = 100 * plan.rules.certificates.interval_below / plan.denominator.value
    return max(1 if error < 1 else 0, math.ceil(-math.log10(2 * error)))


def decimals_as_read(plan: PlanFields) -> int:
    """Return the decimals of a percentage that the reading of a sample allows: its intervals are the wider ones."""
    assert plan.grounded is not None  # noqa: S101  asked for where a sample was read only
    error = min(50 * (each.support_high - each.support_low) for each in plan.grounded.themes)
    return max(0 if error >= COARSE else 1, math.ceil(-math.log10(error)))


def rounded(share: float, decimals: int, how: str) -> Decimal:
    """Return a share in percent with so many decimals.

    >>> rounded(0.06449, 1, "ROUND_HALF_EVEN"), rounded(0.06449, 1, ROUND_CEILING)
    (Decimal('6.4'), Decimal('6.5'))
    """
    return (Decimal(share) * HUNDRED).quantize(Decimal(1).scaleb(-decimals), how)


def outward(low: float, high: float, decimals: int) -> tuple[Decimal, Decimal]:
    """Round an interval so that the one that is printed contains it.

    >>> outward(0.0611, 0.0649, 1)
    (Decimal('6.1'), Decimal('6.5'))
    """
    return rounded(low, decimals, ROUND_FLOOR), rounded(high, decimals, ROUND_CEILING)


def confidence(beta: float) -> Decimal:
    """Return the confidence that an error of ``beta`` leaves, in percent: rounded down, and so never 100.

    >>> confidence(0.05), confidence(1e-14)
    (Decimal('95'), Decimal('99.999999999999'))
    """
    return _bare((HUNDRED * (1 - Decimal(repr(beta)))).quantize(NEAR_CERTAIN, ROUND_FLOOR))


def exact(share: float) -> Decimal:
    """Return a share that was declared, in percent.

    >>> exact(0.1), exact(1.0)
    (Decimal('10'), Decimal('100'))
    """
    return _bare(HUNDRED * Decimal(repr(share)))


def about(share: float) -> Decimal:
    """Return a share that was chosen, in percent with three digits.

    >>> about(0.015), about(1 / 3), about(0.9996)
    (Decimal('1.5'), Decimal('33.3'), Decimal('99.9'))
    """
    how = ROUND_FLOOR if share > ALL_BUT_ALL else ROUND_HALF_EVEN
    return _bare(Context(prec=3, rounding=how).create_decimal(HUNDRED * Decimal(repr(share))))


def upward(value: float) -> Decimal:
    """Return a number that must not be understated, such as epsilon.

    >>> upward(1.0), upward(1.00000000004), upward(1e-6)
    (Decimal('1'), Decimal('1.000000001'), Decimal('0.000001'))
    """
    return _bare(Context(prec=DIGITS, rounding=ROUND_CEILING).create_decimal(repr(value)))


def _bare(number: Decimal) -> Decimal:
    """Leave out zeros at the end, and exponents."""
    return Decimal(f"{number.normalize():f}")


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


def most_as_read(plan: PlanFields) -> float:
    """Return the most that a share by the reading can be: a total bounds it only if map and reader deal out the same.

    Where the map cannot answer "none of these", it may file less than a reader does.
    """
    return math.inf if isinstance(plan.denominator, FreeTotal) and plan.uncovered is None else most_of(plan)


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
    read = () if plan.grounded is None else (*plan.grounded.themes, *filter(None, [plan.grounded.none]))
    lows = [each.support_low for each in read]
    together = sum(lows) if plan.statement.quantity == MASS else max(lows, default=0.0)  # of masses nothing is shared
    return (
        plan.denominator.is_known
        and not any(contradict(plan, map(partial(_part, plan), masses)) for masses in _apart(plan))
        and together < most_as_read(plan)
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
