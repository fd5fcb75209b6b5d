"""How finely a report card speaks of the texts that it was measured on.

A card is published without noise. Labelled auxiliary text may be somebody's, so its card holds round figures only, and
none that rests on a few texts. That is discretion, not differential privacy: auxiliary people have no such promise.
"""

from dataclasses import dataclass

import numpy as np

from dpspin.curator.assign.contribution import Floats

FEWEST_TEXTS = 10


@dataclass(frozen=True, slots=True)
class Fineness:
    """The fewest texts of which a figure may be stated, and the digits of a rate."""

    fewest: int
    digits: int

    def allows(self, mass: float) -> bool:
        """Tell whether so many texts, or texts' worth of mass, may have figures of their own."""
        return mass > 0 and mass >= self.fewest

    def count(self, mass: float) -> float:
        """Return a number of texts as it may be stated."""
        return about(mass) if self.fewest else round(float(mass), 3)

    def rate(self, part: float, whole: float) -> float | None:
        """Return a rate, unless it rests on too little."""
        return self.rounded(part / whole) if self.allows(whole) else None

    def rounded(self, value: float) -> float:
        """Return a share as it may be stated."""
        return min(1.0, round(float(value), self.digits))

    def rows(self, shares: Floats) -> tuple[tuple[float, ...], ...]:
        """Round rows of shares so that they keep their sums: what is left over goes to the cells it was cut from.

        >>> Fineness(fewest=0, digits=1).rows(np.array([[0.55, 0.27, 0.18]]))
        ((0.5, 0.3, 0.2),)
        """
        parts = 10**self.digits
        units = np.floor(shares * parts)
        order = np.argsort(units - shares * parts, axis=1, kind="stable")
        left = np.rint((shares * parts - units).sum(axis=1, keepdims=True))
        np.put_along_axis(units, order, np.take_along_axis(units, order, 1) + (np.arange(units.shape[1]) < left), 1)
        return tuple(tuple(round(float(cell) / parts, self.digits) for cell in row) for row in units)


EXACT = Fineness(fewest=0, digits=5)
COARSE = Fineness(fewest=FEWEST_TEXTS, digits=2)


def about(count: float) -> int:
    """Round a count to tens, and to two digits; what is there at all is at least ten.

    >>> [about(count) for count in (3, 14, 96, 1787)]
    [10, 10, 100, 1800]
    """
    step: int = max(FEWEST_TEXTS, 10 ** (len(str(int(count))) - 2))
    return max(step, step * int(count / step + 0.5))
