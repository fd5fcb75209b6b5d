"""Where U_u = Σ phi(x) is kept while the corpus is read: one integer per user and atom.

Rows are (high, low, atom, ticks): the two halves of the user's pseudonym, and what the user gave to the atom.
"""

from collections.abc import Iterator
from typing import Final, Protocol

import numpy as np
import pyarrow as pa

from dpspin.boundary.privacy import TICKS_PER_MASS
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

    def clipped(self, cap: int, size: int) -> Ints:
        """Return Σ_u Clip(U_u): each user scaled to at most ``cap`` ticks, floor(U_uj·cap / ‖U_u‖₁), exactly."""
        ...

    def prevalent(self, most: int, size: int, none: int | None) -> Ints:
        """Return how many users mention each atom, in ticks.

        A user counts one for each of at most ``most`` atoms, the most often mentioned ones; for "none of these" only
        where there is no atom.
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

    def clipped(self, cap: int, size: int) -> Ints:
        """Clip each user's total in exact integers, and sum."""
        offsets, atoms, ticks = self._by_user()
        return _clipped_in_slices(offsets, atoms, ticks, cap, size)

    def prevalent(self, most: int, size: int, none: int | None) -> Ints:
        """Count each user's atoms, and sum."""
        offsets, atoms, ticks = self._by_user()
        users, mentioned = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)), ticks > 0
        users, atoms, ticks = users[mentioned], atoms[mentioned], ticks[mentioned]
        rank = rank_within(users, atoms, ticks, none)
        counted = (rank < most) & ((atoms != none) | (rank == 0))
        return np.bincount(atoms[counted], minlength=size).astype(np.int64) * TICKS_PER_MASS

    def _by_user(self) -> tuple[Ints, Ints, Ints]:
        users = self._compact().sort_by([("high", "ascending"), ("low", "ascending")])
        names = np.stack([users.column("high").to_numpy(), users.column("low").to_numpy()], axis=1)
        starts = np.flatnonzero(np.r_[True, (names[1:] != names[:-1]).any(axis=1)][: len(names)])
        offsets = np.r_[starts, len(names)].astype(np.int64)
        return offsets, users.column("atom").to_numpy(), users.column("ticks").to_numpy()

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


def _clipped_in_slices(offsets: Ints, atoms: Ints, ticks: Ints, cap: int, size: int) -> Ints:
    result = np.zeros(size, np.int64)
    first = 0
    while first < len(offsets) - 1:
        after = int(np.searchsorted(offsets, offsets[first] + CLIPPED_AT_ONCE, "right")) - 1
        last = max(after, first + 1)  # whole users: at least one
        rows = slice(offsets[first], offsets[last])
        np.add.at(result, atoms[rows], capped(offsets[first : last + 1] - offsets[first], ticks[rows], cap))
        first = last
    return result
