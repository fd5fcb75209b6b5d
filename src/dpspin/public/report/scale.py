"""The one way to write supports in a report: axis, values, table and prose share a unit and its decimals.

A denominator may be far from the size of the collection. Supports of 0.0000318% are not readable, so small ones are
written per million or per billion, on the whole page alike.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.report.numbers import decimals_for, plain

SMALLEST_TOP = 0.01  # the largest number of a chart is at least this much of its unit


@dataclass(frozen=True, slots=True)
class Unit:
    """What shares are counted in: a sign that every number bears, or words for headings and prose."""

    per: int
    sign: str
    words: str
    difference: str


PERCENT = Unit(100, sign="%", words="", difference="points")
PER_MILLION = Unit(10**6, sign="", words="per million", difference="per million")
PER_BILLION = Unit(10**9, sign="", words="per billion", difference="per billion")


@dataclass(frozen=True, slots=True)
class Scale:
    """A unit, and the decimals that the noise allows in it."""

    unit: Unit
    decimals: int

    def text(self, share: float) -> str:
        """Write a share for a column or an axis, whose heading names the unit.

        >>> Scale(PERCENT, 2).text(0.11934), Scale(PER_MILLION, 1).text(0.0000637)
        ('11.93%', '63.7')
        """
        return f"{self.unit.per * share:,.{self.decimals}f}{self.unit.sign}"

    def interval(self, low: float, high: float) -> str:
        """Write an interval of shares, rounded outward so that the printed one still contains the certified one.

        >>> Scale(PERCENT, 1).interval(0.01004, 0.01201)
        '1.0% to 1.3%'
        """
        step = Decimal(1).scaleb(-self.decimals)
        floor = (Decimal(low) * self.unit.per).quantize(step, ROUND_FLOOR)
        ceiling = (Decimal(high) * self.unit.per).quantize(step, ROUND_CEILING)
        return f"{floor:,f}{self.unit.sign} to {ceiling:,f}{self.unit.sign}"

    def spoken(self, share: float, digits: int = 6) -> str:
        """Write a share for prose, with its unit.

        >>> Scale(PERCENT, 2).spoken(0.05), Scale(PER_MILLION, 1).spoken(0.05)
        ('5%', '50,000 per million')
        """
        return self._with_words(plain(self.unit.per * share, digits) + self.unit.sign)

    def estimated(self, share: float, error: float) -> str:
        """Write a share for prose with the decimals that its own error allows.

        >>> Scale(PERCENT, 2).estimated(0.41815, 0.0014)
        '41.8%'
        """
        return self._with_words(replace(self, decimals=decimals_for(self.unit.per * error)).text(share))

    def difference(self, share: float, write: Callable[[float], str] = plain) -> str:
        """Write the difference of two shares for prose.

        >>> Scale(PERCENT, 2).difference(0.0014), Scale(PER_MILLION, 1).difference(0.0000014)
        ('0.14 points', '1.4 per million')
        """
        return f"{write(self.unit.per * share)} {self.unit.difference}"

    def _with_words(self, number: str) -> str:
        return f"{number} {self.unit.words}".rstrip()


def scale_of(plan: SemanticPlan) -> Scale:
    """Return the scale of a plan: a unit in which its chart is readable, and decimals that show the noise."""
    top = top_of(plan)
    unit = next((u for u in (PERCENT, PER_MILLION) if u.per * top >= SMALLEST_TOP), PER_BILLION)
    return Scale(unit, decimals_for(unit.per * plan.rules.certificates.interval_below / plan.denominator.value))


def top_of(plan: SemanticPlan) -> float:
    """Return the largest share that a chart of the plan must hold."""
    return max([detection_limit(plan), *(entry.support_high for entry in plan.entries)])


def detection_limit(plan: SemanticPlan) -> float:
    """Return the support that a theme must exceed to be told from zero."""
    return plan.rules.certificates.admission_threshold / plan.denominator.value
