"""What is promised: protected unit, adjacency, privacy loss, mechanism, noise, and the statement that joins them."""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, assert_never

from pydantic import ConfigDict, Field

from dpspin.boundary.card import ReportCard
from dpspin.boundary.sealed import Sealed
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
    bound: float
    missing: MissingUsers = MissingUsers.REFUSE
    kind: Literal["user"] = "user"

    def __post_init__(self) -> None:
        object.__setattr__(self, "bound", float(self.bound))  # 1 and 1.0 are the same request
        if not 1 / TICKS_PER_MASS <= self.bound <= MAX_BOUND:
            raise RequestError(f"the user bound must be a number between 2^-30 and 2^20, not {self.bound}")


ProtectedUnit = Annotated[RecordUnit | UserUnit, Field(discriminator="kind")]


def bound_ticks(unit: RecordUnit | UserUnit) -> int:
    """Return the bound as an exact integer of ticks, rounded down.

    >>> bound_ticks(RecordUnit()) == TICKS_PER_MASS, bound_ticks(UserUnit(bound=0.5)) == 2**29
    (True, True)
    """
    return math.floor(math.ldexp(unit.bound, 30))


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
        object.__setattr__(self, "epsilon", float(self.epsilon))
        object.__setattr__(self, "delta", float(self.delta))
        if not (math.isfinite(self.epsilon) and self.epsilon > 0):
            raise RequestError(f"epsilon must be a finite number above zero, not {self.epsilon}")
        if not 0 <= self.delta < 1:
            raise RequestError(f"delta must be at least 0 and below 1, not {self.delta}")

    def __add__(self, other: "PrivacyLoss") -> "PrivacyLoss":
        return PrivacyLoss(self.epsilon + other.epsilon, self.delta + other.delta)


class Laplace(Sealed):
    """Discrete Laplace noise on all coordinates; (epsilon, 0)-DP (theorem 1). The default."""

    kind: Literal["laplace"] = "laplace"


class Gaussian(Sealed):
    """Discrete Gaussian noise on all coordinates; (epsilon, delta)-DP (theorem 2)."""

    kind: Literal["gaussian"] = "gaussian"


class PrivateTopL(Sealed):
    """L rounds of the exponential mechanism, then Gaussian values on the admitted atoms (proposition 1).

    Where the map answers "none of these", that coordinate is measured too: L+1 values of one vector.
    ``value_fraction`` is the paper's rho: that part of epsilon pays for the values, the rest for the admission.
    """

    kind: Literal["private_topL"] = "private_topL"
    value_fraction: float = Field(0.5, gt=0, lt=1)


Mechanism = Annotated[Laplace | Gaussian | PrivateTopL, Field(discriminator="kind")]


def require_fitting_loss(mechanism: Laplace | Gaussian | PrivateTopL, loss: PrivacyLoss) -> None:
    """Refuse a delta that the mechanism would not use, and a missing one that it needs."""
    match mechanism:
        case Laplace():
            if loss.delta != 0:
                raise RequestError("the laplace mechanism is (epsilon, 0)-DP: leave delta out")
        case Gaussian() | PrivateTopL():
            if loss.delta == 0:
                raise RequestError(f"the {mechanism.kind} mechanism needs a delta above 0, for example --delta 1e-6")
        case _:
            assert_never(mechanism)


class LaplaceNoise(Sealed):
    """Density proportional to exp(-|z|/scale), on the grid of ticks; scale in units of mass."""

    kind: Literal["laplace"] = "laplace"
    scale: float = Field(gt=0)

    @property
    def std(self) -> float:
        """Standard deviation in units of mass."""
        return self.scale * math.sqrt(2)


class GaussianNoise(Sealed):
    """Density proportional to exp(-z²/2sigma²), on the grid of ticks; sigma in units of mass."""

    kind: Literal["gaussian"] = "gaussian"
    sigma: float = Field(gt=0)

    @property
    def std(self) -> float:
        """Standard deviation in units of mass."""
        return self.sigma


Noise = Annotated[LaplaceNoise | GaussianNoise, Field(discriminator="kind")]

Randomness = Literal["os-csprng", "SIMULATED-NOT-PRIVATE"]


class MapStatement(Sealed):
    """How records were mapped to atoms: fixed before any protected record was read."""

    name: str
    fitted_on: str
    atoms_per_record: int | None = Field(ge=1)
    digest: str
    answers_none: bool = False  # one more coordinate measures what the dictionary does not cover
    learned_from_auxiliary: bool = False  # then that text must not hold protected records, and this is checked
    trusts: str = ""  # what was declared part of the curator to map records, where that is more than this process
    card: ReportCard | None = None


class PrivacyStatement(Sealed):
    """Everything a reviewer needs to check the guarantee; it travels inside the plan."""

    unit: ProtectedUnit
    adjacency: Adjacency
    loss: PrivacyLoss
    mechanism: Mechanism
    noise: Noise
    randomness: Randomness
    contribution_map: MapStatement
