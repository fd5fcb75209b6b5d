"""Periods of a series: reserved with the allowances that they leave, then committed. A life's charge pays for all.

Each function works inside a transaction that the caller holds. The newest state of the allowances is the one of the
newest period, reserved or committed: what a reservation takes counts as taken, whether or not its run ever finishes.
"""

from dataclasses import dataclass, field

from sqlalchemy import Connection, func, select

from dpspin.curator.aggregate.likeness import Likeness
from dpspin.curator.ledger import chain, overlaps
from dpspin.curator.ledger.accounts import Account
from dpspin.curator.ledger.charges import (
    Charge,
    Committed,
    Entry,
    Reserved,
    committed_in,
    entry_of,
    other_name_of,
    statement_for,
    stored_once,
)
from dpspin.curator.ledger.schema import link, period, period_output, period_run
from dpspin.errors import LedgerError, RecordsRefused, RequestError, command_line


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
    committed: Committed | None


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
        unfinished = [each.after.number - 1 for each in self.periods if each.committed is None]
        return min([len(self.periods), *unfinished])


def life_of(connection: Connection, account: Account, life: Charge) -> Entry:
    """Find the charge of a life that was opened."""
    known = entry_of(connection, account, life.fingerprint)
    if known is None or known.committed is None:
        raise LedgerError(
            "this ledger knows no life of a series with these terms: the dictionary, the map, a column, the calendar "
            "or a bound is another one than was paid for, or this is another ledger. Bring back what was declared when "
            "the life was opened; what has changed for good begins a new series (dpspin series open)",
            code="ledger.unknown-life",
        )
    return known


def standing_of(connection: Connection, life: Entry) -> Standing:
    """Read the periods of a life, in order."""
    stored = select(period, period_output.c.output, link.c.public_hash).outerjoin(period_output)
    linked = stored.outerjoin(link, chain.link_of(chain.Linked.PERIOD_OUTPUT)).where(period.c.entry_id == life.id)
    return Standing(
        tuple(
            Period(
                row.id,
                row.name,
                Generation(row.generation, row.state),
                row.content,
                committed_in(row.output, row.public_hash),
            )
            for row in connection.execute(linked.order_by(period.c.generation))
        )
    )


def require_addable(standing: Standing, name: str, content: str) -> None:
    """Refuse a period that is closed, or was begun with other records."""
    known = standing.find(name)
    if known is not None and known.committed is None and known.content != content:
        raise RecordsRefused(
            f"period {name!r} was begun with other records and not finished; what it takes of the allowances is taken. "
            "Repeat it with the very records with which it was begun: nobody has seen its numbers, and it costs "
            "nothing more. If they are gone, go on with the next period",
            code="records-refused.other-period-content",
        )
    require_open(standing, name)


def require_open(standing: Standing, name: str) -> None:
    """Refuse a period that was not begun, and is before one that was."""
    if standing.find(name) is None and standing.periods and name <= standing.periods[-1].name:
        raise RequestError(
            f"period {name!r} is closed: {standing.periods[-1].name!r} was added, and periods are added in the order "
            "of the calendar. One that was skipped stays skipped",
            code="request.closed-period",
        )


def require_own_records(connection: Connection, account: Account, claim: Claim, location: str) -> None:
    """Refuse records or users that another account has paid for: a series pays from one account for good."""
    dataset = account.terms.name
    if (other := other_name_of(connection, account, claim.content)) is not None:
        raise LedgerError(_known_as(dataset, "the records", other))
    for overlap in overlaps.overlaps_of(connection, account, claim.likeness):
        apart = command_line("ledger", "apart", dataset=dataset, from_=overlap.dataset, note="WHY", ledger=location)
        raise LedgerError(
            f"{_known_as(dataset, f'a large part of the {overlap.shared}', overlap.dataset)}. If they are others all "
            f"the same, a person may say why, and the ledger keeps it: {apart}"
        )


def _known_as(dataset: str, what: str, other: str) -> str:
    elsewhere = command_line("series", "open", "FOLDER", dataset=other)
    return (
        f"this ledger knows {what} of this period of {dataset!r} as dataset {other!r}: what is learned about them adds "
        "up, and two budgets would hide that. Nothing was taken. Open a series that pays from that account "
        f"({elsewhere} …)"
    )


def reserve(connection: Connection, account: Account, life: Charge, claim: Claim) -> Reserved | Committed | Moved:
    """Reserve a period with the allowances that it leaves; or resume it, or return what was committed."""
    entry = life_of(connection, account, life)
    standing = standing_of(connection, entry)
    known = standing.find(claim.name)
    if known is not None and known.committed is not None:
        return known.committed
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
    _, head = chain.add_row(connection, chain.Linked.PERIOD_RUN, period_id=known.id, attempt=attempt)
    return Reserved(known.id, attempt, statement_for(connection, account, life, head))


def _newest_attempt(connection: Connection, period_id: int) -> int:
    newest = select(func.max(period_run.c.attempt)).where(period_run.c.period_id == period_id)
    return connection.execute(newest).scalar() or 1


def store_output(connection: Connection, reserved: Reserved, drawn: bytes) -> Committed | None:
    """Commit the output unless a newer attempt took over; return whatever is stored afterwards."""
    newest = _newest_attempt(connection, reserved.entry_id)
    return stored_once(connection, chain.Linked.PERIOD_OUTPUT, reserved, drawn, newest)
