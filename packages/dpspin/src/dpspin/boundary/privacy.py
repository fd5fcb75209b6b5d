"""What is promised: protected unit, adjacency, privacy loss, mechanism, noise, and the statement that joins them."""

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Self, assert_never

from pydantic import ConfigDict, Field, model_validator

from dpspin.boundary.card import ReportCard
from dpspin.boundary.model_base import Grown, Sealed, number_of
from dpspin.boundary.separation import Apart, Separation
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


class Mass(Sealed):
    """What is measured: how much of each record is about an atom; a record's masses add up to one at most."""

    kind: Literal["mass"] = "mass"


class Prevalence(Sealed):
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


class Everyone(Sealed):
    """All units are measured."""

    kind: Literal["everyone"] = "everyone"


class PoissonSample(Sealed):
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


class Laplace(Sealed):
    """Discrete Laplace noise on all coordinates; (epsilon, 0)-DP (theorem 1). The default."""

    kind: Literal["laplace"] = "laplace"


class Gaussian(Sealed):
    """Discrete Gaussian noise on all coordinates; (epsilon, delta)-DP (theorem 2)."""

    kind: Literal["gaussian"] = "gaussian"


class Accounting(StrEnum):
    """How ``private_topL`` adds up what its admission and its values cost.

    ``basic`` is the paper's: epsilons add. ``zcdp`` adds rho = L·eps0²/8 + Δ2²/2sigma² and converts once: each round is
    eps0-bounded-range, hence eps0²/8-zCDP (Cesar and Rogers 2021), and rho adds up under adaptive composition.
    """

    BASIC = "basic"
    ZCDP = "zcdp"


class PrivateTopL(Sealed):
    """L rounds of the exponential mechanism, then Gaussian values on the admitted atoms (proposition 1).

    Where the map answers "none of these", that coordinate is measured too: L+1 values of one vector.
    ``value_fraction`` is the paper's rho: that part of the budget pays for the values, the rest for the admission.
    ``monotone`` drops the factor 2 of the exponent, exp(eps·C_j/Δ). Theorem: if the scores of neighbours differ all in
    one direction, by at most Δ, P'(j)/P(j) = e^{eps·d_j/Δ}·Z/Z' lies between e^-eps and e^eps, in every round. So it is
    for add/drop only, and refused under replacement.
    """

    kind: Literal["private_topL"] = "private_topL"
    value_fraction: float = Field(0.5, gt=0, lt=1)
    monotone: bool = False
    accounting: Accounting = Accounting.BASIC


class SetSelection(Sealed):
    """One exponential mechanism over all sets of L atoms, P(S) ∝ exp(eps·Σ_S C_j/range), then Laplace values.

    Theorem (set-EM): between neighbours the mass of a set moves by at most r = max_S Σ_S x_j for one unit's x, which
    the L1 bound caps whatever L is; one way under add/drop (range r), both ways under replacement (range 2r). So one
    draw of the whole set is eps-DP, without the factor L of peeling. The values cost ``value_fraction`` of epsilon.
    """

    kind: Literal["set_em"] = "set_em"
    value_fraction: float = Field(0.5, gt=0, lt=1)


Selecting = PrivateTopL | SetSelection  # they publish L chosen atoms; the others publish every noisy mass
AnyMechanism = Laplace | Gaussian | PrivateTopL | SetSelection
Mechanism = Annotated[AnyMechanism, Field(discriminator="kind")]


def require_fitting_loss(mechanism: AnyMechanism, loss: PrivacyLoss) -> None:
    """Refuse a delta that the mechanism would not use, and a missing one that it needs."""
    match mechanism:
        case Laplace() | SetSelection():
            if loss.delta != 0:
                raise RequestError(f"the {mechanism.kind} mechanism is (epsilon, 0)-DP: leave delta out")
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


AnyNoise = LaplaceNoise | GaussianNoise
Noise = Annotated[LaplaceNoise | GaussianNoise, Field(discriminator="kind")]

Randomness = Literal["os-csprng", "SIMULATED-NOT-PRIVATE"]


class MapStatement(Grown):
    """How records were mapped to atoms: fixed before any protected record was read."""

    later: ClassVar = {"languages", "made_by"}
    name: str
    fitted_on: str
    atoms_per_record: int | None = Field(ge=1)
    digest: str
    answers_none: bool = False  # one more coordinate measures what the dictionary does not cover
    learned_from_auxiliary: bool = False  # then that text must not hold protected records, and this is checked
    trusts: str = ""  # what was declared part of the curator to map records, where that is more than this process
    card: ReportCard | None = None
    languages: tuple[str, ...] = ()  # that it reads; one more coordinate measures text in others. Empty: it reads all
    made_by: Literal["caller"] | None = None  # then all of this is the caller's word; else the map is one of ours

    @property
    def besides(self) -> int:
        """How many coordinates there are besides the atoms: "none of these" and "not read", where they are measured."""
        return self.answers_none + bool(self.languages)


class PrivacyStatement(Sealed):
    """Everything a reviewer needs to check the guarantee; it travels inside the plan."""

    unit: ProtectedUnit
    adjacency: Adjacency
    loss: PrivacyLoss
    mechanism: Mechanism
    noise: Noise
    randomness: Randomness
    contribution_map: MapStatement
    separation: Separation
    quantity: Quantity = MASS
    sampling: Sampling = EVERYONE

    @model_validator(mode="after")
    def _says_how_the_text_was_kept_apart(self) -> Self:
        if self.contribution_map.learned_from_auxiliary and self.separation.map_text is Apart.NO_TEXT:
            raise ValueError("the map has learned from auxiliary text: compared, or declared public?")
        return self
