"""What a release costs, in the two currencies in which an account may be decided.

(epsilon, delta) add up under sequential composition, and so do the rho of zero-concentrated differential privacy
(Bun and Steinke 2016). Both sums stay valid when a later request depends on earlier answers. Rho is finer for many
small releases: a thousand of epsilon 0.1 cost epsilon 100, or rho 4.84, which is epsilon 20.1 at delta 1e-6.

>>> one = laplace_rho(0.1)
>>> round(1000 * one, 2), round(epsilon_of(1000 * one, delta=1e-6), 1)
(4.84, 20.1)
"""

import math
from dataclasses import dataclass
from typing import assert_never

from scipy.optimize import minimize_scalar

from dpspin.boundary.calibration import Sensitivity, sensitivity_of, split_loss
from dpspin.boundary.privacy import (
    TICKS_PER_MASS,
    Gaussian,
    GaussianNoise,
    Laplace,
    LaplaceNoise,
    PrivacyLoss,
    PrivacyStatement,
    PrivateTopL,
)
from dpspin.errors import RequestError


@dataclass(frozen=True, slots=True)
class Rho:
    """A zCDP guarantee; also a cap in that currency."""

    rho: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "rho", float(self.rho))
        if not (math.isfinite(self.rho) and self.rho > 0):
            raise RequestError(f"rho must be a finite number above zero, not {self.rho}")


@dataclass(frozen=True, slots=True)
class Cost:
    """The price of one release in both currencies; the account that pays decides which of them counts."""

    loss: PrivacyLoss
    rho: float


def cost_of(statement: PrivacyStatement, size: int) -> Cost:
    """Return the price of a release with this statement and plan size: public, and known before any record is read."""
    sensitivity = sensitivity_of(statement.unit, statement.adjacency)
    rho = rho_of(statement.mechanism, statement.loss, statement.noise, sensitivity, size)
    return Cost(statement.loss, rho)


def rho_of(
    mechanism: Laplace | Gaussian | PrivateTopL,
    loss: PrivacyLoss,
    noise: LaplaceNoise | GaussianNoise,
    sensitivity: Sensitivity,
    size: int,
) -> float:
    """Return the zCDP cost of a release.

    A mechanism that is pure and has no bound of its own costs ``pure_rho(epsilon)``.
    """
    match mechanism:
        case Laplace():
            return laplace_rho(loss.epsilon)
        case Gaussian():
            return gaussian_rho(noise, sensitivity)
        case PrivateTopL():
            return selection_rho(split_loss(mechanism, loss).selection, size) + gaussian_rho(noise, sensitivity)
        case _:
            assert_never(mechanism)


def pure_rho(epsilon: float) -> float:
    """Return eps²/2: every eps-DP mechanism is (eps²/2)-zCDP (Bun and Steinke 2016, proposition 1.4).

    >>> pure_rho(1.0)
    0.5
    """
    return epsilon * epsilon / 2


def laplace_rho(epsilon: float) -> float:
    """Return eps + e^-eps - 1, the tight zCDP of Laplace noise (Harrison and Manurangsi 2026).

    It is convex and zero at zero, hence superadditive: a unit that spreads its bound over coordinates costs no more.

    >>> round(laplace_rho(1.0), 6), round(laplace_rho(0.1), 8)
    (0.367879, 0.00483742)
    """
    return min(pure_rho(epsilon), epsilon + math.expm1(-epsilon))


def gaussian_rho(noise: LaplaceNoise | GaussianNoise, sensitivity: Sensitivity) -> float:
    """Return Δ2²/2σ²: it holds for the discrete Gaussian as it is (Canonne, Kamath and Steinke 2020, theorem 14).

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


def epsilon_of(rho: float, delta: float) -> float:
    """Return the epsilon that rho means at a delta (Canonne, Kamath and Steinke 2020, corollary 13).

    eps = min over alpha > 1 of alpha·rho + ln(1 - 1/alpha) - ln(alpha·delta)/(alpha - 1). Every alpha gives a valid
    epsilon, so a search that stops early is never too small.

    >>> round(epsilon_of(0.02436, 1e-6), 3), round(epsilon_of(0.5, 1e-6), 3)
    (1.0, 5.222)
    """
    if not 0 < delta < 1:
        raise RequestError(f"rho means an epsilon only at a delta between 0 and 1, for example 1e-6, not at {delta}")
    if rho == 0:
        return 0.0

    def at(log_excess: float) -> float:
        excess = math.exp(log_excess)
        alpha = 1 + excess
        return alpha * rho + math.log(excess / alpha) - math.log(alpha * delta) / excess

    return max(0.0, float(minimize_scalar(at, bounds=(-14.0, 25.0), method="bounded").fun))
