"""A toy: one record in a line, its cells between signs for a unit separator, and names in the first line."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import pyarrow as pa

from dpspin.curator.records.columns import BadRows, Columns, batch_of, strictly_refused
from dpspin.curator.records.dialect import Dialect
from dpspin.curator.records.formats.base import BATCH_ROWS, DataFile, Format, Row, require_columns
from dpspin.curator.records.formats.bytes_in import require_text, utf8_of
from dpspin.curator.records.formats.whole_rows import lines
from dpspin.curator.records.messages import look_like_names

BETWEEN: Final = "␟".encode()


def _opened(file: DataFile, dialect: Dialect) -> tuple[list[str], Iterator[list[bytes] | None]]:
    stream = utf8_of(file, dialect.encoding, has_header=True)
    require_text(file, stream.peek())
    rows = (None if line is None else line.rstrip(b"\r\n").split(BETWEEN) for line in lines(stream))
    return [name.decode(errors="replace") for name in next(rows, None) or []], rows


def _check(file: DataFile, columns: Columns, dialect: Dialect) -> None:
    names, _ = _opened(file, dialect)
    require_columns(repr(file.name), names, columns, names if look_like_names(names) else [])


def _stream(file: DataFile, columns: Columns, bad_rows: BadRows, dialect: Dialect) -> Iterator[pa.RecordBatch]:
    names, rows = _opened(file, dialect)
    while some := list(islice(rows, BATCH_ROWS)):
        whole = [row for row in some if row is not None and len(row) == len(names)]
        if bad_rows is BadRows.REFUSE and len(whole) < len(some):
            raise strictly_refused(f"{file.name!r} has a row with too many or too few cells")
        yield batch_of(columns, [dict(zip(names, row, strict=True)) for row in whole])


def _first_rows(file: DataFile, dialect: Dialect, most: int) -> list[Row]:
    names, rows = _opened(file, dialect)
    return [names, *([cell.decode(errors="replace") for cell in row or ()] for row in islice(rows, most))]


def _write(path: Path, rows: Sequence[Row]) -> None:
    cells = [[cell if isinstance(cell, bytes) else str(cell).encode() for cell in row] for row in rows]
    path.write_bytes(b"".join(BETWEEN.join(row) + b"\n" for row in cells))


UNIT_SEPARATED: Final = Format(
    "usv", "USV", (".usv",), _check, _stream, _first_rows, _write, told_by=frozenset({"encoding"})
)
