"""Compare what was measured with what is true: the mapping error that no privacy budget can buy off."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpspin.demo.synthetic import SyntheticCorpus
from dpspin_lab.metrics.plan import overlap, top_atoms


def true_shares(corpus: SyntheticCorpus) -> NDArray[np.float64]:
    """Return each atom's share of the true mass, in dictionary order; they sum to one (to zero if all is off-topic)."""
    position = {atom: place for place, atom in enumerate(corpus.universe.ids)}
    masses: NDArray[np.float64] = np.zeros(corpus.universe.size)
    for atom, weight in zip(corpus.truth["atom_id"].to_pylist(), corpus.truth["weight"].to_pylist(), strict=True):
        masses[position[atom]] += weight
    return masses / (masses.sum() or 1.0)


def total_variation(p: ArrayLike, q: ArrayLike) -> float:
    """Return half the L1 distance of two share vectors: the mass that lies on the wrong atoms.

    >>> total_variation([0.5, 0.5, 0.0], [0.25, 0.5, 0.25])
    0.25
    """
    return float(np.abs(np.subtract(p, q)).sum() / 2)


def overlap_at(p: ArrayLike, q: ArrayLike, size: int) -> float:
    """Return Overlap@L: the fraction of the ``size`` largest atoms of ``p`` that are among the largest of ``q``.

    >>> overlap_at([0.4, 0.3, 0.2, 0.1], [0.4, 0.1, 0.3, 0.2], size=2)
    0.5
    """
    best: list[float] = np.asarray(p).tolist()
    return overlap(top_atoms(np.asarray(q).tolist(), size), best, size)
