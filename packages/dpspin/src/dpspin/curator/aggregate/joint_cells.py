"""Where a record's mass goes when there are views: one joint cell for its coordinate and its values of all facets.

Totals and views are marginals of the joint cells, so that everything is kept once, and all of them add up. A facet that
stands alone deals out a record's mass anew: it has cells of its own behind them, and a user is clipped there by itself.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import mul
from types import MappingProxyType
from typing import Final, Protocol

import numpy as np
import pyarrow as pa

from dpspin.boundary.facets import AnyFacet, RecordFacet
from dpspin.curator.assign.contribution import Contributions, Ints
from dpspin.curator.records.columns import TEXT, facet_column
from dpspin.errors import BoundViolation


@dataclass(frozen=True, slots=True)
class Marginal:
    """Sums over joint cells: the totals, or the view of one facet; a facet that stands alone has its own cells.

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
    start: int = 0  # the first of the joint cells

    def __call__(self, joint_cells: Ints) -> Ints:
        """Return the cell that each joint cell belongs to."""
        own = joint_cells - self.start
        cells: Ints = own // self.joint * self.values + own // self.finer % self.values
        return cells

    @property
    def stop(self) -> int:
        """The end of the joint cells."""
        return self.start + self.coordinates * self.joint

    @property
    def size(self) -> int:
        """How many cells there are."""
        return self.coordinates * self.values

    def sums(self, settled: Ints) -> Ints:
        """Add up what lies in the joint cells."""
        result = np.zeros(self.size, np.int64)
        np.add.at(result, self(np.arange(self.start, self.stop)), settled[self.start : self.stop])
        return result


def marginals(coordinates: int, facets: Sequence[AnyFacet]) -> tuple[Marginal, ...]:
    """Return the totals, then one view for each facet."""
    values = [1 if facet.stands_alone else len(facet.places) for facet in facets]
    finer = [1, *accumulate(reversed(values), mul)][::-1]  # of all facets, of those after the first, …, of none
    found, behind = [Marginal(coordinates, finer[0])], coordinates * finer[0]
    for facet, many, after in zip(facets, values, finer[1:], strict=True):
        if facet.stands_alone:
            found.append(Marginal(1, len(facet.places), len(facet.places), start=behind))
            behind = found[-1].stop
        else:
            found.append(Marginal(coordinates, finer[0], many, after))
    return tuple(found)


class PairPlaces(Protocol):
    """Where the mass of a record and a coordinate lies, for one facet that looks at the text."""

    def __call__(self, rows: Ints, atoms: Ints, ticks: Ints) -> Ints:
        """Return the place of what each record has of a coordinate: by that and the record's own text alone."""
        ...


Finder = Callable[[pa.StringArray], PairPlaces | Contributions]  # reads the texts of a batch
Finders = Mapping[str, Finder]  # by the kind of the facet
NO_FINDERS: Final[Finders] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Places:
    """Where each record's mass lies among the joint cells of a coordinate: by its cells and, for some facets, its text.

    A joint cell's number is a sum over facets, so what belongs to the record alone is kept as one number per record.
    """

    of_records: Ints
    of_pairs: tuple[tuple[int, PairPlaces], ...] = ()  # with the joint cells from one place to the next
    alone: tuple[Contributions, ...] = ()  # of the facets that stand alone: mass one at most, like any contribution

    def __call__(self, rows: Ints, atoms: Ints, ticks: Ints) -> Ints:
        """Return the place of what each record has of a coordinate."""
        places: Ints = self.of_records[rows]
        for finer, found in self.of_pairs:
            places = places + finer * found(rows, atoms, ticks)
        return places


def joint_places(batch: pa.RecordBatch, facets: Sequence[AnyFacet], finders: Finders = NO_FINDERS) -> Places:
    """Return each record's places among the joint cells of a coordinate: by its own cells and text alone."""
    of_records, of_pairs, alone = np.zeros(batch.num_rows, np.int64), [], []
    for facet, marginal in zip(facets, marginals(1, facets)[1:], strict=True):
        if isinstance(facet, RecordFacet):
            of_records += marginal.finer * _of_records(batch, facet)
        elif facet.kind not in finders:
            raise BoundViolation("a facet that looks at the text came without what finds its places")
        elif isinstance(found := finders[facet.kind](batch.column(TEXT)), Contributions):
            alone.append(found)
        else:
            of_pairs.append((marginal.finer, found))
    return Places(of_records, tuple(of_pairs), tuple(alone))


def _of_records(batch: pa.RecordBatch, facet: RecordFacet) -> Ints:
    """Return each record's value of a facet; equal cells are looked at once."""
    told = batch.column(TEXT if facet.column is None else facet_column(facet.column)).dictionary_encode()
    of_words = np.array([*map(facet.place, told.dictionary.to_pylist()), facet.place(None)], np.int64)
    which = told.indices.fill_null(len(told.dictionary)).to_numpy(zero_copy_only=False)
    places: Ints = of_words[which]
    return places
