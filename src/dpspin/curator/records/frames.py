"""Frames that are already in memory: pandas, polars and Arrow tables, told by their module and never imported here."""

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from dpspin.curator.records.cells import SPELT, label_in, text_in, user_in
from dpspin.curator.records.policy import Columns, no_such_column
from dpspin.errors import SourceError

Mark = dict[bytes, bytes] | None


def is_frame(source: object) -> bool:
    """Tell whether a value is a table in memory.

    >>> is_frame(pa.table({"text": ["a"]})), is_frame("tickets.csv")
    (True, False)
    """
    return isinstance(source, pa.Table | pa.RecordBatch) or _library(source) in {"pandas", "polars"}


def table_of(frame: object, columns: Columns) -> pa.Table:
    """Return the named columns as an Arrow table, after checking that they are there."""
    present = column_names(frame)
    for name in columns.names:
        if name not in present:
            raise SourceError(no_such_column("the table", name, present))
        if present.count(name) > 1:
            raise SourceError(f"the table has the column {name!r} more than once; rename one of them")
    window = None if columns.window is None else columns.window.partition
    named = (columns.text, columns.user, columns.label, columns.teacher, window)
    readers = zip(named, (text_in, user_in, label_in, text_in, user_in), strict=True)
    cells = {name: read for name, read in readers if name is not None}
    found = [_column(frame, name, read) for name, read in cells.items()]
    fields = [pa.field(name, column.type, metadata=mark) for name, (column, mark) in zip(cells, found, strict=True)]
    return pa.Table.from_arrays([column for column, _ in found], schema=pa.schema(fields))


def _library(source: object) -> str:
    return type(source).__module__.partition(".")[0]


def column_names(frame: object) -> list[str]:
    """Return the names of a table's columns."""
    return [str(name) for name in _column_names(frame)]


def _column_names(frame: object) -> list[object]:
    if isinstance(frame, pa.Table | pa.RecordBatch):
        return list(frame.schema.names)
    if hasattr(frame, "collect_schema"):  # polars, eager and lazy
        return list(frame.collect_schema().names())
    return list(getattr(frame, "columns", []))


def _column(frame: object, name: str, read: Callable[[object], str | None]) -> tuple[pa.ChunkedArray, Mark]:
    """Return a column, and the mark of one that was read cell by cell."""
    if isinstance(frame, pa.Table):
        return frame.column(name), None
    if isinstance(frame, pa.RecordBatch):
        return pa.chunked_array([frame.column(name)]), None
    if hasattr(frame, "collect"):  # polars, lazy
        return _column(frame.collect(), name, read)
    series = frame[name]  # type: ignore[index]  # pandas and polars are not imported here
    if hasattr(series, "to_arrow"):
        return pa.chunked_array([series.to_arrow()]), None
    return _pandas_column(series, read)


def _pandas_column(series: Any, read: Callable[[object], str | None]) -> tuple[pa.ChunkedArray, Mark]:  # noqa: ANN401
    """Convert as a whole where all cells are alike, else cell by cell: one odd cell must not stop the rest."""
    try:
        column = pa.array(series, from_pandas=True)
        return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column]), None
    except (pa.ArrowException, ValueError, TypeError, OverflowError):
        pass  # the error quotes the cell, so it ends here
    cells = (None if missing else read(value) for value, missing in zip(series, series.isna(), strict=True))
    return pa.chunked_array([pa.array(list(cells), pa.large_string())]), SPELT
