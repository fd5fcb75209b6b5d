"""The numbers of a view: a mass or a share with its ends, a theme in one value, and a theme in two values."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Range:
    """A number, and the ends between which it lay before the noise."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ViewCell:
    """One theme in one value of the facet: its mass, its share of the value's own mass, and of that elsewhere."""

    atom_id: int
    place: int
    mass: Range
    share: Range | None  # None where the value's own mass is hardly known, or masses are none
    elsewhere: Range | None
    difference: Range | None  # of the share here and elsewhere


@dataclass(frozen=True, slots=True)
class Contrast:
    """A theme's share in one value and in another one or elsewhere, and how far the first lies above the second."""

    atom_id: int
    here: Range
    there: Range
    difference: Range

    @property
    def times(self) -> tuple[float, float]:
        """How many times the second share the first one is, at least and at most; infinite where that may be zero."""
        low = self.here.low / self.there.high if self.there.high > 0 else 0.0
        return low, self.here.high / self.there.low if self.there.low > 0 else math.inf

    @property
    def certain(self) -> float:
        """By how much the shares differ at least; not above zero where they are not told apart."""
        return max(self.difference.low, -self.difference.high)

    @property
    def most(self) -> float:
        """By how much they differ at most."""
        return max(-self.difference.low, self.difference.high)

    @property
    def turned(self) -> "Contrast":
        """The same, told the other way round."""
        ends = self.difference
        return Contrast(self.atom_id, self.there, self.here, Range(-ends.value, -ends.high, -ends.low))


def around(mass: float, reach: float) -> Range:
    """Return a mass and how far noise takes it; below zero there is none."""
    return Range(*(max(0.0, each) for each in (mass, mass - reach, mass + reach)))


def least_share(mass: float, whole: Range) -> float:
    """Return the least that a mass can be as a share of what lies in an interval."""
    return mass / (whole.high if mass >= 0 else whole.low)
