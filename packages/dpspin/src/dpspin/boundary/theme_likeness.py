"""How alike themes speak: the cosine of the stems of all that is said of two, weighed by how few themes share each."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.atoms import Atom
from dpspin.boundary.public_examples import stems_of


def likeness_of(themes: Sequence[Atom]) -> NDArray[np.float64]:
    """Return how alike each two themes speak, from none (zero) to all (one)."""
    said = [{stem for text in (atom.text, *atom.examples) for stem in stems_of(text)} for atom in themes]
    places = {stem: place for place, stem in enumerate(sorted(set().union(*said)))}
    rows = np.zeros((len(themes), len(places)))
    for row, atom in enumerate(themes):
        for text in (atom.label, atom.description, *atom.cues, *atom.examples):
            rows[row, [places[stem] for stem in set(stems_of(text))]] += 1
    rare = np.log((1 + len(themes)) / (1 + (rows > 0).sum(axis=0)))
    weighed = np.where(rows > 0, 1 + np.log(np.maximum(rows, 1)), 0.0) * rare
    lengths = np.maximum(np.sqrt((weighed**2).sum(axis=1, keepdims=True)), 1e-12)
    likeness: NDArray[np.float64] = (weighed / lengths) @ (weighed / lengths).T
    return likeness
