"""A table on a PostgreSQL server, read in one transaction that sees one state, whatever others write meanwhile.

Cells come as text that the server writes under settings of our own: neither the server's nor the user's defaults change
what a cell says. Rows come in the order in which they lie: a plan that an index orders would change with the
statistics, and with it who is drawn for a sample. Passwords come from the environment only (PGPASSWORD, PGPASSFILE,
PGSERVICEFILE); what the server or its library says is not passed on.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime
from decimal import Decimal
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import finalize

import pyarrow as pa

from dpspin.curator.records.columns import READ, ReadCell
from dpspin.curator.records.conditions import Condition, quoted
from dpspin.curator.records.formats.file_format import Passing, Reason, guarded
from dpspin.curator.records.places import Server, SqlTable
from dpspin.curator.records.tables.data_table import ROWS_AT_ONCE, Cells, Column, cells_of
from dpspin.curator.records.tables.sql_rows import DECLARE, require_conditions, undeclared
from dpspin.errors import MissingExtra, RequestError, SourceAway, SourceError

if TYPE_CHECKING:
    from psycopg import Connection

NOT_SHOWN: Final = "what the server said may quote records, so it is not shown: its own log has it"
REASONS: Final = {  # by the beginning of PostgreSQL's code of an error
    "28": "the server refuses this user or password (PGUSER, PGPASSWORD, PGPASSFILE)",
    "3D": "there is no such database",
    "42501": "this user may not read it",
    "55P03": Passing("somebody holds a lock on it"),
    "57": Passing("the server ended the session"),
    "08": Passing("the connection was lost"),
}
SET: Final = "SELECT set_config(name, %s, true) FROM pg_catalog.pg_settings WHERE name = %s"  # those that there are
NO_CONNECTION: Final = Passing(
    "the server cannot be reached, or the connection was lost: check host, port, database, user and password"
)
SETTINGS: Final = {
    "statement_timeout": "0",
    "search_path": "pg_catalog",
    "TimeZone": "UTC",
    "DateStyle": "ISO, YMD",
    "extra_float_digits": "1",
    "idle_in_transaction_session_timeout": "0",
    "transaction_timeout": "0",
    "lock_timeout": "30s",
    "synchronize_seqscans": "off",
    "max_parallel_workers_per_gather": "0",
    "enable_indexscan": "off",
    "enable_indexonlyscan": "off",
}
RELATION: Final = """
    SELECT c.oid, c.relkind::text, row_security_active(c.oid),
        EXISTS (
            WITH RECURSIVE below(oid) AS (
                SELECT inhrelid FROM pg_inherits WHERE inhparent = c.oid
                UNION SELECT inhrelid FROM pg_inherits JOIN below ON inhparent = below.oid
            ) SELECT FROM below JOIN pg_class USING (oid) WHERE relkind = 'f'
        )
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname = %s AND relname = %s AND relkind IN ('r', 'p', 'v', 'm', 'f')
"""
COLUMNS: Final = """
    SELECT attname::text, coalesce(base.typname, t.typname)::text, coalesce(base.typtype, t.typtype)::text,
        coalesce(base.typnamespace, t.typnamespace) = 'pg_catalog'::regnamespace, format_type(t.oid, -1)
    FROM pg_attribute JOIN pg_type t ON t.oid = atttypid LEFT JOIN pg_type base ON base.oid = t.typbasetype
    WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
NAMED_NOW: Final = "SELECT to_regclass(%s || '.' || %s)::oid"
VIEWS: Final = {"v": "a view", "m": "a materialised view"}


class Spelling(NamedTuple):
    """How cells of a type are asked for, and which value is written so; without ``value`` the text is all there is."""

    cells: Cells
    cast: str = "::text"
    value: Callable[[bytes], object] | None = None


def _number(told: bytes) -> object:
    return Decimal(told.decode())


def _moment(told: bytes) -> object:
    """Return a moment, to be spelt as in every other format; one outside of the calendar stays as it is written."""
    with suppress(ValueError):
        return datetime.fromisoformat(told.decode())
    return told


SPELLINGS: Final = {
    **dict.fromkeys(("text", "varchar", "bpchar", "name"), Spelling(Cells.TEXT)),
    "bytea": Spelling(Cells.TEXT, ""),
    **dict.fromkeys(("int2", "int4", "int8"), Spelling(Cells.NUMBER)),
    "numeric": Spelling(Cells.NUMBER, value=_number),
    **dict.fromkeys(("float4", "float8"), Spelling(Cells.NUMBER, "::float8::text", float)),
    **dict.fromkeys(("bool", "uuid", "date"), Spelling(Cells.OTHER_VALUE)),
    **dict.fromkeys(("timestamp", "timestamptz"), Spelling(Cells.OTHER_VALUE, value=_moment)),
}
ENUM: Final = Spelling(Cells.TEXT)
NOT_READ: Final = Spelling(Cells.NOT_READ)


class PostgresTable:
    """A table in a transaction that is open as long as this object is there."""

    def __init__(self, place: SqlTable) -> None:
        self._place = place
        self._cursors = count()
        self._connection = guarded(lambda: _connected(place), f"{place.name!r} cannot be opened", self.reason)
        finalize(self, self._connection.close)  # else the transaction would hold back the server's cleaning
        self._kind, self._spellings, self.columns = guarded(
            self._looked_up, f"{place.name!r} cannot be opened", self.reason
        )
        require_conditions(place.name, place.conditions, self.columns)

    @property
    def reason(self) -> Reason:
        """Say what may be said of a failure, by its code."""
        return _reason

    @property
    def is_fixed(self) -> bool:
        """Tell a table, which a transaction sees in one state, from a view, which may compute anything."""
        return self._kind not in VIEWS

    def batches(self, reads: Mapping[str, ReadCell]) -> Iterator[pa.RecordBatch]:
        """Read by a cursor on the server: no more than one batch is ever here."""
        spelt = {name: self._spellings[name] for name in reads}
        marks = [None if each.value is None else READ for each in spelt.values()]
        asked = ", ".join(f"{_name(name)}{each.cast}" for name, each in spelt.items())
        rows, parameters = self._rows()
        with self._connection.cursor(f"dpspin_{next(self._cursors)}") as cursor:
            cursor.adapters.register_loader("text", _as_it_came())
            cursor.execute(f"SELECT {asked} FROM {rows}".encode(), parameters)  # noqa: S608  quoted, and parameters
            while some := cursor.fetchmany(ROWS_AT_ONCE):
                columns = zip(zip(*some, strict=True), spelt.values(), reads.values(), strict=True)
                yield cells_of([*reads], [_column(*each) for each in columns], marks)

    @property
    def _name(self) -> str:
        return f"{_name(self._place.schema)}.{_name(self._place.table)}"

    def _rows(self) -> tuple[str, list[str]]:
        """Return what stands behind FROM, and its parameters."""
        every = [self._condition(each) for each in self._place.conditions]
        told = " AND ".join(sql for sql, _ in every)
        return f"{self._name} WHERE {told}" if told else self._name, [value for _, values in every for value in values]

    def _condition(self, asked: Condition) -> tuple[str, list[str]]:
        """Write a condition; a literal gets the column's type, so that the server never converts a cell."""
        column = self.columns[asked.column]
        own = f"%s::{column.type.replace('%', '%%')}"
        marks = ["%s::numeric" if each.is_number else own for each in asked.literals]
        return asked.written(_name(asked.column), marks), [each.text for each in asked.literals]

    def _hold(self, oid: int) -> None:
        """Keep others from putting another table or a view under this name: a name means what it means by now."""
        self._connection.execute(f"SELECT FROM {self._name} LIMIT 0".encode(), ())  # which locks it
        current = self._connection.execute(NAMED_NOW, (quoted(self._place.schema), quoted(self._place.table)))
        if current.fetchone() != (oid,):
            raise SourceAway(f"{self._place.name!r} was replaced by another one just now: read it again")

    def _looked_up(self) -> tuple[str, dict[str, Spelling], dict[str, Column]]:
        found = self._connection.execute(RELATION, (self._place.schema, self._place.table)).fetchone()
        if found is None:
            raise SourceError(
                f"there is no table {self._place.name!r} that this user sees: a name is taken letter by letter, and "
                f"without a schema it is in {self._place.schema!r}",
                code="source.no-such-table",
            )
        oid, kind, hidden, elsewhere = found
        _require_own_rows(self._place, kind, elsewhere=elsewhere, hidden=hidden)
        self._hold(oid)
        spellings, columns = {}, {}
        for name, called, sort, is_ours, written in self._connection.execute(COLUMNS, (oid,)):
            spelling = ENUM if sort == "e" else SPELLINGS.get(called, NOT_READ) if is_ours else NOT_READ
            spellings[name], columns[name] = spelling, Column(written, spelling.cells)
        if self._connection.info.parameter_status("server_encoding") == "SQL_ASCII":
            self._connection.execute(
                "SET LOCAL client_encoding = SQL_ASCII"
            )  # else the server refuses what is not UTF-8
        return kind, spellings, columns


def _name(name: str) -> str:
    """Quote a name; a percent sign is doubled, as in every text beside parameters."""
    return quoted(name).replace("%", "%%")


def _column(cells: Sequence[bytes | None], spelling: Spelling, read: ReadCell) -> pa.Array:
    value = spelling.value
    if value is None:
        return pa.array(cells, pa.large_binary())
    return pa.array([None if cell is None else read(value(cell)) for cell in cells], pa.large_string())


def _connected(place: SqlTable) -> "Connection[Any]":
    try:
        import psycopg  # noqa: PLC0415  an optional extra
        from psycopg.conninfo import make_conninfo  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("reading a table of PostgreSQL", extra="postgres") from None
    server = place.where
    assert isinstance(server, Server)  # noqa: S101  an address of PostgreSQL has one
    told = {"host": server.host.strip("[]"), "port": server.port, "user": server.user, "dbname": server.database}
    connection = psycopg.connect(
        conninfo=make_conninfo(**{name: value for name, value in told.items() if value}),
        client_encoding="UTF8",
        connect_timeout=30,
        application_name="dpspin",
    )
    with ExitStack() as until_it_is_ready:
        until_it_is_ready.callback(connection.close)
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        for name, value in {**SETTINGS, "row_security": "on" if place.is_row_by_row else "off"}.items():
            connection.execute(SET, (value, name))  # in the transaction: behind a pooler nothing else is one session
        until_it_is_ready.pop_all()
    return connection


def _as_it_came() -> Any:  # noqa: ANN401
    """Return a loader of bytes: one cell that is not UTF-8 (in a database without an encoding) spoils no other."""
    from psycopg.adapt import Loader  # noqa: PLC0415  an optional extra, and there with the connection

    class AsItCame(Loader):
        def load(self, data: Any) -> bytes:  # noqa: ANN401
            return bytes(data)

    return AsItCame


def _reason(error: BaseException) -> str:
    code = getattr(error, "sqlstate", None)
    if code is None:
        is_lost = any(kind.__name__ == "OperationalError" for kind in type(error).__mro__)  # ConnectionTimeout is one
        return NO_CONNECTION if is_lost else NOT_SHOWN
    return next((words for start, words in REASONS.items() if code.startswith(start)), NOT_SHOWN)


def _require_own_rows(place: SqlTable, kind: str, *, hidden: bool, elsewhere: bool) -> None:
    """Refuse rows over which others may decide, unless they are declared, and rows of other servers."""
    if kind == "f" or elsewhere:
        raise SourceError(
            f"{place.name!r} lies, whole or in part, on another server, whose state this transaction does not hold: "
            "read it there",
            code="source.foreign-table",
        )
    if place.is_row_by_row:
        return
    if kind in VIEWS:
        raise undeclared(place.name, VIEWS[kind])
    if hidden:
        raise RequestError(
            f"row security hides rows of {place.name!r} from this user, and its rules may let one record decide "
            f"whether another one is seen: read it as a user that sees all rows (BYPASSRLS), or {DECLARE}",
            code="request.hidden-rows",
            field="records.data",
        )
