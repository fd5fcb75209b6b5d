"""CSV and TSV: the header tells how to read, then whole rows are parsed by Arrow, block by block.

Cells stay bytes here: a broken encoding then concerns its own row, not the whole file.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.csv as pa_csv

from dpspin.curator.records.columns import BadRows, Columns, look_like_names, no_such_column, strictly_refused
from dpspin.curator.records.dialect import Delimiter, Dialect, Encoding
from dpspin.curator.records.formats.bytes_in import require_text, utf8_of
from dpspin.curator.records.formats.file_format import BATCH_ROWS, DataFile, Format, LeftOut, Row, require_columns
from dpspin.curator.records.formats.whole_rows import LINE_ENDS, Broken, Grammar, blocks
from dpspin.errors import RecordsRefused, SourceError

LONGEST_HEADER: Final = 2**20
LONE_RETURN: Final = re.compile(rb"\r(?!\n)")
STAND_IN: Final = "\ue00d".encode()  # for a carriage return; itself written with another letter behind it


@dataclass(frozen=True, slots=True)
class Header:
    """A first line, and how it is to be read."""

    names: tuple[str, ...]
    delimiter: Delimiter
    size: int  # bytes of it and of blank lines before it
    line_ends: bytes  # with what the lines of its file end


def _check(file: DataFile, columns: Columns, dialect: Dialect) -> None:
    """Refuse a file whose first line does not name the columns."""
    with utf8_of(file, dialect.encoding, has_header=True) as stream:
        _header(file, stream.read(LONGEST_HEADER), columns, dialect)


def _stream(
    file: DataFile, columns: Columns, bad_rows: BadRows, dialect: Dialect, left_out: LeftOut
) -> Iterator[pa.RecordBatch]:
    """Read the named columns of whole rows; a row that is malformed or too long is left out, or refused.

    A quotation mark that is open where the file ends has swallowed the rows behind it. Nobody knows which, so that no
    policy for rows can mend it: the file is refused.
    """
    malformed = False

    def on_malformed(_row: object) -> str:
        nonlocal malformed
        malformed = True
        left_out(1)
        return "skip"  # the row contributes the zero vector

    with utf8_of(file, dialect.encoding, has_header=True) as stream:
        start = stream.read(LONGEST_HEADER)
        header = _header(file, start, columns, dialect)
        parse = _parse_options(file, header.delimiter, on_malformed)
        for block in blocks(start[header.size :], stream, _grammar(file, header.delimiter, header.line_ends)):
            if block is Broken.UNCLOSED:
                raise _unclosed(file)
            if block is Broken.TOO_LONG:
                on_malformed(block)
            if isinstance(block, bytes) and block.strip(LINE_ENDS):
                yield from _parsed(block, header, columns, parse)
            if malformed and bad_rows is BadRows.REFUSE:
                raise strictly_refused(
                    f"{file.name!r} has a row with too many or too few fields, or one that is too long"
                )


def _unclosed(file: DataFile) -> RecordsRefused:
    return RecordsRefused(
        f"{file.name!r} ends inside of a quotation mark that is never closed: all rows from that one on would be read "
        "as one. Close it, or write the file anew with a program that doubles the marks inside of a cell, or as JSONL "
        "or Parquet",
        code="records-refused.unclosed-quote",
        field="records.data",
    )


def _parsed(block: bytes, header: Header, columns: Columns, parse: pa_csv.ParseOptions) -> Iterator[pa.RecordBatch]:
    """Parse whole rows. What Arrow would misread is disguised from it, and its cells get their own bytes back.

    Arrow decodes a malformed row before it asks what to do with it; where it cannot, it gives up the whole file, and
    the row's bytes go to whoever listens for unraisable errors: so in text that is not all UTF-8 every byte becomes a
    letter. And a carriage return inside of a cell would end its row, and make two records of one.
    """
    if not _is_utf8(block):
        letters = _parsed(block.decode("latin-1").encode(), header, columns, parse)
        return (_with_cells(batch, lambda cell: cell.decode().encode("latin-1")) for batch in letters)
    if header.line_ends == b"\n" and LONE_RETURN.search(block):
        hidden = LONE_RETURN.sub(STAND_IN + b"r", block.replace(STAND_IN, STAND_IN + b"s"))
        return (_with_cells(batch, _with_returns) for batch in _parsed(hidden, header, columns, parse))
    names = [name for name in columns.names if name in header.names]
    table = pa_csv.read_csv(
        io.BytesIO(b"\n" + block),  # at the very start of its input Arrow would take a record's first letter for a mark
        read_options=pa_csv.ReadOptions(column_names=list(header.names), block_size=len(block) + 2),
        parse_options=parse,
        convert_options=pa_csv.ConvertOptions(
            include_columns=names, column_types=dict.fromkeys(names, pa.large_binary())
        ),
    )
    return iter(table.to_batches(BATCH_ROWS))


def _is_utf8(block: bytes) -> bool:
    try:
        block.decode()
    except UnicodeDecodeError:
        return False
    return True


def _with_cells(batch: pa.RecordBatch, own: Callable[[bytes], bytes]) -> pa.RecordBatch:
    cells = [pa.array([own(cell) for cell in column.to_pylist()], pa.large_binary()) for column in batch.columns]
    return pa.RecordBatch.from_arrays(cells, schema=batch.schema)


def _with_returns(cell: bytes) -> bytes:
    return cell.replace(STAND_IN + b"r", b"\r").replace(STAND_IN + b"s", STAND_IN)


def _parse_options(file: DataFile, delimiter: Delimiter, on_malformed: object) -> pa_csv.ParseOptions:
    quoted = _quoted(file)
    return pa_csv.ParseOptions(
        delimiter=delimiter.value,
        quote_char='"' if quoted else False,
        newlines_in_values=quoted,
        invalid_row_handler=on_malformed,
    )


def _quoted(file: DataFile) -> bool:
    return file.format is not TSV  # there a quotation mark is a letter like any other


def _grammar(file: DataFile, delimiter: Delimiter, ends: bytes = LINE_ENDS) -> Grammar:
    return Grammar(delimiter.value, quoted=_quoted(file), ends=ends)


def _header(file: DataFile, start: bytes, columns: Columns, dialect: Dialect) -> Header:
    """Read the first line by the one delimiter under which it names all columns."""
    require_text(file, start)
    written = dialect.encoding or Encoding.UTF_8
    found = [_read_header(file, start, written, delimiter) for delimiter in _candidates(file, dialect)]
    fitting = [header for header in found if set(columns.required) <= set(header.names)]
    if not fitting:
        raise _no_such_column(file, columns, found, dialect)
    if len({header.names for header in fitting}) > 1:
        raise SourceError(
            f"the first line of {file.name!r} can be split in several ways: say which (`records.dialect.delimiter`)"
        )
    require_columns(repr(file.name), fitting[0].names, columns)
    return fitting[0]


def _candidates(file: DataFile, dialect: Dialect) -> tuple[Delimiter, ...]:
    if file.format is TSV:
        return (Delimiter.TAB,)
    return tuple(Delimiter) if dialect.delimiter is None else (dialect.delimiter,)


def _read_header(file: DataFile, start: bytes, written: Encoding, delimiter: Delimiter) -> Header:
    text = start.lstrip(LINE_ENDS)
    row = _grammar(file, delimiter).first_row(text)
    if row is None or (len(row) == len(text) and len(start) >= LONGEST_HEADER):
        raise SourceError(f"the first line of {file.name!r} does not end: it cannot be a header")
    names = _cells_of(row, file, delimiter)
    if names is None or any("\x00" in name for name in names):
        raise SourceError(
            f"the first line of {file.name!r} is not {written} text: declare how it is written "
            "(`records.dialect.encoding`, see `dpspin check`), or save it as UTF-8"
        )
    rest = text[len(row) :]
    ends = LINE_ENDS if rest.startswith(b"\r") and not rest.startswith(b"\r\n") else b"\n"
    return Header(names, delimiter, len(start) - len(text) + len(row), ends)


def _cells_of(row: bytes, file: DataFile, delimiter: Delimiter) -> tuple[str, ...] | None:
    try:
        line = row.decode()
    except UnicodeDecodeError:
        return None
    if not _quoted(file):
        return tuple(line.split(delimiter.value))
    return tuple(next(csv.reader([line], delimiter=delimiter.value), ()))


def _no_such_column(file: DataFile, columns: Columns, found: list[Header], dialect: Dialect) -> SourceError:
    """Name the missing column under the delimiter that splits the first line into most cells."""
    names = max((header.names for header in found), key=len)
    if file.format is TSV and len(names) == 1:
        return SourceError(
            f"the first line of {file.name!r} has no tab: give a file with another delimiter the suffix .csv",
            code="source.no-such-column",
        )
    missing = next((name for name in columns.required if name not in names), columns.text)
    refusal = no_such_column(repr(file.name), missing, names if look_like_names(names) else (), names)
    declared = " and ".join(f"`records.dialect.{name}`" for name in dialect.declared)
    doubt = f", if it is written as declared ({declared})" if declared else ""
    return SourceError(f"{refusal}{doubt}", code=refusal.code)


def _first_rows(file: DataFile, dialect: Dialect, most: int) -> list[Row]:
    """Split the first lines by the declared delimiter, however broken they are."""
    with utf8_of(file, dialect.encoding, has_header=True) as stream:
        start = stream.read(LONGEST_HEADER)
    require_text(file, start)
    lines = LONE_RETURN.sub(b" " if b"\n" in start else b"\n", start).decode(
        errors="replace"
    )  # else it ends every line
    written = csv.excel if _quoted(file) else _Unquoted
    between = Delimiter.TAB if file.format is TSV else dialect.delimiter or Delimiter.COMMA
    return list(islice(csv.reader(io.StringIO(lines), written, delimiter=between.value), most + 1))


class _Unquoted(csv.excel):
    quoting = csv.QUOTE_NONE


def _write(between: bytes, cell: Callable[[object], bytes], path: Path, rows: Sequence[Row]) -> None:
    path.write_bytes(b"".join(between.join(map(cell, row)) + b"\n" for row in rows))


def _bytes(cell: object) -> bytes:
    return cell if isinstance(cell, bytes) else str(cell).encode()


def _in_quotes(cell: object) -> bytes:
    plain = _bytes(cell)
    return b'"' + plain.replace(b'"', b'""') + b'"' if any(mark in plain for mark in b',"\r\n') else plain


CSV: Final = Format(
    "csv",
    "CSV",
    (".csv",),
    _check,
    _stream,
    _first_rows,
    partial(_write, b",", _in_quotes),
    told_by=frozenset({"encoding", "delimiter"}),
)
TSV: Final = Format(
    "tsv",
    "TSV",
    (".tsv", ".tab"),
    _check,
    _stream,
    _first_rows,
    partial(_write, b"\t", _bytes),
    told_by=frozenset({"encoding"}),
)
