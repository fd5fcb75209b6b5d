"""The tables, in portable SQL. Rows are only ever added; the one change allowed is reserved -> committed."""

from collections.abc import Callable

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
    select,
)

from dpspin.errors import LedgerError

SCHEMA_VERSION = 1

metadata = MetaData()

ledger = Table("dpspin_ledger", metadata, Column("schema_version", Integer, primary_key=True))

scope = Table(
    "scope",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("dataset", String, nullable=False, unique=True),
)

# The newest row of a scope is its cap.
budget_change = Table(
    "budget_change",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("scope_id", ForeignKey("scope.id"), nullable=False),
    Column("epsilon_nano", BigInteger, CheckConstraint("epsilon_nano >= 0"), nullable=False),
    Column("delta_atto", BigInteger, CheckConstraint("delta_atto >= 0"), nullable=False),
    Column("note", String, nullable=False),
    Column("day", Date, nullable=False),
)

entry = Table(
    "entry",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("scope_id", ForeignKey("scope.id"), nullable=False),
    Column("fingerprint", String, nullable=False),  # of the request: public
    Column("content", String, nullable=False),  # of the records: private, never leaves this file
    Column("epsilon_nano", BigInteger, CheckConstraint("epsilon_nano > 0"), nullable=False),
    Column("delta_atto", BigInteger, CheckConstraint("delta_atto >= 0"), nullable=False),
    Column("mechanism", String, nullable=False),
    Column("request", String, nullable=False),
    Column("state", String, CheckConstraint("state IN ('reserved', 'committed')"), nullable=False),
    Column("attempt", Integer, CheckConstraint("attempt >= 1"), nullable=False),
    Column("output", LargeBinary),
    Column("day", Date, nullable=False),
    UniqueConstraint("scope_id", "fingerprint"),
    CheckConstraint("(state = 'committed') = (output IS NOT NULL)"),
)


def require_our_schema(connection: Connection, location: str, create_guards: Callable[[Connection], None]) -> None:
    """Create the tables in an empty database; refuse any other that is not a ledger of this version."""
    tables = inspect(connection).get_table_names()
    if not tables:
        metadata.create_all(connection)
        connection.execute(insert(ledger).values(schema_version=SCHEMA_VERSION))
        create_guards(connection)
    elif ledger.name not in tables:
        raise LedgerError(f"{location} is a database but not a dpspin ledger. Choose another --ledger")
    elif connection.execute(select(ledger.c.schema_version)).scalars().all() != [SCHEMA_VERSION]:
        raise LedgerError(
            f"the ledger {location} was written by another version of dpspin; this one reads schema version "
            f"{SCHEMA_VERSION} only. Use the version that wrote it"
        )
