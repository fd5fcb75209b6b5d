"""Everything that is special to SQLite: how to connect, how to lock, and the triggers that guard the rows.

DELETE journal with synchronous=EXTRA is the mode in which an acknowledged charge survives a power cut. The triggers
live in the file, so they also stop a program that writes to it without this package.
"""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from dpspin.curator.ledger.guards import GUARDS, TABLES, Guard
from dpspin.curator.ledger.location import appear_whole, require_good_place, require_no_remains
from dpspin.curator.ledger.schema import create_tables

BUSY_SECONDS = 30
PRAGMAS = ("journal_mode = DELETE", "synchronous = EXTRA", "foreign_keys = ON")


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """A ledger in a file."""

    path: Path

    @property
    def location(self) -> str:
        """Where it is, for messages."""
        return str(self.path)

    @property
    def guards(self) -> tuple[str, ...]:
        """The statements that make the triggers."""
        return tuple(TRIGGERS.values())

    @property
    def no_guards(self) -> tuple[str, ...]:
        """The statements that take them away, for an upgrade."""
        return tuple(f"DROP TRIGGER IF EXISTS {name}" for name in TRIGGERS)

    def exists(self) -> bool:
        """Say whether there is a ledger to look into."""
        return self.path.exists()

    def without_secrets(self, message: str) -> str:
        """Return a message as it is: a path is no secret."""
        return message

    def prepare(self) -> bool:
        """Make the ledger where there is none, for its owner's eyes only; say whether that was done."""
        require_good_place(self.path)
        require_no_remains(self.path)
        return not self.path.exists() and appear_whole(self.path, _build)

    def engine(self) -> Engine:
        """Return an engine whose every transaction holds the write lock from its first statement.

        One connection per transaction: nothing is shared between threads or survives a fork.
        """
        engine = create_engine("sqlite://", creator=self._open, poolclass=NullPool, hide_parameters=True)
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "begin", _begin_immediate)
        return engine

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self.path.as_uri()}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def _build(path: Path) -> None:
    with SqliteFile(path).engine().begin() as connection:
        create_tables(connection, TRIGGERS.values())


def _set_pragmas(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _trigger(name: str, event_: str, table: str, refusal: str, condition: str = "TRUE") -> str:
    return f"CREATE TRIGGER {name} {event_} ON {table} WHEN {condition} BEGIN SELECT RAISE(ABORT, '{refusal}'); END"


def _of_guard(guard: Guard) -> str:
    return _trigger(guard.name, f"{guard.moment} INSERT", guard.table, guard.refusal, guard.condition)


# REPLACE removes the old row without firing DELETE triggers, hence the triggers against a repeated key.
_KEYS = {
    "scope": "id = NEW.id OR (kind = NEW.kind AND name = NEW.name)",
    "budget_change": "id = NEW.id",
    "entry": "id = NEW.id OR (scope_id = NEW.scope_id AND fingerprint = NEW.fingerprint)",
    "resumption": "id = NEW.id OR (entry_id = NEW.entry_id AND attempt = NEW.attempt)",
    "output": "id = NEW.id",
    "declaration": "id = NEW.id OR (dataset = NEW.dataset AND subject = NEW.subject AND value = NEW.value)",
    "link": "position = NEW.position OR (kind = NEW.kind AND row_id = NEW.row_id) OR public_hash = NEW.public_hash",
}

TRIGGERS = {
    **{f"{t}_stays": _trigger(f"{t}_stays", "BEFORE DELETE", t, "ledger rows are never deleted") for t in TABLES},
    **{f"{t}_is_fixed": _trigger(f"{t}_is_fixed", "BEFORE UPDATE", t, "ledger rows are never changed") for t in TABLES},
    **{
        f"{table}_is_new": _trigger(
            f"{table}_is_new",
            "BEFORE INSERT",
            table,
            "the row exists already",
            f"EXISTS (SELECT 1 FROM {table} WHERE {key})",  # noqa: S608  all of it stands in this file
        )
        for table, key in _KEYS.items()
    },
    **{guard.name: _of_guard(guard) for guard in GUARDS},
}
