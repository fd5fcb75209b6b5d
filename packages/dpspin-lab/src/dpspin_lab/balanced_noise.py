"""Simulated noise in balanced draws: the same laws, with far less chance in what a simulation measures.

A quantile far in the tail rests on a few dozen of the draws, so that 1,000 independent releases tell it to 1.3 % only.
Stratified sampling removes that: the unit interval is cut into as many equal strata as there are draws, each stratum is
used once, in random order, and the quantile function of the noise maps it. Every value keeps its law.
"""

import numpy as np
from scipy.special import ndtri

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.boundary.sensitivity import Sensitivity
from dpspin.curator.assign.contribution import Ints
from dpspin.curator.release.seeded_noise import SimulatedNoise
from dpspin_lab.shapes import Floats


class BalancedNoise(SimulatedNoise):
    """Noise for ``draws`` values in all, one from each stratum of equal probability; then the strata are used again."""

    def __init__(self, seed: int, draws: int) -> None:
        super().__init__(seed)
        self._strata = self._rng.permutation(draws)
        self._used = 0

    def laplace(self, values: Ints, scale: float, sensitivity: Sensitivity, epsilon: float) -> list[int]:
        """Add rounded Laplace noise."""
        del sensitivity, epsilon
        side = 2 * self._uniform(len(values)) - 1
        return _rounded(values, -scale * np.sign(side) * np.log1p(-np.abs(side)))

    def gaussian(self, values: Ints, scale: float, sensitivity: Sensitivity, cost: PrivacyLoss | float) -> list[int]:
        """Add rounded Gaussian noise."""
        del sensitivity, cost
        return _rounded(values, scale * ndtri(self._uniform(len(values))))

    def _uniform(self, count: int) -> Floats:
        """Return the next draws from the unit interval, its ends excluded."""
        places = np.arange(self._used, self._used + count) % len(self._strata)
        self._used += count
        inside = self._rng.uniform(2**-20, 1 - 2**-20, count)
        return (self._strata[places] + inside) / len(self._strata)


def _rounded(values: Ints, noise: Floats) -> list[int]:
    return [int(value) for value in values + np.rint(noise).astype(np.int64)]
