"""Shares as percentages, with the decimals that the noise allows: sentences, tables and pictures round alike."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from dpspin.boundary.plan_fields import PlanFields

HUNDRED: Final = Decimal(100)
NEAR_CERTAIN: Final = Decimal("1e-12")  # a confidence is written up to here, and never as certainty
DIGITS: Final = 10  # of a number that is bought, such as epsilon


def decimals_of(plan: "PlanFields") -> int:
    """Return the decimals of a percentage that the noise allows: half of the last one is no more than its reach."""
    error = 100 * plan.rules.certificates.interval_below / plan.denominator.value
    return max(1 if error < 1 else 0, math.ceil(-math.log10(2 * error)))


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


def upward(value: float) -> Decimal:
    """Return a number that must not be understated, such as epsilon.

    >>> upward(1.0), upward(1.00000000004), upward(1e-6)
    (Decimal('1'), Decimal('1.000000001'), Decimal('0.000001'))
    """
    return _bare(Context(prec=DIGITS, rounding=ROUND_CEILING).create_decimal(repr(value)))


def _bare(number: Decimal) -> Decimal:
    """Leave out zeros at the end, and exponents."""
    return Decimal(f"{number.normalize():f}")
