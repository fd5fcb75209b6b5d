"""From counts to a lower bound on epsilon that is wrong with a stated probability at most."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import beta

Floats = NDArray[np.float64]


def at_least(hits: ArrayLike, trials: int, failure: float) -> Floats:
    """Return Clopper and Pearson's lower limit of a probability; it lies above the truth with chance <= ``failure``.

    >>> round(float(at_least(0, 10, 0.05)), 3), round(float(at_least(10, 10, 0.05)), 3)
    (0.0, 0.741)
    """
    hits = np.asarray(hits, np.float64)
    limit = beta.ppf(failure, np.maximum(hits, 1e-12), trials - hits + 1)
    return np.asarray(np.where(hits > 0, limit, 0.0))


def at_most(hits: ArrayLike, trials: int, failure: float) -> Floats:
    """Return Clopper and Pearson's upper limit of a probability; it lies below the truth with chance <= ``failure``.

    >>> round(float(at_most(0, 10, 0.05)), 3), round(float(at_most(10, 10, 0.05)), 3)
    (0.259, 1.0)
    """
    return 1 - at_least(trials - np.asarray(hits, np.float64), trials, failure)


def epsilon_at_least(here: ArrayLike, there: ArrayLike, trials: int, delta: float, failure: float) -> Floats:
    """Return a lower bound on epsilon from how often one event happened in ``trials`` releases of each neighbour.

    (eps, delta)-DP says P(here) <= e^eps P(there) + delta, so eps >= ln((P(here) - delta) / P(there)). With both
    probabilities replaced by their limits, each failing with half of ``failure``, the bound holds with chance
    1 - ``failure``. The event must not depend on the counted releases.

    >>> round(float(epsilon_at_least(500, 100, 1000, 0.0, 1e-6)), 2)  # the ratio of the counts is e^1.61
    1.01
    """
    seen = at_least(here, trials, failure / 2) - delta
    ratio = seen / at_most(there, trials, failure / 2)
    return np.log(np.maximum(ratio, 1.0))  # a bound below zero says nothing
