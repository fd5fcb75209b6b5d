"""Repeatable noise for experiments. A known seed voids every guarantee: only the lab and rehearsals may import it."""

import numpy as np
from scipy.special import expit

from dpspin.boundary.mechanisms.drawing import Price
from dpspin.boundary.privacy import PrivacyLoss, Randomness, Sensitivity
from dpspin.curator.assign.contribution import Ints
from dpspin.curator.release.secure_noise import level_for


class SimulatedNoise:
    """Same laws, same grid, same calibration as a release, from a seed. Every plan says SIMULATED-NOT-PRIVATE."""

    randomness: Randomness = "SIMULATED-NOT-PRIVATE"

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def laplace(self, values: Ints, scale: float, sensitivity: Sensitivity, epsilon: float) -> list[int]:
        """Add discrete Laplace noise: the difference of two geometric variables."""
        del sensitivity, epsilon
        p = -np.expm1(-1 / scale)
        noise = self._rng.geometric(p, len(values)) - self._rng.geometric(p, len(values))
        return [int(value) for value in values + noise]

    def gaussian(self, values: Ints, scale: float, sensitivity: Sensitivity, cost: PrivacyLoss | float) -> list[int]:
        """Add rounded Gaussian noise."""
        del sensitivity, cost
        noise = np.rint(self._rng.normal(0, scale, len(values))).astype(np.int64)
        return [int(value) for value in values + noise]

    def peel(self, scores: Ints, rounds: int, scale: float, price: Price) -> list[int]:
        """Pick the top of the scores with Gumbel noise: the law of the peeled exponential mechanism."""
        del price
        noisy = scores / scale + self._rng.gumbel(size=len(scores))
        return [int(position) for position in np.argsort(-noisy)[:rounds]]

    def choose_set(self, scores: Ints, size: int, scale: float, sensitivity: Sensitivity, epsilon: float) -> list[int]:
        """Sample a set by coins with odds e^{(score - level)/scale}, given that ``size`` are in."""
        del sensitivity, epsilon
        chance = expit((scores - level_for(scores, size, scale)) / scale)
        while True:
            inside = np.flatnonzero(self._rng.random(len(scores)) < chance)
            if len(inside) == size:
                return [int(position) for position in inside]
