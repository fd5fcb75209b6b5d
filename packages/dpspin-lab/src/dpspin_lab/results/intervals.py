"""Confidence intervals: Student's for means, exact binomial ones for shares, Fisher's for correlations.

``tail`` is the chance that each end is allowed to be wrong; it is tiny, as all intervals of a claim hold together.
"""

from math import atanh, inf, isfinite, sqrt, tanh

from scipy.stats import beta, norm, t

Interval = tuple[float, float]
UNKNOWN: Interval = (-inf, inf)
TWO, FOUR = 2, 4  # runs with a spread; points with a spread of their correlation


def of_mean(mean: float, error: float, runs: int, tail: float) -> Interval:
    """Return Student's interval; a single run tells nothing of its spread.

    >>> [round(end, 3) for end in of_mean(0.9, 0.01, 20, 0.025)], of_mean(0.9, 0.0, 1, 0.025)
    ([0.879, 0.921], (-inf, inf))
    """
    if runs < TWO or not isfinite(error):
        return UNKNOWN
    reach = float(t.isf(tail, runs - 1)) * error
    return mean - reach, mean + reach


def of_share(share: float, trials: int, tail: float) -> Interval:
    """Return the exact binomial interval (Clopper and Pearson), also at 0 and at 1.

    >>> [round(end, 3) for end in of_share(1.0, 20, 0.025)], [round(end, 3) for end in of_share(0.5, 20, 0.025)]
    ([0.832, 1.0], [0.272, 0.728])
    """
    yes = round(share * trials, 9)
    no = trials - yes
    low = float(beta.ppf(tail, yes, no + 1)) if yes > 0 else 0.0
    high = float(beta.isf(tail, yes + 1, no)) if no > 0 else 1.0
    return low, high


def of_correlation(correlation: float, points: int, tail: float) -> Interval:
    """Return Fisher's interval, as if the points were independent draws.

    >>> [round(end, 2) for end in of_correlation(0.8, 50, 0.025)]
    [0.67, 0.88]
    """
    if points < FOUR:
        return UNKNOWN
    if abs(correlation) >= 1:
        return correlation, correlation
    middle, reach = atanh(correlation), float(norm.isf(tail)) / sqrt(points - 3)
    return tanh(middle - reach), tanh(middle + reach)


def hull(one: Interval, other: Interval) -> Interval:
    """Return the smallest interval around two."""
    return min(one[0], other[0]), max(one[1], other[1])
