"""Accounts that know the same records or users: they would have two budgets. Each function works in a transaction."""

import shlex
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from dpspin.curator.aggregate.likeness import Likeness, Shared
from dpspin.curator.ledger import accounts
from dpspin.curator.ledger.accounts import Account, Kind
from dpspin.curator.ledger.officers import officers_of
from dpspin.curator.ledger.schema import entry, period, scope
from dpspin.errors import LedgerError, command_line


@dataclass(frozen=True, slots=True)
class Overlap:
    """An account that knows a substantial part of a collection: its records, or its users."""

    dataset: str
    population: str | None
    shared: Shared
    approved_alike: bool = True  # both demand the approval of the same officers, or of nobody


def require_unlike(connection: Connection, account: Account, likeness: Likeness | None, location: str) -> None:
    """Refuse records or users of which another account knows a substantial part: they would get a second budget."""
    for overlap in overlaps_of(connection, account, likeness):
        dataset, other = account.terms.name, overlap.dataset
        if not overlap.approved_alike:
            raise LedgerError(
                f"a large part of the {overlap.shared} of {dataset!r} is known to this ledger as dataset {other!r}, "
                "and the two demand the approval of different officers: one would be a way around the other. Nothing "
                f"was charged. Use `account.dataset: {shlex.quote(other)}`, or name the same officers for both "
                "(dpspin ledger officers)",
                code="ledger.other-officers",
            )
        command = command_line("ledger", "apart", dataset=dataset, from_=other, note="WHY", ledger=location)
        raise LedgerError(
            f"a large part of the {overlap.shared} of {dataset!r} is known to this ledger as dataset {other!r}: what "
            "is learned about them adds up, and two budgets would hide that. Nothing was charged. "
            f"Use `account.dataset: {shlex.quote(other)}` (with `account.snapshot`, where the data have changed)"
            f"{_in_one_population(account, overlap, location)}. If they are others all the same, a person may say why, "
            f"and the ledger keeps it: {command}"
        )


def _in_one_population(account: Account, overlap: Overlap, location: str) -> str:
    """Offer the population of the other dataset, while this one has no account: membership never changes."""
    if overlap.population is None or account.scope_id is not None:
        return ""
    names = {"dataset": account.terms.name, "population": overlap.population}
    command = command_line("ledger", "init", **names, epsilon="TOTAL", ledger=location)
    return f", or let both be charged to their people as well: {command}"


def overlaps_of(connection: Connection, account: Account, likeness: Likeness | None) -> tuple[Overlap, ...]:
    """Find the accounts that know a substantial part of a collection, but for those that are declared to share it.

    Datasets of one population are, since their losses add up there; and so are those that a person keeps apart. Either
    holds only where both demand the approval of the same officers.
    """
    if likeness is None:  # of sketch files nothing is known but their digests
        return ()
    apart, found = accounts.kept_apart(connection, account.terms.name), {}
    for name, population, stored in _others(connection, account.terms.name):
        together = population is not None and population == account.terms.population
        alike = _approved_alike(connection, account, name)
        if name in found or ((name in apart or together) and alike):
            continue
        shared = likeness.shared_with(Likeness.from_bytes(stored))
        if shared is not None:
            found[name] = Overlap(name, population, shared, alike)
    return tuple(found.values())


def _approved_alike(connection: Connection, account: Account, other: str) -> bool:
    """Say whether two accounts demand the approval of the same officers: else one would be a way around the other."""
    known = accounts.account_of(connection, Kind.DATASET, other)
    officers = () if known is None else officers_of(connection, known)
    return set(officers) == set(officers_of(connection, account))


def _others(connection: Connection, name: str) -> list[tuple[str, str | None, bytes]]:
    """Read what other datasets are known by, oldest first: each state of the data and each window once."""
    people = scope.alias("people")
    once = select(func.max(entry.c.id)).where(entry.c.likeness.is_not(None))
    each_state = once.group_by(entry.c.scope_id, entry.c.content, entry.c.part)
    columns = (scope.c.name, people.c.name, entry.c.likeness)
    of_others = select(*columns).join_from(entry, scope).outerjoin(people, scope.c.population_id == people.c.id)
    chosen = of_others.where(scope.c.name != name, entry.c.id.in_(each_state)).order_by(entry.c.id)
    counted = select(scope.c.name, people.c.name, period.c.likeness).join_from(period, entry).join(scope)
    counted = counted.outerjoin(people, scope.c.population_id == people.c.id)
    in_series = counted.where(scope.c.name != name, period.c.likeness.is_not(None)).order_by(period.c.id)
    return [(row[0], row[1], row[2]) for each in (chosen, in_series) for row in connection.execute(each)]
