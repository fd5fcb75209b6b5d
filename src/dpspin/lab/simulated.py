"""Many releases of one sketch at once, with continuous noise of the calibrated scale. Nothing here is private.

The laws are those of a release but for the grid of 2^-30, which no statement on masses can see.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpspin.boundary.calibration import Sensitivity, noise_of, selection_scale, split_loss
from dpspin.boundary.privacy import (
    TICKS_PER_MASS,
    Gaussian,
    GaussianNoise,
    Laplace,
    LaplaceNoise,
    PrivacyLoss,
    PrivateTopL,
)
from dpspin.lab.shapes import Floats, Positions

RECORD = Sensitivity(TICKS_PER_MASS, float(TICKS_PER_MASS), TICKS_PER_MASS)  # one record, added or dropped
DELTA = 1e-6


@dataclass(frozen=True, slots=True)
class Releases:
    """One row per release: the listed atoms by noisy mass, their noisy masses, and the best released but unlisted."""

    noise: LaplaceNoise | GaussianNoise
    positions: Positions
    values: Floats
    next_best: Floats


def loss_of(mechanism: Laplace | Gaussian | PrivateTopL, epsilon: float) -> PrivacyLoss:
    """Return the loss that fits the mechanism."""
    return PrivacyLoss(epsilon) if isinstance(mechanism, Laplace) else PrivacyLoss(epsilon, DELTA)


def simulate(
    masses: Floats,
    mechanism: Laplace | Gaussian | PrivateTopL,
    epsilon: float,
    *,
    size: int,
    draws: int,
    rng: Generator,
) -> Releases:
    """Release the top ``size`` of a sketch ``draws`` times."""
    loss = loss_of(mechanism, epsilon)
    noise = noise_of(mechanism, loss, RECORD, atoms=len(masses), size=size)
    if isinstance(mechanism, PrivateTopL):
        scale = selection_scale(RECORD.coordinate, split_loss(mechanism, loss).selection, size) / TICKS_PER_MASS
        chosen = _peeled(masses / scale, size, draws, rng)
        return _ranked(chosen, masses[chosen] + drawn(noise, chosen.shape, rng), size, noise)
    noisy = masses + drawn(noise, (draws, len(masses)), rng)
    return _ranked(np.broadcast_to(np.arange(len(masses)), noisy.shape), noisy, size, noise)


def seeded(*seed: int) -> Generator:
    """Return repeatable randomness."""
    return np.random.default_rng(seed)


def drawn(noise: LaplaceNoise | GaussianNoise, shape: tuple[int, ...], rng: Generator) -> Floats:
    """Draw noise of the given law."""
    if isinstance(noise, LaplaceNoise):
        return rng.laplace(0.0, noise.scale, shape)
    return rng.normal(0.0, noise.sigma, shape)


def _peeled(scores: Floats, size: int, draws: int, rng: Generator) -> Positions:
    """Choose by L rounds of the exponential mechanism: the top L of the scores with Gumbel noise has that law."""
    return np.argsort(-(scores + rng.gumbel(size=(draws, len(scores)))), axis=1)[:, :size]


def _ranked(atoms: Positions, noisy: Floats, size: int, noise: LaplaceNoise | GaussianNoise) -> Releases:
    order = np.argsort(-noisy, axis=1, kind="stable")
    values = np.take_along_axis(noisy, order, axis=1)
    positions = np.take_along_axis(atoms, order[:, :size], axis=1)
    next_best = values[:, size] if values.shape[1] > size else np.full(len(values), -np.inf)
    return Releases(noise, positions, values[:, :size], next_best)
