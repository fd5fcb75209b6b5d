"""A look at a file's first rows, and a guess at how it is written: for a person to see and declare. No release uses it.

It looks at the records themselves, which a reader must not: one record would change how all others are read. What it
finds is for the curator's eyes, and decides nothing about how they are read.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, time
from statistics import median
from typing import Final

from charset_normalizer import from_bytes

from dpspin.curator.records.columns import look_like_names
from dpspin.curator.records.dialect import Delimiter, Dialect, Encoding
from dpspin.curator.records.formats.bytes_in import opened, require_text, told_by_first_bytes
from dpspin.curator.records.formats.file_format import DataFile, Format, guarded
from dpspin.curator.records.formats.jsonl import JSONL
from dpspin.curator.records.tables.data_table import DataTable, TableKind

ROWS: Final = 300
MOSTLY: Final = 0.9  # of the filled cells: then a column is of that kind
NUMBER: Final = re.compile(r"\s*[-+]?[\d.,]*\d[\d.,]*(?:[eE][-+]?\d+)?\s*%?")
DAY: Final = re.compile(r"\s*(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})\b.*", re.DOTALL)

LOOKED_AT: Final = 2**20
MOSTLY_WRITTEN: Final = 0.98
IN_USE: Final = (  # beside Unicode; of pages that no program writes any more, one or the other would always fit better
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1255", "cp1256", "koi8_r"),
    *("gb18030", "big5", "shift_jis", "euc_jp", "euc_kr"),
)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """How a text file seems to be written. It depends on the records: for the curator's eyes only."""

    encoding: Encoding | None = None  # None: none that can be read here, or no text
    delimiter: Delimiter | None = None
    told_by_the_file: bool = False  # its first bytes say the encoding, so it need not be declared

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields to add to a request where the file's first line does not tell by itself.

        >>> Suggestion(Encoding.WINDOWS_1252, Delimiter.SEMICOLON).fields
        ('`records.dialect.encoding: windows-1252`',)
        """
        told = self.told_by_the_file or self.encoding in {None, Encoding.UTF_8}
        return () if told else (f"`records.dialect.encoding: {self.encoding}`",)

    def completing(self, dialect: Dialect) -> Dialect:
        """Return what is declared, and what seems to be so where nothing is."""
        return replace(
            dialect, encoding=dialect.encoding or self.encoding, delimiter=dialect.delimiter or self.delimiter
        )


def suggested_dialect(file: DataFile | DataTable) -> Suggestion:
    """Guess encoding and delimiter from the first megabyte of a file; nothing for one that is not text."""
    if isinstance(file, DataTable) or "encoding" not in file.format.told_by:
        return Suggestion()
    return guarded(lambda: _suggested(file), f"{file.name!r} cannot be looked at", "it is damaged or cut short")


def _suggested(file: DataFile) -> Suggestion:
    with opened(file) as stream:
        start = stream.read(LOOKED_AT)
    told = None if file.format is JSONL else told_by_first_bytes(start)
    require_text(file, start)
    encoding = told or _guessed(start[: start.rfind(b"\n") + 1] or start)
    delimiter = _delimiter(start, encoding) if "delimiter" in file.format.told_by and encoding is not None else None
    return Suggestion(encoding, delimiter, told_by_the_file=told is not None)


def _guessed(start: bytes) -> Encoding | None:
    for encoding, feed in ((Encoding.UTF_16_LE, b"\n\x00"), (Encoding.UTF_16_BE, b"\x00\n")):
        if feed in start and _is_written(start.decode(encoding, "replace")):
            return encoding
    if b"\x00" in start:
        return None
    try:
        start.decode()
    except UnicodeDecodeError:
        pass
    else:
        return Encoding.UTF_8
    found = list(from_bytes(start, cp_isolation=list(IN_USE)))
    coherent = max((each.coherence for each in found), default=0.0)  # words of a language tell more than odd signs
    best = [each for each in found if (each.coherence >= coherent if coherent else each.chaos <= found[0].chaos)]
    western = any("cp1252" in {each.encoding, *each.could_be_from_charset} for each in best)
    return Encoding.WINDOWS_1252 if western else None


def _is_written(text: str) -> bool:
    """Tell words from noise: nearly all of them are letters, signs and spaces that can be printed."""
    seen = sum(letter.isprintable() or letter.isspace() for letter in text)
    return seen >= MOSTLY_WRITTEN * len(text)


def _delimiter(start: bytes, encoding: Encoding) -> Delimiter | None:
    """Return the delimiter that stands most often in the first line."""
    line = next(iter(start.decode(encoding, "replace").lstrip("\ufeff\r\n").splitlines()), "")
    counts = {delimiter: line.count(delimiter) for delimiter in Delimiter}
    return max(Delimiter, key=lambda each: counts[each]) if any(counts.values()) else None


@dataclass(frozen=True, slots=True)
class SeenColumn:
    """A column by its name, and what its first cells look like."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class SeenFile:
    """A file or table as it would be read, and what may have to be declared; no ``columns`` where none can be named."""

    name: str
    format: Format | TableKind
    suggestion: Suggestion
    columns: tuple[SeenColumn, ...]


def seen_file(file: DataFile | DataTable, dialect: Dialect) -> SeenFile:
    """Look at a file's first rows."""
    suggestion = suggested_dialect(file)
    rows = file.first_rows(suggestion.completing(dialect), ROWS)
    names = [str(name) for name in rows[0]] if rows else []
    below = zip(*rows[1:], strict=True) if len(rows) > 1 else [()] * len(names)
    columns = tuple(SeenColumn(name, _kind(cells)) for name, cells in zip(names, below, strict=True))
    named = file.format.names_apart or look_like_names(names) or _is_header(columns)
    return SeenFile(file.name, file.format, suggestion, columns if named else ())


def _is_header(columns: Sequence[SeenColumn]) -> bool:
    """Tell a first line from a record: there are columns of numbers, dates or the like, and none begins with one."""
    telling = [column for column in columns if column.kind in CELL_KINDS]
    return bool(telling) and all(_kind([column.name]) != column.kind for column in telling)


def _kind(cells: Iterable[object]) -> str:
    """Say what most filled cells of a column are."""
    filled = [cell for cell in cells if cell is not None and cell != ""]
    if not filled:
        return "empty"
    for name, is_one in CELL_KINDS.items():
        if sum(map(is_one, filled)) >= MOSTLY * len(filled):
            return name
    if sum(len(str(cell).split()) == 1 for cell in filled) >= MOSTLY * len(filled):
        return SHORT
    length = median(len(str(cell)) for cell in filled)
    return f"text of about {length:.0f} characters"


CELL_KINDS: Final[dict[str, Callable[[object], bool]]] = {
    "yes or no": lambda cell: isinstance(cell, bool),
    "numbers": lambda cell: isinstance(cell, int | float) or _matches(NUMBER, cell),
    "dates": lambda cell: isinstance(cell, date | time) or _matches(DAY, cell),
    "lists or structures": lambda cell: isinstance(cell, list | dict),
}
SHORT: Final = "single words or codes"


def _matches(pattern: re.Pattern[str], cell: object) -> bool:
    return isinstance(cell, str) and pattern.fullmatch(cell) is not None
