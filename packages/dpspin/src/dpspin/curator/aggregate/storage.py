"""Where per-user totals are kept during a run. The choice changes time and memory, never a number."""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import assert_never

from dpspin.curator.aggregate.spilling import Spilling, SpillingSums
from dpspin.curator.aggregate.user_sums import MemorySums, UserSums
from dpspin.errors import MissingExtra


@dataclass(frozen=True, slots=True)
class InMemory:
    """All of them in memory: about 100 bytes per user and atom."""


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
