"""From scores to weights: clamp at zero, keep the K best, lowest index wins ties, normalise to mass one."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dpspin.curator.assign.contribution import Contributions


def top_k(scores: "csr_array[np.int64]", k: int | None) -> Contributions:
    """Turn a batch of integer scores (records x atoms) into contributions (the paper's remark 1).

    Scores are integers, so equal scores are really equal and the order does not depend on the machine. ``k=None``
    keeps every positive score.

    >>> result = top_k(csr_array(np.array([[5, 0, 5, 10], [0, -3, 0, 0]])), k=2)
    >>> result.atoms, result.ticks / 2**30
    (array([3, 0]), array([0.66666667, 0.33333333]))
    """
    rows, atoms, values = _positive_entries(scores)
    order = np.lexsort((atoms, -values, rows))  # by record, best first, then lowest index
    rows, atoms, values = rows[order], atoms[order], values[order]
    counts = np.bincount(rows, minlength=scores.shape[0])
    place = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    if k is not None:
        kept = place < k
        rows, atoms, values = rows[kept], atoms[kept], values[kept]
        counts = np.minimum(counts, k)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    totals = np.bincount(rows, weights=values, minlength=scores.shape[0])
    weights = values / totals[rows]
    return Contributions.from_weights(offsets, atoms, weights, universe_size=scores.shape[1], atoms_per_record=k)


def _positive_entries(
    scores: "csr_array[np.int64]",
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    entries = scores.tocoo()
    positive = entries.data > 0
    rows, atoms = (index[positive].astype(np.int64) for index in entries.coords)
    return rows, atoms, entries.data[positive]
