"""What the known noise lets one say: pure functions of the plan's public parameters, free of privacy cost.

Every constant is in units of mass and holds, with probability at least 1 - beta over the noise, for the protected
sketch (records as mapped and clipped), not for a population. One tick is added for the discreteness of the noise.
"More" and "highest" are strict: to set one of two equal masses above the other counts as an error.
"""

import math
from statistics import NormalDist
from typing import Annotated, Literal, assert_never

from pydantic import Field

from dpspin.boundary.model_base import Sealed
from dpspin.boundary.privacy import (
    TICKS_PER_MASS,
    AnyMechanism,
    GaussianNoise,
    LaplaceNoise,
    Selecting,
)

TICK = 1 / TICKS_PER_MASS
NEWTON_STEPS = 8  # three or four reach the last float digits for every beta in use
BELOW_SHARE = 0.8  # of beta goes to the lower ends: there all m atoms compete, above only the L released ones


class CertifiedMargins(Sealed):
    """Order is stated where the noise allows it with probability at least 1 - beta. The default."""

    kind: Literal["certified"] = "certified"


class FixedMargin(Sealed):
    """The paper's policy: a public margin, chosen before the release; rank one suffices for "the highest".

    It bounds no error: with margin zero most plans state a false order somewhere (see ``dpspin lab certificates``).
    """

    kind: Literal["fixed"] = "fixed"
    mass: float = Field(ge=0)


Margin = Annotated[CertifiedMargins | FixedMargin, Field(discriminator="kind")]


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
    besides: int = 0,
) -> Certificates:
    """Return what may be said of the released atoms, each statement on its own with error probability ``beta``.

    Full-sketch mechanisms select the top of the very values they publish, so every bound is valid after selection.
    ``private_topL`` and ``set_em`` draw fresh noise after the selection, so only the ``size`` released values compete.
    "None of these" is always released, so it has its part in the intervals that hold together. It is never admitted,
    compared or ranked, so the other three constants are for atoms alone.

    >>> from dpspin.boundary.privacy import Laplace, LaplaceNoise
    >>> c = certificates(Laplace(), LaplaceNoise(scale=1.0), atoms=46, size=10, beta=0.05)
    >>> round(c.admission_threshold, 2), round(c.comparison_margin, 2), round(c.superlative_margin, 2)
    (6.11, 8.46, 4.18)
    """
    contenders = size if isinstance(mechanism, Selecting) else atoms
    below = upper_quantile(noise, BELOW_SHARE * beta / (contenders + besides))
    above = upper_quantile(noise, (1 - BELOW_SHARE) * beta / (size + besides))
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
            return max(0.0, -noise.sigma * NormalDist().inv_cdf(tail))
        case _:
            assert_never(noise)


def comparison_margin(noise: LaplaceNoise | GaussianNoise, size: int, beta: float) -> float:
    """Return c: all "a has more support than b" with X_a - X_b > c hold together with probability >= 1 - beta.

    Theorem (log-concave noise, S = top L of X, optionally thresholded): P(some asserted pair is false) <=
    C(L,2)·P(|Z1 - Z2| > c), for any m; both signs, because two equal masses may be set apart in either order.
    Laplace: P = exp(-c/b)(1 + c/2b), solved by Lambert's W. Gaussian: 2·Phi(-c/√2σ).

    >>> round(comparison_margin(LaplaceNoise(scale=1.0), 20, 0.05), 2)
    10.04
    """
    pairs = math.comb(size, 2)
    if pairs == 0:
        return 0.0
    match noise:
        case LaplaceNoise():
            return noise.scale * _solve_exp_linear(beta / pairs, 2.0)
        case GaussianNoise():
            return math.sqrt(2) * upper_quantile(noise, beta / (2 * pairs))
        case _:
            assert_never(noise)


def superlative_margin(noise: LaplaceNoise | GaussianNoise, contenders: int, beta: float) -> float:
    """Return c: "a has the highest support" holds with probability >= 1 - beta if a leads the second by more than c.

    Laplace (any number of atoms): exp(-c/b)(7/6 + c/2b) = beta. Gaussian: union over the contenders, each of which
    would have to pass an atom that has at least its mass: m·P(Z1 - Z2 > c) = beta. Under ``private_topL`` the
    contenders are the released atoms.

    >>> round(superlative_margin(LaplaceNoise(scale=1.0), 200, 0.01), 2)
    6.04
    """
    if contenders == 1:
        return 0.0
    match noise:
        case LaplaceNoise():
            return noise.scale * _solve_exp_linear(6 * beta / 7, 7 / 3)
        case GaussianNoise():
            return math.sqrt(2) * upper_quantile(noise, beta / contenders)
        case _:
            assert_never(noise)


def _solve_exp_linear(target: float, offset: float) -> float:
    """Solve exp(-c)·(1 + c/offset) = target for c, where target < 1 < offset.

    The answer is -offset - W(-target·offset·e^-offset), on the lower branch of Lambert's W. The logarithm
    c - ln(1 + c/offset) + ln(target) is rising and convex, so Newton's steps find its one root from anywhere. They need
    no numerical library, so a plan is read without one.

    >>> c = _solve_exp_linear(0.05, 2.0)
    >>> round(c, 4), round(math.exp(-c) * (1 + c / 2), 12)
    (4.113, 0.05)
    """
    c = -math.log(target)
    for _ in range(NEWTON_STEPS):
        c -= (c - math.log1p(c / offset) + math.log(target)) / (1 - 1 / (offset + c))
    return max(0.0, c)
