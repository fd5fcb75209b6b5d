"""How shares look on a page: in percent, with the decimals that the noise allows."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN

from dpspin.boundary.percentages import decimals_of, outward, rounded
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.report.measured import value_words
from dpspin.public.report.numbers import decimals_for, plain

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


def scale_of(plan: SemanticPlan) -> Scale:
    """Return the scale of a plan."""
    return Scale(decimals_of(plan), plan.has_shares)


def detection_limit(plan: SemanticPlan) -> float:
    """Return the share that a theme must exceed to be told from zero."""
    return plan.rules.certificates.admission_threshold / plan.denominator.value


def limit_words(plan: SemanticPlan) -> str:
    """Write it as a share, or as it was measured where nothing is known of what shares refer to."""
    if plan.has_shares:
        return spoken(detection_limit(plan), 2)
    return f"a {value_words(plan.statement.quantity).one} of {plain(plan.rules.certificates.admission_threshold)}"
