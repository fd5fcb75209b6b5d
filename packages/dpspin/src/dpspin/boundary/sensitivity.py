"""How far one protected unit can move the sketch: exact integers in ticks, from public parameters alone.

Every guarantee rests on these bounds. They stand in the boundary so that anyone can recompute them.
"""

import math
from dataclasses import dataclass
from typing import assert_never

from dpspin.boundary.privacy import (
    MASS,
    TICKS_PER_MASS,
    Adjacency,
    AnyQuantity,
    Mass,
    Prevalence,
    RecordUnit,
    UserUnit,
    bound_ticks,
)


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How far one protected unit can move the sketch, in ticks."""

    l1: int
    l2: float
    coordinate: int
    monotone: bool = False  # neighbours differ in one direction only: add/drop, never replacement

    def of_sets(self, size: int) -> int:
        """Return the range of the change of the sum of any ``size`` coordinates: between the most and the least.

        >>> Sensitivity(l1=6, l2=4.0, coordinate=3, monotone=True).of_sets(1)
        3
        """
        ways = 1 if self.monotone else 2
        return ways * min(size * self.coordinate, self.l1 // ways)


def sensitivity_of(unit: RecordUnit | UserUnit, adjacency: Adjacency, quantity: AnyQuantity = MASS) -> Sensitivity:
    """Bound the change of the sketch between neighbours (lemmas 1-3, proposition 1).

    Mass: a unit contributes x >= 0 with ‖x‖₁ <= B. Prevalence: x is 0 or 1 with at most K ones, so ‖x‖₁ <= K and
    ‖x‖₂ <= √K. Two units' difference has ‖x - y‖₁ <= ‖x‖₁ + ‖y‖₁ and, because <x, y> >= 0, ‖x - y‖₂² <= ‖x‖₂² + ‖y‖₂²:
    replacement has l2 = √2·B, not 2B.

    >>> s = sensitivity_of(UserUnit(bound=2.0), Adjacency.ADD_DROP)
    >>> s.l1 / TICKS_PER_MASS, s.l2 / TICKS_PER_MASS, s.coordinate / TICKS_PER_MASS
    (2.0, 2.0, 2.0)
    >>> s = sensitivity_of(RecordUnit(), Adjacency.REPLACE)
    >>> s.l1 / TICKS_PER_MASS, round(s.l2 / TICKS_PER_MASS, 6), s.coordinate / TICKS_PER_MASS
    (2.0, 1.414214, 1.0)
    >>> s = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP, Prevalence(most_atoms=4))
    >>> s.l1 / TICKS_PER_MASS, round(s.l2 / TICKS_PER_MASS, 6), s.coordinate / TICKS_PER_MASS
    (4.0, 2.0, 1.0)
    """
    l1, squared, coordinate = _largest_contribution(unit, quantity)
    match adjacency:
        case Adjacency.ADD_DROP:
            return Sensitivity(l1, _root(squared), coordinate, monotone=True)
        case Adjacency.REPLACE:
            return Sensitivity(2 * l1, _root(2 * squared), coordinate)
        case _:
            assert_never(adjacency)


def _largest_contribution(unit: RecordUnit | UserUnit, quantity: AnyQuantity) -> tuple[int, int, int]:
    """Return the largest ‖x‖₁, ‖x‖₂² and ‖x‖∞ of one unit's contribution, in ticks."""
    match quantity:
        case Mass():
            bound = bound_ticks(unit)
            return bound, bound * bound, bound
        case Prevalence(most_atoms=most):
            return most * TICKS_PER_MASS, most * TICKS_PER_MASS**2, TICKS_PER_MASS
        case _:
            assert_never(quantity)


def _root(squared: int) -> float:
    """Return the square root of an exact integer, never too small."""
    whole = math.isqrt(squared)
    if whole * whole == squared:
        return float(whole) if int(float(whole)) == whole else math.nextafter(float(whole), math.inf)
    return math.nextafter(math.sqrt(squared), math.inf)
