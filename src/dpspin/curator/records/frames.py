"""Frames that are already in memory: pandas, polars and Arrow tables, told by their module and never imported here."""

import pyarrow as pa

from dpspin.curator.records.policy import Columns
from dpspin.errors import SourceError


def is_frame(source: object) -> bool:
    """Tell whether a value is a table in memory.

    >>> is_frame(pa.table({"text": ["a"]})), is_frame("tickets.csv")
    (True, False)
    """
    return isinstance(source, pa.Table | pa.RecordBatch) or _library(source) in {"pandas", "polars"}


def table_of(frame: object, columns: Columns) -> pa.Table:
    """Return the named columns as an Arrow table, after checking that they are there."""
    present = [str(name) for name in _column_names(frame)]
    for name in columns.names:
        if name not in present:
            raise SourceError(f"the table has no column {name!r}; its columns are: {', '.join(present)}")
        if present.count(name) > 1:
            raise SourceError(f"the table has the column {name!r} more than once; rename one of them")
    return pa.table({name: _column(frame, name) for name in columns.names})


def _library(source: object) -> str:
    return type(source).__module__.partition(".")[0]


def _column_names(frame: object) -> list[object]:
    if isinstance(frame, pa.Table | pa.RecordBatch):
        return list(frame.schema.names)
    if hasattr(frame, "collect_schema"):  # polars, eager and lazy
        return list(frame.collect_schema().names())
    return list(getattr(frame, "columns", []))


def _column(frame: object, name: str) -> pa.ChunkedArray:
    if isinstance(frame, pa.Table | pa.RecordBatch):
        return pa.chunked_array([frame.column(name)]) if isinstance(frame, pa.RecordBatch) else frame.column(name)
    if hasattr(frame, "collect"):  # polars, lazy
        return _column(frame.collect(), name)
    series = frame[name]  # type: ignore[index]  # pandas and polars are not imported here
    if hasattr(series, "to_arrow"):
        return pa.chunked_array([series.to_arrow()])
    return pa.chunked_array([_pandas_column(series)])


def _pandas_column(series: object) -> pa.Array:
    try:
        column = pa.array(series, from_pandas=True)
    except (pa.ArrowException, UnicodeError):
        column = pa.array([value if isinstance(value, str) else None for value in series], pa.string())  # type: ignore[attr-defined]
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
