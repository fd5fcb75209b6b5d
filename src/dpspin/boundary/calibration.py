"""Sensitivities and noise scales: pure functions of public parameters, so anyone can recompute them.

They stand in the boundary because both sides need them: the curator to draw noise, the preview to forecast it.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import assert_never

from dpspin.boundary.privacy import (
    TICKS_PER_MASS,
    Adjacency,
    Gaussian,
    GaussianNoise,
    Laplace,
    LaplaceNoise,
    PrivacyLoss,
    PrivateTopL,
    RecordUnit,
    UserUnit,
    bound_ticks,
    require_fitting_loss,
)
from dpspin.errors import RequestError

TAIL = 100.0  # e^-100 of delta is set aside for the tail in the discrete-Gaussian argument
PAD = 1e-9  # keeps the calibrated point on the private side of every float rounding


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How far one protected unit can move the sketch, in ticks."""

    l1: int
    l2: float
    coordinate: int


def sensitivity_of(unit: RecordUnit | UserUnit, adjacency: Adjacency) -> Sensitivity:
    """Bound the change of the sketch between neighbours (lemmas 1-3, proposition 1).

    A unit contributes x >= 0 with ‖x‖₁ <= B. Replacement has l2 = √2·B, not 2B, because <x, y> >= 0.

    >>> s = sensitivity_of(UserUnit(bound=2.0), Adjacency.ADD_DROP)
    >>> s.l1 / TICKS_PER_MASS, s.l2 / TICKS_PER_MASS, s.coordinate / TICKS_PER_MASS
    (2.0, 2.0, 2.0)
    >>> s = sensitivity_of(RecordUnit(), Adjacency.REPLACE)
    >>> s.l1 / TICKS_PER_MASS, round(s.l2 / TICKS_PER_MASS, 6), s.coordinate / TICKS_PER_MASS
    (2.0, 1.414214, 1.0)
    """
    bound = bound_ticks(unit)
    match adjacency:
        case Adjacency.ADD_DROP:
            return Sensitivity(bound, float(bound), bound)
        case Adjacency.REPLACE:
            return Sensitivity(2 * bound, math.nextafter(math.sqrt(2) * bound, math.inf), bound)
        case _:
            assert_never(adjacency)


def laplace_scale(l1: int, epsilon: float) -> float:
    """Return the scale l1/epsilon in ticks (theorem 1), rounded up until l1/scale < epsilon holds exactly.

    Plain float division can overshoot epsilon by one ulp; the exact fraction decides.

    >>> laplace_scale(TICKS_PER_MASS, 0.5) / TICKS_PER_MASS
    2.0000000000000004
    """
    scale = l1 / epsilon
    while Fraction(l1) / Fraction(scale) > Fraction(math.nextafter(epsilon, 0)):
        scale = math.nextafter(scale, math.inf)
    return scale


@cache  # of public parameters only; one release asks several times, a simulation thousands of times
def gaussian_sigma(l2: float, loss: PrivacyLoss, coordinates: int) -> float:
    """Return sigma in ticks for the discrete Gaussian: analytic calibration plus the slack of discreteness.

    Balle and Wang's calibration is for the continuous Gaussian. With s = sigma in ticks, k coordinates and
    t = sqrt(k + 2 sqrt(kx) + 2x) + l2/s, the discrete one satisfies
    delta_disc(eps) <= e^{e1} delta_cont(eps - e1 - e2) + e^{-x}, e1 = k/8s², e2 = t²/24s²
    (comparison with the rounded continuous Gaussian). On a grid of 2^-30 the slack is below 1e-7 of sigma.

    >>> round(gaussian_sigma(TICKS_PER_MASS, PrivacyLoss(1.0, 1e-6), coordinates=46) / TICKS_PER_MASS, 4)
    4.2247
    """
    from dp_accounting import get_sigma_gaussian  # noqa: PLC0415  slow to import

    sigma = get_sigma_gaussian(loss.epsilon, loss.delta) * l2
    reach = math.sqrt(coordinates + 2 * math.sqrt(coordinates * TAIL) + 2 * TAIL) + l2 / sigma
    e1 = coordinates / (8 * sigma**2)
    e2 = reach**2 / (24 * sigma**2)
    epsilon = loss.epsilon * (1 - PAD) - e1 - e2
    delta = (loss.delta - math.exp(-TAIL)) * math.exp(-e1) * (1 - 1e-6)
    if epsilon <= 0 or delta <= 0:
        raise RequestError(
            f"epsilon {loss.epsilon} with delta {loss.delta} is too small for gaussian noise on this grid"
        )
    return float(get_sigma_gaussian(epsilon, delta)) * l2 * (1 + 1e-12)


def selection_scale(coordinate: int, epsilon: float, rounds: int) -> float:
    """Return the scale s of each exponential-mechanism round, P(j) ∝ exp(C_j/s), s = 2·Δ·L/eps_sel (proposition 1).

    >>> selection_scale(TICKS_PER_MASS, epsilon=0.5, rounds=10) / TICKS_PER_MASS
    40.00000000000001
    """
    return laplace_scale(2 * coordinate * rounds, epsilon)


@dataclass(frozen=True, slots=True)
class SplitLoss:
    """The two payments of ``private_topL``: admission (pure) and values."""

    selection: float
    values: PrivacyLoss


def split_loss(mechanism: PrivateTopL, loss: PrivacyLoss) -> SplitLoss:
    """Split epsilon into eps_sel = (1-rho)·eps and eps_val = rho·eps; delta goes to the values.

    >>> split_loss(PrivateTopL(value_fraction=0.25), PrivacyLoss(2.0, 1e-6))
    SplitLoss(selection=1.5, values=PrivacyLoss(epsilon=0.5, delta=1e-06))
    """
    values = mechanism.value_fraction * loss.epsilon
    return SplitLoss(loss.epsilon - values, PrivacyLoss(values, loss.delta))


def noise_of(
    mechanism: Laplace | Gaussian | PrivateTopL,
    loss: PrivacyLoss,
    sensitivity: Sensitivity,
    *,
    atoms: int,
    size: int,
    answers_none: bool = False,
) -> LaplaceNoise | GaussianNoise:
    """Return the noise that lies on a released mass, in units of mass: the only calibration there is.

    "None of these" is one more coordinate of the same vector, inside the same bound. So theorems 1 and 2 and
    proposition 1 hold for m+1 (or L+1) values as they do for m (or L): the sensitivity stays, one more value is drawn.
    """
    require_fitting_loss(mechanism, loss)
    match mechanism:
        case Laplace():
            return LaplaceNoise(scale=laplace_scale(sensitivity.l1, loss.epsilon) / TICKS_PER_MASS)
        case Gaussian():
            return GaussianNoise(sigma=gaussian_sigma(sensitivity.l2, loss, atoms + answers_none) / TICKS_PER_MASS)
        case PrivateTopL():
            values = split_loss(mechanism, loss).values
            sigma = gaussian_sigma(sensitivity.l2, values, size + answers_none)
            return GaussianNoise(sigma=sigma / TICKS_PER_MASS)
        case _:
            assert_never(mechanism)
