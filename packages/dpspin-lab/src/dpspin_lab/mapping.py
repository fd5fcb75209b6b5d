"""How true a map is: its weights beside labels that it did not learn from."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpspin.curator.assign.calibrated.labels import LabelledTexts
from dpspin_lab.truth import overlap_at, total_variation

Floats = NDArray[np.float64]
PAPERS_K = 3
TOP = 10


@dataclass(frozen=True, slots=True)
class MappingScore:
    """The truth metrics of one map on one labelled corpus."""

    precision: float  # of the assigned mass, the part on atoms that the text expresses
    recall: float  # of the atoms that K = 3 could name, the part among the three heaviest
    total_variation: float
    overlap: float  # of the true ten largest atoms, the part among the ten largest by the map
    covered: float
    covered_in_truth: float


def score(weights: Floats, truth: LabelledTexts) -> MappingScore:
    """Score weights over the atoms and "none of these" against labels."""
    atoms, shares = weights[:, :-1], truth.shares[:, :-1]
    assigned, true = atoms.sum(axis=0), shares.sum(axis=0)
    return MappingScore(
        precision=float((atoms * (shares > 0)).sum() / (atoms.sum() or 1.0)),
        recall=recall_within(atoms, truth, PAPERS_K),
        total_variation=total_variation(assigned / (assigned.sum() or 1.0), true / true.sum()),
        overlap=overlap_at(true, assigned, min(TOP, len(true))),
        covered=float(assigned.sum() / len(weights)),
        covered_in_truth=float(true.sum() / len(weights)),
    )


def recall_within(atoms: Floats, truth: LabelledTexts, most: int) -> float:
    """Return the part of the true atoms, at most ``most`` per text, that are among the map's ``most`` heaviest.

    >>> two = LabelledTexts(texts=("x",) * 20, atoms=(frozenset({0, 2}),) * 20, size=3)
    >>> recall_within(np.array([[0.6, 0.4, 0.0]] * 20), two, most=2)
    0.5
    """
    best = np.argsort(-atoms, axis=1, kind="stable")[:, :most]
    found = sum(
        len({place for place in row if weights[place] > 0} & expressed)
        for row, weights, expressed in zip(best.tolist(), atoms, truth.atoms, strict=True)
    )
    return found / sum(min(most, len(expressed)) for expressed in truth.atoms)
