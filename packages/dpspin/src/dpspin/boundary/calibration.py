"""Noise scales: pure functions of public parameters, so anyone can recompute them.

They stand in the boundary because both sides need them: the curator to draw noise, the preview to forecast it.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import assert_never

from dpspin.boundary.concentrated import rho_for
from dpspin.boundary.privacy import (
    EVERYONE,
    TICKS_PER_MASS,
    Accounting,
    AnyMechanism,
    AnyNoise,
    AnySampling,
    Everyone,
    Gaussian,
    GaussianNoise,
    Laplace,
    LaplaceNoise,
    PoissonSample,
    PrivacyLoss,
    PrivateTopL,
    SetSelection,
    require_fitting_loss,
)
from dpspin.boundary.sensitivity import Sensitivity
from dpspin.errors import RequestError

TAIL = 100.0  # e^-100 of delta is set aside for the tail in the discrete-Gaussian argument
PAD = 1e-9  # keeps the calibrated point on the private side of every float rounding


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
    sigma = _continuous_sigma(loss.epsilon, loss.delta) * l2
    reach = math.sqrt(coordinates + 2 * math.sqrt(coordinates * TAIL) + 2 * TAIL) + l2 / sigma
    e1 = coordinates / (8 * sigma**2)
    e2 = reach**2 / (24 * sigma**2)
    epsilon = loss.epsilon * (1 - PAD) - e1 - e2
    delta = (loss.delta - math.exp(-TAIL)) * math.exp(-e1) * (1 - 1e-6)
    if epsilon <= 0 or delta <= 0:
        raise RequestError(
            f"epsilon {loss.epsilon} with delta {loss.delta} does not fit gaussian noise on a grid of 2^-30: raise "
            "what is so small (epsilon, delta or the user bound), or lower what is so large"
        )
    return _continuous_sigma(epsilon, delta) * l2 * (1 + 1e-12)


def _continuous_sigma(epsilon: float, delta: float) -> float:
    """Return the analytic sigma at sensitivity one; its search says nothing of the infinities that it passes."""
    import numpy as np  # noqa: PLC0415  slow to import
    from dp_accounting import get_sigma_gaussian  # noqa: PLC0415  slow to import

    try:
        with np.errstate(all="ignore"):
            return float(get_sigma_gaussian(epsilon, delta))
    except RuntimeError:  # the search did not converge
        raise ArithmeticError("no sigma was found for this epsilon and delta") from None


def selection_scale(sensitivity: Sensitivity, epsilon: float, rounds: int, *, monotone: bool = False) -> float:
    """Return the scale s of each exponential-mechanism round, P(j) ∝ exp(C_j/s), s = 2·Δ·L/eps_sel (proposition 1).

    Monotone scores need Δ·L/eps_sel only.

    >>> from dpspin.boundary.privacy import Adjacency, RecordUnit
    >>> from dpspin.boundary.sensitivity import sensitivity_of
    >>> record = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    >>> selection_scale(record, epsilon=0.5, rounds=10) / TICKS_PER_MASS
    40.00000000000001
    """
    return laplace_scale(selection_range(sensitivity, monotone=monotone) * rounds, epsilon)


def selection_range(sensitivity: Sensitivity, *, monotone: bool) -> int:
    """Return how far the gap between two scores can move, which is what a round of selection pays for."""
    if monotone and not sensitivity.monotone:
        raise RequestError(
            "the monotone exponent is for add/drop neighbours: under replacement one score rises while another falls, "
            "and its proof fails; leave it out, or use add_drop"
        )
    return sensitivity.coordinate if monotone else 2 * sensitivity.coordinate


def set_scale(sensitivity: Sensitivity, epsilon: float, size: int) -> float:
    """Return the scale s of set-EM, P(S) ∝ exp(Σ_S C_j/s): the range of a set's mass over epsilon.

    >>> from dpspin.boundary.privacy import Adjacency, RecordUnit
    >>> from dpspin.boundary.sensitivity import sensitivity_of
    >>> set_scale(sensitivity_of(RecordUnit(), Adjacency.ADD_DROP), epsilon=0.5, size=10) / TICKS_PER_MASS
    2.0000000000000004
    """
    return laplace_scale(sensitivity.of_sets(size), epsilon)


@dataclass(frozen=True, slots=True)
class TopLScales:
    """The two draws of ``private_topL``, in ticks, and what each may cost."""

    selection: float
    sigma: float
    selection_cost: float  # epsilon under basic accounting, rho under zcdp
    value_cost: PrivacyLoss | float


def top_l_scales(
    mechanism: PrivateTopL, loss: PrivacyLoss, sensitivity: Sensitivity, *, rounds: int, values: int
) -> TopLScales:
    """Divide the budget of ``private_topL`` between admission and values, and calibrate both."""
    match mechanism.accounting:
        case Accounting.BASIC:
            paid = split_loss(mechanism, loss)
            selection = selection_scale(sensitivity, paid.selection, rounds, monotone=mechanism.monotone)
            sigma = gaussian_sigma(sensitivity.l2, paid.values, values)
            return TopLScales(selection, sigma, paid.selection, paid.values)
        case Accounting.ZCDP:
            rho = rho_for(loss.epsilon, loss.delta)
            of_values = mechanism.value_fraction * rho
            of_selection = rho - of_values
            reach = selection_range(sensitivity, monotone=mechanism.monotone)
            return TopLScales(
                reach / math.sqrt(8 * of_selection / rounds) * (1 + PAD),
                sensitivity.l2 / math.sqrt(2 * of_values) * (1 + PAD),
                of_selection,
                of_values,
            )
        case _:
            assert_never(mechanism.accounting)


@dataclass(frozen=True, slots=True)
class SplitLoss:
    """The two payments of a mechanism that selects: admission (pure) and values."""

    selection: float
    values: PrivacyLoss


def split_loss(mechanism: PrivateTopL | SetSelection, loss: PrivacyLoss) -> SplitLoss:
    """Split epsilon into eps_sel = (1-rho)·eps and eps_val = rho·eps; delta goes to the values.

    >>> split_loss(PrivateTopL(value_fraction=0.25), PrivacyLoss(2.0, 1e-6))
    SplitLoss(selection=1.5, values=PrivacyLoss(epsilon=0.5, delta=1e-06))
    """
    values = mechanism.value_fraction * loss.epsilon
    return SplitLoss(loss.epsilon - values, PrivacyLoss(values, loss.delta))


def loss_on_sample(loss: PrivacyLoss, sampling: AnySampling, sensitivity: Sensitivity) -> PrivacyLoss:
    """Return what may be spent on a random sample so that the collection loses no more than ``loss``.

    Amplification by Poisson sampling: eps_s = ln(1 + (e^eps - 1)/q), delta_s = delta/q. Its proof is for add/drop.

    >>> from dpspin.boundary.privacy import Adjacency, RecordUnit
    >>> from dpspin.boundary.sensitivity import sensitivity_of
    >>> add_drop = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    >>> round(loss_on_sample(PrivacyLoss(1.0), PoissonSample(rate=0.02), add_drop).epsilon, 2)
    4.46
    """
    match sampling:
        case Everyone():
            return loss
        case PoissonSample(rate=rate):
            if not sensitivity.monotone:
                raise RequestError("a random sample protects more under add/drop only; use --adjacency add_drop")
            epsilon = math.log1p(math.expm1(loss.epsilon) / rate) * (1 - PAD)
            if loss.delta >= rate:
                raise RequestError(f"delta {loss.delta} must be far below the sampling rate {rate}")
            return PrivacyLoss(epsilon, loss.delta / rate * (1 - PAD))
        case _:
            assert_never(sampling)


def noise_of(
    mechanism: AnyMechanism,
    loss: PrivacyLoss,
    sensitivity: Sensitivity,
    *,
    atoms: int,
    size: int,
    besides: int = 0,
    sampling: AnySampling = EVERYONE,
) -> AnyNoise:
    """Return the noise that lies on a released value, in units of mass (or of prevalence): the only calibration.

    "None of these" is one more coordinate of the same vector, inside the same bound. So theorems 1 and 2 and
    proposition 1 hold for m+1 (or L+1) values as they do for m (or L): the sensitivity stays, one more value is drawn.
    The values of a sample are scaled up to the collection, and their noise with them.
    """
    require_fitting_loss(mechanism, loss)
    paid = loss_on_sample(loss, sampling, sensitivity)
    noise = _noise_in_ticks(mechanism, paid, sensitivity, atoms=atoms, size=size, besides=besides)
    return scaled_noise(noise, 1 / (TICKS_PER_MASS * rate_of(sampling)))


def _noise_in_ticks(
    mechanism: AnyMechanism,
    loss: PrivacyLoss,
    sensitivity: Sensitivity,
    *,
    atoms: int,
    size: int,
    besides: int,
) -> AnyNoise:
    match mechanism:
        case Laplace():
            return LaplaceNoise(scale=laplace_scale(sensitivity.l1, loss.epsilon))
        case Gaussian():
            return GaussianNoise(sigma=gaussian_sigma(sensitivity.l2, loss, atoms + besides))
        case PrivateTopL():
            values = size + besides
            return GaussianNoise(sigma=top_l_scales(mechanism, loss, sensitivity, rounds=size, values=values).sigma)
        case SetSelection():
            return LaplaceNoise(scale=laplace_scale(sensitivity.l1, split_loss(mechanism, loss).values.epsilon))
        case _:
            assert_never(mechanism)


def rate_of(sampling: AnySampling) -> float:
    """Return the probability with which a unit is measured."""
    return sampling.rate if isinstance(sampling, PoissonSample) else 1.0


def scaled_noise(noise: AnyNoise, factor: float) -> AnyNoise:
    """Return the noise of values that are multiplied by a public factor."""
    match noise:
        case LaplaceNoise():
            return LaplaceNoise(scale=noise.scale * factor)
        case GaussianNoise():
            return GaussianNoise(sigma=noise.sigma * factor)
        case _:
            assert_never(noise)
