"""The protected corpus: a stream of (text, user) batches that cannot be printed."""

import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from dpspin.boundary.account import Window
from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.records.cells import LONGEST_ID, LONGEST_TEXT, RESERVED, SPELT, label_in, text_in, user_in
from dpspin.curator.records.files import DataFile, locate
from dpspin.curator.records.formats import BATCH_ROWS, check_header, header_of, stream
from dpspin.curator.records.frames import column_names, is_frame, table_of
from dpspin.curator.records.policy import BadRows, Columns, RowPolicy
from dpspin.errors import RecordsRefused, SourceError

TEXT: Final = "text"
USER: Final = "user"
LABEL: Final = "label"
TEACHER: Final = "teacher"


class ProtectedCorpus:
    """Private records. ``batches`` yields the columns ``text`` and, where named, ``user``, ``label``, ``teacher``.

    A null text is a bad row: it maps to the zero vector, as does a line that could not be parsed and is not here at
    all. A null user is a record on its own.
    """

    __slots__ = ("_parts", "_raw", "columns", "policy")

    def __init__(
        self,
        raw: Callable[[], Iterator[pa.RecordBatch]],
        parts: Callable[[], Iterable[str]],
        columns: Columns,
        policy: RowPolicy,
    ) -> None:
        self._raw = raw
        self._parts = parts
        self.columns = columns
        self.policy = policy

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Read all records once, in order."""
        for batch in self._raw():
            yield _normalised(batch, self.columns, self.policy)

    def watched(self, tell: Callable[[int], None]) -> "ProtectedCorpus":
        """Return the same corpus; each batch that is read is told, for a progress display on the curator's screen."""
        return ProtectedCorpus(lambda: _told(self._raw(), tell), self._parts, self.columns, self.policy)

    def content_digest(self) -> str:
        """Identify the content. It depends on the records: it goes into the ledger and nowhere else."""
        return digest_of_parts(self.content_parts())

    def content_parts(self) -> tuple[str, ...]:
        """Identify each file's content, or a table's: sketches of all files are known by them as the same records."""
        return tuple(sorted(self._parts()))

    def __repr__(self) -> str:
        return "ProtectedCorpus(<private>)"


def open_corpus(source: object, columns: Columns, policy: RowPolicy | None = None) -> ProtectedCorpus:
    """Open files (path, folder, glob) or a frame (pandas, polars, Arrow); headers are checked, no row is read."""
    policy = policy or RowPolicy()
    if is_frame(source):
        table = table_of(source, columns)
        return ProtectedCorpus(
            lambda: iter(table.to_batches(BATCH_ROWS)), lambda: [_digest_of_table(table)], columns, policy
        )
    if not isinstance(source, str | Path):
        raise SourceError("data must be a path, or a pandas, polars or Arrow table")
    files = locate(source)
    for file in files:
        check_header(file, columns)
    return ProtectedCorpus(
        lambda: _stream_all(files, columns, policy),
        lambda: [_digest_of_bytes(file.path) for file in files],
        columns,
        policy,
    )


def has_column(source: object, name: str) -> bool:
    """Tell whether a table, or one of some files, has a column of that name."""
    if is_frame(source):
        return name in column_names(source)
    return isinstance(source, str | Path) and any(name in header_of(file) for file in locate(source))


def _told(batches: Iterator[pa.RecordBatch], tell: Callable[[int], None]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        tell(batch.num_rows)
        yield batch


def _stream_all(files: tuple[DataFile, ...], columns: Columns, policy: RowPolicy) -> Iterator[pa.RecordBatch]:
    for file in files:
        yield from stream(file, columns, policy.bad_rows)


def _normalised(batch: pa.RecordBatch, columns: Columns, policy: RowPolicy) -> pa.RecordBatch:
    batch = batch if columns.window is None else _in_window(batch, columns.window)
    text = _as_text(batch.column(columns.text), columns.text)
    if policy.bad_rows is BadRows.REFUSE and text.null_count:
        raise RecordsRefused(f"a row has no readable text in {columns.text!r}, and strict rows were asked for")
    parts = {TEXT: text}
    if columns.label is not None:
        parts[LABEL] = _as_labels(batch.column(columns.label))
    if columns.teacher is not None:
        parts[TEACHER] = _as_labels(batch.column(columns.teacher))
    if columns.user is None:
        return pa.RecordBatch.from_pydict(parts)
    users = _ids_in(batch, columns.user)
    return _with_known_users(pa.RecordBatch.from_pydict({**parts, USER: users}), policy.missing_users)


def _in_window(batch: pa.RecordBatch, window: Window) -> pa.RecordBatch:
    """Leave out every record of another window, or of none: it contributes nothing, so no bound changes.

    A record is kept or left out by its own cell alone, and a cell has one spelling: no record is in two windows.
    """
    return batch.filter(pc.fill_null(pc.equal(_ids_in(batch, window.partition), window.name), fill_value=False))


def _ids_in(batch: pa.RecordBatch, name: str) -> pa.Array:
    """Return a column's cells in their one spelling."""
    spelt = batch.schema.field(name).metadata == SPELT
    return batch.column(name) if spelt else _as_user_ids(batch.column(name), name)


def _with_known_users(batch: pa.RecordBatch, missing: MissingUsers) -> pa.RecordBatch:
    users = batch.column(USER)
    if users.null_count == 0 or missing is MissingUsers.OWN_UNIT:
        return batch
    if missing is MissingUsers.DROP:
        return batch.filter(pc.is_valid(users))
    raise RecordsRefused(
        "some records have no user id, so they cannot be grouped by user. Choose what to do with them: "
        "--missing-users drop leaves them out, --missing-users own_unit protects each on its own"
    )


def _as_labels(column: pa.Array) -> pa.Array:
    if _holds_text(column.type):
        return _decoded(column.cast(pa.large_binary()))
    return pa.array([label_in(value) for value in column.to_pylist()], pa.large_string())


def _as_text(column: pa.Array, name: str) -> pa.Array:
    """Return the column as text, cut to what is read of a record; what is not text becomes null, row by row."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _as_text(column.dictionary_decode(), name)
    if pa.types.is_null(kind):
        return pa.nulls(len(column), pa.large_string())
    if not _holds_text(kind):
        raise SourceError(f"the column {name!r} does not hold text; name the column with the records' words")
    return pc.utf8_slice_codeunits(_decoded(column.cast(pa.large_binary())), 0, LONGEST_TEXT)


def _as_user_ids(column: pa.Array, name: str) -> pa.Array:
    """Return ids as text, each in its one spelling; only null and blank ids are missing."""
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return _as_user_ids(column.storage, name)
    if pa.types.is_dictionary(kind):
        return _as_user_ids(column.dictionary_decode(), name)
    if pa.types.is_nested(kind):
        raise SourceError(f"the column {name!r} holds lists or structures, not user ids")
    if pa.types.is_integer(kind):
        return column.cast(pa.large_string())
    return _plain_ids(column) if _holds_text(kind) else _cell_by_cell(column)


def _plain_ids(column: pa.Array) -> pa.Array:
    """Take text ids as they are where all are plain, else cell by cell."""
    try:
        ids = column.cast(pa.large_binary()).cast(pa.large_string())
    except pa.ArrowInvalid:  # some are not UTF-8
        return _cell_by_cell(column)
    odd = pc.or_(pc.greater(pc.utf8_length(ids), LONGEST_ID), _starts_with_any(ids, RESERVED))
    if pc.any(odd).as_py():
        return _cell_by_cell(ids)
    blank = pc.equal(pc.utf8_trim_whitespace(ids), "")
    return pc.if_else(pc.fill_null(blank, fill_value=True), pa.scalar(None, pa.large_string()), ids)


def _cell_by_cell(column: pa.Array) -> pa.Array:
    return pa.array([user_in(value) for value in column.to_pylist()], pa.large_string())


def _starts_with_any(texts: pa.Array, prefixes: tuple[str, ...]) -> pa.Array:
    found = [pc.starts_with(texts, prefix) for prefix in prefixes]
    return functools.reduce(pc.or_, found)


def _holds_text(kind: pa.DataType) -> bool:
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    blobs = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary, pa.types.is_binary_view)
    return any(is_one(kind) for is_one in (*texts, *blobs))


def _decoded(column: pa.Array) -> pa.Array:
    """Decode bytes at once; where some are not UTF-8, row by row, and those become null."""
    try:
        return column.cast(pa.large_string())
    except pa.ArrowInvalid:
        pass  # the error quotes the bytes, so it ends here
    return pa.array([text_in(_string_or_none(value)) for value in column.to_pylist()], pa.large_string())


def _string_or_none(value: bytes | None) -> str | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        return None


def digest_of_parts(parts: Iterable[str]) -> str:
    """Identify records by the digests of all their parts, whatever their names, their order and who read them."""
    return hashlib.sha256("".join(sorted(parts)).encode()).hexdigest()


def _digest_of_bytes(path: Path) -> str:
    with path.open("rb") as stream_:
        return hashlib.file_digest(stream_, "sha256").hexdigest()


def _digest_of_table(table: pa.Table) -> str:
    """Digest an in-memory table, whatever its chunks."""
    hasher = hashlib.sha256()
    for batch in table.combine_chunks().to_batches():
        hasher.update(batch.serialize().to_pybytes())
    return hasher.hexdigest()
