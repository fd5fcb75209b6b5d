"""What held-out labelled text teaches about the shares that a map gives: how to mend them, and what they are worth.

A map is right or wrong on single texts; its shares err by what does not cancel out. On labelled text that it did not
learn from, that error is known up to the chance of which texts were labelled. As far as it exceeds that chance, it is
taken off the shares of the records: share = labelled + slope · (mapped records - mapped held-out texts), drawn back to
the map's own share where labels are few. With none of it the shares are the map's, with all of it they are the labelled
ones plus what the map sees change.
"""

from itertools import pairwise

import numpy as np

from dpspin.boundary.report_card import RivalShares, ShareCorrection
from dpspin.curator.assign.contribution import Floats, Ints

PSEUDO_TEXTS = 3.0  # fully assigned texts after which an atom's own slope counts for half; before, that of all atoms
STEEPEST = 2.0
DIGITS = 3  # of a share: hundredths would cost more than the correction gains
PARTS = 5
LARGEST = 10
NEXT_TO_NOTHING = 1e-12


def corrections_of(weights: Floats, truth: Floats, fewest: int) -> tuple[ShareCorrection, ...]:
    """Learn the correction of each class from held-out weights and the truth, one row per text.

    ``trust`` is the positive part of James and Stein's factor: of the squared distance between mapped and labelled
    shares, the part that chance does not explain. Classes of fewer than ``fewest`` texts are corrected in groups, each
    in one proportion, so that the card tells nothing of a few texts.
    """
    mapped, labelled = weights.mean(axis=0), truth.mean(axis=0)
    chance = (truth - weights).var(axis=0) / len(truth)
    trust = max(0.0, 1 - chance.sum() / max(float(((labelled - mapped) ** 2).sum()), NEXT_TO_NOTHING))
    rare = truth.sum(axis=0) < fewest
    slopes = np.where(rare, 0.0, _slopes(weights - mapped, truth - labelled))
    offsets = np.where(rare, 0.0, trust * (labelled - slopes * mapped))
    for group in _of_enough_texts(np.flatnonzero(rare), labelled, mapped, fewest / len(truth)):
        slopes[group] = min(labelled[group].sum() / max(float(mapped[group].sum()), NEXT_TO_NOTHING), STEEPEST)
        chance[group] = chance[group].mean()
    return tuple(
        ShareCorrection(slope=_rounded(1 + trust * (slope - 1)), offset=_rounded(offset), error=_rounded(error))
        for slope, offset, error in zip(slopes, offsets, np.sqrt(chance), strict=True)
    )


def _of_enough_texts(rare: Ints, labelled: Floats, mapped: Floats, enough: float) -> list[Ints]:
    """Put rare classes together that the map over- or underestimates alike, until each group has enough texts.

    >>> _of_enough_texts(np.arange(3), np.array([0.4, 0.1, 0.5]), np.array([0.5, 0.1, 0.1]), enough=0.5)
    [array([0, 1]), array([2])]
    """
    by_error = rare[np.argsort(labelled[rare] / (mapped[rare] + NEXT_TO_NOTHING), kind="stable")]
    ends = [0]
    for end in range(1, len(rare) + 1):
        if labelled[by_error[ends[-1] : end]].sum() >= enough and labelled[by_error[end:]].sum() >= enough:
            ends.append(end)
    return [by_error[start:end] for start, end in pairwise([*ends, len(rare)]) if end > start]


def _slopes(mapped: Floats, true: Floats) -> Floats:
    """Regress the truth on the weights, class by class; a class of which the map says little takes the pooled slope."""
    along, spread = (mapped * true).sum(axis=0), (mapped**2).sum(axis=0)
    pooled = along.sum() / max(float(spread.sum()), NEXT_TO_NOTHING)
    slopes: Floats = np.clip((along + PSEUDO_TEXTS * pooled) / (spread + PSEUDO_TEXTS), 0.0, STEEPEST)
    return slopes


def rival_shares(weights: Floats, truth: Floats, fewest: int) -> RivalShares:
    """Guess the shares of each fifth of the texts: by the labels of the others, and by what the map sees change beside.

    Each fifth has texts of every fold in which the map was tested. Only the difference of mapped shares is used: their
    level has been learned from all labels.
    """
    found, fifth = [], np.arange(len(truth)) // PARTS % PARTS
    for part in range(int(fifth.max()) + 1):
        block, others = fifth == part, fifth != part
        labels, mapped = truth[others].mean(axis=0), weights[others].mean(axis=0)
        slopes = _slopes(weights[others] - mapped, truth[others] - labels)
        mended = np.maximum(labels + slopes * (weights[block].mean(axis=0) - mapped), 0.0)
        true = truth[block].mean(axis=0)
        found.append((_distance(labels, true), _distance(mended, true)))
    labels_alone, with_map = np.mean(found, axis=0)
    return RivalShares(
        labels=_rounded(labels_alone), with_map=_rounded(with_map), passed_on=passed_on(weights, truth, fewest)
    )


def passed_on(weights: Floats, truth: Floats, fewest: int) -> float | None:
    """Return how much of a theme's rise the map shows: its texts are counted twice, the others less, one after another.

    That is the mean of all resamplings. Of the ten largest themes, as far as they have enough texts.
    """
    masses = truth[:, :-1].sum(axis=0)
    largest = [place for place in np.argsort(-masses, kind="stable")[:LARGEST] if masses[place] >= max(fewest, 1)]
    rises = [_rise(weights[:, place], truth[:, place]) for place in largest if 0 < masses[place] < len(truth) / 2]
    return max(0.0, round(float(np.mean(rises)), 2)) if rises else None


def _rise(weights: Floats, truth: Floats) -> float:
    now = truth.mean()
    likely = truth * 2 + (1 - truth) * (1 - 2 * now) / (1 - now)
    shown, true = ((likely @ part / len(truth) - part.mean()) for part in (weights, truth))
    return float(shown / true)


def _distance(shares: Floats, true: Floats) -> float:
    """Return the total variation between the shares of the atoms among themselves."""
    one, other = (part[:-1] / max(float(part[:-1].sum()), NEXT_TO_NOTHING) for part in (shares, true))
    return min(1.0, float(np.abs(one - other).sum() / 2))


def _rounded(value: float) -> float:
    return round(float(value), DIGITS)
