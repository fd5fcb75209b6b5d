"""Where U_u = Σ phi(x) is kept while the corpus is read: one integer per user and atom.

Rows are (high, low, atom, ticks): the two halves of the user's pseudonym, and what the user gave to the atom; with
views, to the joint cell of atom and values. Totals and views are read as marginals of the same rows, but for a facet
that stands alone, which has cells and a norm of its own.
"""

from collections.abc import Iterator
from typing import Final, Protocol

import numpy as np
import pyarrow as pa

from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.aggregate.joint_cells import Marginal
from dpspin.curator.assign.contribution import Ints, capped

ROWS: Final = pa.schema(
    [
        pa.field("high", pa.int64(), nullable=False),
        pa.field("low", pa.int64(), nullable=False),
        pa.field("atom", pa.int32(), nullable=False),
        pa.field("ticks", pa.int64(), nullable=False),
    ]
)
COMPACT_AT: Final = 2_000_000  # rows before they are summed up
CLIPPED_AT_ONCE: Final = 200_000  # rows: exact clipping needs Python integers, which are large
BATCH_ROWS: Final = 65_536


class UserSums(Protocol):
    """A place for per-user totals: in memory, or on disk beyond it."""

    def add(self, rows: pa.RecordBatch) -> None:
        """Add rows; a user and atom may come many times."""
        ...

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Read the totals, one row per user and atom, unclipped."""
        ...

    def clipped(self, cap: int, marginal: Marginal) -> Ints:
        """Return Σ_u Clip(U_u): each user scaled to at most ``cap`` ticks, floor(U_uj·cap / ‖U_u‖₁), exactly.

        In a view a user is clipped over all cells together, so that the cells of an atom add up to its total.
        """
        ...

    def prevalent(self, most: int, marginal: Marginal, none: int | None) -> Ints:
        """Return how many users mention each atom, in ticks.

        A user counts one for each of at most ``most`` atoms, the most often mentioned ones; for "none of these" only
        where there is no atom. In a view it counts in the one cell of the atom where the user has most of it.
        """
        ...

    def users(self) -> int:
        """Return the number of different users, also of those who gave nothing."""
        ...

    def close(self) -> None:
        """Forget everything, on disk too."""
        ...


class MemorySums:
    """Totals in memory: parts are appended, and summed up when they are many, and again when they have doubled."""

    __slots__ = ("_compact_above", "_compact_at", "_parts", "rows")

    def __init__(self, compact_at: int = COMPACT_AT) -> None:
        self._compact_at = compact_at
        self.close()

    def add(self, rows: pa.RecordBatch) -> None:
        """Add rows."""
        self._parts.append(pa.table(rows))
        self.rows += rows.num_rows
        if self.rows > self._compact_above:
            self._compact()

    @property
    def is_compact(self) -> bool:
        """Whether each user and atom has one row, so that nothing is left to sum up."""
        return len(self._parts) == 1

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Read the totals."""
        yield from self._compact().to_batches(BATCH_ROWS)

    def clipped(self, cap: int, marginal: Marginal) -> Ints:
        """Clip each user's total in exact integers, and sum."""
        users, cells, ticks = self._by_user(marginal)
        return _clipped_in_slices(_offsets(users), cells, ticks, cap, marginal)

    def prevalent(self, most: int, marginal: Marginal, none: int | None) -> Ints:
        """Count each user's atoms, and sum."""
        users, cells, ticks = self._by_user(marginal)
        mentioned = ticks > 0
        users, cells, ticks = _one_cell_each(users[mentioned], cells[mentioned], ticks[mentioned], marginal.values)
        atoms = cells // marginal.values
        rank = rank_within(users, atoms, ticks, none)
        counted = (rank < most) & ((atoms != none) | (rank == 0))
        return np.bincount(cells[counted], minlength=marginal.size).astype(np.int64) * TICKS_PER_MASS

    def _by_user(self, marginal: Marginal) -> tuple[Ints, Ints, Ints]:
        """Return users by number, cells and ticks; in a view with one row per user and cell, sorted."""
        table = self._compact().sort_by([("high", "ascending"), ("low", "ascending")])
        high, low, joint, ticks = (table.column(name).to_numpy() for name in ROWS.names)
        users = np.cumsum(np.r_[False, (high[1:] != high[:-1]) | (low[1:] != low[:-1])][: len(high)])
        own = (joint >= marginal.start) & (joint < marginal.stop)
        if own.all() and marginal.joint == 1:
            return users, joint, ticks
        users, cells, ticks = users[own], marginal(joint[own].astype(np.int64)), ticks[own]
        order = np.lexsort((cells, users))
        return _summed(users[order], cells[order], ticks[order])

    def users(self) -> int:
        """Return the number of different users."""
        return int(self._compact().group_by(["high", "low"], use_threads=False).aggregate([]).num_rows)

    def close(self) -> None:
        """Forget everything."""
        self._parts: list[pa.Table] = [ROWS.empty_table()]
        self._compact_above = self._compact_at
        self.rows = 0

    def _compact(self) -> pa.Table:
        if self.is_compact:
            return self._parts[0]
        sums = pa.concat_tables(self._parts).group_by(["high", "low", "atom"], use_threads=False)
        table = sums.aggregate([("ticks", "sum")]).rename_columns({"ticks_sum": "ticks"}).select(ROWS.names)
        self._parts = [table.cast(ROWS)]
        self.rows = table.num_rows
        self._compact_above = max(self._compact_at, 2 * self.rows)  # else an incompressible rest is summed every time
        return self._parts[0]


def rank_within(rows: Ints, atoms: Ints, ticks: Ints, none: int | None) -> Ints:
    """Rank each row's atoms by weight, from 0; of equal ones the lower index comes first, "none of these" last.

    >>> rank_within(np.array([0, 0, 1]), np.array([4, 7, 4]), np.array([1, 2, 9]), none=None)
    array([1, 0, 0])
    """
    order = np.lexsort((atoms, -ticks, atoms == (-1 if none is None else none), rows))
    starts = np.r_[True, rows[order][1:] != rows[order][:-1]][: len(rows)]
    place = np.arange(len(rows))
    rank = np.empty(len(rows), np.int64)
    rank[order] = place - np.maximum.accumulate(np.where(starts, place, 0))
    return rank


def _summed(users: Ints, cells: Ints, ticks: Ints) -> tuple[Ints, Ints, Ints]:
    """Add up sorted rows of the same user and cell."""
    starts = _starts(users, cells)
    return users[starts], cells[starts], np.add.reduceat(ticks, starts) if len(starts) else ticks


def _starts(*columns: Ints) -> Ints:
    """Return where a row differs from the one before."""
    new = np.ones(len(columns[0]), bool)
    if len(new):
        new[1:] = np.logical_or.reduce([column[1:] != column[:-1] for column in columns])
    return np.flatnonzero(new)


def _offsets(users: Ints) -> Ints:
    offsets: Ints = np.r_[_starts(users), len(users)].astype(np.int64)
    return offsets


def _one_cell_each(users: Ints, cells: Ints, ticks: Ints, values: int) -> tuple[Ints, Ints, Ints]:
    """Put all that a user has of an atom into the cell where the user has most of it; of equal ones the first.

    >>> _one_cell_each(np.array([0, 0, 1]), np.array([4, 5, 4]), np.array([1, 2, 3]), values=2)
    (array([0, 1]), array([5, 4]), array([3, 3]))
    """
    if values == 1:
        return users, cells, ticks
    starts = _starts(users, cells // values)
    order = np.lexsort((cells, -ticks, cells // values, users))
    return users[starts], cells[order][starts], np.add.reduceat(ticks, starts) if len(starts) else ticks


def _before(users: Ints, cells: Ints, ticks: Ints, values: int) -> Ints | None:
    """Return what each user has of the same atom in the cells before: rows are sorted by user and cell."""
    if values == 1:
        return None
    running = np.cumsum(ticks) - ticks
    starts = _starts(users, cells // values)
    before: Ints = running - np.repeat(running[starts], np.diff(np.r_[starts, len(ticks)]))
    return before


def _clipped_in_slices(offsets: Ints, cells: Ints, ticks: Ints, cap: int, marginal: Marginal) -> Ints:
    result = np.zeros(marginal.size, np.int64)
    first = 0
    while first < len(offsets) - 1:
        after = int(np.searchsorted(offsets, offsets[first] + CLIPPED_AT_ONCE, "right")) - 1
        last = max(after, first + 1)  # whole users: at least one
        rows, own = slice(offsets[first], offsets[last]), offsets[first : last + 1] - offsets[first]
        users = np.repeat(np.arange(last - first), np.diff(own))
        before = _before(users, cells[rows], ticks[rows], marginal.values)
        np.add.at(result, cells[rows], capped(own, ticks[rows], cap, before))
        first = last
    return result
