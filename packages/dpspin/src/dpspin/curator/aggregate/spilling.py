"""Per-user totals in memory until they are too many, then on disk."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from dpspin.curator.aggregate.spill_folder import purge_dead
from dpspin.curator.aggregate.user_sums import ROWS, MemorySums, UserSums
from dpspin.curator.assign.contribution import Ints
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.curator.aggregate.spill_database import SpillDatabase


@dataclass(frozen=True, slots=True)
class Spilling:
    """In memory up to ``rows`` of them, then in a temporary database that keeps to ``memory_mib`` and spills.

    With the defaults a whole run stays under 2 GiB. ``folder`` is where the spill goes (default: the system's folder
    for temporary files); it is removed at the end of the run, and after a crash at the start of the next one.
    """

    rows: int = 2_000_000
    memory_mib: int = 512
    folder: Path | None = None

    def __post_init__(self) -> None:
        if self.rows < 1 or self.memory_mib < 1:
            raise RequestError("spilling needs at least one row and one MiB of memory")


class SpillingSums:
    """Totals that move to a temporary database when memory is full; a small corpus never starts one."""

    __slots__ = ("_database", "_held", "_storage")

    def __init__(self, storage: Spilling) -> None:
        purge_dead(storage.folder)
        self._storage = storage
        self._held = MemorySums(compact_at=storage.rows)
        self._database: SpillDatabase | None = None

    def add(self, rows: pa.RecordBatch) -> None:
        """Add rows; when many are held that cannot be summed up any further, move them to disk."""
        self._held.add(rows)
        if self._held.is_compact and self._held.rows > self._storage.rows // 2:
            self._move(self._opened())

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Read the totals."""
        return self._all_in_one_place().batches()

    def clipped(self, cap: int, size: int) -> Ints:
        """Clip each user's total in exact integers, and sum."""
        return self._all_in_one_place().clipped(cap, size)

    def prevalent(self, most: int, size: int, none: int | None) -> Ints:
        """Count each user's atoms, and sum."""
        return self._all_in_one_place().prevalent(most, size, none)

    def users(self) -> int:
        """Return the number of different users."""
        return self._all_in_one_place().users()

    def close(self) -> None:
        """Forget everything, on disk too."""
        self._held.close()
        if self._database is not None:
            self._database.close()
        self._database = None

    def _all_in_one_place(self) -> UserSums:
        if self._database is None:
            return self._held
        self._move(self._database)
        return self._database

    def _opened(self) -> "SpillDatabase":
        from dpspin.curator.aggregate.spill_database import SpillDatabase  # noqa: PLC0415  DuckDB is optional

        if self._database is None:
            self._database = SpillDatabase(self._storage.folder, self._storage.memory_mib)
        return self._database

    def _move(self, database: "SpillDatabase") -> None:
        database.add_all(pa.RecordBatchReader.from_batches(ROWS, self._held.batches()))
        self._held.close()
