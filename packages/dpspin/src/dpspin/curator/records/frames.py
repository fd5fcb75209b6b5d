"""Frames that are already in memory: pandas, polars and Arrow tables, told by their module and never imported here.

A column is converted as its type says; where a column may hold anything (pandas' ``object``, polars' ``Object``), each
cell is read by itself. No cell decides how another one is read.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from dpspin.curator.records.cells import text_in
from dpspin.curator.records.columns import READ, Columns, ReadCell
from dpspin.curator.records.formats.file_format import guarded, require_columns

Mark = dict[bytes, bytes] | None
UNREADABLE: Final = (
    "the library that holds it could not hand it over. What that library said may quote records, so it is not shown: "
    "try the same columns there"
)
MASKED: Final = ("Int", "UInt", "Float", "Boolean", "DatetimeTZ", "Arrow")  # pandas' own types with one Arrow type each
CELLS_IN_POLARS: Final = {"Object", "Int128", "UInt128"}  # types that Arrow does not have


def is_frame(source: object) -> bool:
    """Tell whether a value is a table in memory.

    >>> is_frame(pa.table({"text": ["a"]})), is_frame("tickets.csv")
    (True, False)
    """
    return isinstance(source, pa.Table | pa.RecordBatch) or _library(source) in {"pandas", "polars"}


def is_spark_frame(source: object) -> bool:
    """Tell whether a value is a table that Spark holds, of a classic session or of Spark Connect."""
    return type(source).__module__.startswith("pyspark.sql.") and hasattr(source, "mapInArrow")


def one_column(texts: Sequence[object], name: str) -> pa.Table:
    """Return a table of texts in memory; what is no text cannot be read, as in any other table."""
    return pa.table({name: pa.array([text_in(text) for text in texts], pa.large_string())})


def table_of(frame: object, columns: Columns) -> pa.Table:
    """Return the named columns as an Arrow table, after checking that they are there.

    A lazy frame is collected once, all columns together: collected again, it may come in another order.
    """
    return guarded(lambda: _table_of(frame, columns), "the table cannot be read", UNREADABLE)


def _table_of(frame: object, columns: Columns) -> pa.Table:
    present = _column_names(frame)
    require_columns("the table", present, columns)
    reads = {name: read for name, read in columns.cells.items() if name in present}
    column = _columns_of(frame, list(reads))
    found = {name: column(name, read) for name, read in reads.items()}
    fields = [pa.field(name, cells.type, metadata=mark) for name, (cells, mark) in found.items()]
    return pa.Table.from_arrays([cells for cells, _ in found.values()], schema=pa.schema(fields))


def _library(source: object) -> str:
    return type(source).__module__.partition(".")[0]


def _column_names(frame: Any) -> list[str]:  # noqa: ANN401  pandas and polars are not imported here
    """Return the names of a table's columns; pandas has labels of any type, which are named as they are written."""
    if isinstance(frame, pa.Table | pa.RecordBatch):
        return list(frame.schema.names)
    if hasattr(frame, "collect_schema"):  # polars, eager and lazy
        return list(frame.collect_schema().names())
    return [str(name) for name in getattr(frame, "columns", [])]


def _columns_of(frame: Any, names: list[str]) -> Callable[[str, ReadCell], tuple[pa.ChunkedArray, Mark]]:  # noqa: ANN401
    """Return how a column is taken from a frame: its cells, and the mark of ids that were read cell by cell."""
    if isinstance(frame, pa.Table | pa.RecordBatch):
        return lambda name, _read: (_chunked(frame.column(name)), None)
    if _library(frame) == "polars":
        held = _collected(frame, names)
        return lambda name, read: _polars_column(held.get_column(name), read)
    places = {name: place for place, name in enumerate(_column_names(frame))}
    return lambda name, read: _pandas_column(frame.iloc[:, places[name]], read)


def _collected(frame: Any, names: list[str]) -> Any:  # noqa: ANN401
    if not hasattr(frame, "collect"):
        return frame
    patterns = any(name == "*" or (name.startswith("^") and name.endswith("$")) for name in names)
    return frame.collect() if patterns else frame.select(names).collect()


def _polars_column(series: Any, read: ReadCell) -> tuple[pa.ChunkedArray, Mark]:  # noqa: ANN401
    if str(series.dtype) in CELLS_IN_POLARS:
        return _cell_by_cell(series.to_list(), read)
    return _chunked(series.to_arrow()), None


def _pandas_column(series: Any, read: ReadCell) -> tuple[pa.ChunkedArray, Mark]:  # noqa: ANN401
    """Convert a column by its type, and cell by cell where the type leaves open what a cell is."""
    if hasattr(series, "cat"):
        return _pandas_categories(series, read)
    if hasattr(series, "sparse"):
        return _pandas_column(series.sparse.to_dense(), read)
    if _has_one_type(series.dtype):
        return _chunked(pa.array(series, from_pandas=True)), None
    return _cell_by_cell(series, read)


def _has_one_type(kind: Any) -> bool:  # noqa: ANN401
    if isinstance(kind, np.dtype):
        return kind.kind in "biufmM" and kind.itemsize <= np.dtype(np.int64).itemsize
    if getattr(kind, "storage", None) is not None:  # of strings: those of Python may hold what Unicode does not
        return bool(kind.storage == "pyarrow")
    return type(kind).__name__.removesuffix("Dtype").rstrip("0123456789") in MASKED


def _pandas_categories(series: Any, read: ReadCell) -> tuple[pa.ChunkedArray, Mark]:  # noqa: ANN401
    categories, mark = _pandas_column(series.cat.categories.to_series(), read)
    codes = series.cat.codes.to_numpy()
    return categories.take(pa.array(codes, mask=codes < 0)), mark


def _cell_by_cell(cells: Iterable[object], read: ReadCell) -> tuple[pa.ChunkedArray, Mark]:
    return _chunked(pa.array([read(cell) for cell in cells], pa.string())), READ


def _chunked(column: pa.Array | pa.ChunkedArray) -> pa.ChunkedArray:
    return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
