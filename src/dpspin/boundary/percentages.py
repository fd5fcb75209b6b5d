"""Shares as percentages, with the decimals that the noise allows: sentences, tables and pictures round alike."""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from dpspin.boundary.plan import SemanticPlan

HUNDRED: Final = Decimal(100)


def decimals_of(plan: "SemanticPlan") -> int:
    """Return the decimals of a percentage that the noise of a plan allows."""
    error = 100 * plan.rules.certificates.interval_below / plan.denominator.value
    return max(1 if error < 1 else 0, math.floor(-math.log10(error)))


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
