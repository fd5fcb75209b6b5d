"""A look at the first rows of a file, for a person who wants to know what is in it. No release uses it.

What it finds depends on the records: it is for the curator's eyes, and decides nothing about how they are read.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, time
from itertools import islice
from statistics import median
from typing import Final

import pyarrow.ipc as pa_ipc
import pyarrow.parquet as pq

from dpspin.curator.check.guess_dialect import Suggestion, suggested_dialect
from dpspin.curator.records.bytes_in import opened, require_text, unpacked, utf8_of
from dpspin.curator.records.dialect import Delimiter, Dialect
from dpspin.curator.records.files import DataFile, Format
from dpspin.curator.records.formats import DAMAGED, unreadable_as
from dpspin.curator.records.guard import guarded
from dpspin.curator.records.jsonl import no_objects
from dpspin.curator.records.naming import look_like_names
from dpspin.curator.records.workbook import sheet_rows

ROWS: Final = 300
BYTES: Final = 2**20
MOSTLY: Final = 0.9  # of the filled cells: then a column is of that kind
NUMBER: Final = re.compile(r"\s*[-+]?[\d.,]*\d[\d.,]*(?:[eE][-+]?\d+)?\s*%?")
DAY: Final = re.compile(r"\s*(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})\b.*", re.DOTALL)

LONE_RETURN: Final = re.compile(r"\r(?!\n)")
NAMED: Final = {Format.JSONL, Format.PARQUET, Format.ARROW}  # names are not part of the records there

Cells = Sequence[object]


@dataclass(frozen=True, slots=True)
class SeenColumn:
    """A column by its name, and what its first cells look like."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class SeenFile:
    """A file as it would be read, and what may have to be declared; ``columns`` is empty where none can be named."""

    name: str
    format: Format
    suggestion: Suggestion
    columns: tuple[SeenColumn, ...]


def seen_file(file: DataFile, dialect: Dialect) -> SeenFile:
    """Look at a file's first rows."""
    suggestion = suggested_dialect(file)
    rows = guarded(lambda: _first_rows(file, dialect, suggestion), unreadable_as(file), DAMAGED)
    names = [str(name) for name in rows[0]] if rows else []
    below = zip(*rows[1:], strict=True) if len(rows) > 1 else [()] * len(names)
    columns = tuple(SeenColumn(name, _kind(cells)) for name, cells in zip(names, below, strict=True))
    named = file.format in NAMED or look_like_names(names) or _is_header(columns)
    return SeenFile(file.name, file.format, suggestion, columns if named else ())


def _is_header(columns: Sequence[SeenColumn]) -> bool:
    """Tell a first line from a record: there are columns of numbers, dates or the like, and none begins with one."""
    telling = [column for column in columns if column.kind in KINDS]
    return bool(telling) and all(_kind([column.name]) != column.kind for column in telling)


def _first_rows(file: DataFile, dialect: Dialect, suggestion: Suggestion) -> list[Cells]:
    """Return the names and then the first rows, each as long as the names."""
    match file.format:
        case Format.CSV | Format.TSV:
            rows = _delimited(file, dialect, suggestion)
        case Format.JSONL:
            rows = _objects(file, dialect)
        case Format.PARQUET | Format.ARROW:
            rows = _typed(file)
        case Format.XLSX:
            rows = [row for row in islice(sheet_rows(file, dialect), ROWS + 1) if row is not None]
    width = len(rows[0]) if rows else 0
    return [row for row in rows if len(row) == width]


def _delimited(file: DataFile, dialect: Dialect, suggestion: Suggestion) -> list[Cells]:
    tab = Delimiter.TAB if file.format is Format.TSV else None
    between = tab or dialect.delimiter or suggestion.delimiter or Delimiter.COMMA
    with utf8_of(file, dialect.encoding or suggestion.encoding, has_header=True) as stream:
        start = stream.read(BYTES)
    require_text(file, start)
    lines = start.decode(errors="replace")
    text = LONE_RETURN.sub(" " if "\n" in lines else "\n", lines)  # else it ends every line
    rows = csv.reader(io.StringIO(text), csv.excel if tab is None else _Tsv, delimiter=between.value)
    return list(islice(rows, ROWS + 1))


class _Tsv(csv.excel_tab):
    quoting = csv.QUOTE_NONE


def _objects(file: DataFile, dialect: Dialect) -> list[Cells]:
    with utf8_of(file, dialect.encoding, has_header=False) as stream:
        lines = stream.read(BYTES).splitlines()[: ROWS + 1]
    objects = [found for line in lines if isinstance(found := _json(line), dict)]
    if not objects:
        raise no_objects(file)
    names = list(dict.fromkeys(name for each in objects for name in each))
    return [names, *([each.get(name) for name in names] for each in objects)]


def _json(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _typed(file: DataFile) -> list[Cells]:
    content = unpacked(file) if file.compressed else opened(file)
    if file.format is Format.PARQUET:
        source = pq.ParquetFile(content)
        batch = next(source.iter_batches(ROWS), None)
        names = source.schema_arrow.names
    else:
        reader = pa_ipc.open_file(content)
        batch, names = (reader.get_batch(0).slice(0, ROWS) if reader.num_record_batches else None), reader.schema.names
    columns = [] if batch is None else [column.to_pylist() for column in batch.columns]
    return [names, *(zip(*columns, strict=True))]


def _kind(cells: Iterable[object]) -> str:
    """Say what most filled cells of a column are."""
    filled = [cell for cell in cells if cell is not None and cell != ""]
    if not filled:
        return "empty"
    for name, is_one in KINDS.items():
        if sum(map(is_one, filled)) >= MOSTLY * len(filled):
            return name
    if sum(len(str(cell).split()) == 1 for cell in filled) >= MOSTLY * len(filled):
        return SHORT
    length = median(len(str(cell)) for cell in filled)
    return f"text of about {length:.0f} characters"


KINDS: Final[dict[str, Callable[[object], bool]]] = {
    "yes or no": lambda cell: isinstance(cell, bool),
    "numbers": lambda cell: isinstance(cell, int | float) or _matches(NUMBER, cell),
    "dates": lambda cell: isinstance(cell, date | time) or _matches(DAY, cell),
    "lists or structures": lambda cell: isinstance(cell, list | dict),
}
SHORT: Final = "single words or codes"


def _matches(pattern: re.Pattern[str], cell: object) -> bool:
    return isinstance(cell, str) and pattern.fullmatch(cell) is not None
