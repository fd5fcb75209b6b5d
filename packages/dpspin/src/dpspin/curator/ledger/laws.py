"""What an account refuses. Each law works inside a transaction that the caller holds, before anything is written."""

import json
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from dpspin.boundary.account import Window
from dpspin.boundary.accounting import Cost
from dpspin.curator.aggregate.likeness import Likeness
from dpspin.curator.ledger import accounts, refusal, rows
from dpspin.curator.ledger.account import Overlap, Subject
from dpspin.curator.ledger.accounts import Account, Terms
from dpspin.curator.ledger.amounts import Amount, charge_of
from dpspin.curator.ledger.declarations import declared, kept_apart
from dpspin.curator.ledger.schema import entry, scope
from dpspin.errors import LedgerError, RequestError


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asks of an account: a price, of a window or of everything, about the users of a column."""

    cost: Cost
    window: Window | None = None
    user_column: str | None = None

    def __post_init__(self) -> None:
        if (self.cost.neighbours.unit == "user") != (self.user_column is not None):
            raise RequestError("a loss about users names the column with the user id, and no other loss does")
        require_printable_column(self.user_column)


def require_chargeable(connection: Connection, account: Account, asked: Asked, location: str) -> None:
    """Ask the dataset's account, then its population's: people may be in several windows, so there all add up."""
    population, amount = accounts.population_of(connection, account), charge_of(asked.cost)
    for payer in (account, population):
        if payer is not None and payer.neighbours not in {None, asked.cost.neighbours}:
            raise refusal.other_neighbours(payer.terms, payer.neighbours, asked.cost.neighbours)
    if asked.user_column is not None:
        require_its_column(connection, account.terms.name, asked.user_column, location)
    if asked.window is not None and asked.window.partition != account.terms.partition:
        raise refusal.window_without_partition(account, asked.window)
    budget = account.budget(None if asked.window is None else asked.window.name)
    if not budget.covers(amount):
        raise refusal.over_budget(account.terms, budget, amount, location)
    if population is not None and not population.budget().covers(amount):
        raise refusal.over_budget(population.terms, population.budget(), amount, location)


def require_its_column(connection: Connection, dataset: str, column: str, location: str) -> None:
    """Refuse a column of which nobody said that it names the account's users; where none is known yet, any will do."""
    known = declared(connection, dataset, Subject.USER_COLUMN)
    if known and column not in known:
        raise refusal.other_column(dataset, known, column, location)


def require_users(account: Account | Terms, dataset: str) -> None:
    """Refuse a user column where the account is, or may come to be, about records."""
    if account.neighbours is None or account.neighbours.unit != "user":
        raise refusal.nothing_to_declare(dataset)


def require_changeable(account: Account, terms: Terms, cap: Amount) -> None:
    """Refuse other terms than those under which earlier charges were made, and a cap below these."""
    known = account.terms
    if known.currency is not terms.currency:
        raise refusal.other_terms(known, f"currency ({known.currency})")
    if terms.population not in {None, known.population}:
        raise refusal.other_terms(known, "population")
    if terms.partition not in {None, known.partition}:
        raise refusal.other_terms(known, "partition")
    if terms.neighbours not in {None, account.neighbours}:
        raise refusal.other_terms(known, "unit or adjacency")
    if not account.spent().fits_in(cap):
        raise refusal.below_spent(known, account.budget(), cap)


def known_entry(connection: Connection, account: Account, fingerprint: str, content: str) -> rows.Entry | None:
    """Find the entry of a request and hold the records against it.

    What is published must not tell whether records changed, so the same request never gets a second output.
    """
    known = rows.entry_of(connection, account, fingerprint)
    if known is not None and known.content != content:
        raise refusal.other_records(account.terms.name)
    if (other := rows.other_name_of(connection, account, content)) is not None:
        raise refusal.other_name(account.terms.name, other)
    return known


def require_unlike(connection: Connection, account: Account, likeness: Likeness | None, location: str) -> None:
    """Refuse records or users of which another account knows a substantial part: they would get a second budget."""
    for overlap in overlaps_of(connection, account, likeness):
        raise refusal.overlapping(account, overlap, location)


def require_one_window(
    connection: Connection, account: Account, window: Window, likeness: Likeness | None, request: str
) -> None:
    """Refuse a window that is read in another way than the account's others, or whose records another one holds.

    Windows compose in parallel because a record is in one of them. Read by another encoding or from another format,
    the same record could carry another window's name.
    """
    of_windows = (entry.c.scope_id == account.scope_id, entry.c.part.is_not(None), entry.c.part != window.name)
    for part, asked, stored in connection.execute(
        select(entry.c.part, entry.c.request, entry.c.likeness).where(*of_windows)
    ):
        if json.loads(asked).get("dialect") != json.loads(request).get("dialect"):
            raise refusal.other_dialect(account.terms.name)
        if stored is not None and likeness is not None and likeness.holds_records_of(Likeness.from_bytes(stored)):
            raise refusal.in_two_windows(account.terms.name, window.name, part)


def overlaps_of(connection: Connection, account: Account, likeness: Likeness | None) -> tuple[Overlap, ...]:
    """Find the accounts that know a substantial part of a collection, but for those that are declared to share it.

    Datasets of one population are, since their losses add up there; and so are those that a person keeps apart.
    """
    if likeness is None:  # of sketch files nothing is known but their digests
        return ()
    apart, found = kept_apart(connection, account.terms.name), {}
    for name, population, stored in _others(connection, account.terms.name):
        together = population is not None and population == account.terms.population
        if name in apart or name in found or together:
            continue
        shared = likeness.shared_with(Likeness.from_bytes(stored))
        if shared is not None:
            found[name] = Overlap(name, population, shared)
    return tuple(found.values())


def _others(connection: Connection, name: str) -> list[tuple[str, str | None, bytes]]:
    """Read what other datasets are known by, oldest first: each state of the data and each window once."""
    people = scope.alias("people")
    once = select(func.max(entry.c.id)).where(entry.c.likeness.is_not(None))
    each_state = once.group_by(entry.c.scope_id, entry.c.content, entry.c.part)
    columns = (scope.c.name, people.c.name, entry.c.likeness)
    of_others = select(*columns).join_from(entry, scope).outerjoin(people, scope.c.population_id == people.c.id)
    chosen = of_others.where(scope.c.name != name, entry.c.id.in_(each_state)).order_by(entry.c.id)
    return [(row[0], row[1], row[2]) for row in connection.execute(chosen)]


def require_plain_name(name: str | None) -> None:
    """Refuse a name that a person cannot read or type."""
    if name is None:
        return
    if not name.isprintable() or name != name.strip() or name.startswith("-") or not name:
        raise LedgerError(
            "a name must be printable text without spaces around it or a dash in front, so that two names that look "
            "alike are one"
        )


def require_printable_column(column: str | None) -> None:
    """Refuse a column whose name cannot be shown: it stands in the plan."""
    if column is not None and not (column and column.isprintable()):
        raise RequestError("the name of the user column has characters that cannot be printed: rename the column")


def require_note(note: str) -> None:
    """Refuse a person's decision without its reason."""
    if not note.strip() or not note.isprintable():
        raise RequestError("say who decided it, and why, in one line: it is kept with the decision")
