"""Zero-concentrated differential privacy: losses that add up well, and what they mean in epsilon and delta."""

import math
from functools import cache

from dpspin.errors import RequestError


def epsilon_of(rho: float, delta: float) -> float:
    """Return the epsilon that rho means at a delta (Canonne, Kamath and Steinke 2020, corollary 13).

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
