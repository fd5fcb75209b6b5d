"""What is promised, and of what: protected unit, adjacency, quantity, sensitivity, sample, privacy loss.

The sensitivity is how far one protected unit can move the sketch: exact integers in ticks, from public parameters
alone. Every guarantee rests on these bounds. They stand in the boundary so that anyone can recompute them.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, assert_never

from pydantic import ConfigDict, Field

from dpspin.boundary.model_base import FrozenModel, number_of
from dpspin.errors import RequestError

TICKS_PER_MASS = 2**30  # contributions are integers: 2^30 ticks make mass one
MAX_BOUND = 2.0**20

_CLOSED = ConfigDict(extra="forbid", allow_inf_nan=False)


class Adjacency(StrEnum):
    """Which two datasets are neighbours."""

    ADD_DROP = "add_drop"
    REPLACE = "replace"


class MissingUsers(StrEnum):
    """What happens to a record without a user id, where users are protected.

    ``refuse`` stops before anything is charged. ``drop`` leaves the record out. ``own_unit`` protects it as if its
    writer had no other record: a weaker promise to a person who left several such records.
    """

    REFUSE = "refuse"
    DROP = "drop"
    OWN_UNIT = "own_unit"


@dataclass(frozen=True, slots=True)
class RecordUnit:
    """One record is protected; its mass is at most one."""

    __pydantic_config__ = _CLOSED
    kind: Literal["record"] = "record"

    @property
    def bound(self) -> float:
        """The largest mass one unit may contribute."""
        return 1.0


@dataclass(frozen=True, slots=True)
class UserUnit:
    """All records of one user are protected together; their joint mass is clipped to ``bound`` (the paper's B)."""

    __pydantic_config__ = _CLOSED
    bound: float = 1.0
    missing: MissingUsers = MissingUsers.REFUSE
    kind: Literal["user"] = "user"

    def __post_init__(self) -> None:
        object.__setattr__(self, "bound", number_of("the user bound", self.bound))  # 1 and 1.0 are the same request
        if not 1 / TICKS_PER_MASS <= self.bound <= MAX_BOUND:
            raise RequestError(f"the user bound must be a number between 2^-30 and 2^20, not {self.bound}")


ProtectedUnit = Annotated[RecordUnit | UserUnit, Field(discriminator="kind")]


def bound_ticks(unit: RecordUnit | UserUnit) -> int:
    """Return the bound as an exact integer of ticks, rounded down.

    >>> bound_ticks(RecordUnit()) == TICKS_PER_MASS, bound_ticks(UserUnit(bound=0.5)) == 2**29
    (True, True)
    """
    return math.floor(math.ldexp(unit.bound, 30))


class Mass(FrozenModel):
    """What is measured: how much of each record is about an atom; a record's masses add up to one at most."""

    kind: Literal["mass"] = "mass"


class Prevalence(FrozenModel):
    """What is measured: in how many records an atom is mentioned at all, or by how many users.

    A unit counts one or nothing for each atom, and for at most ``most_atoms`` of them (its heaviest), which is what its
    sensitivity rests on. A record mentions an atom that has at least ``noticed`` of its mass.
    """

    kind: Literal["prevalence"] = "prevalence"
    most_atoms: int = Field(3, ge=1, le=1000)
    noticed: float = Field(0.1, gt=0, le=1)


MASS = Mass()
AnyQuantity = Mass | Prevalence
Quantity = Annotated[AnyQuantity, Field(discriminator="kind")]


def require_fitting_quantity(quantity: AnyQuantity, unit: RecordUnit | UserUnit) -> None:
    """Refuse a bound that would do nothing: of prevalence a user contributes at most K, whatever their mass."""
    if isinstance(quantity, Prevalence) and unit.bound != 1:
        raise RequestError("the user bound is about mass; prevalence is bounded by its number of atoms: leave it at 1")


def largest_share(quantity: AnyQuantity, unit: RecordUnit | UserUnit) -> float:
    """Return the most that one unit can add to the sum of all values.

    >>> largest_share(Mass(), UserUnit(bound=2.0)), largest_share(Prevalence(most_atoms=3), RecordUnit())
    (2.0, 3.0)
    """
    return float(quantity.most_atoms) if isinstance(quantity, Prevalence) else unit.bound


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


class Everyone(FrozenModel):
    """All units are measured."""

    kind: Literal["everyone"] = "everyone"


class PoissonSample(FrozenModel):
    """Each unit is measured with probability ``rate``, by a secret coin of its own that nobody keeps.

    Theorem (amplification, add/drop): an (eps_s, delta_s)-DP mechanism on the sample is (ln(1 + q(e^eps_s - 1)),
    q·delta_s)-DP for the collection, because its law is (1-q)·P0 + q·P1. It needs that nobody learns who was drawn.
    """

    kind: Literal["poisson"] = "poisson"
    rate: float = Field(gt=2.0**-30, lt=1)


EVERYONE = Everyone()
AnySampling = Everyone | PoissonSample
Sampling = Annotated[AnySampling, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class PrivacyLoss:
    """An (epsilon, delta) guarantee; ``+`` is sequential composition.

    >>> PrivacyLoss(0.5) + PrivacyLoss(1.0, 1e-6)
    PrivacyLoss(epsilon=1.5, delta=1e-06)
    """

    __pydantic_config__ = _CLOSED
    epsilon: float
    delta: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", number_of("epsilon", self.epsilon))
        object.__setattr__(self, "delta", number_of("delta", self.delta))
        if not (math.isfinite(self.epsilon) and self.epsilon > 0):
            raise RequestError(f"epsilon must be a finite number above zero, not {self.epsilon}")
        if not 0 <= self.delta < 1:
            raise RequestError(f"delta must be at least 0 and below 1, not {self.delta}")

    def __add__(self, other: "PrivacyLoss") -> "PrivacyLoss":
        return PrivacyLoss(self.epsilon + other.epsilon, self.delta + other.delta)


Randomness = Literal["os-csprng", "SIMULATED-NOT-PRIVATE"]
