"""Many releases of one sketch at once, with continuous noise of the calibrated scale. Nothing here is private.

The laws are those of a release but for the grid of 2^-30, which no statement on masses can see. The sketches have
shapes: shares of atoms as they would come from records.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit

from dpspin.boundary.mechanisms import AnyMechanism, PrivateTopL, SetSelection, noise_of
from dpspin.boundary.mechanisms.base import Task
from dpspin.boundary.noise_laws import GaussianNoise, LaplaceNoise
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, RecordUnit, sensitivity_of
from dpspin.curator.assign.contribution import Floats
from dpspin_lab.metrics.error_parts import shares

Positions = NDArray[np.intp]

# How often each atom occurred in the paper's auxiliary text, in its order of atoms (the tables of its atom appendices).
AMAZON_SUPPORT = (
    *(3781, 2560, 2426, 2033, 1675, 1589, 1530, 1526, 1207, 1197, 984, 919, 825, 751, 666, 643, 617, 587, 550, 483),
    *(453, 451, 427, 426, 399, 368, 361, 339, 326, 309, 292, 283, 277, 252, 190, 186, 184, 109, 93, 90, 81, 78, 63),
    *(47, 30, 26),
)
YELP_SUPPORT = (
    *(62502, 58087, 38604, 34677, 31452, 25145, 24201, 19223, 14345, 13887, 11137, 10288, 10182, 9421, 8988, 8852),
    *(8811, 8665, 8618, 7813, 6933, 6418, 6230, 6195, 5979, 5585, 5566, 5397, 5251, 5211, 5209, 5090, 4936, 4610),
    *(4495, 4118, 3893, 3774, 3745, 3650, 3509, 3298, 3230, 3077, 3060, 3021, 2956, 2941, 2705, 2666),
)
RECORD = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
DELTA = 1e-6


def zipf(atoms: int) -> Floats:
    """Return shares in proportion to 1/rank."""
    return shares(1 / np.arange(1, atoms + 1))


AUXILIARY: Mapping[str, Floats] = {
    "amazon": shares(np.array(AMAZON_SUPPORT)),
    "yelp": shares(np.array(YELP_SUPPORT)),
    "cfpb": zipf(200),
}

SHARES: Mapping[str, Floats] = {
    "zipf": zipf(100),
    "flat": shares(np.ones(50)),
    "ties": shares(np.repeat(np.arange(12, 0, -1), 5)),
    "two levels": shares(np.repeat([30, 1], [10, 190])),
    "sparse": shares(np.concatenate([np.arange(12, 0, -1), np.zeros(188)])),
    "empty": np.zeros(100),
    "amazon": AUXILIARY["amazon"],
    "yelp": AUXILIARY["yelp"],
}


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
    if isinstance(mechanism, PrivateTopL | SetSelection):
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
    masses: Floats, mechanism: PrivateTopL | SetSelection, loss: PrivacyLoss, shape: tuple[int, int], rng: Generator
) -> Positions:
    draws, size = shape
    task = Task(loss, RECORD, len(masses), size)
    if isinstance(mechanism, SetSelection):
        return _sets(masses / mechanism.selection_scale(task) * TICKS_PER_MASS, size, draws, rng)
    if mechanism.selection_shares is None:
        (peeling,) = mechanism.calibrated(task).admission
        return _peeled(masses / peeling.scale * TICKS_PER_MASS, size, draws, rng)
    return _peeled_one_by_one(masses, np.array(mechanism.calibrated(task).rounds) / TICKS_PER_MASS, draws, rng)


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


def _peeled_one_by_one(masses: Floats, scales: Floats, draws: int, rng: Generator) -> Positions:
    """Choose by rounds of the exponential mechanism that each have a scale of their own, and Gumbel noise of it."""
    left = np.tile(masses, (draws, 1))
    picked = np.empty((draws, len(scales)), np.intp)
    for place, scale in enumerate(scales):
        picked[:, place] = np.argmax(left / scale + rng.gumbel(size=left.shape), axis=1)
        left[np.arange(draws), picked[:, place]] = -np.inf
    return picked


def _ranked(atoms: Positions, noisy: Floats, size: int, noise: LaplaceNoise | GaussianNoise) -> Releases:
    order = np.argsort(-noisy, axis=1, kind="stable")
    values = np.take_along_axis(noisy, order, axis=1)
    positions = np.take_along_axis(atoms, order[:, :size], axis=1)
    next_best = values[:, size] if values.shape[1] > size else np.full(len(values), -np.inf)
    return Releases(noise, positions, values[:, :size], next_best)
