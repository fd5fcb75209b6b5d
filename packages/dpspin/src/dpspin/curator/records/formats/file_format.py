"""What a format is: how a header is checked, rows streamed, the first ones shown to a person, and rows written.

Libraries do the reading, and what one of them says where it fails may quote the record that broke it: see ``guarded``.
"""

import hashlib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Final, TypeVar

import pyarrow as pa
from pyarrow import fs

from dpspin.curator.records.columns import BadRows, Columns, no_such_column
from dpspin.curator.records.dialect import Dialect
from dpspin.errors import DpSpinError, SourceAway, SourceError

LOCAL: Final = fs.LocalFileSystem()
PIECE: Final = 2**20
BATCH_ROWS: Final = 16_384
DAMAGED: Final = "it is damaged, cut short or of another format"
OUR_OWN: Final = (DpSpinError, KeyboardInterrupt, SystemExit, GeneratorExit)

T = TypeVar("T")
Row = Sequence[object]


class Passing(str):
    """A reason that may be gone in a while: the same reading may succeed later, unchanged."""

    __slots__ = ()


Reason = str | Callable[[BaseException], str]  # why reading failed, or how an error's kind tells that


def guarded(read: Callable[[], T], failed: str, why: Reason) -> T:
    """Read; where a library fails, say what ``failed`` and, unless we know better, ``why``.

    The error is raised after the library's has been left behind: it has neither cause nor context, so that no
    traceback shows the message. Some libraries (polars) panic with what is no ``Exception``.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return read()
    except OUR_OWN:
        raise
    except PermissionError:
        why = "permission denied"
    except MemoryError:
        why = "it needs more memory than there is"
    except BaseException as error:  # noqa: BLE001  see above
        why = why if isinstance(why, str) else why(error)
    kind = SourceAway if isinstance(why, Passing) else SourceError
    raise kind(f"{failed}: {why}", code="source.unreadable")


LeftOut = Callable[[int], None]  # is told how many rows could not be read as rows: for a person who looks at the files


def nobody(_rows: int) -> None:
    """Tell nobody: what a release does must not depend on it."""


def for_a_person(column: pa.Array) -> list[object]:
    """Return a column's cells; those of a type with moments that Python does not know (the year 290000) as text."""
    try:
        return column.to_pylist()  # type: ignore[no-any-return]
    except (OverflowError, ValueError):
        return column.cast(pa.string()).to_pylist()  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file, told by its suffix. Rows never decide how others are read; ``test_format_contract`` tries it."""

    name: str
    words: str  # as a person calls it
    suffixes: tuple[str, ...]
    check: Callable[["DataFile", Columns, Dialect], None] = field(repr=False)  # refuses what lacks a named column
    stream: Callable[["DataFile", Columns, BadRows, Dialect, LeftOut], Iterator[pa.RecordBatch]] = field(repr=False)
    first_rows: Callable[["DataFile", Dialect, int], list[Row]] = field(repr=False)  # the names, and then some rows
    write: Callable[[Path, Sequence[Row]], None] = field(repr=False)  # the names first: for audits and tests
    told_by: frozenset[str] = frozenset()  # the parts of a dialect that say how it is written
    names_apart: bool = False  # names of columns are no row, so they can be shown

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file and how to read it. What a library says of it is not passed on."""

    path: PurePath
    format: Format
    compressed: bool
    store: fs.FileSystem = field(default_factory=lambda: LOCAL, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The file's name, for messages."""
        return self.path.name

    @property
    def place(self) -> str:
        """The path as its store knows it; a relative one could pass for an address (``2026:tickets.csv``)."""
        return str(self.path.absolute() if isinstance(self.path, Path) else self.path)

    def check_header(self, columns: Columns, dialect: Dialect) -> None:
        """Refuse a file that lacks a named column, before any row is read (JSONL has no header; see there)."""
        guarded(lambda: self.format.check(self, columns, dialect), self._unreadable, DAMAGED)

    def stream(
        self, columns: Columns, bad_rows: BadRows, dialect: Dialect, left_out: LeftOut = nobody
    ) -> Iterator[pa.RecordBatch]:
        """Yield batches with the named columns only, in file order."""
        batches = self.format.stream(self, columns, bad_rows, dialect, left_out)
        while (batch := guarded(lambda: next(batches, None), self._unreadable, DAMAGED)) is not None:
            yield batch

    def first_rows(self, dialect: Dialect, most: int) -> list[Row]:
        """Return the names and then the first rows, each as long as the names: for a person."""
        rows = guarded(lambda: self.format.first_rows(self, dialect, most), self._unreadable, DAMAGED)
        return [row for row in rows if len(row) == len(rows[0])]

    def digest(self, _columns: Columns) -> str:
        """Identify the file by its bytes."""
        return guarded(self._digest, self._unreadable, DAMAGED)

    def _digest(self) -> str:
        hasher = hashlib.sha256()
        with self.store.open_input_stream(self.place, compression=None) as stream:
            while piece := stream.read(PIECE):
                hasher.update(piece)
        return hasher.hexdigest()

    @property
    def declared(self) -> Mapping[str, str]:
        """Nothing is declared of a file's rows: all are read."""
        return {}

    @property
    def _unreadable(self) -> str:
        return f"{self.name!r} cannot be read as {'compressed ' if self.compressed else ''}{self.format}"


def require_columns(where: str, present: Sequence[str], columns: Columns, shown: Sequence[str] | None = None) -> None:
    """Refuse what lacks a required column, or has a named one twice; a message shows names of a schema, or these."""
    for name in columns.required:
        if name not in present:
            raise no_such_column(where, name, present if shown is None else shown, present)
    for name in columns.names:
        if present.count(name) > 1:
            raise SourceError(
                f"{where} has the column {name!r} more than once; rename one of them", code="source.column-twice"
            )
