"""The law of a sum of independent Laplace noises: what a total, or a heading of several themes, may be off by."""

import math
from collections.abc import Sequence
from functools import lru_cache


@lru_cache(maxsize=1024)
def upper_quantile_of_sum(terms: int, tail: float) -> float:
    """Return t with P(Z_1 + … + Z_k > t) = tail for noises of scale one, by bisection to the last float digit.

    The sum is a difference of two Gamma(k) variables, whose upper tail is Σ_j w_j·P(Gamma(j) > t),
    w_j = C(2k-j-1, k-1)/2^(2k-j), j = 1..k (partial fractions of (1-s²)^-k).

    >>> round(upper_quantile_of_sum(1, 0.025), 3), round(upper_quantile_of_sum(46, 0.0025), 1)
    (2.996, 27.3)
    """
    weights = [_weight(terms, shape) for shape in range(1, terms + 1)]
    low, high = 0.0, math.sqrt(2 * terms) * 10 - 2 * math.log(tail)  # beyond every tail that is asked for
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if _tail(middle, weights) > tail else (low, middle)
    return high


def _weight(terms: int, shape: int) -> float:
    ways = math.lgamma(2 * terms - shape) - math.lgamma(terms) - math.lgamma(terms - shape + 1)
    return math.exp(ways - (2 * terms - shape) * math.log(2))


def _tail(t: float, weights: Sequence[float]) -> float:
    """Return Σ_j w_j·P(Gamma(j) > t); for whole shapes that is the chance of fewer than j arrivals by the time t."""
    total = fewer = 0.0
    for arrivals, weight in enumerate(weights):
        fewer += math.exp(arrivals * math.log(t) - t - math.lgamma(arrivals + 1))
        total += weight * fewer
    return total
