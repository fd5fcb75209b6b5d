"""The truth of a generated corpus as shares of its atoms."""

import numpy as np


def true_shares(corpus):
    """Return each atom's share of the true mass, in dictionary order; they sum to one (to zero if all is off-topic)."""
    position = {atom: place for place, atom in enumerate(corpus.universe.ids)}
    masses = np.zeros(corpus.universe.size)
    for atom, weight in zip(corpus.truth["atom_id"].to_pylist(), corpus.truth["weight"].to_pylist(), strict=True):
        masses[position[atom]] += weight
    return masses / (masses.sum() or 1.0)
