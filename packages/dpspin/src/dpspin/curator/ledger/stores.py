"""Which database a path or URL means, and whether the ledger in it is one that this version can go on with.

A ledger of an earlier version goes on under this one: in place, in one transaction, and nothing it holds changes.
Schema 3 did not say which column named the users of an account. The requests that it kept do, so it is declared from
the first of them. Schema 4 knew no series, whose tables are new. Schema 5 did not link the runs that took over a
charge or a period: they are linked now, at the end of the chain. Schema 6 knew no approvals: no account demands any.
Rows and hashes stay as they were: what was added since is hashed only where a row has it.
"""

import json
from pathlib import Path

from sqlalchemy import URL, Connection, make_url, select, update
from sqlalchemy.exc import ArgumentError

from dpspin.curator.ledger import chain
from dpspin.curator.ledger.accounts import Subject, declare
from dpspin.curator.ledger.guards import VIEWS_OF_APPROVALS
from dpspin.curator.ledger.postgres import PostgresServer
from dpspin.curator.ledger.schema import (
    SCHEMA_VERSION,
    declaration,
    emptied,
    entry,
    filing,
    is_empty,
    is_ledger,
    ledger,
    officers,
    period,
    period_output,
    period_run,
    scope,
    verdict,
)
from dpspin.curator.ledger.sqlite import SqliteFile
from dpspin.errors import LedgerError

BEFORE = (3, 4, 5, 6)
WITHOUT_COLUMNS, WITHOUT_SERIES, WITHOUT_RUNS = BEFORE[:3]
Store = SqliteFile | PostgresServer  # what differs between databases, and nothing else


def store_of(url_or_path: str | Path) -> Store:
    """Return the database behind a file path, a ``sqlite:///`` URL or a ``postgresql://`` URL.

    >>> store_of("sqlite:////var/lib/dpspin/ledger.db").location
    '/var/lib/dpspin/ledger.db'
    >>> store_of("postgresql://curator:secret@db.example.org/privacy").location
    'postgresql://curator@db.example.org/privacy'
    """
    if isinstance(url_or_path, Path) or "://" not in url_or_path:
        return SqliteFile(Path(url_or_path).expanduser().resolve())
    url = _parsed(url_or_path)
    match url.get_backend_name():
        case "sqlite":
            return SqliteFile(Path(_file_in(url)).expanduser().resolve())
        case "postgresql":
            return PostgresServer(url)
        case other:  # the rest of the URL may hold a password: name only the database
            raise LedgerError(
                f"a ledger is an SQLite file or a PostgreSQL database, not {other}: write a path, sqlite:///path or "
                "postgresql://user@host/database"
            )


def _parsed(text: str) -> URL:
    try:
        return make_url(text)
    except (ArgumentError, ValueError):  # the text may hold a password
        raise LedgerError(
            "the ledger URL cannot be read: write a file path, sqlite:///path/to/ledger.db or "
            "postgresql://user@host/database"
        ) from None


def _file_in(url: URL) -> str:
    if not url.database or url.database == ":memory:" or url.query:
        raise LedgerError(
            "a ledger must be a plain file, or it forgets what was spent: write sqlite:///path/to/ledger.db"
        )
    return url.database


def require_our_schema(connection: Connection, store: Store) -> None:
    """Upgrade a ledger of a version before; refuse what is no ledger, or one of any other version."""
    if is_empty(connection):
        raise emptied(store.location)
    if not is_ledger(connection):
        raise LedgerError(f"{store.location} is a database but not a dpspin ledger. Choose another (`account.ledger`)")
    version = connection.execute(select(ledger.c.schema_version)).scalars().all()
    if len(version) == 1 and version[0] in BEFORE:
        _upgrade(connection, store, version[0])
    elif version != [SCHEMA_VERSION]:
        raise LedgerError(
            f"the ledger {store.location} was written by another version of dpspin; this one reads schema versions "
            f"{BEFORE[0]} to {SCHEMA_VERSION} only. Use the version that wrote it"
        )


def _upgrade(connection: Connection, store: Store, version: int) -> None:
    for statement in store.no_guards:
        connection.exec_driver_sql(statement)
    if version == WITHOUT_COLUMNS:
        _add_columns(connection)
    of_series = (period, period_run, period_output) if version <= WITHOUT_SERIES else ()
    for table in (*of_series, officers, filing, verdict):
        table.create(connection)
    connection.execute(update(ledger).values(schema_version=SCHEMA_VERSION))
    for statement in (*VIEWS_OF_APPROVALS, *store.guards):
        connection.exec_driver_sql(statement)
    if version == WITHOUT_COLUMNS:
        _declare_columns(connection)
    if version <= WITHOUT_RUNS:
        for kind in (chain.Linked.RESUMPTION, chain.Linked.PERIOD_RUN):
            _link_runs(connection, kind)


def _link_runs(connection: Connection, kind: chain.Linked) -> None:
    table = chain.TABLE[kind]
    for row_id in connection.scalars(select(table.c.id).order_by(table.c.id)).all():
        chain.link_row(connection, kind, row_id)


def _add_columns(connection: Connection) -> None:
    declaration.create(connection)
    for column in (entry.c.user_column, entry.c.likeness):
        kind = column.type.compile(connection.dialect)
        connection.exec_driver_sql(f"ALTER TABLE entry ADD COLUMN {column.name} {kind}")


def _declare_columns(connection: Connection) -> None:
    """Declare of each dataset the column of its first charge about users; the note tells of others that it has seen."""
    charges = select(scope.c.name, entry.c.request).join_from(entry, scope).where(entry.c.unit == "user")
    seen: dict[str, list[str]] = {}
    for dataset, request in connection.execute(charges.order_by(entry.c.id)):
        seen.setdefault(dataset, []).extend(_user_column_in(request))
    for dataset, columns in seen.items():
        first, *others = dict.fromkeys(columns) or [None]
        if first is not None:
            note = f"; later ones also named {', '.join(map(repr, others))}" if others else ""
            declare(connection, dataset, Subject.USER_COLUMN, first, f"as its first charge named it{note}")


def _user_column_in(request: str) -> list[str]:
    """Read the column out of the text of a request about users: its columns are the text's, then the users'."""
    try:
        _, user, *_ = json.loads(request)["columns"]
    except (ValueError, TypeError, KeyError):
        return []
    return [str(user)]
