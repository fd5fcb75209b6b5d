"""How numbers and shares look in texts: no false digits, and no exponents but in a delta."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING

from dpspin.boundary.percentages import decimals_of, outward, rounded

if TYPE_CHECKING:
    from dpspin.boundary.plan import SemanticPlan

EXACT = 6  # decimals of a number without an error
COARSE = 10  # an error from which on the first decimal says nothing


def plain(value: float, digits: int = 3) -> str:
    """Write a number with ``digits`` significant digits and thousands separators, never with an exponent.

    >>> plain(1.41421356), plain(0.00707107), plain(20000), plain(1234567.0), plain(0)
    ('1.41', '0.00707', '20,000', '1,230,000', '0')
    """
    if value == 0:
        return "0"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    text = f"{round(value, decimals):,.{max(0, decimals)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def plain_up(value: float, digits: int = 3) -> str:
    """Write an upper bound: like ``plain``, but never below the value (but for the dust of floats: 0.05 stays 0.05).

    >>> plain_up(2.71828), plain_up(1.28403), plain_up(2.0), plain_up(0.05)
    ('2.72', '1.29', '2', '0.05')
    """
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    up = math.ceil(Decimal(f"{value:.12g}").scaleb(decimals)) * Decimal(1).scaleb(-decimals)
    return plain(float(up), digits)


def decimals_for(error: float) -> int:
    """Return the decimals that show an error of this size: more would pretend, fewer would hide it.

    >>> decimals_for(0.4), decimals_for(0.04), decimals_for(3.0), decimals_for(300.0)
    (1, 2, 1, 0)
    """
    if error <= 0:
        return EXACT
    return max(0 if error >= COARSE else 1, math.ceil(-math.log10(error)))


def small(value: float) -> str:
    """Write a delta the way it is typed on the command line, where small ones have an exponent.

    >>> small(1e-6), small(2.5e-7), small(0.01), small(0.0)
    ('1e-6', '2.5e-7', '0.01', '0')
    """
    mantissa, _, exponent = f"{value:.9g}".partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa


def out_of(probability: float) -> str:
    """Write an upper bound against the smallest round number that tells it from a half and from certainty.

    >>> out_of(0.7311), out_of(0.5025), out_of(0.99966), out_of(1.0)
    ('74 of 100', '503 of 1,000', '9,997 of 10,000', 'practically 100 of 100')
    """
    for base in (100, 1000, 10_000, 100_000, 1_000_000):
        if abs(probability - 0.5) * base >= 1 and (1 - probability) * base >= 1:
            return f"{math.ceil(probability * base):,} of {base:,}"
    return "practically 100 of 100" if probability > 0.75 else "practically 50 of 100"  # noqa: PLR2004  which end


UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Scale:
    """Percent with so many decimals; nothing is ``known`` where what shares refer to may be noise alone."""

    decimals: int
    known: bool = True

    def text(self, share: float) -> str:
        """Write a share.

        >>> Scale(2).text(0.11934)
        '11.93%'
        """
        return f"{rounded(share, self.decimals, ROUND_HALF_EVEN):,f}%" if self.known else UNKNOWN

    def between(self, low: float, high: float) -> str:
        """Write a range of estimates, which certifies nothing.

        >>> Scale(1).between(0.01004, 0.01201), Scale(1, known=False).between(0.01004, 0.01201)
        ('1.0% to 1.2%', 'unknown')
        """
        return f"{self.text(low)} to {self.text(high)}" if self.known else UNKNOWN

    def interval(self, low: float, high: float) -> str:
        """Write an interval of shares, rounded outward so that the printed one still contains the certified one.

        >>> Scale(1).interval(0.01004, 0.01201)
        '1.0% to 1.3%'
        """
        return "{:,f}% to {:,f}%".format(*outward(low, high, self.decimals)) if self.known else UNKNOWN


def spoken(share: float, digits: int = 6) -> str:
    """Write a public share, which has no noise.

    >>> spoken(0.05), spoken(0.000123456, 2)
    ('5%', '0.012%')
    """
    return f"{plain(100 * share, digits)}%"


def estimated(share: float, error: float) -> str:
    """Write a share with the decimals that its own error allows.

    >>> estimated(0.41815, 0.0014)
    '41.8%'
    """
    return Scale(decimals_for(100 * error)).text(share)


def points(share: float, write: Callable[[float], str] = plain) -> str:
    """Write the difference of two shares.

    >>> points(0.0014)
    '0.14 points'
    """
    return f"{write(100 * share)} points"


def scale_of(plan: "SemanticPlan") -> Scale:
    """Return the scale of a plan."""
    return Scale(decimals_of(plan), plan.has_shares)


def detection_limit(plan: "SemanticPlan") -> float:
    """Return the share that a theme must exceed to be told from zero."""
    return plan.rules.certificates.admission_threshold / plan.denominator.value


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled position on the axis of shares."""

    at: float
    text: str


def round_steps(top: float, most: int) -> tuple[float, int]:
    """Return the smallest round step (1, 2 or 5 times a power of ten) of which ``most`` hold ``top``, and how many do.

    >>> round_steps(17.1, 4), round_steps(0.3, 4), round_steps(31840, 2)
    ((5.0, 4), (0.1, 3), (20000.0, 2))
    """
    magnitude = 10.0 ** math.floor(math.log10(top / most))
    step = next(factor * magnitude for factor in (1, 2, 5, 10) if top <= factor * magnitude * most * (1 + 1e-9))
    return step, max(1, math.ceil(top / step - 1e-9))
