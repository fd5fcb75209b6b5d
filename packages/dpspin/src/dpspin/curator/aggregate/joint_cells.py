"""Where a record's mass goes when there are views: one joint cell for its coordinate and its values of all facets.

Totals and views are marginals of the joint cells, so that everything is kept once, and all of them add up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul

import numpy as np
import pyarrow as pa

from dpspin.boundary.facets import AnyFacet
from dpspin.curator.assign.contribution import Ints
from dpspin.curator.records.columns import TEXT, facet_column


@dataclass(frozen=True, slots=True)
class Marginal:
    """Sums over joint cells: the totals, or the view of one facet.

    A joint cell is numbered by its coordinate, then its value of the first facet, of the second, and so on; a cell of a
    view by its coordinate, then its value.

    >>> second = Marginal(coordinates=2, joint=6, values=3)  # of facets with two and three values
    >>> second(np.arange(12))
    array([0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5])
    """

    coordinates: int
    joint: int = 1  # joint cells of one coordinate
    values: int = 1  # of the facet; one: the totals
    finer: int = 1  # joint cells from one value to the next

    def __call__(self, joint_cells: Ints) -> Ints:
        """Return the cell that each joint cell belongs to."""
        cells: Ints = joint_cells // self.joint * self.values + joint_cells // self.finer % self.values
        return cells

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.coordinates * self.values

    @property
    def is_everything(self) -> bool:
        """Whether each joint cell is a cell of its own."""
        return self.joint == self.values

    def sums(self, settled: Ints) -> Ints:
        """Add up what lies in the joint cells."""
        result = np.zeros(self.size, np.int64)
        np.add.at(result, self(np.arange(len(settled))), settled)
        return result


def marginals(coordinates: int, facets: Sequence[AnyFacet]) -> tuple[Marginal, ...]:
    """Return the totals, then one view for each facet."""
    values = [len(facet.places) for facet in facets]
    finer = [1, *accumulate(reversed(values), mul)][::-1]  # of all facets, of those after the first, …, of none
    views = (Marginal(coordinates, finer[0], many, after) for many, after in zip(values, finer[1:], strict=True))
    return (Marginal(coordinates, finer[0]), *views)


def joint_places(batch: pa.RecordBatch, facets: Sequence[AnyFacet]) -> Ints:
    """Return each record's place among the joint cells of a coordinate: by its own cells alone."""
    places = np.zeros(batch.num_rows, np.int64)
    for facet in facets:
        told = batch.column(TEXT if facet.column is None else facet_column(facet.column)).dictionary_encode()
        of_words = np.array([*map(facet.place, told.dictionary.to_pylist()), facet.place(None)], np.int64)
        which = told.indices.fill_null(len(told.dictionary)).to_numpy(zero_copy_only=False)
        places = places * len(facet.places) + of_words[which]
    return places
