"""What the known noise lets one say: pure functions of the plan's public parameters, free of privacy cost.

Every constant is in units of mass and holds, with probability at least 1 - beta over the noise, for the protected
sketch (records as mapped and clipped), not for a population. One tick is added for the discreteness of the noise.
"""

import math
from typing import assert_never

from scipy.special import lambertw, ndtri

from dpspin.boundary.privacy import (
    TICKS_PER_MASS,
    AnyMechanism,
    GaussianNoise,
    LaplaceNoise,
    Selecting,
)
from dpspin.boundary.sealed import Sealed

TICK = 1 / TICKS_PER_MASS
BELOW_SHARE = 0.8  # of beta goes to the lower ends: there all m atoms compete, above only the L released ones


class Certificates(Sealed):
    """The four things one may say, as distances in units of mass."""

    admission_threshold: float
    interval_below: float
    interval_above: float
    comparison_margin: float
    superlative_margin: float


def certificates(
    mechanism: AnyMechanism,
    noise: LaplaceNoise | GaussianNoise,
    *,
    atoms: int,
    size: int,
    beta: float,
    answers_none: bool = False,
) -> Certificates:
    """Return what may be said of the released atoms, each statement on its own with error probability ``beta``.

    Full-sketch mechanisms select the top of the very values they publish, so every bound is valid after selection.
    ``private_topL`` and ``set_em`` draw fresh noise after the selection, so only the ``size`` released values compete.
    "None of these" is always released, so it has its part in the intervals that hold together. It is never admitted,
    compared or ranked, so the other three constants are for atoms alone.

    >>> from dpspin.boundary.privacy import Laplace, LaplaceNoise
    >>> c = certificates(Laplace(), LaplaceNoise(scale=1.0), atoms=46, size=10, beta=0.05)
    >>> round(c.admission_threshold, 2), round(c.comparison_margin, 2), round(c.superlative_margin, 2)
    (6.11, 7.69, 4.37)
    """
    contenders = size if isinstance(mechanism, Selecting) else atoms
    below = upper_quantile(noise, BELOW_SHARE * beta / (contenders + answers_none))
    above = upper_quantile(noise, (1 - BELOW_SHARE) * beta / (size + answers_none))
    return Certificates(
        admission_threshold=upper_quantile(noise, -math.expm1(math.log1p(-beta) / contenders)) + TICK,
        interval_below=below + TICK,
        interval_above=above + TICK,
        comparison_margin=comparison_margin(noise, size, beta) + TICK,
        superlative_margin=superlative_margin(noise, contenders, beta) + TICK,
    )


def upper_quantile(noise: LaplaceNoise | GaussianNoise, tail: float) -> float:
    """Return t with P(Z > t) = tail, never below zero.

    >>> round(upper_quantile(GaussianNoise(sigma=1.0), 0.025), 2)
    1.96
    """
    match noise:
        case LaplaceNoise():
            return max(0.0, -noise.scale * math.log(2 * tail))
        case GaussianNoise():
            return max(0.0, -noise.sigma * float(ndtri(tail)))
        case _:
            assert_never(noise)


def comparison_margin(noise: LaplaceNoise | GaussianNoise, size: int, beta: float) -> float:
    """Return c: all "a has more support than b" with X_a - X_b > c hold together with probability >= 1 - beta.

    Theorem (log-concave noise, S = top L of X, optionally thresholded): P(some asserted pair is false) <=
    C(L,2)·P(Z1 - Z2 > c), for any m. Laplace: P = exp(-c/b)(1 + c/2b)/2, solved by Lambert's W. Gaussian: Phi(-c/√2σ).
    Exactly equal masses count as "at least as much", so calling one of two equals larger is not an error here.

    >>> round(comparison_margin(LaplaceNoise(scale=1.0), 20, 0.05), 2)
    9.28
    """
    pairs = math.comb(size, 2)
    if pairs == 0:
        return 0.0
    match noise:
        case LaplaceNoise():
            return noise.scale * _solve_exp_linear(2 * beta / pairs, 2.0)
        case GaussianNoise():
            return math.sqrt(2) * upper_quantile(noise, min(0.5, beta / pairs))
        case _:
            assert_never(noise)


def superlative_margin(noise: LaplaceNoise | GaussianNoise, contenders: int, beta: float) -> float:
    """Return c: "a has the highest support" holds with probability >= 1 - beta if a leads the second by more than c.

    Laplace (any number of atoms): exp(-c/b)(7/4 + c/2b) = beta. Gaussian: union over the other contenders,
    (m-1)·P(Z1 - Z2 > c) = beta. Under ``private_topL`` the contenders are the released atoms.

    >>> round(superlative_margin(LaplaceNoise(scale=1.0), 200, 0.01), 2)
    6.18
    """
    if contenders == 1:
        return 0.0
    match noise:
        case LaplaceNoise():
            return noise.scale * _solve_exp_linear(4 * beta / 7, 3.5)
        case GaussianNoise():
            return math.sqrt(2) * upper_quantile(noise, min(0.5, beta / (contenders - 1)))
        case _:
            assert_never(noise)


def _solve_exp_linear(target: float, offset: float) -> float:
    """Solve exp(-c)·(1 + c/offset) = target for c >= 0, in closed form by the lower branch of Lambert's W."""
    if target >= 1:
        return 0.0
    root = lambertw(-target * offset * math.exp(-offset), k=-1).real
    return max(0.0, -float(root) - offset)
