"""Parquet and Arrow: the schema names the columns and says of which type their cells are. It is public."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.ipc as pa_ipc
import pyarrow.parquet as pq

from dpspin.curator.records.columns import BadRows, Columns
from dpspin.curator.records.dialect import Dialect
from dpspin.curator.records.formats.bytes_in import unpacked
from dpspin.curator.records.formats.file_format import (
    BATCH_ROWS,
    DataFile,
    Format,
    LeftOut,
    Row,
    for_a_person,
    require_columns,
)

Batches = Callable[[list[str] | None], Iterator[pa.RecordBatch]]  # of these columns; None: of all


@contextmanager
def _opened(file: DataFile) -> Iterator[tuple[list[str], Batches]]:
    """Open a file: the names of its columns, and its batches."""
    packed = file.compressed
    content = pa.BufferReader(unpacked(file).getbuffer()) if packed else file.store.open_input_file(file.place)
    if file.format is PARQUET:
        # pre_buffer=False: the default reads ahead of a slow consumer until memory is full.
        with pq.ParquetFile(content, pre_buffer=False) as parquet:
            yield list(parquet.schema_arrow.names), lambda names: parquet.iter_batches(BATCH_ROWS, columns=names)
    else:
        with pa_ipc.open_file(content) as arrow:
            every = map(arrow.get_batch, range(arrow.num_record_batches))
            yield list(arrow.schema.names), lambda names: (each.select(names) if names else each for each in every)


def _check(file: DataFile, columns: Columns, _dialect: Dialect) -> None:
    with _opened(file) as (present, _):
        require_columns(repr(file.name), present, columns)


def _stream(
    file: DataFile, columns: Columns, _bad_rows: BadRows, _dialect: Dialect, _left_out: LeftOut
) -> Iterator[pa.RecordBatch]:
    with _opened(file) as (present, batches):
        require_columns(repr(file.name), present, columns)
        yield from batches([name for name in columns.names if name in present])


def _first_rows(file: DataFile, _dialect: Dialect, most: int) -> list[Row]:
    with _opened(file) as (present, batches):
        batch = next(batches(None), None)
    cells = [] if batch is None else [for_a_person(column) for column in batch.slice(0, most).columns]
    return [present, *zip(*cells, strict=True)]


def _table(rows: Sequence[Row]) -> pa.Table:
    names, *cells = rows
    return pa.table({str(name): pa.array([row[place] for row in cells]) for place, name in enumerate(names)})


def _write_parquet(path: Path, rows: Sequence[Row]) -> None:
    pq.write_table(_table(rows), path)


def _write_arrow(path: Path, rows: Sequence[Row]) -> None:
    table = _table(rows)
    with pa.OSFile(str(path), "wb") as sink, pa_ipc.new_file(sink, table.schema) as out:
        out.write_table(table)


PARQUET: Final = Format(
    "parquet", "Parquet", (".parquet", ".pq"), _check, _stream, _first_rows, _write_parquet, names_apart=True
)
ARROW: Final = Format(
    "arrow", "Arrow", (".arrow", ".feather"), _check, _stream, _first_rows, _write_arrow, names_apart=True
)
