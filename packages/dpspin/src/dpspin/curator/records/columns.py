"""Which columns are read, what their cells mean, and what happens to rows that cannot be: declared before any is seen.

A kind of column is one row of ``COLUMN_KINDS`` and a field of ``Columns``: every reader asks there what a cell means.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

import pyarrow as pa

from dpspin.boundary.accounting import Window
from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.records.arrays import ids_in, labels_in, texts_in
from dpspin.curator.records.cells import label_in, text_in, user_in
from dpspin.errors import RecordsRefused, RequestError

TEXT, USER, LABEL, TEACHER, WINDOW = "text", "user", "label", "teacher", "window"
TEACHER_COLUMN = "dpspin_teacher"  # written by `dpspin atoms teach`, and read wherever labels are
READ: Final = {b"dpspin": b"read cell by cell"}  # marks a column whose cells have their meaning already

ReadCell = Callable[[object], str | None]


class ColumnKind(NamedTuple):
    """What the cells of a column mean: one at a time, and a whole Arrow column at a time, which must agree."""

    cell: ReadCell
    column: Callable[[pa.Array, str], pa.Array]
    is_required: bool = True  # else it is read where it is there


COLUMN_KINDS: Final = {
    TEXT: ColumnKind(text_in, texts_in),
    USER: ColumnKind(user_in, ids_in),
    LABEL: ColumnKind(label_in, labels_in),
    TEACHER: ColumnKind(label_in, labels_in, is_required=False),
    WINDOW: ColumnKind(user_in, ids_in),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that are read; all others are never touched."""

    text: str
    user: str | None = None
    label: str | None = None  # of auxiliary data: the atoms that a text expresses
    teacher: str | None = None  # of auxiliary data, where it is there: which language model labelled a text
    window: Window | None = None  # only records with this value in this column count

    def __post_init__(self) -> None:
        if not isinstance(self.text, str) or not self.text:  # type: ignore[redundant-expr]  # else nothing is read
            raise RequestError("name the column with the records' words: text takes the name of a column")
        if len(set(self.names)) < len(self.names):
            raise RequestError(
                f"{self.text!r} is named for two purposes; text, user id, label and window are four columns"
            )

    @property
    def by_kind(self) -> dict[str, str]:
        """The named columns by what they are, text first."""
        every = {kind: getattr(self, kind) for kind in COLUMN_KINDS}
        named = {kind: each.partition if isinstance(each, Window) else each for kind, each in every.items()}
        return {kind: name for kind, name in named.items() if name is not None}

    @property
    def names(self) -> list[str]:
        """The named columns, text first."""
        return list(self.by_kind.values())

    @property
    def required(self) -> list[str]:
        """The named columns that data must have."""
        return [name for kind, name in self.by_kind.items() if COLUMN_KINDS[kind].is_required]

    @property
    def cells(self) -> dict[str, ReadCell]:
        """What a cell of each named column means."""
        return {name: COLUMN_KINDS[kind].cell for kind, name in self.by_kind.items()}


def batch_of(columns: Columns, rows: Iterable[Mapping[str, object]]) -> pa.RecordBatch:
    """Read rows of Python values, each cell by itself; a column that a row lacks is null there."""
    every, reads = list(rows), columns.cells
    cells = [pa.array([read(row.get(name)) for row in every], pa.large_string()) for name, read in reads.items()]
    fields = [pa.field(name, pa.large_string(), metadata=READ) for name in reads]
    return pa.RecordBatch.from_arrays(cells, schema=pa.schema(fields))


def read_batch(columns: Columns, batch: pa.RecordBatch) -> pa.RecordBatch:
    """Read Arrow columns by what they are; the result names them so."""
    return pa.RecordBatch.from_pydict({kind: _read(kind, name, batch) for kind, name in columns.by_kind.items()})


def _read(kind: str, name: str, batch: pa.RecordBatch) -> pa.Array:
    if name not in batch.schema.names:
        return pa.nulls(batch.num_rows, pa.large_string())
    is_read = batch.schema.field(name).metadata == READ
    return (
        batch.column(name).cast(pa.large_string()) if is_read else COLUMN_KINDS[kind].column(batch.column(name), name)
    )


class BadRows(StrEnum):
    """A row without readable text (malformed line, wrong type, broken encoding, null).

    ``zero`` maps it to the zero vector, so it changes nothing but itself. ``refuse`` stops: that is an observable
    event that depends on the data, so it has to be asked for.
    """

    ZERO = "zero"
    REFUSE = "refuse"


def strictly_refused(what: str) -> RecordsRefused:
    """Return the refusal of a bad row, with what to do about it."""
    return RecordsRefused(
        f"{what}, and strict rows were asked for: correct the data, or leave `records.bad_rows` out, and such a row "
        "counts as zero",
        code="records-refused.bad-row",
        field="records.bad_rows",
    )


@dataclass(frozen=True, slots=True)
class RowPolicy:
    """What to do with rows that cannot be used."""

    bad_rows: BadRows = BadRows.ZERO
    missing_users: MissingUsers = MissingUsers.REFUSE

    def __post_init__(self) -> None:
        if self.bad_rows not in set(BadRows):  # from Python anything can be given
            raise RequestError(f"bad_rows is one of {', '.join(map(repr, map(str, BadRows)))}")
        object.__setattr__(self, "bad_rows", BadRows(self.bad_rows))
