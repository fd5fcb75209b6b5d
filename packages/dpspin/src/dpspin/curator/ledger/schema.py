"""The tables, in portable SQL. Rows are only ever added: a change of state is a row of its own.

scope        an account: a dataset, or a population of people who appear in several datasets
budget_change   what somebody decided for it; the newest row is its cap
entry        a charge to a dataset, and through it to the dataset's population
resumption   a run that took over a reserved charge
output       what was drawn for a charge: the charge is committed
declaration  what a person said of a dataset, or its first charge: which column names its users, what it is apart from
link         the hash chain over all of these but resumptions
"""

import os
from collections.abc import Iterable

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

SCHEMA_VERSION = 4

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

# The one definition of an account's total that the triggers use. Windows of a dataset are disjoint sets of records, so
# the largest counts; a population is people, who may have records in several windows, so there everything adds up.
VIEWS = (
    """
    CREATE VIEW spent_by_part AS
    SELECT scope_id, part, sum(epsilon_nano) AS epsilon_nano, sum(delta_atto) AS delta_atto, sum(rho_nano) AS rho_nano
    FROM entry GROUP BY scope_id, part
    """,
    """
    CREATE VIEW spent AS
    SELECT scope_id, sum(epsilon_nano) AS epsilon_nano, sum(delta_atto) AS delta_atto, sum(rho_nano) AS rho_nano
    FROM (
        SELECT scope_id, epsilon_nano, delta_atto, rho_nano FROM spent_by_part WHERE part IS NULL
        UNION ALL
        SELECT scope_id, max(epsilon_nano), max(delta_atto), max(rho_nano)
        FROM spent_by_part WHERE part IS NOT NULL GROUP BY scope_id
        UNION ALL
        SELECT member.population_id, entry.epsilon_nano, entry.delta_atto, entry.rho_nano
        FROM entry JOIN scope AS member ON member.id = entry.scope_id WHERE member.population_id IS NOT NULL
    ) AS share GROUP BY scope_id
    """,
    """
    CREATE VIEW overspent AS
    SELECT scope.id FROM spent JOIN scope ON scope.id = spent.scope_id
    LEFT JOIN (SELECT scope_id, max(id) AS id FROM budget_change GROUP BY scope_id) AS newest
        ON newest.scope_id = scope.id
    LEFT JOIN budget_change AS cap ON cap.id = newest.id
    WHERE (scope.currency = 'rho' AND spent.rho_nano > coalesce(cap.rho_nano, -1))
       OR (scope.currency = 'epsilon' AND (spent.epsilon_nano > coalesce(cap.epsilon_nano, -1)
                                           OR spent.delta_atto > coalesce(cap.delta_atto, -1)))
    """,
)


def is_ledger(connection: Connection) -> bool:
    """Say whether a ledger, of whatever version, is there."""
    return ledger.name in inspect(connection).get_table_names()


def is_empty(connection: Connection) -> bool:
    """Say whether the database has no table at all."""
    return not inspect(connection).get_table_names()


def create_tables(connection: Connection, guards: Iterable[str]) -> None:
    """Make a ledger in an empty database."""
    metadata.create_all(connection)
    connection.execute(insert(ledger).values(schema_version=SCHEMA_VERSION, genesis=os.urandom(32).hex()))
    for statement in (*VIEWS, *guards):
        connection.exec_driver_sql(statement)
