"""The law of a sum of independent Laplace noises, by libraries that a plan without such a sum does not need."""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaincc, gammaln


def upper_quantile_of_sum(terms: int, tail: float) -> float:
    """Return t with P(Z_1 + … + Z_k > t) = tail for noises of scale one.

    The sum is a difference of two Gamma(k) variables, whose upper tail is Σ_j w_j·P(Gamma(j) > t),
    w_j = C(2k-j-1, k-1)/2^(2k-j), j = 1..k (partial fractions of (1-s²)^-k).

    >>> round(upper_quantile_of_sum(1, 0.025), 3), round(upper_quantile_of_sum(46, 0.0025), 1)
    (2.996, 27.3)
    """
    shapes = np.arange(1, terms + 1)
    log_weights = gammaln(2 * terms - shapes) - gammaln(terms) - gammaln(terms - shapes + 1)
    weights = np.exp(log_weights - (2 * terms - shapes) * math.log(2))
    far = math.sqrt(2 * terms) * 10 - 2 * math.log(tail)  # beyond every tail that is asked for
    return float(brentq(lambda t: float(weights @ gammaincc(shapes, t)) - tail, 0.0, far, xtol=1e-9))
