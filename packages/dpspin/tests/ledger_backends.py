"""A ledger on each database, for tests of what all of them promise."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import psycopg

from dpspin.curator.ledger import Ledger, open_ledger

GOLDEN_SCHEMA = "golden"


@dataclass(frozen=True)
class Backend:
    """A ledger in a fresh place, and a way to its tables that does not go through our code."""

    open: Callable[[], Ledger]
    raw: Callable[[str], list[tuple]]
    disarm: Callable[[str], object]  # takes a table's guards away, as somebody with the file in hand could
    refusal: type[Exception]
    restore: Callable[[str], object]  # runs the text of a dump in the empty place
    kind: str


def sqlite_backend(folder: Path) -> Backend:
    path = folder / "ledger.db"

    def raw(sql: str) -> list[tuple]:
        with closing(sqlite3.connect(path)) as connection, connection:
            return connection.execute(sql).fetchall()

    def disarm(table: str) -> None:
        for (name,) in raw(f"SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '{table}'"):
            raw(f"DROP TRIGGER {name}")

    def restore(dump: str) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(dump)

    return Backend(lambda: open_ledger(path), raw, disarm, sqlite3.IntegrityError, restore, "sqlite")


def postgres_backend(server: str) -> Backend:
    schema = f"test_{uuid4().hex}"
    with psycopg.connect(server) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    url = f"{server}&options=-csearch_path%3D{schema}"

    def raw(sql: str) -> list[tuple]:
        with psycopg.connect(url) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def disarm(table: str) -> None:
        raw(f"ALTER TABLE {table} DISABLE TRIGGER ALL")

    def restore(dump: str) -> None:
        raw(dump.replace(f"{GOLDEN_SCHEMA}.", f"{schema}.").replace(f"'{GOLDEN_SCHEMA}'", f"'{schema}'"))

    return Backend(lambda: open_ledger(url), raw, disarm, psycopg.IntegrityError, restore, "postgresql")
