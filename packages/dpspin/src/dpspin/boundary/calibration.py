"""Noise scales and what they cost: pure functions of public parameters, so anyone can recompute them.

They stand in the boundary because both sides need them: the curator to draw noise, the preview to forecast it.
"""

import math
from fractions import Fraction
from functools import cache

from dpspin.boundary.noise_laws import AnyNoise
from dpspin.boundary.privacy import TICKS_PER_MASS, AnySampling, PoissonSample, PrivacyLoss, Sensitivity
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


def rate_of(sampling: AnySampling) -> float:
    """Return the probability with which a unit is measured."""
    return sampling.rate if isinstance(sampling, PoissonSample) else 1.0


def loss_on_sample(loss: PrivacyLoss, sampling: AnySampling, sensitivity: Sensitivity) -> PrivacyLoss:
    """Return what may be spent on a random sample so that the collection loses no more than ``loss``.

    Amplification by Poisson sampling: eps_s = ln(1 + (e^eps - 1)/q), delta_s = delta/q. Its proof is for add/drop.

    >>> from dpspin.boundary.privacy import Adjacency, RecordUnit, sensitivity_of
    >>> add_drop = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    >>> round(loss_on_sample(PrivacyLoss(1.0), PoissonSample(rate=0.02), add_drop).epsilon, 2)
    4.46
    """
    if not isinstance(sampling, PoissonSample):
        return loss
    if not sensitivity.monotone:
        raise RequestError("a random sample protects more under add/drop only; ask for `records.adjacency: add_drop`")
    epsilon = math.log1p(math.expm1(loss.epsilon) / sampling.rate) * (1 - PAD)
    if loss.delta >= sampling.rate:
        raise RequestError(f"delta {loss.delta} must be far below the sampling rate {sampling.rate}")
    return PrivacyLoss(epsilon, loss.delta / sampling.rate * (1 - PAD))


def epsilon_of(rho: float, delta: float) -> float:
    """Return the epsilon that rho (zCDP) means at a delta (Canonne, Kamath and Steinke 2020, corollary 13).

    eps = min over alpha > 1 of alpha·rho + ln(1 - 1/alpha) - ln(alpha·delta)/(alpha - 1). Every alpha gives a valid
    epsilon, so a search that stops early is never too small.

    >>> round(epsilon_of(0.02436, 1e-6), 3), round(epsilon_of(0.5, 1e-6), 3)
    (1.0, 5.222)
    """
    from scipy.optimize import minimize_scalar  # noqa: PLC0415  slow to import; most plans are read without it

    if not 0 < delta < 1:
        raise RequestError(f"rho means an epsilon only at a delta between 0 and 1, for example 1e-6, not at {delta}")
    if rho == 0:
        return 0.0

    def at(log_excess: float) -> float:
        excess = math.exp(log_excess)
        alpha = 1 + excess
        return alpha * rho + math.log(excess / alpha) - math.log(alpha * delta) / excess

    return max(0.0, float(minimize_scalar(at, bounds=(-14.0, 25.0), method="bounded").fun))


@cache  # a search over searches, of public parameters only
def rho_for(epsilon: float, delta: float) -> float:
    """Return the largest rho that is sure to be (epsilon, delta)-DP.

    >>> round(rho_for(1.0, 1e-6), 5)
    0.02436
    """
    low, high = 0.0, epsilon
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if epsilon_of(middle, delta) <= epsilon else (low, middle)
    return low


def pure_rho(epsilon: float) -> float:
    """Return eps²/2: every eps-DP mechanism is (eps²/2)-zCDP (Bun and Steinke 2016, proposition 1.4).

    >>> pure_rho(1.0)
    0.5
    """
    return epsilon * epsilon / 2


def gaussian_rho(noise: AnyNoise, sensitivity: Sensitivity) -> float:
    """Return Δ2²/2σ²: it holds for the discrete Gaussian as it is (Canonne, Kamath and Steinke 2020, theorem 14).

    >>> from dpspin.boundary.noise_laws import GaussianNoise
    >>> noise = GaussianNoise(sigma=4.2247)
    >>> round(gaussian_rho(noise, Sensitivity(TICKS_PER_MASS, float(TICKS_PER_MASS), TICKS_PER_MASS)), 6)
    0.028014
    """
    return (sensitivity.l2 / TICKS_PER_MASS) ** 2 / (2 * noise.std**2)
