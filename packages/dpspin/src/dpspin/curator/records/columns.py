"""Which columns are read, what their cells mean, and what happens to rows that cannot be: declared before any is seen.

A kind of column is one row of ``COLUMN_KINDS`` and a field of ``Columns``: every reader asks there what a cell means.

Where a named column is not there, a message shows the names that are: those of a schema, and those of a first line only
where it looks like names. A text file without a header has a record in its first line.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, NamedTuple

import pyarrow as pa

from dpspin.boundary.accounting import Window
from dpspin.boundary.crosswalk import Crosswalk
from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.records.arrays import ids_in, labels_in, texts_in
from dpspin.curator.records.cells import label_in, text_in, user_in
from dpspin.errors import RecordsRefused, RequestError, SourceError

TEXT, USER, LABEL, TEACHER, WINDOW, FACET = "text", "user", "label", "teacher", "window", "facet"
DATED = "dated"
TEACHER_COLUMN = "dpspin_teacher"  # written by `dpspin atoms teach`, and read wherever labels are
READ: Final = {b"dpspin": b"read cell by cell"}  # marks a column whose cells have their meaning already

LONGEST_NAME: Final = 30
MOST_WORDS: Final = 3
MOST_NAMES: Final = 40
FEWEST_NAMES: Final = 2  # a file of one word in each line has no header
COLUMN_NAME: Final = re.compile(r"[^\W\d](?:[^\W\d]|[ ./?()-])*\d?", re.UNICODE)  # letters, one digit last at most

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
    DATED: ColumnKind(user_in, ids_in),
    FACET: ColumnKind(user_in, ids_in),
}


def facet_column(name: str) -> str:
    """Return what the column of a facet is called once it is read: there may be several.

    >>> facet_column("channel")
    'facet channel'
    """
    return f"{FACET} {name}"


@dataclass(frozen=True, slots=True)
class Dated:
    """Only records that are dated in one of these periods of a calendar count: by their own date alone."""

    calendar: PeriodFacet
    periods: frozenset[str]

    def holds(self, cell: str | None) -> bool:
        """Say whether a record with this date counts.

        >>> year = PeriodFacet(column="date", every="month", first="2026-01", last="2026-12")
        >>> [Dated(year, frozenset(["2026-02"])).holds(cell) for cell in ("2026-02-28", "2026-03-01", "soon", None)]
        [True, False, False, False]
        """
        return self.calendar.places[self.calendar.place(cell)] in self.periods


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that are read; all others are never touched."""

    text: str
    user: str | None = None
    label: str | None = None  # of auxiliary data: the atoms that a text expresses
    teacher: str | None = None  # of auxiliary data, where it is there: which language model labelled a text
    window: Window | None = None  # only records with this value in this column count
    crosswalk: Crosswalk | None = None  # how labels were renamed since they were written
    facets: tuple[str, ...] = ()  # the columns of views
    dated: Dated | None = None  # only records of these periods count

    def __post_init__(self) -> None:
        if not isinstance(self.text, str) or not self.text:  # type: ignore[redundant-expr]  # else nothing is read
            raise RequestError("name the column with the records' words: text takes the name of a column")
        if len(set(self.names)) < len(self.names):
            raise RequestError(
                f"{self.text!r} or another column is named for two purposes; text, user id, label, window and what "
                "views are by are columns of their own"
            )

    @property
    def by_kind(self) -> dict[str, str]:
        """The named columns by what they are, text first."""
        every = {kind: getattr(self, kind) for kind in COLUMN_KINDS if kind != FACET}
        every |= {} if self.window is None else {WINDOW: self.window.partition}
        named = every if self.dated is None else every | {DATED: self.dated.calendar.column}
        facets = {facet_column(name): name for name in self.facets}
        return {kind: name for kind, name in named.items() if name is not None} | facets

    @property
    def names(self) -> list[str]:
        """The named columns, text first."""
        return list(self.by_kind.values())

    @property
    def required(self) -> list[str]:
        """The named columns that data must have."""
        return [name for kind, name in self.by_kind.items() if _kind(kind).is_required]

    @property
    def cells(self) -> dict[str, ReadCell]:
        """What a cell of each named column means."""
        return {name: _kind(kind).cell for kind, name in self.by_kind.items()}


def _kind(kind: str) -> ColumnKind:
    return COLUMN_KINDS[kind.partition(" ")[0]]


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
    return batch.column(name).cast(pa.large_string()) if is_read else _kind(kind).column(batch.column(name), name)


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


def look_like_names(cells: Sequence[str]) -> bool:
    """Tell whether all cells of a first line look like names of columns: short, few words, letters, all different.

    A single digit may end a name (``q1``). A record of one or two plain words can look the same: no rule on looks can
    tell them apart, so this one refuses rather too much.

    >>> look_like_names(["user_id", "Date received", "text"]), look_like_names(["u17", "late parcel"])
    (True, False)
    >>> look_like_names(["ann@example.org", "text"]), look_like_names(["My parcel never came back"])
    (False, False)
    """
    return len(set(cells)) == len(cells) >= FEWEST_NAMES and all(map(looks_like_a_name, cells))


def looks_like_a_name(cell: str) -> bool:
    """Tell whether one cell does."""
    short = len(cell) <= LONGEST_NAME and len(cell.split()) <= MOST_WORDS
    return short and cell.isprintable() and COLUMN_NAME.fullmatch(cell) is not None


def no_such_column(where: str, name: str, shown: Sequence[str], unseen: Iterable[str] = ()) -> SourceError:
    """Return the refusal of data without a column, with the names that may be shown.

    A name that only differs from the asked one in capitals or spaces around it is no news, also among the ``unseen``.
    """
    return SourceError(
        f"{where} has no column {name!r}{_instead(name, shown, {*shown, *unseen})}", code="source.no-such-column"
    )


def _instead(name: str, shown: Sequence[str], present: set[str]) -> str:
    alike = [each for each in present if each != name and each.strip().casefold() == name.strip().casefold()]
    if alike:
        return f", but one that is called {alike[0]!r}: name it exactly so"
    if name.partition(".")[0] in present:
        return ": what is inside of a field cannot be named, so write it beside the others"
    known = [each for each in shown if each]
    if not known:
        return (
            ", and what it begins with does not look like names of columns, so it is not shown: check the spelling, "
            "and that the first line names the columns (see `dpspin check`)"
        )
    close = get_close_matches(name, known, n=1)
    hint = f"Did you mean {close[0]!r}? " if close else ""
    more = f" and {len(known) - MOST_NAMES} more" if len(known) > MOST_NAMES else ""
    return f". {hint}Its columns: {', '.join(map(repr, known[:MOST_NAMES]))}{more}"
