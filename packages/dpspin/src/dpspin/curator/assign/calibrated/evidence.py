"""Sources of evidence that a record expresses an atom. A calibration weighs them; none of them decides alone."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dpspin.curator.assign.contribution import Floats

NOTHING = -20.0  # the score of a record that has no sentence to judge


class Evidence(Protocol):
    """One source: fixed before any protected record is read."""

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of the score matrices that it returns."""
        ...

    @property
    def digest(self) -> str:
        """Identify the fitted source."""
        ...

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return scores of shape (layers, records, atoms)."""
        ...


def best_of_each(scores: Floats, owners: Sequence[int] | NDArray[np.int64], records: int) -> Floats:
    """Return each record's best sentence score per atom.

    >>> best_of_each(np.array([[1.0, 0.0], [0.5, 2.0]]), owners=[1, 1], records=2)
    array([[-20., -20.],
           [  1.,   2.]])
    """
    best = np.full((records, scores.shape[1]), NOTHING)
    np.maximum.at(best, np.asarray(owners, dtype=np.intp), scores)
    return best


def stacked(sources: Sequence[Evidence], texts: Sequence[str]) -> Floats:
    """Return the layers of all sources, in order."""
    return np.concatenate([source(texts) for source in sources])


def silent_rows(layers: Floats, of_empty: Floats) -> NDArray[np.bool_]:
    """Tell which records say no more than an empty one: no source knows a word of theirs.

    What a source gives them is what it was taught to expect, and not what they say.
    """
    silent: NDArray[np.bool_] = (layers == of_empty).all(axis=(0, 2))
    return silent


def folds_of(count: int, folds: int) -> NDArray[np.int64]:
    """Deal ``count`` rows to folds, round robin: the same on every machine.

    >>> folds_of(5, 2)
    array([0, 1, 0, 1, 0])
    """
    return np.arange(count, dtype=np.int64) % folds
