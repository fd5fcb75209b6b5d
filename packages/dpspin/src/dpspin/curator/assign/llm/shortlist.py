"""A few candidate atoms per text, chosen by a cheap local scorer, so that a large dictionary fits into a prompt."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa

from dpspin.curator.assign.contribution import ContributionMap, Floats
from dpspin.errors import BoundViolation


class Shortlister(Protocol):
    """A score for each text and atom, each text on its own; fixed before any protected record is read."""

    @property
    def digest(self) -> str:
        """Identify the scorer by content."""
        ...

    def __call__(self, texts: pa.StringArray) -> Floats:
        """Return one row per text and one column per atom, in dictionary order."""
        ...


@dataclass(frozen=True, slots=True)
class ShortlistByMap:
    """Any contribution map as a scorer: the more mass, the better. Use one that keeps all atoms (K = None)."""

    contribution_map: ContributionMap
    atoms: int

    @property
    def digest(self) -> str:
        """The map's own."""
        return self.contribution_map.statement.digest

    def __call__(self, texts: pa.StringArray) -> Floats:
        """Lay the contributions out as a table; what the map gives to "none of these" is left out."""
        given = self.contribution_map(texts)
        scores = np.zeros((given.records, given.universe_size))
        scores[given.rows, given.atoms] = given.ticks
        return scores[:, : self.atoms]


def best_positions(scorer: Shortlister, text: str, *, atoms: int, size: int) -> list[int]:
    """Choose the ``size`` best atoms, the lower index among equals, in dictionary order.

    The scorer sees this text alone: whatever it is, one record cannot change the candidates of another. Dictionary
    order keeps the scorer's opinion out of the prompt.
    """
    scores = scorer(pa.array([text], pa.string()))
    if scores.shape != (1, atoms) or not np.isfinite(scores).all():
        raise BoundViolation("a shortlister must return one finite score per text and atom")
    return sorted(np.argsort(-scores[0], kind="stable")[:size].tolist())
