"""The laws of the noise on a released value: what is certified, forecast and composed follows from them.

Scales are in units of mass, or in ticks while a mechanism is calibrated. Numerical libraries are imported where they
are needed, so that a plan is read without them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.privacy import TICKS_PER_MASS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

NEWTON_STEPS = 8  # three or four reach the last float digits for every beta in use


class LaplaceNoise(FrozenModel):
    """Density proportional to exp(-|z|/scale), on the grid of ticks; scale in units of mass."""

    kind: Literal["laplace"] = "laplace"
    scale: float = Field(gt=0)

    @property
    def std(self) -> float:
        """Standard deviation in units of mass."""
        return self.scale * math.sqrt(2)

    @property
    def width(self) -> float:
        """The unit in which its law is written."""
        return self.scale

    def scaled(self, factor: float) -> "LaplaceNoise":
        """Return the noise of values that are multiplied by a public factor."""
        return LaplaceNoise(scale=self.scale * factor)

    def tail(self, distance: float) -> float:
        """Return P(Z > distance).

        >>> LaplaceNoise(scale=1.0).tail(0.0)
        0.5
        """
        beyond = math.exp(-abs(distance) / self.scale) / 2
        return 1 - beyond if distance < 0 else beyond

    def difference_tail(self, distance: float) -> float:
        """Return P(Z1 - Z2 > distance) = exp(-d/b)(1 + d/2b)/2.

        >>> round(LaplaceNoise(scale=1.0).difference_tail(2.0), 4)
        0.1353
        """
        far = abs(distance) / self.scale
        beyond = math.exp(-far) * (1 + far / 2) / 2
        return 1 - beyond if distance < 0 else beyond

    def upper_quantile(self, tail: float) -> float:
        """Return t with P(Z > t) = tail, never below zero."""
        return max(0.0, -self.scale * math.log(2 * tail))

    def sum_quantile(self, terms: int, tail: float) -> float:
        """Return t with P(Z_1 + … + Z_k > t) <= tail, a tick per term added for the discreteness of the noise.

        >>> round(LaplaceNoise(scale=1.0).sum_quantile(1, 0.025), 3)
        2.996
        """
        return self.scale * upper_quantile_of_sum(terms, tail) + terms / TICKS_PER_MASS

    def difference_quantile(self, tail: float) -> float:
        """Return c with P(|Z1 - Z2| > c) = exp(-c/b)(1 + c/2b) = tail."""
        return self.scale * solve_exp_linear(tail, 2.0)

    def lead_quantile(self, contenders: int, beta: float) -> float:
        """Return c with exp(-c/b)(7/6 + c/2b) = beta: the lead that noise alone gives, among any number of atoms."""
        del contenders
        return self.scale * solve_exp_linear(6 * beta / 7, 7 / 3)

    def log_density(self, distance: "Floats") -> "Floats":
        """Return the logarithm of the density, up to a constant."""
        return -abs(distance) / self.scale

    def below(self, z: "Floats") -> "Floats":
        """Return P(Z <= z) of many distances, in units of its width."""
        import numpy as np  # noqa: PLC0415  slow to import

        return np.where(z < 0, np.exp(np.minimum(z, 0)) / 2, 1 - np.exp(-np.maximum(z, 0)) / 2)


class GaussianNoise(FrozenModel):
    """Density proportional to exp(-z²/2sigma²), on the grid of ticks; sigma in units of mass."""

    kind: Literal["gaussian"] = "gaussian"
    sigma: float = Field(gt=0)

    @property
    def std(self) -> float:
        """Standard deviation in units of mass."""
        return self.sigma

    @property
    def width(self) -> float:
        """The unit in which its law is written."""
        return self.sigma

    def scaled(self, factor: float) -> "GaussianNoise":
        """Return the noise of values that are multiplied by a public factor."""
        return GaussianNoise(sigma=self.sigma * factor)

    def tail(self, distance: float) -> float:
        """Return P(Z > distance).

        >>> round(GaussianNoise(sigma=2.0).tail(-2.0), 4)
        0.8413
        """
        beyond = math.erfc(abs(distance) / (self.sigma * math.sqrt(2))) / 2
        return 1 - beyond if distance < 0 else beyond

    def difference_tail(self, distance: float) -> float:
        """Return P(Z1 - Z2 > distance): the difference is Gaussian too, √2 times as wide."""
        return self.scaled(math.sqrt(2)).tail(distance)

    def upper_quantile(self, tail: float) -> float:
        """Return t with P(Z > t) = tail, never below zero.

        >>> round(GaussianNoise(sigma=1.0).upper_quantile(0.025), 2)
        1.96
        """
        return max(0.0, -self.sigma * NormalDist().inv_cdf(tail))

    def sum_quantile(self, terms: int, tail: float) -> float:
        """Return t with P(Z_1 + … + Z_k > t) <= tail, a tick per term added for the discreteness of the noise.

        >>> round(GaussianNoise(sigma=1.0).sum_quantile(4, 0.025), 2)
        3.92
        """
        return self.scaled(math.sqrt(terms)).upper_quantile(tail) + terms / TICKS_PER_MASS

    def difference_quantile(self, tail: float) -> float:
        """Return c with P(|Z1 - Z2| > c) = 2·Phi(-c/√2σ) = tail."""
        return math.sqrt(2) * self.upper_quantile(tail / 2)

    def lead_quantile(self, contenders: int, beta: float) -> float:
        """Return c with m·P(Z1 - Z2 > c) = beta: a union over the contenders that might pass a mass like theirs."""
        return math.sqrt(2) * self.upper_quantile(beta / contenders)

    def log_density(self, distance: "Floats") -> "Floats":
        """Return the logarithm of the density, up to a constant."""
        return -((distance / self.sigma) ** 2) / 2

    def below(self, z: "Floats") -> "Floats":
        """Return P(Z <= z) of many distances, in units of its width."""
        from scipy.special import ndtr  # noqa: PLC0415  slow to import

        return ndtr(z)


AnyNoise = LaplaceNoise | GaussianNoise
Noise = Annotated[AnyNoise, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class GumbelNoise:
    """What lies on the scores of an exponential mechanism: its choice is the largest of score plus such noise."""

    width: float

    def below(self, z: "Floats") -> "Floats":
        """Return P(Z <= z) of many distances, in units of its width."""
        import numpy as np  # noqa: PLC0415  slow to import

        return np.exp(-np.exp(-np.maximum(z, -50.0)))


def solve_exp_linear(target: float, offset: float) -> float:
    """Solve exp(-c)·(1 + c/offset) = target for c, where target < 1 < offset.

    The answer is -offset - W(-target·offset·e^-offset), on the lower branch of Lambert's W. The logarithm
    c - ln(1 + c/offset) + ln(target) is rising and convex, so Newton's steps find its one root from anywhere.

    >>> c = solve_exp_linear(0.05, 2.0)
    >>> round(c, 4), round(math.exp(-c) * (1 + c / 2), 12)
    (4.113, 0.05)
    """
    c = -math.log(target)
    for _ in range(NEWTON_STEPS):
        c -= (c - math.log1p(c / offset) + math.log(target)) / (1 - 1 / (offset + c))
    return max(0.0, c)


@lru_cache(maxsize=1024)
def upper_quantile_of_sum(terms: int, tail: float) -> float:
    """Return t with P(Z_1 + … + Z_k > t) = tail for Laplace noises of scale one, by bisection to the last float digit.

    The sum is a difference of two Gamma(k) variables, whose upper tail is Σ_j w_j·P(Gamma(j) > t),
    w_j = C(2k-j-1, k-1)/2^(2k-j), j = 1..k (partial fractions of (1-s²)^-k).

    >>> round(upper_quantile_of_sum(1, 0.025), 3), round(upper_quantile_of_sum(46, 0.0025), 1)
    (2.996, 27.3)
    """
    weights = [_weight(terms, shape) for shape in range(1, terms + 1)]
    low, high = 0.0, math.sqrt(2 * terms) * 10 - 2 * math.log(tail)  # beyond every tail that is asked for
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if _tail_of_sum(middle, weights) > tail else (low, middle)
    return high


def _weight(terms: int, shape: int) -> float:
    ways = math.lgamma(2 * terms - shape) - math.lgamma(terms) - math.lgamma(terms - shape + 1)
    return math.exp(ways - (2 * terms - shape) * math.log(2))


def _tail_of_sum(t: float, weights: Sequence[float]) -> float:
    """Return Σ_j w_j·P(Gamma(j) > t); for whole shapes that is the chance of fewer than j arrivals by the time t."""
    total = fewer = 0.0
    for arrivals, weight in enumerate(weights):
        fewer += math.exp(arrivals * math.log(t) - t - math.lgamma(arrivals + 1))
        total += weight * fewer
    return total
