"""Periods of a series: reserved with the allowances that they leave, then committed. A life's charge pays for all.

Each function works inside a transaction that the caller holds. The newest state of the allowances is the one of the
newest period, reserved or committed: what a reservation takes counts as taken, whether or not its run ever finishes.
"""

from dataclasses import dataclass, field

from sqlalchemy import Connection, func, insert, select

from dpspin.curator.aggregate.likeness import Likeness
from dpspin.curator.ledger import chain
from dpspin.curator.ledger.accounts import Account
from dpspin.curator.ledger.charges import Charge, Committed, Entry, Reserved, entry_of, statement_for
from dpspin.curator.ledger.schema import period, period_output, period_run
from dpspin.errors import LedgerError, RecordsRefused, RequestError


@dataclass(frozen=True, slots=True)
class Generation:
    """A state of the allowances: which one it is, and the digest of its file. In the first, nothing is used."""

    number: int = 0
    digest: str = field(default="", repr=False)  # private: it depends on records


@dataclass(frozen=True, slots=True)
class Claim:
    """What a run asks for: a period, the records that it read, and the allowances before and after."""

    name: str
    content: str = field(repr=False)
    likeness: Likeness | None = field(repr=False)
    before: Generation = Generation()
    after: Generation = Generation()


@dataclass(frozen=True, slots=True)
class Moved:
    """Another period was reserved meanwhile: take its allowances, and claim again. Nothing was reserved."""


@dataclass(frozen=True, slots=True)
class Period:
    """A period that was reserved or committed."""

    id: int
    name: str
    after: Generation
    content: str = field(repr=False)
    output: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a life has come: its periods in order."""

    periods: tuple[Period, ...] = ()

    def find(self, name: str) -> Period | None:
        """Return a period, where it was reserved."""
        return next((each for each in self.periods if each.name == name), None)

    def before(self, name: str) -> Generation:
        """Return the allowances from which a period takes: those that it was reserved with, or the newest."""
        known = self.find(name)
        earlier = self.periods if known is None else self.periods[: known.after.number - 1]
        return earlier[-1].after if earlier else Generation()

    @property
    def oldest_needed(self) -> int:
        """The oldest generation that somebody may still need: the newest, or the one before an unfinished period."""
        unfinished = [each.after.number - 1 for each in self.periods if each.output is None]
        return min([len(self.periods), *unfinished])


def life_of(connection: Connection, account: Account, life: Charge) -> Entry:
    """Find the charge of a life that was opened."""
    known = entry_of(connection, account, life.fingerprint)
    if known is None or known.output is None:
        raise LedgerError(
            "this ledger knows no life of a series with these terms: the dictionary, the map, a column, the calendar "
            "or a bound is another one than was paid for, or this is another ledger. Bring back what was declared when "
            "the life was opened; what has changed for good begins a new series (dpspin series open)",
            code="ledger.unknown-life",
        )
    return known


def standing_of(connection: Connection, life: Entry) -> Standing:
    """Read the periods of a life, in order."""
    rows = select(period, period_output.c.output).outerjoin(period_output).where(period.c.entry_id == life.id)
    return Standing(
        tuple(
            Period(row.id, row.name, Generation(row.generation, row.state), row.content, row.output)
            for row in connection.execute(rows.order_by(period.c.generation))
        )
    )


def require_addable(standing: Standing, name: str, content: str) -> None:
    """Refuse a period that is closed, or was begun with other records."""
    known = standing.find(name)
    if known is not None and known.output is None and known.content != content:
        raise RecordsRefused(
            f"period {name!r} was begun with other records and not finished; what it takes of the allowances is taken. "
            "Repeat it with the very records with which it was begun: nobody has seen its numbers, and it costs "
            "nothing more. If they are gone, go on with the next period",
            code="records-refused.other-period-content",
        )
    if known is None and standing.periods and name <= standing.periods[-1].name:
        raise RequestError(
            f"period {name!r} is closed: {standing.periods[-1].name!r} was added, and periods are added in the order "
            "of the calendar. One that was skipped stays skipped",
            code="request.closed-period",
        )


def reserve(connection: Connection, account: Account, life: Charge, claim: Claim) -> Reserved | Committed | Moved:
    """Reserve a period with the allowances that it leaves; or resume it, or return what was committed."""
    entry = life_of(connection, account, life)
    standing = standing_of(connection, entry)
    known = standing.find(claim.name)
    if known is not None and known.output is not None:
        return Committed(known.output)
    require_addable(standing, claim.name, claim.content)
    if standing.before(claim.name) != claim.before:
        return Moved()
    if known is None:
        return _added(connection, account, life, entry.id, claim)
    if known.after != claim.after:
        raise LedgerError(
            f"period {claim.name!r} was begun by a version of dpspin that counts these records in another way: finish "
            "it with that version, or go on with the next period"
        )
    return _resumed(connection, account, life, known)


def _added(connection: Connection, account: Account, life: Charge, entry_id: int, claim: Claim) -> Reserved:
    period_id, head = chain.add_row(
        connection,
        chain.Linked.PERIOD,
        entry_id=entry_id,
        name=claim.name,
        generation=claim.after.number,
        content=claim.content,
        state=claim.after.digest,
        likeness=None if claim.likeness is None else claim.likeness.to_bytes(),
    )
    return Reserved(period_id, 1, statement_for(connection, account, life, head))


def _resumed(connection: Connection, account: Account, life: Charge, known: Period) -> Reserved:
    attempt = _newest_attempt(connection, known.id) + 1  # fences off the earlier run, whose noise nobody saw
    connection.execute(insert(period_run).values(period_id=known.id, attempt=attempt))
    _, end = chain.end_of_chain(connection)
    return Reserved(known.id, attempt, statement_for(connection, account, life, end.public))


def _newest_attempt(connection: Connection, period_id: int) -> int:
    newest = select(func.max(period_run.c.attempt)).where(period_run.c.period_id == period_id)
    return connection.execute(newest).scalar() or 1


def store_output(connection: Connection, reserved: Reserved, drawn: bytes) -> bytes | None:
    """Commit the output unless a newer attempt took over; return whatever is stored afterwards."""
    stored = select(period_output.c.output).where(period_output.c.id == reserved.entry_id)
    known = connection.execute(stored).scalar()
    if known is not None or _newest_attempt(connection, reserved.entry_id) != reserved.attempt:
        return known
    chain.add_row(connection, chain.Linked.PERIOD_OUTPUT, id=reserved.entry_id, attempt=reserved.attempt, output=drawn)
    return connection.execute(stored).scalar()
