"""Everything that is special to SQLite: how to connect, how to lock, and the triggers that guard the rows.

DELETE journal with synchronous=EXTRA is the mode in which an acknowledged charge survives a power cut. The triggers
live in the file, so they also stop a program that writes to it without this package.
"""

import sqlite3
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

BUSY_SECONDS = 30
PRAGMAS = ("journal_mode = DELETE", "synchronous = EXTRA", "foreign_keys = ON")

_LAST_CAP = "(SELECT {column} FROM budget_change WHERE scope_id = NEW.scope_id ORDER BY id DESC LIMIT 1)"
_SPENT = "(SELECT coalesce(sum({column}), 0) FROM entry WHERE scope_id = NEW.scope_id)"


def connect(path: Path) -> Engine:
    """Return an engine whose every transaction holds the write lock from its first statement.

    One connection per transaction: nothing is shared between threads or survives a fork. The file must exist.
    """
    engine = create_engine("sqlite://", creator=lambda: _open_file(path), poolclass=NullPool, hide_parameters=True)
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _open_file(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def _set_pragmas(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def create_guards(connection: Connection) -> None:
    """Install the triggers beside freshly created tables."""
    for trigger in GUARDS:
        connection.exec_driver_sql(trigger)


def _guard(name: str, moment: str, table: str, refusal: str, condition: str = "TRUE") -> str:
    return (
        f"CREATE TRIGGER {name} BEFORE {moment} ON {table} WHEN {condition} BEGIN SELECT RAISE(ABORT, '{refusal}'); END"
    )


def _exceeds(total: str, cap: str) -> str:
    """Compare both amounts; a missing cap grants nothing."""
    columns = ("epsilon_nano", "delta_atto")
    return " OR ".join(f"{total.format(column=c)} > coalesce({cap.format(column=c)}, -1)" for c in columns)


def _changes(*columns: str) -> str:
    return " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in columns)


# REPLACE removes the old row without firing DELETE triggers, hence the guards against a repeated key.
GUARDS = (
    *(
        _guard(f"{table}_stays", "DELETE", table, "ledger rows are never deleted")
        for table in ("dpspin_ledger", "scope", "budget_change", "entry")
    ),
    *(
        _guard(f"{table}_is_fixed", "UPDATE", table, "ledger rows are never changed")
        for table in ("dpspin_ledger", "scope", "budget_change")
    ),
    _guard(
        "scope_is_new",
        "INSERT",
        "scope",
        "the dataset exists already",
        "EXISTS (SELECT 1 FROM scope WHERE id = NEW.id OR dataset = NEW.dataset)",
    ),
    _guard(
        "budget_change_is_new",
        "INSERT",
        "budget_change",
        "the budget change exists already",
        "EXISTS (SELECT 1 FROM budget_change WHERE id = NEW.id)",
    ),
    _guard(
        "cap_covers_what_is_spent",
        "INSERT",
        "budget_change",
        "the cap is below what is spent",
        _exceeds(_SPENT, "NEW.{column}"),
    ),
    _guard(
        "entry_is_new",
        "INSERT",
        "entry",
        "the entry exists already",
        "EXISTS (SELECT 1 FROM entry WHERE id = NEW.id OR (scope_id = NEW.scope_id AND fingerprint = NEW.fingerprint))",
    ),
    _guard(
        "entry_is_affordable",
        "INSERT",
        "entry",
        "the charge exceeds the cap",
        _exceeds(_SPENT + " + NEW.{column}", _LAST_CAP),
    ),
    _guard(
        "committed_entry_is_fixed",
        "UPDATE",
        "entry",
        "a committed entry is never changed",
        "OLD.state = 'committed'",
    ),
    _guard(
        "charge_is_fixed",
        "UPDATE",
        "entry",
        "what was charged is never changed",
        _changes(
            "id", "scope_id", "fingerprint", "content", "epsilon_nano", "delta_atto", "mechanism", "request", "day"
        )
        + " OR NEW.attempt < OLD.attempt",
    ),
)
