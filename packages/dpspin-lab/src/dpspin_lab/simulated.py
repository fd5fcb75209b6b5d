"""Many releases of one sketch at once, with continuous noise of the calibrated scale. Nothing here is private.

The laws are those of a release but for the grid of 2^-30, which no statement on masses can see.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from scipy.optimize import brentq
from scipy.special import expit

from dpspin.boundary.mechanisms import AnyMechanism, SetSelection, noise_of
from dpspin.boundary.mechanisms.base import ReleaseMechanism, Task
from dpspin.boundary.noise import GaussianNoise, LaplaceNoise
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, RecordUnit
from dpspin.boundary.sensitivity import sensitivity_of
from dpspin_lab.shapes import Floats, Positions

RECORD = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
DELTA = 1e-6


@dataclass(frozen=True, slots=True)
class Releases:
    """One row per release: the listed atoms by noisy mass, their noisy masses, and the best released but unlisted."""

    noise: LaplaceNoise | GaussianNoise
    positions: Positions
    values: Floats
    next_best: Floats


def loss_of(mechanism: AnyMechanism, epsilon: float) -> PrivacyLoss:
    """Return the loss that fits the mechanism."""
    return PrivacyLoss(epsilon, DELTA) if mechanism.needs_delta else PrivacyLoss(epsilon)


def simulate(
    masses: Floats,
    mechanism: AnyMechanism,
    epsilon: float,
    *,
    size: int,
    draws: int,
    rng: Generator,
) -> Releases:
    """Release the top ``size`` of a sketch ``draws`` times."""
    loss = loss_of(mechanism, epsilon)
    noise = noise_of(mechanism, loss, RECORD, atoms=len(masses), size=size)
    if mechanism.selects:
        chosen = _chosen(masses, mechanism, loss, (draws, size), rng)
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


def _chosen(
    masses: Floats, mechanism: ReleaseMechanism, loss: PrivacyLoss, shape: tuple[int, int], rng: Generator
) -> Positions:
    draws, size = shape
    scale = mechanism.scales(Task(loss, RECORD, len(masses), size))[0] / TICKS_PER_MASS  # that of the choice is first
    choose = _sets if isinstance(mechanism, SetSelection) else _peeled
    return choose(masses / scale, size, draws, rng)


def _sets(scores: Floats, size: int, draws: int, rng: Generator) -> Positions:
    """Choose whole sets by set-EM: coins with odds e^(score - level), given that ``size`` of them are heads."""
    level = brentq(lambda level: expit(scores - level).sum() - size, scores.min() - 60, scores.max() + 60)
    chance = expit(scores - level) if size < len(scores) else np.ones(len(scores))
    found: list[Positions] = []
    while sum(map(len, found)) < draws:
        heads = rng.random((draws, len(scores))) < chance
        kept = heads[heads.sum(axis=1) == size]
        found.append(np.nonzero(kept)[1].reshape(len(kept), size))
    return np.concatenate(found)[:draws]


def _peeled(scores: Floats, size: int, draws: int, rng: Generator) -> Positions:
    """Choose by L rounds of the exponential mechanism: the top L of the scores with Gumbel noise has that law."""
    return np.argsort(-(scores + rng.gumbel(size=(draws, len(scores)))), axis=1)[:, :size]


def _ranked(atoms: Positions, noisy: Floats, size: int, noise: LaplaceNoise | GaussianNoise) -> Releases:
    order = np.argsort(-noisy, axis=1, kind="stable")
    values = np.take_along_axis(noisy, order, axis=1)
    positions = np.take_along_axis(atoms, order[:, :size], axis=1)
    next_best = values[:, size] if values.shape[1] > size else np.full(len(values), -np.inf)
    return Releases(noise, positions, values[:, :size], next_best)
