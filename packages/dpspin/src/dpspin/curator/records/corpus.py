"""The protected corpus: a stream of (text, user) batches that cannot be printed."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NoReturn

import pyarrow as pa
import pyarrow.compute as pc

from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.records.cells import UNREADABLE as UNREADABLE_ID
from dpspin.curator.records.columns import (
    DATED,
    TEXT,
    USER,
    WINDOW,
    BadRows,
    Columns,
    RowPolicy,
    read_batch,
    strictly_refused,
)
from dpspin.curator.records.dialect import FROM_THE_HEADER, Dialect
from dpspin.curator.records.find_files import locate, require_used
from dpspin.curator.records.formats.file_format import BATCH_ROWS, LeftOut, guarded, nobody, require_columns
from dpspin.curator.records.frames import UNREADABLE, is_frame, is_spark_frame, table_of
from dpspin.errors import RecordsRefused, RequestError, SourceError

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


class ProtectedCorpus:
    """Private records. ``batches`` yields the columns ``text`` and, where named, ``user``, ``label``, ``teacher``.

    A null text is a bad row: it maps to the zero vector, as does a line that could not be parsed and is not here at
    all. A null user is a record on its own.
    """

    __slots__ = ("_of_rows", "_parts", "_raw", "columns", "dialect", "policy")

    def __init__(
        self,
        raw: Callable[[], Iterator[pa.RecordBatch]],
        parts: Callable[[], Iterable[str]],
        columns: Columns,
        policy: RowPolicy,
        dialect: Dialect = FROM_THE_HEADER,
        *,
        of_rows: Mapping[str, str] = NOTHING,
    ) -> None:
        self._raw = raw
        self._parts = parts
        self.columns = columns
        self.policy = policy
        self.dialect = dialect
        self._of_rows = of_rows

    @property
    def declared(self) -> dict[str, str]:
        """What was declared about how the files are written, or which rows of a table are read."""
        return {**self.dialect.declared, **self._of_rows}

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Read all records once, in order."""
        for batch in self._raw():
            yield guarded(partial(_normalised, batch, self.columns, self.policy), "a column cannot be read", UNREADABLE)

    def watched(self, tell: Callable[[int], None]) -> "ProtectedCorpus":
        """Return the same corpus; each batch that is read is told, for a progress display on the curator's screen."""
        about = (self.columns, self.policy, self.dialect)
        return ProtectedCorpus(lambda: _told(self._raw(), tell), self._parts, *about, of_rows=self._of_rows)

    def content_digest(self) -> str:
        """Identify the content. It depends on the records: it goes into the ledger and nowhere else."""
        return digest_of_parts(self.content_parts())

    def content_parts(self) -> tuple[str, ...]:
        """Identify each file's content, or a table's: sketches of all files are known by them as the same records."""
        return tuple(sorted(self._parts()))

    def __repr__(self) -> str:
        return "ProtectedCorpus(<private>)"


def open_corpus(
    source: object,
    columns: Columns,
    policy: RowPolicy | None = None,
    dialect: Dialect = FROM_THE_HEADER,
    left_out: LeftOut = nobody,
) -> ProtectedCorpus:
    """Open files (path, folder, glob), a table at an address or a frame; headers are checked, no row is read."""
    policy = policy or RowPolicy()
    if is_spark_frame(source):
        return _held_by_spark(source, columns, policy, dialect)
    if is_frame(source):
        return _open_frame(source, columns, policy, dialect)
    if not isinstance(source, str | Path):
        raise SourceError("data must be a path, an address, or a pandas, polars or Arrow table")
    files = locate(source)
    require_used(dialect, files)
    for file in files:
        file.check_header(columns, dialect)
    return ProtectedCorpus(
        lambda: (batch for file in files for batch in file.stream(columns, policy.bad_rows, dialect, left_out)),
        lambda: [file.digest(columns) for file in files],
        columns,
        policy,
        dialect,
        of_rows={name: told for file in files for name, told in file.declared.items()},
    )


def _open_frame(frame: object, columns: Columns, policy: RowPolicy, dialect: Dialect) -> ProtectedCorpus:
    _require_no_dialect(dialect)
    table = table_of(frame, columns)
    return ProtectedCorpus(
        lambda: iter(table.to_batches(BATCH_ROWS)), lambda: [_digest_of_table(table)], columns, policy
    )


def _held_by_spark(frame: Any, columns: Columns, policy: RowPolicy, dialect: Dialect) -> ProtectedCorpus:  # noqa: ANN401
    """Open a table that Spark holds. Its records are read by Spark's workers, and never here."""
    _require_no_dialect(dialect)
    present = guarded(lambda: list(frame.columns), "the table cannot be read", UNREADABLE)
    require_columns("the table", present, columns)
    return ProtectedCorpus(_refuse_to_read_here, _refuse_to_read_here, columns, policy)


def _refuse_to_read_here() -> NoReturn:
    raise RequestError(
        "Spark holds these records, and only a release reads them there: give files, or a table in memory, to "
        "everything else",
        code="request.held-by-spark",
    )


def _require_no_dialect(dialect: Dialect) -> None:
    if dialect.declared:
        raise RequestError(
            "encoding, delimiter and sheet are about files, and a table in memory has none: leave them out",
            code="request.misplaced",
            field="records.dialect",
        )


def _told(batches: Iterator[pa.RecordBatch], tell: Callable[[int], None]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        tell(batch.num_rows)
        yield batch


def _normalised(batch: pa.RecordBatch, columns: Columns, policy: RowPolicy) -> pa.RecordBatch:
    kept = _dated(_in_window(read_batch(columns, batch), columns), columns)
    if policy.bad_rows is BadRows.REFUSE and kept.column(TEXT).null_count:
        raise strictly_refused(f"a row has no readable text in {columns.text!r}")
    return kept if columns.user is None else _with_known_users(_with_readable_users(kept, policy), policy.missing_users)


def _in_window(batch: pa.RecordBatch, columns: Columns) -> pa.RecordBatch:
    """Keep the records of a window; every other one, or of none, contributes nothing, so no bound changes.

    A record is kept or left out by its own cell alone, and a cell has one spelling: no record is in two windows.
    """
    if columns.window is None:
        return batch
    inside = pc.fill_null(pc.equal(batch.column(WINDOW), columns.window.name), fill_value=False)
    return batch.filter(inside).drop_columns([WINDOW])


def _dated(batch: pa.RecordBatch, columns: Columns) -> pa.RecordBatch:
    """Keep the records of a period, each by its own date; every other one contributes nothing, so no bound changes."""
    if columns.dated is None:
        return batch
    told = batch.column(DATED).dictionary_encode()
    inside = [columns.dated.holds(cell) for cell in told.dictionary.to_pylist()]
    kept = pc.fill_null(pa.array(inside, pa.bool_()).take(told.indices), fill_value=False)
    return batch.filter(kept).drop_columns([DATED])


def _with_readable_users(batch: pa.RecordBatch, policy: RowPolicy) -> pa.RecordBatch:
    """Leave out a record of somebody whose id cannot be read: as a user of its own it could exceed that one's bound."""
    readable = pc.fill_null(pc.not_equal(batch.column(USER), UNREADABLE_ID), fill_value=True)
    if policy.bad_rows is BadRows.REFUSE and not pc.all(readable).as_py():
        raise strictly_refused("a row has a user id that cannot be read")
    return batch.filter(readable)


def _with_known_users(batch: pa.RecordBatch, missing: MissingUsers) -> pa.RecordBatch:
    users = batch.column(USER)
    if users.null_count == 0 or missing is MissingUsers.OWN_UNIT:
        return batch
    if missing is MissingUsers.DROP:
        return batch.filter(pc.is_valid(users))
    raise RecordsRefused(
        "some records have no user id, so they cannot be grouped by user. Choose what to do with them: "
        "`records.unit.missing: drop` leaves them out, `records.unit.missing: own_unit` protects each on its own",
        code="records-refused.no-user",
        field="records.unit.missing",
    )


def digest_of_parts(parts: Iterable[str]) -> str:
    """Identify records by the digests of all their parts, whatever their names, their order and who read them."""
    return hashlib.sha256("".join(sorted(parts)).encode()).hexdigest()


def _digest_of_table(table: pa.Table) -> str:
    """Digest an in-memory table, whatever its chunks."""
    hasher = hashlib.sha256()
    for batch in _written_out(table).combine_chunks().to_batches():
        hasher.update(batch.serialize().to_pybytes())
    return hasher.hexdigest()


def _written_out(table: pa.Table) -> pa.Table:
    """Return a table without dictionaries: a batch is digested without them, so its values would not count."""
    schema = table.schema
    plain = [pa.field(each.name, _value_type(each.type), metadata=each.metadata) for each in schema]
    return table if plain == list(schema) else table.cast(pa.schema(plain))


def _value_type(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind
