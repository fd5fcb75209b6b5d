"""Excel: one sheet whose first row names the columns; each cell is read on its own. A cell with an error is empty."""

import io
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zipfile import ZipFile

import pyarrow as pa

from dpspin.curator.records.cells import label_in
from dpspin.curator.records.columns import BadRows, Columns, batch_of, look_like_names, strictly_refused
from dpspin.curator.records.dialect import Dialect
from dpspin.curator.records.formats import bytes_in
from dpspin.curator.records.formats.file_format import (
    BATCH_ROWS,
    OUR_OWN,
    DataFile,
    Format,
    LeftOut,
    Row,
    require_columns,
)
from dpspin.errors import MissingExtra, SourceError

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

# How a file begins that is encrypted, or a .xls under another name.
OLD_OR_LOCKED: Final = bytes.fromhex("d0cf11e0a1b11ae1")
END: Final[Row] = ()
SHEET: Final = re.compile(r"xl/worksheets/.*\.xml")
ERROR: Final = re.compile(
    rb"""<(\w+:|)c((?:\s+\w+=(?:"[^"<]*"|'[^'<]*'))*?)\s+t=(?:"e"|'e')[^<>]*(?<!/)>.*?</\1c>""", re.DOTALL
)  # its attributes before the type are kept: they say where the cell is


def _check(file: DataFile, columns: Columns, dialect: Dialect) -> None:
    """Refuse a sheet whose first row does not name the columns."""
    names = _names(_sheet_rows(file, dialect))
    require_columns(repr(file.name), names, columns, names if look_like_names([each for each in names if each]) else [])


def _stream(
    file: DataFile, columns: Columns, bad_rows: BadRows, dialect: Dialect, left_out: LeftOut
) -> Iterator[pa.RecordBatch]:
    """Read the named columns; an empty row is passed over, and so is one that cannot be read, or it is refused."""
    rows = _sheet_rows(file, dialect)
    names = _names(rows)
    readable = _readable(file, rows, bad_rows, left_out)
    filled = (dict(zip(names, row, strict=False)) for row in readable if any(cell != "" for cell in row))
    while some := list(islice(filled, BATCH_ROWS)):
        yield batch_of(columns, some)


def _names(rows: Iterator[Row | None]) -> list[str]:
    return [label_in(cell) or "" for cell in next(rows, None) or []]


def _readable(file: DataFile, rows: Iterator[Row | None], bad_rows: BadRows, left_out: LeftOut) -> Iterator[Row]:
    for row in rows:
        if row is not None:
            yield row
        elif bad_rows is BadRows.REFUSE:
            raise strictly_refused(f"{file.name!r} has a row with a value that Excel itself cannot show")
        else:
            left_out(1)


def _sheet_rows(file: DataFile, dialect: Dialect) -> Iterator[Row | None]:
    """Yield the rows of the one sheet that is read, the names first; None for a row that cannot be read.

    A cell like a time of 10^9 days fails by itself, and must not take the other rows with it.
    """
    with _workbook(file) as book:
        rows = book.get_sheet_by_name(_sheet_name(file, book, dialect.sheet)).iter_rows()
        while True:
            try:
                row = next(rows, END)
            except OUR_OWN:
                raise
            except BaseException:  # noqa: BLE001  the library panics with what is no ``Exception``
                row = None
            if row is END:
                return
            yield row


def _workbook(file: DataFile) -> "CalamineWorkbook":
    try:
        from python_calamine import CalamineWorkbook  # noqa: PLC0415  an optional extra
    except ImportError:
        raise MissingExtra("an Excel file", extra="excel") from None
    content = bytes_in.unpacked(file)
    if content.getvalue().startswith(OLD_OR_LOCKED):
        raise SourceError(
            f"{file.name!r} is protected by a password, or of Excel's old format: save it without one, as .xlsx"
        )
    _require_bounded(file, content)
    return CalamineWorkbook.from_filelike(_without_errors(content))


def _without_errors(content: io.BytesIO) -> io.BytesIO:
    """Empty the cells whose formula failed: one kind of error that the library does not know would end the file."""
    with ZipFile(content) as book:
        parts = {name: book.read(name) for name in book.namelist() if SHEET.fullmatch(name)}
        emptied = {name: ERROR.sub(rb"<\1c\2></\1c>", part) for name, part in parts.items()}
        if emptied != parts:
            return _rewritten(book, emptied)
    content.seek(0)
    return content


def _rewritten(book: ZipFile, parts: dict[str, bytes]) -> io.BytesIO:
    written = io.BytesIO()
    with ZipFile(written, "w") as other:
        for name in book.namelist():
            other.writestr(name, parts.get(name) or book.read(name))
    written.seek(0)
    return written


def _require_bounded(file: DataFile, content: io.BytesIO) -> None:
    """Refuse a workbook that would unpack to more than memory should hold."""
    with ZipFile(content) as parts:
        size = sum(part.file_size for part in parts.infolist())
    if size > bytes_in.MOST_UNPACKED:
        raise SourceError(
            f"{file.name!r} unpacks to more than {bytes_in.MOST_UNPACKED >> 20} MiB: save the sheet as CSV instead"
        )
    content.seek(0)


def _sheet_name(file: DataFile, book: "CalamineWorkbook", declared: str | None) -> str:
    from python_calamine import SheetVisibleEnum  # noqa: PLC0415  an optional extra

    shown = [sheet.name for sheet in book.sheets_metadata if sheet.visible == SheetVisibleEnum.Visible]
    every = ", ".join(map(repr, book.sheet_names))
    if declared is not None and declared not in book.sheet_names:
        raise SourceError(f"{file.name!r} has no sheet {declared!r}; its sheets: {every}")
    if declared is None and len(shown) != 1:
        raise SourceError(f"{file.name!r} has several sheets: say which (`records.dialect.sheet`). They are: {every}")
    return shown[0] if declared is None else declared


def _first_rows(file: DataFile, dialect: Dialect, most: int) -> list[Row]:
    return [row for row in islice(_sheet_rows(file, dialect), most + 1) if row is not None]


def _write(path: Path, rows: Sequence[Row]) -> None:
    from xlsxwriter import Workbook  # noqa: PLC0415  an optional extra

    with Workbook(path, {"strings_to_numbers": False, "strings_to_formulas": False, "strings_to_urls": False}) as book:
        sheet = book.add_worksheet("Records")
        for place, row in enumerate(rows):
            sheet.write_row(place, 0, row)


XLSX: Final = Format(
    "xlsx", "Excel (.xlsx)", (".xlsx",), _check, _stream, _first_rows, _write, told_by=frozenset({"sheet"})
)
