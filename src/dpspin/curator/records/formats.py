"""One reader per format. Each checks the header first, then streams the named columns as Arrow batches.

Library errors can quote the row that broke them, so none may pass: they are replaced by ours, without a cause.
"""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar, assert_never

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.ipc as pa_ipc
import pyarrow.parquet as pq

from dpspin.curator.records.cells import SPELT, label_in, text_in, user_in
from dpspin.curator.records.files import DataFile, Format
from dpspin.curator.records.policy import BadRows, Columns, no_such_column
from dpspin.errors import RecordsRefused, SourceError

BATCH_ROWS = 16_384
BATCH_BYTES = 32 * 2**20
LINES_LOOKED_AT = 100  # for the fields of a JSONL file
CSV_BLOCK_BYTES = 32 * 2**20  # also the longest row that can be read
T = TypeVar("T")
UNREADABLE = (OSError, EOFError, pa.ArrowException, csv.Error, UnicodeDecodeError)


def check_header(file: DataFile, columns: Columns) -> None:
    """Refuse a file that lacks a named column, before any row is read.

    JSONL has no header: there the field must occur in one of the first lines.
    """
    present = header_of(file)
    for name in columns.names:
        if name not in present:
            schema = present if file.format in {Format.PARQUET, Format.ARROW} else []
            raise SourceError(no_such_column(repr(file.name), name, schema))
        if present.count(name) > 1:
            raise SourceError(f"{file.name!r} has the column {name!r} more than once; rename one of them")


def header_of(file: DataFile) -> list[str]:
    """Return the names of a file's columns."""
    return _guard(file, lambda: _header(file))


def stream(file: DataFile, columns: Columns, bad_rows: BadRows) -> Iterator[pa.RecordBatch]:
    """Yield batches with the named columns only, in file order."""
    batches = _guard(file, lambda: _reader(file)(file, columns, bad_rows))
    while (batch := _guard(file, lambda: next(batches, None))) is not None:
        yield batch


def _guard(file: DataFile, read: Callable[[], T]) -> T:
    try:
        return read()
    except PermissionError:
        why = "permission denied"
    except UNREADABLE:
        why = "it is damaged, cut short or of another format"
    kind = f"compressed {file.format}" if file.compressed else file.format
    raise SourceError(f"{file.name!r} cannot be read as {kind}: {why}")


def _header(file: DataFile) -> list[str]:
    match file.format:
        case Format.CSV | Format.TSV:
            with _text_of(file) as lines:
                header = next(csv.reader(lines, _dialect(file)), [])
            if any("\x00" in name or "\ufffd" in name for name in header):
                raise SourceError(f"{file.name!r} is not UTF-8 text: save it as UTF-8 and try again")
            return header
        case Format.JSONL:
            with _bytes_of(file) as lines:
                rows = (_object_in(line) for line in islice(lines, LINES_LOOKED_AT))
                return list(dict.fromkeys(name for row in rows if row is not None for name in row))
        case Format.PARQUET:
            return list(pq.read_schema(_seekable(file)).names)
        case Format.ARROW:
            return list(pa_ipc.open_file(_seekable(file)).schema.names)
        case _:
            assert_never(file.format)


def _reader(file: DataFile) -> Callable[[DataFile, Columns, BadRows], Iterator[pa.RecordBatch]]:
    match file.format:
        case Format.CSV | Format.TSV:
            return _stream_csv
        case Format.JSONL:
            return _stream_jsonl
        case Format.PARQUET:
            return _stream_parquet
        case Format.ARROW:
            return _stream_arrow
        case _:
            assert_never(file.format)


def _stream_csv(file: DataFile, columns: Columns, bad_rows: BadRows) -> Iterator[pa.RecordBatch]:
    malformed = False

    def on_malformed(_row: object) -> str:
        nonlocal malformed
        malformed = True
        return "skip"  # the row contributes the zero vector

    # Binary columns: a broken encoding then concerns its own row, not the whole file.
    with pa_csv.open_csv(
        pa.input_stream(str(file.path), compression="detect"),
        read_options=pa_csv.ReadOptions(block_size=CSV_BLOCK_BYTES),
        parse_options=pa_csv.ParseOptions(
            delimiter=_dialect(file).delimiter,
            quote_char=False
            if file.format is Format.TSV
            else '"',  # in TSV a quotation mark is a letter like any other
            newlines_in_values=file.format is not Format.TSV,
            invalid_row_handler=on_malformed,
        ),
        convert_options=pa_csv.ConvertOptions(
            include_columns=columns.names, column_types=dict.fromkeys(columns.names, pa.binary())
        ),
    ) as batches:
        yield from batches
    if malformed and bad_rows is BadRows.REFUSE:
        raise RecordsRefused(f"{file.name!r} has a row with too many or too few fields, and strict rows were asked for")


def _stream_jsonl(file: DataFile, columns: Columns, bad_rows: BadRows) -> Iterator[pa.RecordBatch]:
    with _bytes_of(file) as lines:
        for some in _bounded(lines):
            rows = [_object_in(line) for line in some]
            if bad_rows is BadRows.REFUSE and None in rows:
                raise RecordsRefused(f"{file.name!r} has a line that is no JSON object, and strict rows were asked for")
            yield _batch_of([row for row in rows if row is not None], columns)  # the rest contributes zero


def _bounded(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Group lines, blank ones left out, into batches that are bounded in rows and in bytes."""
    some: list[bytes] = []
    held = 0
    for line in lines:
        if line.strip():
            some.append(line)
            held += len(line)
        if len(some) >= BATCH_ROWS or held >= BATCH_BYTES:
            yield some
            some, held = [], 0
    yield some


def _batch_of(rows: list[dict[str, object]], columns: Columns) -> pa.RecordBatch:
    cells = [[text_in(row.get(columns.text)) for row in rows]]
    fields = [pa.field(columns.text, pa.large_string())]
    if columns.user is not None:
        cells.append([user_in(row.get(columns.user)) for row in rows])
        fields.append(pa.field(columns.user, pa.large_string(), metadata=SPELT))
    if columns.label is not None:
        cells.append([label_in(row.get(columns.label)) for row in rows])
        fields.append(pa.field(columns.label, pa.large_string()))
    if columns.window is not None:
        cells.append([user_in(row.get(columns.window.partition)) for row in rows])
        fields.append(pa.field(columns.window.partition, pa.large_string(), metadata=SPELT))
    if columns.teacher is not None:
        cells.append([text_in(row.get(columns.teacher)) for row in rows])
        fields.append(pa.field(columns.teacher, pa.large_string()))
    return pa.RecordBatch.from_arrays(
        [pa.array(values, pa.large_string()) for values in cells], schema=pa.schema(fields)
    )


def _object_in(line: bytes) -> dict[str, object] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _stream_parquet(file: DataFile, columns: Columns, _bad_rows: BadRows) -> Iterator[pa.RecordBatch]:
    # pre_buffer=False: the default reads ahead of a slow consumer until memory is full.
    with pq.ParquetFile(_seekable(file), pre_buffer=False) as parquet:
        yield from parquet.iter_batches(BATCH_ROWS, columns=columns.names)


def _stream_arrow(file: DataFile, columns: Columns, _bad_rows: BadRows) -> Iterator[pa.RecordBatch]:
    with pa_ipc.open_file(_seekable(file)) as reader:
        for index in range(reader.num_record_batches):
            yield reader.get_batch(index).select(columns.names)


def _seekable(file: DataFile) -> pa.NativeFile:
    if not file.compressed:
        return pa.OSFile(str(file.path))
    return pa.BufferReader(pa.input_stream(str(file.path), compression="detect").read())


def _bytes_of(file: DataFile) -> io.BufferedReader:
    return io.BufferedReader(pa.input_stream(str(file.path), compression="detect"))


def _text_of(file: DataFile) -> io.TextIOWrapper:
    return io.TextIOWrapper(_bytes_of(file), encoding="utf-8-sig", errors="replace", newline="")


class _Tsv(csv.excel_tab):
    quoting = csv.QUOTE_NONE


def _dialect(file: DataFile) -> type[csv.Dialect]:
    return _Tsv if file.format is Format.TSV else csv.excel
