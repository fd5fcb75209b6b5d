"""A table of an SQLite file, in one read transaction. Each cell has a type of its own there, and is read by itself."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final
from weakref import finalize

import pyarrow as pa

from dpspin.curator.records.columns import READ, ReadCell
from dpspin.curator.records.conditions import quoted
from dpspin.curator.records.formats.file_format import DAMAGED, Passing, Reason, guarded
from dpspin.curator.records.places import SqlTable
from dpspin.curator.records.tables.data_table import ROWS_AT_ONCE, Cells, Column, cells_of
from dpspin.curator.records.tables.sql_rows import MISFIT, file_at, require_conditions, undeclared
from dpspin.errors import SourceError

KIND: Final = "SELECT type, name FROM pragma_table_list WHERE schema = ? AND name = ? COLLATE NOCASE"
LOCKS: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
LOCKED: Final = Passing("another program holds a lock on it")
OTHERS: Final = {"view": "a view", "virtual": "a virtual table, which a program computes"}


class SqliteTable:
    """A table in a read transaction that is open as long as this object is there."""

    def __init__(self, place: SqlTable) -> None:
        self._place, file = place, file_at(place)
        failed = f"{place.name!r} of {file.name!r} cannot be opened"
        self._connection = guarded(lambda: _opened(file), failed, self.reason)
        finalize(self, self._connection.close)  # else it would hold up writers
        self._kind = guarded(self._looked_up, failed, self.reason)
        self.columns: Mapping[str, Column] = guarded(self._columns, failed, self.reason)
        require_conditions(place.name, place.conditions, self.columns)

    @property
    def reason(self) -> Reason:
        """Tell a lock and a number that is too large from damage; what the library said is not repeated."""
        return _reason

    @property
    def is_fixed(self) -> bool:
        """Tell a table, which a transaction sees in one state, from a view, which may compute anything."""
        return self._kind == "table"

    def batches(self, reads: Mapping[str, ReadCell]) -> Iterator[pa.RecordBatch]:
        """Read in the order in which rows lie, a batch at a time."""
        every = self._place.conditions
        told = " AND ".join(each.written(quoted(each.column), ["?"] * len(each.literals)) for each in every)
        asked = f"SELECT {', '.join(map(quoted, reads))} FROM {self._from}{' WHERE ' if told else ''}{told}"  # noqa: S608
        cursor = self._connection.execute(asked, [each.value for one in every for each in one.literals])
        while some := cursor.fetchmany(ROWS_AT_ONCE):
            columns = zip(*some, strict=True)
            cells = [_column(column, read) for column, read in zip(columns, reads.values(), strict=True)]
            yield cells_of([*reads], cells, [READ] * len(reads))

    @property
    def _from(self) -> str:
        name = f"{quoted(self._place.schema)}.{quoted(self._place.table)}"
        return f"{name} NOT INDEXED" if self.is_fixed else name

    def _looked_up(self) -> str:
        found = self._connection.execute(KIND, (self._place.schema, self._place.table)).fetchall()
        kind = next((str(kind, "utf-8") for kind, name in found if name == self._place.table.encode()), None)
        if kind is None:
            raise SourceError(
                f"there is no table {self._place.name!r}: a name is taken letter by letter", code="source.no-such-table"
            )
        if kind in OTHERS and not self._place.is_row_by_row:
            raise undeclared(self._place.name, OTHERS[kind])
        return kind

    def _columns(self) -> dict[str, Column]:
        described = self._connection.execute(f"SELECT * FROM {self._from} LIMIT 0").description  # noqa: S608  quoted
        return {name: Column("any", Cells.ANY) for name, *_ in described}


def _reason(error: BaseException) -> str:
    if isinstance(error, OverflowError | ValueError):
        return MISFIT
    return LOCKED if getattr(error, "sqlite_errorcode", None) in LOCKS else DAMAGED


def _column(cells: Sequence[object], read: ReadCell) -> pa.Array:
    return pa.array([read(cell) for cell in cells], pa.large_string())


def _opened(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
    connection.text_factory = bytes  # one text that is not UTF-8 spoils no other
    connection.isolation_level = None
    connection.execute("PRAGMA trusted_schema = OFF")  # generated columns and views call nothing that acts
    connection.execute("BEGIN")
    return connection
