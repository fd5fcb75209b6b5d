"""One reader per format. Each checks the header first, then streams the named columns as Arrow batches."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pyarrow as pa
import pyarrow.ipc as pa_ipc
import pyarrow.parquet as pq

from dpspin.curator.records.bytes_in import unpacked
from dpspin.curator.records.delimited import check_delimited, stream_delimited
from dpspin.curator.records.dialect import Dialect
from dpspin.curator.records.files import DataFile, Format
from dpspin.curator.records.guard import guarded
from dpspin.curator.records.jsonl import check_jsonl, stream_jsonl
from dpspin.curator.records.naming import no_such_column
from dpspin.curator.records.policy import BadRows, Columns
from dpspin.curator.records.rows import BATCH_ROWS
from dpspin.curator.records.workbook import check_workbook, stream_workbook
from dpspin.errors import SourceError

DAMAGED = "it is damaged, cut short or of another format"


class Reader(NamedTuple):
    """How a format is read: its header is checked, then its rows are streamed."""

    check: Callable[[DataFile, Columns, Dialect], None]
    stream: Callable[[DataFile, Columns, BadRows, Dialect], Iterator[pa.RecordBatch]]


def check_header(file: DataFile, columns: Columns, dialect: Dialect) -> None:
    """Refuse a file that lacks a named column, before any row is read (JSONL has no header; see there)."""
    guarded(lambda: READERS[file.format].check(file, columns, dialect), unreadable_as(file), DAMAGED)


def stream(file: DataFile, columns: Columns, bad_rows: BadRows, dialect: Dialect) -> Iterator[pa.RecordBatch]:
    """Yield batches with the named columns only, in file order."""
    batches = READERS[file.format].stream(file, columns, bad_rows, dialect)
    while (batch := guarded(lambda: next(batches, None), unreadable_as(file), DAMAGED)) is not None:
        yield batch


def require_columns(where: str, present: list[str], columns: Columns) -> list[str]:
    """Return the named columns that a schema has; refuse one that lacks a required one, or has one twice."""
    for name in columns.required:
        if name not in present:
            raise SourceError(no_such_column(where, name, present))
    for name in columns.names:
        if present.count(name) > 1:
            raise SourceError(f"{where} has the column {name!r} more than once; rename one of them")
    return [name for name in columns.names if name in present]


def unreadable_as(file: DataFile) -> str:
    """Say that a file cannot be read as what its suffix says."""
    return f"{file.name!r} cannot be read as {'compressed ' if file.compressed else ''}{file.format}"


def _check_parquet(file: DataFile, columns: Columns, _dialect: Dialect) -> None:
    require_columns(repr(file.name), list(pq.read_schema(_seekable(file)).names), columns)


def _stream_parquet(
    file: DataFile, columns: Columns, _bad_rows: BadRows, _dialect: Dialect
) -> Iterator[pa.RecordBatch]:
    # pre_buffer=False: the default reads ahead of a slow consumer until memory is full.
    with pq.ParquetFile(_seekable(file), pre_buffer=False) as parquet:
        names = require_columns(repr(file.name), list(parquet.schema_arrow.names), columns)
        yield from parquet.iter_batches(BATCH_ROWS, columns=names)


def _check_arrow(file: DataFile, columns: Columns, _dialect: Dialect) -> None:
    require_columns(repr(file.name), list(pa_ipc.open_file(_seekable(file)).schema.names), columns)


def _stream_arrow(file: DataFile, columns: Columns, _bad_rows: BadRows, _dialect: Dialect) -> Iterator[pa.RecordBatch]:
    with pa_ipc.open_file(_seekable(file)) as reader:
        names = require_columns(repr(file.name), list(reader.schema.names), columns)
        for index in range(reader.num_record_batches):
            yield reader.get_batch(index).select(names)


def _seekable(file: DataFile) -> pa.NativeFile:
    return pa.BufferReader(unpacked(file).getbuffer()) if file.compressed else pa.OSFile(str(file.path))


READERS = {
    Format.CSV: Reader(check_delimited, stream_delimited),
    Format.TSV: Reader(check_delimited, stream_delimited),
    Format.JSONL: Reader(check_jsonl, stream_jsonl),
    Format.PARQUET: Reader(_check_parquet, _stream_parquet),
    Format.ARROW: Reader(_check_arrow, _stream_arrow),
    Format.XLSX: Reader(check_workbook, stream_workbook),
}
