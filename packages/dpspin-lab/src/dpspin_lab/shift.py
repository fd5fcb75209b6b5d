"""Does a report follow the world? One atom's true share is doubled and another's halved, by resampling."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dpspin.boundary.card import ReportCard
from dpspin.boundary.quantify import quantify
from dpspin.curator.assign.calibrated.labels import LabelledTexts
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.assign.examine import weights_of
from dpspin_lab.mapping import Floats
from dpspin_lab.truth import total_variation

LARGEST = 10
EPSILON = 1.0
APART = 3  # the halved atom is the third next of the ten largest


@dataclass(frozen=True, slots=True)
class Followed:
    """How far the shares went, as a part of the true way; one is all of it, zero is not at all."""

    method: str
    doubled: float
    halved: float
    total_variation: float  # to the shifted truth


Case = tuple[LabelledTexts, LabelledTexts, ContributionMap, ContributionMap]  # taught, target, hybrid, the paper's


def follow(cases: Sequence[Case]) -> Iterator[Followed]:
    """Compare the noisy shares (Laplace, epsilon one) of several methods, each atom of the ten largest doubled once."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for seed, (taught, target, hybrid, papers) in enumerate(cases):
        chance = np.random.default_rng(seed)
        for method, shares in _methods(taught, target, hybrid, papers, chance).items():
            found.setdefault(method, []).extend(_ways(shares, taught, target, chance))
    for method, ways in found.items():
        doubled, halved, distance = np.mean(ways, axis=0)
        yield Followed(method, float(doubled), float(halved), float(distance))


class _Shares:
    """A way to estimate shares from the records that were drawn."""

    def __init__(self, weights: Floats, chance: np.random.Generator, card: ReportCard | None = None) -> None:
        self._weights, self._chance, self._card = weights, chance, card

    def __call__(self, rows: np.ndarray) -> Floats:
        noise = self._chance.laplace(scale=1 / EPSILON, size=self._weights.shape[1])
        masses = self._weights[rows].sum(axis=0) + noise
        if self._card is None:
            return _normalised(masses[:-1])
        found = quantify(masses[:-1].tolist(), masses[-1], self._card, noise_std=2**0.5 / EPSILON, beta=0.05)
        return _normalised(np.array([one.share for one in found]))


def _methods(
    taught: LabelledTexts,
    target: LabelledTexts,
    hybrid: ContributionMap,
    papers: ContributionMap,
    chance: np.random.Generator,
) -> dict[str, _Shares]:
    of_hybrid = weights_of(hybrid, target.texts, target.size)
    of_paper = weights_of(papers, target.texts, target.size)
    same = np.tile(taught.shares.mean(axis=0), (len(target.texts), 1))
    return {
        "auxiliary shares alone": _Shares(same, chance),
        "the paper's": _Shares(of_paper, chance),
        "hybrid, raw masses": _Shares(of_hybrid, chance),
        "hybrid, quantified": _Shares(of_hybrid, chance, hybrid.statement.card),
    }


def _ways(
    shares: _Shares, taught: LabelledTexts, target: LabelledTexts, chance: np.random.Generator
) -> Iterator[tuple[float, float, float]]:
    truth = target.shares
    largest = np.argsort(-taught.shares[:, :-1].sum(axis=0), kind="stable")[:LARGEST]
    for place, up in enumerate(largest):
        down = largest[(place + APART) % len(largest)]
        rows = _resampled(truth, up, down, chance)
        before, after = (shares(each) for each in (np.arange(len(truth)), rows))
        true_before, true_after = (_normalised(truth[each, :-1].sum(axis=0)) for each in (np.arange(len(truth)), rows))
        way = (after - before) / np.where(true_after == true_before, 1.0, true_after - true_before)
        yield float(way[up]), float(way[down]), total_variation(after, true_after)


def _resampled(truth: Floats, up: int, down: int, chance: np.random.Generator) -> np.ndarray:
    """Draw as many records as there are, one atom's twice and another's half as likely, the rest adjusted."""
    now = truth.mean(axis=0)
    rest = (1 - 2 * now[up] - now[down] / 2) / (1 - now[up] - now[down])
    factor = np.full(truth.shape[1], rest)
    factor[up], factor[down] = 2.0, 0.5
    likely = truth @ factor
    return chance.choice(len(truth), size=len(truth), p=likely / likely.sum())


def _normalised(masses: Floats) -> Floats:
    kept = np.maximum(masses, 0.0)
    shares: Floats = kept / kept.sum()
    return shares
