"""A table of a database or a lake, to be read like a file: names checked first, then rows, and an identity.

The rows of a table have no order, so it is known by a sum: of the SHA-256 of each row's named cells, modulo 2^256. That
only decides whether an answer is given again and whether the same records go by two names; no loss rests on it.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final, Protocol

import pyarrow as pa

from dpspin.curator.records.cells import label_in
from dpspin.curator.records.columns import TEXT, BadRows, Columns, ReadCell, read_batch
from dpspin.curator.records.dialect import FROM_THE_HEADER, Dialect
from dpspin.curator.records.formats.file_format import (
    LeftOut,
    Reason,
    Row,
    for_a_person,
    guarded,
    nobody,
    require_columns,
)
from dpspin.errors import SourceError

ROWS_AT_ONCE: Final = 4096  # of a cursor: cells of a database may be long
MODULUS: Final = 2**256


class Cells(Enum):
    """What a column's type says of its cells."""

    TEXT = auto()
    NUMBER = auto()
    OTHER_VALUE = auto()  # one plain value: a date, an id
    ANY = auto()  # each cell has a type of its own, or the type is looked at where the column is read
    NOT_READ = auto()


@dataclass(frozen=True, slots=True)
class Column:
    """A column's type: what it is called there, and what that says of its cells."""

    type: str
    cells: Cells


@dataclass(frozen=True, slots=True)
class TableKind:
    """What a table is called where a file would have its format."""

    name: str
    told_by: frozenset[str] = frozenset()
    names_apart: bool = True

    def __str__(self) -> str:
        return self.name


class OpenTable(Protocol):
    """A table that is open: every reading of it sees the same state, unless it says otherwise."""

    @property
    def columns(self) -> Mapping[str, Column]:
        """Its columns, in order."""
        ...

    @property
    def reason(self) -> Reason:
        """What may be told of a failure: nothing that the library said."""
        ...

    @property
    def is_fixed(self) -> bool:
        """Whether a second reading cannot but find the same rows."""
        ...

    def batches(self, reads: Mapping[str, ReadCell]) -> Iterator[pa.RecordBatch]:
        """Read these columns of all rows, in constant memory; where cells come one by one, each means this."""
        ...


@dataclass(frozen=True, slots=True)
class DataTable:
    """One table and how to read it, in place of a file."""

    name: str
    format: TableKind
    table: OpenTable = field(repr=False)
    declared: Mapping[str, str] = field(default_factory=dict)
    _digests: dict[tuple[str, ...], str] = field(default_factory=dict, repr=False)

    def check_header(self, columns: Columns, _dialect: Dialect) -> None:
        """Refuse a table that lacks a named column, or whose type of it is not read."""
        present = self.table.columns
        require_columns(repr(self.name), list(present), columns)
        for kind, name in columns.by_kind.items():
            if name in present:
                _require_read(present[name], name, is_text=kind == TEXT)

    def stream(
        self, columns: Columns, _bad_rows: BadRows, _dialect: Dialect, _left_out: LeftOut = nobody
    ) -> Iterator[pa.RecordBatch]:
        """Yield batches with the named columns only; each row is read by itself, so none is malformed."""
        return self._batches({name: read for name, read in columns.cells.items() if name in self.table.columns})

    def first_rows(self, _dialect: Dialect, most: int) -> list[Row]:
        """Return the names and then some rows: for a person."""
        names = [name for name, column in self.table.columns.items() if column.cells is not Cells.NOT_READ]
        batch = next(self._batches(dict.fromkeys(names, label_in)), None)
        cells = [] if batch is None else [for_a_person(column) for column in batch.slice(0, most).columns]
        return [names, *zip(*cells, strict=True)]

    def digest(self, columns: Columns) -> str:
        """Identify the named cells of all rows, whatever their order; a table that cannot change is read once."""
        asked = tuple(columns.names)
        if asked not in self._digests or not self.table.is_fixed:
            batches = self.stream(columns, BadRows.ZERO, FROM_THE_HEADER)
            self._digests[asked] = digest_of_rows(read_batch(columns, batch) for batch in batches)
        return self._digests[asked]

    def _batches(self, reads: Mapping[str, ReadCell]) -> Iterator[pa.RecordBatch]:
        batches = self.table.batches(reads)
        failed = f"{self.name!r} cannot be read"
        while (batch := guarded(lambda: next(batches, None), failed, self.table.reason)) is not None:
            yield batch


def digest_of_rows(batches: Iterable[pa.RecordBatch]) -> str:
    """Add up the hashes of all rows.

    >>> some, others = pa.record_batch({"text": ["a", "b"]}), pa.record_batch({"text": ["b"]})
    >>> digest_of_rows([some]) == digest_of_rows([others, some.slice(0, 1)]) != digest_of_rows([some, others])
    True
    """
    total = number = 0
    for batch in batches:
        rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
        hashes = (hashlib.sha256(json.dumps(row).encode()).digest() for row in rows)
        total += sum(int.from_bytes(each) for each in hashes)
        number += batch.num_rows
    return hashlib.sha256(f"rows {number} {total % MODULUS}".encode()).hexdigest()


def cells_of(
    names: Sequence[str], cells: Sequence[pa.Array], marks: Sequence[dict[bytes, bytes] | None]
) -> pa.RecordBatch:
    """Put columns together; a mark is for cells that have their meaning already."""
    about = zip(names, cells, marks, strict=True)
    fields = [pa.field(name, column.type, metadata=mark) for name, column, mark in about]
    return pa.RecordBatch.from_arrays(list(cells), schema=pa.schema(fields))


def require_files_once(table: str, files: Sequence[str]) -> None:
    """Refuse a table that lists a file twice: its records would count twice."""
    if len(set(files)) < len(files):
        raise SourceError(
            f"{table!r} lists one of its files twice, so that records would count twice: write the table anew",
            code="source.file-twice",
        )


def _require_read(column: Column, name: str, *, is_text: bool) -> None:
    if column.cells is Cells.NOT_READ:
        raise SourceError(
            f"the column {name!r} is of the type {column.type}, which is not read: name a column of texts, numbers, "
            "dates or ids, for example a generated one that holds it as text",
            code="source.type-not-read",
        )
    if is_text and column.cells not in {Cells.TEXT, Cells.ANY}:
        raise SourceError(f"the column {name!r} does not hold text; name the column with the records' words")
