"""What a release costs, in the two currencies in which an account may be decided.

(epsilon, delta) add up under sequential composition, and so do the rho of zero-concentrated differential privacy
(Bun and Steinke 2016). Both sums stay valid when a later request depends on earlier answers. Rho is finer for many
small releases: a thousand of epsilon 0.1 cost epsilon 100, or rho 4.84, which is epsilon 20.1 at delta 1e-6.

>>> from dpspin.boundary.concentrated import epsilon_of
>>> one = laplace_rho(0.1)
>>> round(1000 * one, 2), round(epsilon_of(1000 * one, delta=1e-6), 1)
(4.84, 20.1)
"""

import math
from dataclasses import dataclass
from typing import Literal, assert_never

from dpspin.boundary.calibration import loss_on_sample, rate_of, scaled_noise, split_loss
from dpspin.boundary.concentrated import rho_for
from dpspin.boundary.denominator import Denominator, DenominatorChoice, loss_of_themes
from dpspin.boundary.model_base import number_of
from dpspin.boundary.privacy import (
    TICKS_PER_MASS,
    Accounting,
    Adjacency,
    AnyNoise,
    Everyone,
    Gaussian,
    Laplace,
    PrivacyLoss,
    PrivacyStatement,
    PrivateTopL,
    SetSelection,
)
from dpspin.boundary.sensitivity import Sensitivity, sensitivity_of
from dpspin.errors import RequestError

FINE = 2.0**16  # ticks of noise: from here on the discrete law costs what the continuous one does, to nine digits


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

    Where a count is bought, its rho and that of the themes add up. Noise on whole numbers has the law of no fine grid,
    so the count costs what every pure mechanism costs.
    """
    themes = loss_of_themes(statement.loss, denominator)
    count = statement.loss.epsilon - themes.epsilon
    rho = rho_of(statement.model_copy(update={"loss": themes}), size)
    neighbours = Neighbours(statement.unit.kind, statement.adjacency)
    return Cost(statement.loss, rho + (pure_rho(count) if count > 0 else 0.0), neighbours)


def rho_of(statement: PrivacyStatement, size: int) -> float:
    """Return the zCDP cost of what a release measures, at the loss that pays for it.

    A pure mechanism without a bound of its own costs ``pure_rho(epsilon)``, and so does any pure release of a sample:
    epsilon is what the collection loses. With a delta, a sample costs what its own mechanism costs: Rényi divergence is
    quasi-convex, so coins that both neighbours share cannot raise it.
    """
    mechanism, loss = statement.mechanism, statement.loss
    sensitivity = sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
    paid = loss_on_sample(loss, statement.sampling, sensitivity)
    noise = scaled_noise(statement.noise, rate_of(statement.sampling))
    match mechanism:
        case Laplace():
            fine = noise.std * TICKS_PER_MASS >= FINE and isinstance(statement.sampling, Everyone)
            return laplace_rho(loss.epsilon) if fine else pure_rho(loss.epsilon)
        case SetSelection():
            return pure_rho(loss.epsilon)
        case Gaussian():
            return gaussian_rho(noise, sensitivity)
        case PrivateTopL(accounting=Accounting.ZCDP):
            return rho_for(paid.epsilon, paid.delta)
        case PrivateTopL():
            return selection_rho(split_loss(mechanism, paid).selection, size) + gaussian_rho(noise, sensitivity)
        case _:
            assert_never(mechanism)


def pure_rho(epsilon: float) -> float:
    """Return eps²/2: every eps-DP mechanism is (eps²/2)-zCDP (Bun and Steinke 2016, proposition 1.4).

    >>> pure_rho(1.0)
    0.5
    """
    return epsilon * epsilon / 2


def laplace_rho(epsilon: float) -> float:
    """Return eps + e^-eps - 1, the tight zCDP of Laplace noise on a fine grid (Harrison and Manurangsi 2026).

    It is convex and zero at zero, hence superadditive: a unit that spreads its bound over coordinates costs no more.

    >>> round(laplace_rho(1.0), 6), round(laplace_rho(0.1), 8)
    (0.367879, 0.00483742)
    """
    return min(pure_rho(epsilon), epsilon + math.expm1(-epsilon))


def gaussian_rho(noise: AnyNoise, sensitivity: Sensitivity) -> float:
    """Return Δ2²/2σ²: it holds for the discrete Gaussian as it is (Canonne, Kamath and Steinke 2020, theorem 14).

    >>> from dpspin.boundary.privacy import GaussianNoise
    >>> noise = GaussianNoise(sigma=4.2247)
    >>> round(gaussian_rho(noise, Sensitivity(TICKS_PER_MASS, float(TICKS_PER_MASS), TICKS_PER_MASS)), 6)
    0.028014
    """
    return (sensitivity.l2 / TICKS_PER_MASS) ** 2 / (2 * noise.std**2)


def selection_rho(epsilon: float, rounds: int) -> float:
    """Return L·eps0²/8 for L rounds of the exponential mechanism at eps0 = eps/L each.

    With the paper's exponent a round has a log-ratio of range eps0 at most, under both adjacencies: it is
    eps0-bounded-range, hence (eps0²/8)-zCDP (Durfee and Rogers 2019; Cesar and Rogers 2021).

    >>> round(selection_rho(0.5, rounds=10), 9)
    0.003125
    """
    return rounds * (epsilon / rounds) ** 2 / 8
