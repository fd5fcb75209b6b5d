"""Zero-concentrated differential privacy: losses that add up well, and what they mean in epsilon and delta."""

import math

from scipy.optimize import minimize_scalar

LARGEST_ORDER = 1e9


def delta_of(rho: float, epsilon: float) -> float:
    """Return the delta at which a rho-zCDP mechanism is (epsilon, delta)-DP.

    Canonne, Kamath and Steinke (2020): delta = min over alpha > 1 of exp((alpha-1)(alpha·rho - eps))·(1/alpha)·
    (1 - 1/alpha)^(alpha-1). Any alpha is valid, so an inexact minimum errs on the private side only.

    >>> f"{delta_of(0.02436, 1.0):.2e}"
    '1.00e-06'
    """

    def log_delta(log_order: float) -> float:
        order = 1 + math.exp(log_order)
        shrink = (order - 1) * math.log1p(-1 / order) - math.log(order)
        return (order - 1) * (order * rho - epsilon) + shrink

    best = minimize_scalar(log_delta, bounds=(-20.0, math.log(LARGEST_ORDER)), method="bounded")
    return min(1.0, math.exp(min(0.0, float(best.fun))))


def epsilon_of(rho: float, delta: float) -> float:
    """Return an epsilon at which a rho-zCDP mechanism is (epsilon, delta)-DP, rounded up.

    >>> round(epsilon_of(0.02436, 1e-6), 3)
    1.0
    """
    low, high = rho, rho + 2 * math.sqrt(rho * math.log(1 / delta))  # the simple conversion is never better
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_of(rho, middle) <= delta else (middle, high)
    return high


def rho_for(epsilon: float, delta: float) -> float:
    """Return the largest rho that is sure to be (epsilon, delta)-DP.

    >>> round(rho_for(1.0, 1e-6), 5)
    0.02436
    """
    low, high = 0.0, epsilon
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(middle, epsilon) <= delta else (low, middle)
    return low
