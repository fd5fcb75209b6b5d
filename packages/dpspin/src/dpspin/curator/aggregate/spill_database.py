"""Per-user totals beyond memory: DuckDB groups them, spills what does not fit, and clips in 128-bit integers.

Only pseudonyms under a secret key, atoms and ticks are handed over: a spill that survives a crash names nobody.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb
import numpy as np
import pyarrow as pa

from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.aggregate.joint_cells import Marginal
from dpspin.curator.aggregate.user_sums import BATCH_ROWS, ROWS
from dpspin.curator.assign.contribution import Ints
from dpspin.errors import RequestError

THREADS: Final = 2  # each thread needs its share of the memory limit

TABLE: Final = "(high BIGINT NOT NULL, low BIGINT NOT NULL, atom INTEGER NOT NULL, ticks BIGINT NOT NULL)"
GROUPED: Final = "SELECT high, low, atom, sum(ticks)::BIGINT AS ticks FROM totals GROUP BY high, low, atom"
USERS: Final = "SELECT count(*) FROM (SELECT DISTINCT high, low FROM totals)"
OWN: Final = "(SELECT high, low, atom - {start} AS atom, ticks FROM totals WHERE atom >= {start} AND atom < {stop})"
HEAVY: Final = "SELECT high, low, sum(ticks) AS norm FROM {own} GROUP BY high, low HAVING sum(ticks) > {cap}"
ROWS_AS_CELLS: Final = "(SELECT high, low, atom AS cell, ticks FROM {own})"
CELLS: Final = """(
    SELECT high, low, atom // {joint} * {values} + atom // {finer} % {values} AS cell, sum(ticks)::BIGINT AS ticks
    FROM {own} GROUP BY high, low, cell
)"""
BEFORE: Final = "sum(ticks) OVER (PARTITION BY high, low, cell // {values} ORDER BY cell) - ticks"
# Only users over the bound are joined. ticks < 2^62 and cap <= 2^50: a HUGEINT holds the product, and // rounds down.
CLIPPED: Final = """
    SELECT cell, sum(CASE WHEN norm IS NULL THEN ticks
        ELSE ((before + ticks)::HUGEINT * {cap}) // norm - (before::HUGEINT * {cap}) // norm END)::BIGINT AS ticks
    FROM (SELECT *, {before} AS before FROM {cells}) LEFT JOIN heavy USING (high, low) GROUP BY cell
"""

# "None of these" ranks last, and counts only where it is alone.
PREVALENT: Final = """
    SELECT cell, count(*) AS users FROM (
        SELECT cell, atom, row_number() OVER (PARTITION BY high, low ORDER BY atom = {none}, ticks DESC, atom) AS place
        FROM (
            SELECT high, low, cell // {values} AS atom,
                first(cell ORDER BY ticks DESC, cell) AS cell, sum(ticks) AS ticks
            FROM {cells} WHERE ticks > 0 GROUP BY high, low, cell // {values}
        )
    ) WHERE place <= {most} AND (atom <> {none} OR place = 1) GROUP BY cell
"""


class SpillDatabase:
    """A temporary database that spills into a private folder."""

    __slots__ = ("_connection",)

    def __init__(self, folder: Path, memory_mib: int) -> None:
        with _explained():
            self._connection = duckdb.connect(":memory:", config=_settings(folder, memory_mib))
            self._connection.execute(f"CREATE TABLE totals {TABLE}; SET lock_configuration = true")

    def add(self, rows: pa.RecordBatch) -> None:
        """Add rows."""
        self.add_all(pa.RecordBatchReader.from_batches(ROWS, [rows]))

    def add_all(self, rows: pa.RecordBatchReader) -> None:
        """Add a stream of rows."""
        with _explained():
            self._connection.register("arriving", rows)
            self._connection.execute("INSERT INTO totals FROM arriving")
            self._connection.unregister("arriving")

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Read the totals."""
        with _explained():
            self._group()
            reader = self._connection.table("totals").to_arrow_reader(BATCH_ROWS)
        while (batch := _next(reader)) is not None:
            yield batch

    def clipped(self, cap: int, marginal: Marginal) -> Ints:
        """Clip each user's total in exact integers, and sum."""
        before = "0" if marginal.values == 1 else BEFORE.format(values=marginal.values)
        with _explained():
            self._group()
            self._connection.execute(
                f"CREATE OR REPLACE TABLE heavy AS {HEAVY.format(cap=int(cap), own=_own(marginal))}"
            )
            query = CLIPPED.format(cap=int(cap), before=before, cells=_cells(marginal))
            sums = self._connection.execute(query).fetchnumpy()
        result = np.zeros(marginal.size, np.int64)
        result[sums["cell"]] = sums["ticks"]
        return result

    def prevalent(self, most: int, marginal: Marginal, none: int | None) -> Ints:
        """Count each user's atoms, and sum."""
        atom = -1 if none is None else int(none)
        query = PREVALENT.format(most=int(most), none=atom, values=marginal.values, cells=_cells(marginal))
        with _explained():
            self._group()
            users = self._connection.execute(query).fetchnumpy()
        result = np.zeros(marginal.size, np.int64)
        result[users["cell"]] = users["users"]
        return result * TICKS_PER_MASS

    def users(self) -> int:
        """Return the number of different users."""
        with _explained():
            [(users,)] = self._connection.execute(USERS).fetchall()
        return int(users)

    def close(self) -> None:
        """Forget everything."""
        self._connection.close()

    def _group(self) -> None:
        self._connection.execute(f"CREATE TABLE grouped AS {GROUPED}")
        self._connection.execute("DROP TABLE totals; ALTER TABLE grouped RENAME TO totals")


def _cells(marginal: Marginal) -> str:
    """Return where the rows of a marginal come from; without views every row is one already."""
    if marginal.joint == 1:
        return ROWS_AS_CELLS.format(own=_own(marginal))
    return CELLS.format(joint=marginal.joint, values=marginal.values, finer=marginal.finer, own=_own(marginal))


def _own(marginal: Marginal) -> str:
    return OWN.format(start=marginal.start, stop=marginal.stop)


def _next(reader: pa.RecordBatchReader) -> pa.RecordBatch | None:
    with _explained():
        batch = next(reader, None)
    return None if batch is None else pa.RecordBatch.from_arrays(batch.columns, schema=ROWS)


def _settings(folder: Path, memory_mib: int) -> dict[str, str | bool | int | float | list[str]]:
    return {
        "memory_limit": f"{memory_mib}MiB",
        "temp_directory": str(folder),
        "threads": THREADS,
        "preserve_insertion_order": False,
        "autoinstall_known_extensions": False,  # they would be fetched from the network
        "autoload_known_extensions": False,
    }


@contextmanager
def _explained() -> Iterator[None]:
    """Run queries with files for the owner only; say what to do when the machine is too small."""
    try:
        with _owner_only():
            yield
    except duckdb.OutOfMemoryException:
        problem = "the memory for per-user totals, or the disk for temporary files, is too small for this corpus"
    except duckdb.IOException:
        problem = "the folder for temporary files cannot be written: is the disk full?"
    except duckdb.ConversionException:
        problem = "the corpus is too large for one sketch: more than 2^32 units of mass; release it in parts"
    else:
        return
    raise RequestError(problem)


@contextmanager
def _owner_only() -> Iterator[None]:
    """Let files that are created meanwhile be readable by their owner only, whoever creates them."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)
