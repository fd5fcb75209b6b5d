"""The hash chain: every decision, charge and output is linked to all that came before.

There are two hashes per link. The public one covers what does not depend on the records, and may stand in a release.
The private one covers the digests and samples of the records and the digests of allowances as well, and never leaves
the database: a reader who could guess the records could else confirm the guess. Both begin with a secret random number,
so that nothing can be guessed from a hash.
"""

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, and_, func, insert, select

from dpspin.boundary.model_base import canonical_json
from dpspin.curator.ledger.schema import (
    budget_change,
    declaration,
    entry,
    filing,
    ledger,
    link,
    officers,
    output,
    period,
    period_output,
    period_run,
    resumption,
    scope,
    verdict,
)


class Linked(StrEnum):
    """What is linked."""

    SCOPE = "scope"
    BUDGET = "budget"
    ENTRY = "entry"
    OUTPUT = "output"
    DECLARATION = "declaration"
    PERIOD = "period"
    PERIOD_OUTPUT = "period_output"
    RESUMPTION = "resumption"
    PERIOD_RUN = "period_run"
    OFFICERS = "officers"
    FILING = "filing"
    VERDICT = "verdict"


TABLE: dict[Linked, Table] = dict(
    zip(
        Linked,
        (
            *(scope, budget_change, entry, output, declaration, period, period_output, resumption, period_run),
            *(officers, filing, verdict),
        ),
        strict=True,
    )
)
CONTENT, LIKENESS, STATE = PRIVATE = ("content", "likeness", "state")
SINCE_SCHEMA_4 = ("user_column", "likeness")  # a row that has none is hashed as it was before there were any


@dataclass(frozen=True, slots=True)
class Hashes:
    """The end of a chain, from which it goes on."""

    public: str
    private: str = field(repr=False)

    def then(self, position: int, kind: Linked, row: "Row[Any]") -> "Hashes":
        """Link one more row. Its public part is made of integers and strings; floats have no canonical text."""
        known = {name: value for name, value in row._mapping.items() if name not in SINCE_SCHEMA_4 or value is not None}  # noqa: SLF001  documented
        values = {name: _plain(value) for name, value in known.items() if name not in PRIVATE}
        public = _digest([self.public, position, kind.value, values])
        secrets = [known.get(CONTENT, ""), *(_plain(known[name]) for name in (LIKENESS, STATE) if name in known)]
        return Hashes(public, _digest([self.private, public, *secrets]))


def _plain(value: object) -> object:
    match value:
        case bytes() | memoryview():
            return hashlib.sha256(value).hexdigest()
        case date():
            return value.isoformat()
        case int() | str() | None:
            return value
        case _:
            return repr(value)  # never written by us: it only has to differ from what was


def _digest(value: object) -> str:
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def beginning(connection: Connection) -> Hashes:
    """Return where the chain starts; the secret itself is no hash that anybody sees."""
    genesis = connection.execute(select(ledger.c.genesis)).scalar_one()
    return Hashes(_digest(["public", genesis]), _digest(["private", genesis]))


def key_for(connection: Connection, purpose: bytes) -> bytes:
    """Derive a secret key from the ledger's own; it tells nothing of that one, nor of the chain's hashes."""
    genesis = connection.execute(select(ledger.c.genesis)).scalar_one()
    return hashlib.blake2b(genesis.encode(), digest_size=32, person=purpose).digest()


def end_of_chain(connection: Connection) -> tuple[int, Hashes]:
    """Return the position and the hashes of the last link."""
    last = connection.execute(select(link).order_by(link.c.position.desc()).limit(1)).one_or_none()
    return (0, beginning(connection)) if last is None else (last.position, Hashes(last.public_hash, last.private_hash))


def this_day() -> date:
    """Return the day on which rows are written now, everywhere the same."""
    return datetime.now(UTC).date()


def add_row(connection: Connection, kind: Linked, /, **values: object) -> tuple[int, str]:
    """Add a row and link it; return its key, and the chain's public head.

    Where a row is dated, the day is all the time that is kept.
    """
    table = TABLE[kind]
    dated = {"day": this_day()} if "day" in table.c else {}
    row_id = int(connection.execute(insert(table).values(**dated | values).returning(table.c.id)).scalar_one())
    return row_id, link_row(connection, kind, row_id)


def link_row(connection: Connection, kind: Linked, row_id: int) -> str:
    """Link a row that is there, as the database holds it; return the chain's public head."""
    position, end = end_of_chain(connection)
    hashes = end.then(position + 1, kind, connection.execute(_row(kind, row_id)).one())
    connection.execute(
        insert(link).values(
            position=position + 1,
            kind=kind.value,
            row_id=row_id,
            public_hash=hashes.public,
            private_hash=hashes.private,
        )
    )
    return hashes.public


def _row(kind: Linked, row_id: int) -> Select[Any]:
    return select(TABLE[kind]).where(TABLE[kind].c.id == row_id)


def link_of(kind: Linked) -> ColumnElement[bool]:
    """Say which link is a row's, for a join."""
    return and_(link.c.kind == kind.value, link.c.row_id == TABLE[kind].c.id)


def end_before(connection: Connection, kind: Linked, row_id: int) -> str | None:
    """Return the chain's public head right before a row was linked; None where the row is in no link."""
    mine = select(link.c.position).where(link.c.kind == kind.value, link.c.row_id == row_id)
    position = connection.execute(mine).scalar()
    if position is None:
        return None
    before = connection.execute(select(link.c.public_hash).where(link.c.position == position - 1)).scalar()
    return before or beginning(connection).public


def row_of(connection: Connection, kind: Linked, row_id: int) -> "Row[Any] | None":
    """Read a row that is linked; None also where a cell is not of its column's kind."""
    try:
        return connection.execute(_row(kind, row_id)).one_or_none()
    except (TypeError, ValueError):
        return None


def unlinked(connection: Connection) -> Linked | None:
    """Say which table has a row that is in no link."""
    for kind, table in TABLE.items():
        rows = connection.execute(select(func.count()).select_from(table)).scalar_one()
        links = connection.execute(select(func.count()).select_from(link).where(link.c.kind == kind.value)).scalar_one()
        if rows != links:
            return kind
    return None
