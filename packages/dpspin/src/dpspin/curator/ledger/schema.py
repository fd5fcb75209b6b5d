"""The tables, in portable SQL. Rows are only ever added: a change of state is a row of its own.

scope        an account: a dataset, or a population of people who appear in several datasets
budget_change   what somebody decided for it; the newest row is its cap
entry        a charge to a dataset, and through it to the dataset's population
resumption   a run that took over a reserved charge
output       what was drawn for a charge: the charge is committed
declaration  what a person said of a dataset, or its first charge: which column names its users, what it is apart from
period       a period of a series: the charge of its life has paid for it; which allowances were left after it
period_run   a run that took over a reserved period
period_output  what was drawn for a period: it is committed
officers     whose approval an account demands; the newest row holds, and nobody in it ends the demand
filing       a request that waits for approval, signed by whoever asks
verdict      what an officer decided about it, signed
link         the hash chain over all of these
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Connection,
    Date,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    insert,
    inspect,
)
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from dpspin.boundary.approval import LENGTH_OF_KEY
from dpspin.curator.ledger.guards import VIEWS, VIEWS_OF_APPROVALS
from dpspin.errors import LedgerBusy, LedgerError

SCHEMA_VERSION = 7
PASSING = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL))
PRIMARY = 0xFF  # the part of an error code of SQLite that names its kind

metadata = MetaData()

ledger = Table(
    "dpspin_ledger",
    metadata,
    Column("schema_version", Integer, primary_key=True),
    Column("genesis", String, nullable=False),  # secret and random: a published hash lets nobody guess at rows
)


def _neighbours(*, nullable: bool) -> list[Column[str]]:
    return [
        Column("unit", String, CheckConstraint("unit IN ('record', 'user')"), nullable=nullable),
        Column("adjacency", String, CheckConstraint("adjacency IN ('add_drop', 'replace')"), nullable=nullable),
    ]


scope = Table(
    "scope",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String, CheckConstraint("kind IN ('dataset', 'population')"), nullable=False),
    Column("name", String, nullable=False),
    Column("currency", String, CheckConstraint("currency IN ('epsilon', 'rho')"), nullable=False),
    Column("population_id", ForeignKey("scope.id")),
    Column("partition", String),  # the column whose values are disjoint windows
    *_neighbours(nullable=True),  # declared; else the first charge decides
    UniqueConstraint("kind", "name"),
    CheckConstraint("kind = 'dataset' OR (population_id IS NULL AND partition IS NULL)"),
    CheckConstraint("(unit IS NULL) = (adjacency IS NULL)"),
)


def _amounts(least: str) -> list[Column[int]]:
    return [
        Column("epsilon_nano", BigInteger, CheckConstraint(f"epsilon_nano {least}"), nullable=False),
        Column("delta_atto", BigInteger, CheckConstraint("delta_atto >= 0"), nullable=False),
        Column("rho_nano", BigInteger, CheckConstraint(f"rho_nano {least}"), nullable=False),
    ]


def amount_columns(table: Table) -> tuple[Column[int], Column[int], Column[int]]:
    """Return the columns of an amount, in its order."""
    return table.c.epsilon_nano, table.c.delta_atto, table.c.rho_nano


budget_change = Table(
    "budget_change",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("scope_id", ForeignKey("scope.id"), nullable=False),
    *_amounts(">= 0"),
    Column("note", String, nullable=False),
    Column("day", Date, nullable=False),
)

entry = Table(
    "entry",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("scope_id", ForeignKey("scope.id"), nullable=False),
    Column("fingerprint", String, nullable=False),  # of the request: public
    Column("content", String, nullable=False),  # of the records: private, never leaves this database
    *_amounts("> 0"),
    *_neighbours(nullable=False),  # whom the loss is about: the same throughout an account
    Column("mechanism", String, nullable=False),
    Column("request", String, nullable=False),
    Column("part", String),  # the window, where the charge is for one
    Column("day", Date, nullable=False),
    Column("user_column", String),  # since schema 4: which column named the users
    Column("likeness", LargeBinary),  # since schema 4: by what the records are known again; private like the content
    UniqueConstraint("scope_id", "fingerprint"),
)

resumption = Table(
    "resumption",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("entry_id", ForeignKey("entry.id"), nullable=False),
    Column("attempt", Integer, CheckConstraint("attempt >= 2"), nullable=False),
    UniqueConstraint("entry_id", "attempt"),
)

output = Table(
    "output",
    metadata,
    Column("id", ForeignKey("entry.id"), primary_key=True),
    Column("attempt", Integer, CheckConstraint("attempt >= 1"), nullable=False),
    Column("output", LargeBinary, nullable=False),
)

declaration = Table(
    "declaration",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("dataset", String, nullable=False),
    Column("subject", String, CheckConstraint("subject IN ('user_column', 'apart')"), nullable=False),
    Column("value", String, nullable=False),  # the column, or the other dataset
    Column("note", String, nullable=False),
    Column("day", Date, nullable=False),
    UniqueConstraint("dataset", "subject", "value"),
)

period = Table(
    "period",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("entry_id", ForeignKey("entry.id"), nullable=False),  # the charge that opened the life
    Column("name", String, nullable=False),
    Column("generation", Integer, CheckConstraint("generation >= 1"), nullable=False),  # of the allowances after it
    Column("content", String, nullable=False),  # of the records: private, as in a charge
    Column("state", String, nullable=False),  # digest of the allowances after it: private as well
    Column("likeness", LargeBinary),
    Column("day", Date, nullable=False),
    UniqueConstraint("entry_id", "name"),
    UniqueConstraint("entry_id", "generation"),
)

period_run = Table(
    "period_run",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("period_id", ForeignKey("period.id"), nullable=False),
    Column("attempt", Integer, CheckConstraint("attempt >= 2"), nullable=False),
    UniqueConstraint("period_id", "attempt"),
)

period_output = Table(
    "period_output",
    metadata,
    Column("id", ForeignKey("period.id"), primary_key=True),
    Column("attempt", Integer, CheckConstraint("attempt >= 1"), nullable=False),
    Column("output", LargeBinary, nullable=False),
)


def _is_a_key(column: str) -> CheckConstraint:
    return CheckConstraint(f"length({column}) = {LENGTH_OF_KEY}")  # a part of one would be found in a list of keys


officers = Table(
    "officers",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("scope_id", ForeignKey("scope.id"), nullable=False),
    Column("keys", String, nullable=False),  # with a space between; empty: the demand ends
    Column("people", String, nullable=False),  # JSON: the same keys with the names of their holders
    Column("note", String, nullable=False),
    Column("day", Date, nullable=False),
    Column("signer", String, _is_a_key("signer")),  # the officer who decided it; nobody, where the account had none
    Column("signature", String),
    CheckConstraint("(signer IS NULL) = (signature IS NULL)"),
)

filing = Table(
    "filing",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("scope_id", ForeignKey("scope.id"), nullable=False),
    Column("fingerprint", String, nullable=False),  # of the request, as in its charge
    Column("key", String, _is_a_key("key"), nullable=False),  # of whoever asks
    Column("digest", String, nullable=False, unique=True),  # of the terms: what an approval is given for
    Column("terms", String, nullable=False),  # JSON
    Column("told", String, nullable=False),  # the request as it was told, for an officer to read: it names places
    Column("note", String, nullable=False),
    Column("day", Date, nullable=False),
    Column("signature", String, nullable=False),
)

verdict = Table(
    "verdict",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("filing_id", ForeignKey("filing.id"), nullable=False),
    Column("decision", String, CheckConstraint("decision IN ('approved', 'declined')"), nullable=False),
    Column("key", String, _is_a_key("key"), nullable=False),
    Column("name", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("day", Date, nullable=False),
    Column("expires", Date, nullable=False),  # the last day on which it counts
    Column("signature", String, nullable=False),
)

link = Table(
    "link",
    metadata,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("kind", String, nullable=False),
    Column("row_id", Integer, nullable=False),
    Column("public_hash", String, nullable=False, unique=True),
    Column("private_hash", String, nullable=False),
    UniqueConstraint("kind", "row_id"),
)


def is_ledger(connection: Connection) -> bool:
    """Say whether a ledger, of whatever version, is there."""
    return ledger.name in inspect(connection).get_table_names()


def is_empty(connection: Connection) -> bool:
    """Say whether the database has no table at all."""
    return not inspect(connection).get_table_names()


def create_tables(connection: Connection, triggers: Iterable[str]) -> None:
    """Make a ledger in an empty database."""
    metadata.create_all(connection)
    connection.execute(insert(ledger).values(schema_version=SCHEMA_VERSION, genesis=os.urandom(32).hex()))
    for statement in (*VIEWS, *VIEWS_OF_APPROVALS, *triggers):
        connection.exec_driver_sql(statement)


def emptied(location: str) -> LedgerError:
    """Refuse a file or a database that should hold a ledger and holds nothing."""
    return LedgerError(
        f"the ledger {location} is empty: it was cut short, or emptied, and would grant again all that was spent. "
        "Restore it from its newest backup. To begin a new ledger, which knows of no earlier release, remove what is "
        "there first"
    )


@contextmanager
def explained(location: str, without_secrets: Callable[[str], str]) -> Iterator[None]:
    """Say why the database failed, without any stored value or password."""
    try:
        yield
    except SQLAlchemyError as error:
        why = without_secrets(str(error.orig) if isinstance(error, DBAPIError) else type(error).__name__)
        passes = _passes(error)
        remedy = (
            "run the same command again, in a while: nothing is charged twice"
            if passes
            else "mend its file or permissions"
        )
        raise (LedgerBusy if passes else LedgerError)(
            f"the ledger {location} cannot be used: {why}. Do this: {remedy}. A ledger made elsewhere would not know "
            "what was spent"
        ) from None


def _passes(error: SQLAlchemyError) -> bool:
    """Tell what may be over in a minute (no server, a lock, a full disk) from what only a person can mend.

    A server that refuses a name or a password cannot be told from one that is away: the driver says no more.
    """
    if not isinstance(error, OperationalError):
        return False
    of_a_file = getattr(error.orig, "sqlite_errorcode", None)
    return of_a_file is None or of_a_file & PRIMARY in PASSING
