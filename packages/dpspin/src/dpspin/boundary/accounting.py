"""What a release costs, in the two currencies in which an account may be decided, and what a plan says of who paid.

(epsilon, delta) add up under sequential composition, and so do the rho of zero-concentrated differential privacy
(Bun and Steinke 2016). Both sums stay valid when a later request depends on earlier answers. Rho is finer for many
small releases: a thousand of epsilon 0.1 cost epsilon 100, or rho 4.84, which is epsilon 20.1 at delta 1e-6.

>>> from dpspin.boundary.calibration import epsilon_of
>>> from dpspin.boundary.mechanisms.laplace import laplace_rho
>>> one = laplace_rho(0.1)
>>> round(1000 * one, 2), round(epsilon_of(1000 * one, delta=1e-6), 1)
(4.84, 20.1)
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar, Literal, Self

from pydantic import (
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from dpspin.boundary.calibration import loss_on_sample, pure_rho, rate_of
from dpspin.boundary.denominator import Denominator, DenominatorChoice, loss_of_themes
from dpspin.boundary.grounding import loss_of_reading
from dpspin.boundary.model_base import FrozenModel, GrownModel, number_of
from dpspin.boundary.privacy import Adjacency, PoissonSample, PrivacyLoss, sensitivity_of
from dpspin.boundary.series import loss_beside_fading
from dpspin.boundary.statement import PrivacyStatement
from dpspin.boundary.views import loss_of_view, noise_of_view
from dpspin.errors import RequestError


@dataclass(frozen=True, slots=True)
class Rho:
    """A zCDP guarantee; also a cap in that currency."""

    rho: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", number_of("rho", self.rho))
        if not (math.isfinite(self.rho) and self.rho > 0):
            raise RequestError(f"rho must be a finite number above zero, not {self.rho}")


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Which two collections a loss compares. Only losses about the same neighbours add up to a loss.

    Nothing is converted between kinds. An add/drop loss of epsilon is a replacement loss of twice that, and a loss per
    record is one per user only times that user's records, whose number is private. Even a loss per user is not one per
    record as it stands: taking one record from a user who has others *changes* that user, which add/drop compares in
    two steps.
    """

    unit: Literal["record", "user"]
    adjacency: Adjacency

    def __str__(self) -> str:
        return f"one {self.unit} ({self.adjacency})"


@dataclass(frozen=True, slots=True)
class Cost:
    """The price of one release in both currencies; the account that pays decides which of them counts."""

    loss: PrivacyLoss
    rho: float
    neighbours: Neighbours


def cost_of(statement: PrivacyStatement, size: int, denominator: DenominatorChoice | Denominator) -> Cost:
    """Return the price of a release with this statement and plan size: public, and known before any record is read.

    Where a count is bought, a sample read or views are taken, their rho and that of the themes add up. Noise on whole
    numbers has the law of no fine grid, and amplification is known of pure losses: both cost what every pure mechanism
    costs. What the masses of a series cost in rho is what its whole life costs: the price is superadditive in epsilon.
    """
    sketch, reading = statement.loss_of_sketch, loss_of_reading(statement.loss, statement.grounding)
    themes = loss_of_themes(sketch, denominator)
    fading = statement.loss.epsilon - loss_beside_fading(statement.loss, statement.series).epsilon
    bought = [epsilon for epsilon in (sketch.epsilon - themes.epsilon, reading, fading) if epsilon > 0]
    sensitivity = sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
    of_cells = partial(noise_of_view, statement.mechanism, statement.loss, sensitivity)
    viewed = [(loss_of_view(statement.loss, view), of_cells(view)) for view in statement.views]
    parts = [{"loss": loss, "noise": noise} for loss, noise in [(themes, statement.noise), *viewed]]
    rho = sum(rho_of(statement.model_copy(update=part), size) for part in parts) + sum(map(pure_rho, bought))
    neighbours = Neighbours(statement.unit.kind, statement.adjacency)
    return Cost(statement.loss, rho, neighbours)


def rho_of(statement: PrivacyStatement, size: int) -> float:
    """Return the zCDP cost of what a release measures, at the loss that pays for it.

    A pure mechanism without a bound of its own costs ``pure_rho(epsilon)``, and so does any pure release of a sample:
    epsilon is what the collection loses. With a delta, a sample costs what its own mechanism costs: Rényi divergence is
    quasi-convex, so coins that both neighbours share cannot raise it.
    """
    sensitivity = sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
    if isinstance(statement.sampling, PoissonSample) and not statement.mechanism.needs_delta:
        return pure_rho(statement.loss.epsilon)
    paid = loss_on_sample(statement.loss, statement.sampling, sensitivity)
    noise = statement.noise.scaled(rate_of(statement.sampling))
    return statement.mechanism.rho(paid, noise, sensitivity, size)


Scope = Literal["dataset", "population"]


@dataclass(frozen=True, slots=True)
class Window:
    """One part of a collection: the records with this value in the column that the account declared as its partition.

    Every record has one value, so windows are disjoint by a rule that looks at each record alone. Releases of different
    windows then compose in parallel, at record level and under add/drop: a record is in one of them.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")
    partition: str
    name: str

    def __post_init__(self) -> None:
        if not all(word and word.isprintable() for word in (self.partition, self.name)):
            raise RequestError("a window needs the column of its partition and a value, both printable text")


class EpsilonBalance(FrozenModel):
    """What an account that is decided in (epsilon, delta) has spent, this release included."""

    currency: Literal["epsilon"] = "epsilon"
    scope: Scope
    spent_epsilon: float = Field(ge=0)
    spent_delta: float = Field(ge=0)
    cap_epsilon: float = Field(ge=0)
    cap_delta: float = Field(ge=0)

    @model_validator(mode="after")
    def _stays_within_its_cap(self) -> Self:
        if self.spent_epsilon > self.cap_epsilon or self.spent_delta > self.cap_delta:
            raise ValueError("more is spent than the cap allows")
        return self


class RhoBalance(FrozenModel):
    """What an account that is decided in rho (zero-concentrated differential privacy) has spent."""

    currency: Literal["rho"] = "rho"
    scope: Scope
    spent_rho: float = Field(ge=0)
    cap_rho: float = Field(ge=0)

    @model_validator(mode="after")
    def _stays_within_its_cap(self) -> Self:
        if self.spent_rho > self.cap_rho:
            raise ValueError("more is spent than the cap allows")
        return self


Balance = Annotated[EpsilonBalance | RhoBalance, Field(discriminator="currency")]


class AccountStatement(GrownModel):
    """Who paid for a release. ``head`` is the hash under which the ledger stored it: a ledger can be asked for it.

    ``window`` names the part of the collection that was measured, where it was one; ``user_column`` the column by which
    users were told apart, where they are protected. Plans from before there was one do not state it. ``state`` is the
    name that was declared for the state of records too many to be known by their content; None: they were known by it.
    ``view`` says that the records were read from a view or a table that is made of others, and what was declared of it.
    """

    later: ClassVar = {"user_column", "state", "view"}
    balances: tuple[Balance, ...] = Field(min_length=1, max_length=2)  # the dataset, then its population
    window: Window | None = None
    head: str = Field(pattern="^[0-9a-f]{64}$")
    user_column: str | None = Field(None, min_length=1)
    state: str | None = Field(None, min_length=1)
    view: Literal["row_by_row"] | None = None

    @field_validator("user_column", "state")
    @classmethod
    def _is_printable(cls, name: str | None) -> str | None:
        if name is not None and not name.isprintable():
            raise ValueError("the name of a column, or of a state of the data, must be printable text")
        return name

    def published_as(self, head: str) -> "AccountStatement":
        """Return the statement with the hash of what was stored, which is there once it is."""
        return self.model_copy(update={"head": head})
