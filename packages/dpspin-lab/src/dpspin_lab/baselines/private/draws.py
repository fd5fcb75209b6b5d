"""Noise on integer vectors: each draw knows how far one record moves its vector, and what it costs.

A vector of counts or of sums is integer before noise is added, so its sensitivity is exact. Gaussian draws lie on a
fine grid, because the analytic calibration is for the continuous law: on whole counts its delta would be too small by
some percent.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpspin.boundary.calibration import PAD, gaussian_sigma, laplace_scale
from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.boundary.sensitivity import Sensitivity
from dpspin.curator.assign.contribution import Ints

GRID = 2**20  # ticks for one, where noise is Gaussian


@dataclass(frozen=True, slots=True)
class LaplaceDraw:
    """Discrete Laplace noise on whole counts: (epsilon, 0)-DP."""

    what: str
    sensitivity: Sensitivity
    epsilon: float

    @property
    def loss(self) -> PrivacyLoss:
        """What one draw costs."""
        return PrivacyLoss(self.epsilon)

    @property
    def scale(self) -> float:
        """The scale b of P(z) ∝ exp(-|z|/b): sensitivity over epsilon."""
        return laplace_scale(self.sensitivity.l1, self.epsilon)

    @property
    def std(self) -> float:
        """Standard deviation in counts, to within the difference between this law and the continuous one."""
        return math.sqrt(2) * self.scale

    def of_counts(self, counts: Ints, noise: NoiseSource) -> Ints:
        """Return the counts with noise, in the same shape."""
        drawn = noise.laplace(counts.ravel(), self.scale, self.sensitivity, self.epsilon)
        return np.array(drawn, dtype=np.int64).reshape(counts.shape)


@dataclass(frozen=True, slots=True)
class GaussianDraw:
    """Discrete Gaussian noise on ticks; the cost is (epsilon, delta), or rho where draws are accounted together."""

    what: str
    sensitivity: Sensitivity  # ticks
    sigma: float  # ticks
    cost: PrivacyLoss | float

    @property
    def rho(self) -> float:
        """The zCDP of one draw, Δ²/2sigma²; the loss of several draws is a function of the sum of theirs."""
        return (self.sensitivity.l2 / self.sigma) ** 2 / 2

    @property
    def std(self) -> float:
        """Standard deviation in ones."""
        return self.sigma / GRID

    def of_ticks(self, ticks: Ints, noise: NoiseSource) -> Ints:
        """Return the ticks with noise, in the same shape."""
        drawn = noise.gaussian(ticks.ravel(), self.sigma, self.sensitivity, self.cost)
        return np.array(drawn, dtype=np.int64).reshape(ticks.shape)

    def of_counts(self, counts: Ints, noise: NoiseSource) -> Ints:
        """Return the counts with noise, rounded to whole ones after the noise."""
        return np.rint(self.of_ticks(counts * GRID, noise) / GRID).astype(np.int64)


CountDraw = LaplaceDraw | GaussianDraw


def analytic(what: str, sensitivity: Sensitivity, loss: PrivacyLoss, coordinates: int) -> GaussianDraw:
    """Calibrate a draw on its own to (epsilon, delta), analytically."""
    return GaussianDraw(what, sensitivity, gaussian_sigma(sensitivity.l2, loss, coordinates), loss)


def concentrated(what: str, sensitivity: Sensitivity, rho: float) -> GaussianDraw:
    """Calibrate a draw to its part of a joint budget."""
    return GaussianDraw(what, sensitivity, sensitivity.l2 / math.sqrt(2 * rho) * (1 + PAD), rho)


def of_indicators(most: int, ticks: int = 1) -> Sensitivity:
    """Bound what one record adds to a table of counts: one in each of at most ``most`` cells.

    Adding a record raises ``most`` cells by one: Δ1 = most, Δ2 = √most. With ``most`` = 1 the cells are disjoint groups
    of records, and the table costs what one cell costs: parallel composition.

    >>> of_indicators(1).l1, of_indicators(4).l1, of_indicators(4).l2
    (1, 4, 2.0)
    """
    root = math.sqrt(most) * ticks
    exact = root.is_integer() and int(root) ** 2 == most * ticks**2
    return Sensitivity(most * ticks, root if exact else math.nextafter(root, math.inf), ticks, monotone=True)


def of_unit_vectors(dimension: int) -> Sensitivity:
    """Bound what one record adds to a table of vector sums: one vector of length one at most, in ticks, in one row."""
    return Sensitivity(l1=math.isqrt(dimension * GRID**2) + 1, l2=float(GRID), coordinate=GRID)
