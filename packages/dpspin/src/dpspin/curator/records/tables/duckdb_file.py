"""A table of a DuckDB file, opened to be read only: nobody can write to it meanwhile. Cells come as Arrow columns."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import finalize

import pyarrow as pa

from dpspin.curator.records.columns import ReadCell
from dpspin.curator.records.conditions import Condition, quoted
from dpspin.curator.records.formats.file_format import BATCH_ROWS, DAMAGED, Passing, Reason, guarded
from dpspin.curator.records.places import SqlTable
from dpspin.curator.records.tables.data_table import Cells, Column
from dpspin.curator.records.tables.sql_rows import MISFIT, file_at, require_conditions, undeclared
from dpspin.errors import MissingExtra, SourceError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SETTINGS: Final[
    dict[str, str | bool | int | float | list[str]]
] = {  # a view of the file reaches for nothing outside of it
    "enable_external_access": "false",
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
    "preserve_insertion_order": "true",
    "memory_limit": "256MB",  # of the file's blocks that are kept
    "temp_directory": "",  # no record is written elsewhere
}
OF_VALUES: Final = frozenset(("ConversionException", "OutOfRangeException", "InvalidInputException"))
IN_USE: Final = Passing("another program has it open")
COMPUTED: Final = """
    SELECT computed, current_database() FROM (
        SELECT database_name, schema_name, table_name AS name, CASE
            WHEN contains(sql, 'GENERATED ALWAYS AS') AND EXISTS (FROM duckdb_functions() WHERE NOT internal)
            THEN 'a table with columns that a macro may compute' END AS computed
        FROM duckdb_tables() WHERE NOT internal
        UNION ALL SELECT database_name, schema_name, view_name, 'a view' FROM duckdb_views() WHERE NOT internal
    ) WHERE database_name = current_database() AND schema_name = ? AND name = ?
"""  # a macro that is defined later than the column can hold a subquery
COLUMNS: Final = """
    SELECT column_name, data_type FROM duckdb_columns()
    WHERE database_name = current_database() AND schema_name = ? AND table_name = ? ORDER BY column_index
"""
NUMBERS: Final = frozenset(
    ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "FLOAT", "DOUBLE")
)
MOMENTS: Final = frozenset(
    ("BOOLEAN", "DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE")
)
AS_TEXT: Final = frozenset(("HUGEINT", "UHUGEINT", "UUID"))  # types that Arrow does not have, in one spelling each


class DuckdbTable:
    """A table of a file that is open as long as this object is there."""

    def __init__(self, place: SqlTable) -> None:
        self._place, file = place, file_at(place)
        failed = f"{place.name!r} of {file.name!r} cannot be opened"
        self._connection = guarded(lambda: _opened(file), failed, self.reason)
        finalize(self, self._connection.close)  # else it would hold up writers
        self._computed, self._database = guarded(self._looked_up, failed, self.reason)
        self.columns: Mapping[str, Column] = guarded(self._columns, failed, self.reason)
        require_conditions(place.name, place.conditions, self.columns)

    @property
    def reason(self) -> Reason:
        """Tell a lock and a literal of another type from damage; what the library said is not repeated."""
        return _reason

    @property
    def is_fixed(self) -> bool:
        """Tell a table, which nobody can write to, from a view, which may compute anything."""
        return self._computed is None

    def batches(self, reads: Mapping[str, ReadCell]) -> Iterator[pa.RecordBatch]:
        """Read in the order in which rows lie, a batch at a time."""
        asked = ", ".join(self._asked(name) for name in reads)
        every = [self._condition(each) for each in self._place.conditions]
        told = " AND ".join(sql for sql, _ in every)
        name = ".".join(map(quoted, (self._database, self._place.schema, self._place.table)))
        query = f"SELECT {asked} FROM {name}{' WHERE ' if told else ''}{told}"  # noqa: S608  quoted, and parameters
        with self._connection.cursor() as cursor:
            rows = cursor.sql(
                query, params=[value for _, values in every for value in values]
            )  # what is executed is held
            yield from rows.to_arrow_reader(BATCH_ROWS)

    def _asked(self, name: str) -> str:
        column = quoted(name)
        kind = self.columns[name].type
        return f"{column}::VARCHAR AS {column}" if kind in AS_TEXT or kind.startswith("ENUM") else column

    def _condition(self, asked: Condition) -> tuple[str, list[str | int | float]]:
        """Write a condition; a text gets the column's type, and a number one in which no cell is out of range."""
        kind = self.columns[asked.column].type
        number = "CAST(? AS DOUBLE)" if kind == "UHUGEINT" else "?"
        marks = [number if each.is_number else f"CAST(? AS {kind})" for each in asked.literals]
        return asked.written(quoted(asked.column), marks), [each.value for each in asked.literals]

    def _looked_up(self) -> tuple[str | None, str]:
        found = self._connection.execute(COMPUTED, [self._place.schema, self._place.table]).fetchone()
        if found is None:
            raise SourceError(
                f"there is no table {self._place.name!r}: a name is taken letter by letter", code="source.no-such-table"
            )
        computed, database = found
        if computed is not None and not self._place.is_row_by_row:
            raise undeclared(self._place.name, computed)
        return computed, database

    def _columns(self) -> dict[str, Column]:
        found = self._connection.execute(COLUMNS, [self._place.schema, self._place.table]).fetchall()
        return {name: Column(kind, _cells(kind)) for name, kind in found}


def _reason(error: BaseException) -> str:
    if type(error).__name__ in OF_VALUES:
        return MISFIT
    return IN_USE if "lock on file" in str(error) else DAMAGED


def _cells(kind: str) -> Cells:
    if kind in {"VARCHAR", "BLOB"} or (kind.startswith("ENUM(") and kind.endswith(")")):
        return Cells.TEXT
    if kind in NUMBERS or kind in {"HUGEINT", "UHUGEINT"} or (kind.startswith("DECIMAL(") and kind.endswith(")")):
        return Cells.NUMBER
    return Cells.OTHER_VALUE if kind in MOMENTS | AS_TEXT else Cells.NOT_READ


def _opened(file: Path) -> "DuckDBPyConnection":
    try:
        import duckdb  # noqa: PLC0415  an optional extra
    except ImportError:
        raise MissingExtra("reading a DuckDB file", extra="fast") from None
    connection = duckdb.connect(str(file), read_only=True, config=SETTINGS)
    connection.execute("SET GLOBAL TimeZone = 'UTC'")
    return connection
