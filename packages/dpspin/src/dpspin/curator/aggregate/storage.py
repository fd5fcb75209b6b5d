"""Where per-user totals are kept during a run: in memory until they are too many, then on disk.

The choice changes time and memory, never a number. A spill lies in a private folder that is removed at the end; folders
of runs that died are removed at the next start. A living run holds a lock on its folder, and the kernel drops it when
the process dies, however it dies. A process id in the name would not do: ids are reused, and mean something else in
another container.
"""

import contextlib
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, assert_never

import pyarrow as pa

from dpspin.curator.aggregate.joint_cells import Marginal
from dpspin.curator.aggregate.user_sums import ROWS, MemorySums, UserSums
from dpspin.curator.assign.contribution import Ints
from dpspin.errors import MissingExtra, RequestError, SourceError

if TYPE_CHECKING:
    from dpspin.curator.aggregate.spill_database import SpillDatabase

PREFIX: Final = "dpspin-spill-"


@dataclass(frozen=True, slots=True)
class InMemory:
    """All of them in memory: about 100 bytes per user and atom."""


@dataclass(frozen=True, slots=True)
class Spilling:
    """In memory up to ``rows`` of them, then in a temporary database that keeps to ``memory_mib`` and spills.

    With the defaults a whole run stays under 1.5 GiB, and several workers fit on one machine. ``folder`` is where the
    spill goes (default: the system's folder for temporary files); it is removed at the end of the run, and after a
    crash at the start of the next one.
    """

    rows: int = 250_000
    memory_mib: int = 256
    folder: Path | None = None

    def __post_init__(self) -> None:
        if self.rows < 1 or self.memory_mib < 1:
            raise RequestError("spilling needs at least one row and one MiB of memory")


Storage = InMemory | Spilling


def user_sums(storage: Storage | None) -> UserSums:
    """Start per-user totals. Nothing asked for means: spill where DuckDB is installed, else stay in memory."""
    match storage:
        case InMemory():
            return MemorySums()
        case None:
            return SpillingSums(Spilling()) if _can_spill() else MemorySums()
        case Spilling():
            if not _can_spill():
                raise MissingExtra("keeping per-user totals on disk", "fast")
            return SpillingSums(storage)
        case _:
            assert_never(storage)


def _can_spill() -> bool:
    """Tell whether DuckDB is there, and the file locks of POSIX."""
    return all(find_spec(module) is not None for module in ("duckdb", "fcntl"))


class SpillingSums:
    """Totals that move to a temporary database when memory is full; a small corpus never starts one."""

    __slots__ = ("_database", "_folder", "_held", "_storage")

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

    def clipped(self, cap: int, marginal: Marginal) -> Ints:
        """Clip each user's total in exact integers, and sum."""
        return self._all_in_one_place().clipped(cap, marginal)

    def prevalent(self, most: int, marginal: Marginal, none: int | None) -> Ints:
        """Count each user's atoms, and sum."""
        return self._all_in_one_place().prevalent(most, marginal, none)

    def users(self) -> int:
        """Return the number of different users."""
        return self._all_in_one_place().users()

    def close(self) -> None:
        """Forget everything, on disk too."""
        self._held.close()
        if self._database is not None:
            self._database.close()
            self._folder.close()
        self._database = None

    def _all_in_one_place(self) -> UserSums:
        if self._database is None:
            return self._held
        self._move(self._database)
        return self._database

    def _opened(self) -> "SpillDatabase":
        from dpspin.curator.aggregate.spill_database import SpillDatabase  # noqa: PLC0415  DuckDB is optional

        if self._database is None:
            self._folder = SpillFolder(self._storage.folder)
            self._database = SpillDatabase(self._folder.path, self._storage.memory_mib)
        return self._database

    def _move(self, database: "SpillDatabase") -> None:
        database.add_all(pa.RecordBatchReader.from_batches(ROWS, self._held.batches()))
        self._held.close()


class SpillFolder:
    """A folder that only its owner can enter, and that is gone when this object is closed or the program ends."""

    __slots__ = ("__weakref__", "_remove", "path")

    def __init__(self, parent: Path | None = None) -> None:
        try:
            self.path, lock = _locked_folder(parent or Path(tempfile.gettempdir()))
        except OSError as error:
            raise SourceError(
                f"no folder for temporary files can be made: {error.strerror}. Set TMPDIR to a local disk"
            ) from None
        self._remove = weakref.finalize(self, _remove, self.path, lock, os.getpid())

    def close(self) -> None:
        """Remove the folder and all that is in it."""
        self._remove()


def purge_dead(parent: Path | None = None) -> None:
    """Remove the spill folders of this owner whose runs have died."""
    for folder in (parent or Path(tempfile.gettempdir())).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # held by a living run, somebody else's, or just removed by another start
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                _hold(lock)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


def _locked_folder(parent: Path) -> tuple[Path, int]:
    """Make the folder under another name and lock it before it can be taken for a dead one."""
    unlocked = Path(tempfile.mkdtemp(prefix=".dpspin-new-", dir=parent))
    lock = os.open(unlocked, os.O_RDONLY | os.O_DIRECTORY)
    _hold(lock)
    folder = unlocked.with_name(unlocked.name.replace(".dpspin-new-", PREFIX))
    unlocked.rename(folder)
    return folder, lock


def _hold(folder: int) -> None:
    import fcntl  # noqa: PLC0415  not on Windows, where nothing is spilled

    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _remove(folder: Path, lock: int, owner: int) -> None:
    if os.getpid() == owner:  # a forked child that ends must leave its parent's folder alone
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)
