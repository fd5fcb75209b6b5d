"""A ledger of an earlier version goes on under this one: in place, in one transaction, and nothing it holds changes.

Schema 3 did not say which column named the users of an account. The requests that it kept do, so it is declared from
the first of them. Rows and hashes stay as they were: what was added since is hashed only where a row has it.
"""

import json

from sqlalchemy import Connection, select, update

from dpspin.curator.ledger.account import Subject
from dpspin.curator.ledger.declarations import declare
from dpspin.curator.ledger.location import emptied
from dpspin.curator.ledger.schema import SCHEMA_VERSION, declaration, entry, is_empty, is_ledger, ledger, scope
from dpspin.curator.ledger.stores import Store
from dpspin.errors import LedgerError

BEFORE = 3


def require_our_schema(connection: Connection, store: Store) -> None:
    """Upgrade a ledger of the version before; refuse what is no ledger, or one of any other version."""
    if is_empty(connection):
        raise emptied(store.location)
    if not is_ledger(connection):
        raise LedgerError(f"{store.location} is a database but not a dpspin ledger. Choose another (`account.ledger`)")
    version = connection.execute(select(ledger.c.schema_version)).scalars().all()
    if version == [BEFORE]:
        _upgrade(connection, store)
    elif version != [SCHEMA_VERSION]:
        raise LedgerError(
            f"the ledger {store.location} was written by another version of dpspin; this one reads schema versions "
            f"{BEFORE} and {SCHEMA_VERSION} only. Use the version that wrote it"
        )


def _upgrade(connection: Connection, store: Store) -> None:
    for statement in store.no_guards:
        connection.exec_driver_sql(statement)
    declaration.create(connection)
    for column in (entry.c.user_column, entry.c.likeness):
        kind = column.type.compile(connection.dialect)
        connection.exec_driver_sql(f"ALTER TABLE entry ADD COLUMN {column.name} {kind}")
    connection.execute(update(ledger).values(schema_version=SCHEMA_VERSION))
    for statement in store.guards:
        connection.exec_driver_sql(statement)
    _declare_columns(connection)


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
