"""Accounts: what is decided and declared of them, and what they have spent.

Each function works inside a transaction that the caller holds.
"""

from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import reduce
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, func, select

from dpspin.boundary.accounting import Neighbours
from dpspin.boundary.privacy import Adjacency
from dpspin.curator.ledger import chain
from dpspin.curator.ledger.amounts import Amount, Budget, Currency
from dpspin.curator.ledger.schema import amount_columns, budget_change, declaration, entry, scope

NOTHING = Amount(0)


class Kind(StrEnum):
    """An account belongs to one dataset, or to people who appear in several."""

    DATASET = "dataset"
    POPULATION = "population"


class Subject(StrEnum):
    """What is declared of a dataset: a column that names its users, or a dataset from which it is kept apart.

    Which records are one user's is decided by a column, so an account about users is about the users of *that* column:
    losses about customers and about households do not add up. A second column can be declared to name the same people.
    """

    USER_COLUMN = "user_column"
    APART = "apart"


@dataclass(frozen=True, slots=True)
class Terms:
    """What is decided about an account when it is made, and never changes."""

    kind: Kind
    name: str
    currency: Currency
    population: str | None = None
    partition: str | None = None
    neighbours: Neighbours | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """An account as the database knows it."""

    scope_id: int | None  # None: it is made by its first charge
    terms: Terms
    cap: Amount
    outside_windows: Amount = NOTHING
    windows: dict[str, Amount] = field(default_factory=dict)
    charged: Neighbours | None = None  # whom the charges so far are about: all are about the same

    @property
    def neighbours(self) -> Neighbours | None:
        """Whom the account's losses are about: as declared when it was made, or as its first charge decided."""
        return self.terms.neighbours or self.charged

    def budget(self, window: str | None = None) -> Budget:
        """Return cap and spending; with a window, as the records in it see them: other windows concern others."""
        return Budget(self.spent(window), self.cap, self.terms.currency)

    def spent(self, window: str | None = None) -> Amount:
        """Add what counts for every record and the largest window, or the one that is named."""
        largest = reduce(Amount.at_least, self.windows.values(), NOTHING)
        within = largest if window is None else self.windows.get(window, NOTHING)
        return (self.outside_windows + within).paid_in(self.terms.currency)


_people = scope.alias("people")
SCOPES = select(scope, _people.c.name.label("population")).outerjoin(_people, scope.c.population_id == _people.c.id)


def account_of(connection: Connection, kind: Kind, name: str) -> Account | None:
    """Read an account's cap and the sums of its charges, reserved ones included."""
    row = connection.execute(SCOPES.where(scope.c.kind == kind.value, scope.c.name == name)).one_or_none()
    return None if row is None else account_in(connection, row)


def population_of(connection: Connection, account: Account) -> Account | None:
    """Read the account of the population to which a dataset belongs."""
    name = account.terms.population
    return None if name is None else account_of(connection, Kind.POPULATION, name)


def account_in(connection: Connection, row: "Row[Any]") -> Account:
    """Complete a row of ``SCOPES``: add up the charges of a dataset by window, and those of a population's members.

    A person may be in several datasets and in several windows, so there everything adds up.
    """
    newest_cap = select(*amount_columns(budget_change)).where(budget_change.c.scope_id == row.id)
    cap = Amount(*connection.execute(newest_cap.order_by(budget_change.c.id.desc()).limit(1)).one())
    account = Account(row.id, terms_in(row, row.population), cap)
    about: Select[Any] = select(entry.c.unit, entry.c.adjacency).join_from(entry, scope).limit(1)
    by_window = select(entry.c.part, *map(func.sum, amount_columns(entry))).join_from(entry, scope)
    rows = connection.execute(by_window.where(paid_by(account)).group_by(entry.c.part))
    sums = {part: Amount(*map(int, parts)) for part, *parts in rows}
    first = connection.execute(about.where(paid_by(account))).one_or_none()
    account = replace(account, charged=None if first is None else neighbours_in(first))
    if account.terms.kind is Kind.POPULATION:
        return replace(account, outside_windows=sum(sums.values(), NOTHING))
    return replace(account, outside_windows=sums.pop(None, NOTHING), windows=sums)


def terms_in(row: "Row[Any]", population: str | None) -> Terms:
    """Read the terms of an account out of its row."""
    return Terms(Kind(row.kind), row.name, Currency(row.currency), population, row.partition, neighbours_in(row))


def neighbours_in(row: "Row[Any]") -> Neighbours | None:
    """Read whom losses are about out of the row of an account, which may leave it open, or of a charge."""
    return None if row.unit is None else Neighbours(row.unit, Adjacency(row.adjacency))


def paid_by(account: Account) -> ColumnElement[bool]:
    """Say which charges an account paid: a dataset its own, a population those of its members."""
    payer = entry.c.scope_id if account.terms.kind is Kind.DATASET else scope.c.population_id
    return payer == account.scope_id


def made_real(connection: Connection, account: Account) -> Account:
    """Make an account that was only described; the charge follows in the same transaction."""
    if account.scope_id is not None:
        return account
    scope_id = add_account(connection, account.terms)
    add_cap(connection, scope_id, account.cap, "set by the first release")
    return replace(account, scope_id=scope_id)


def add_account(connection: Connection, terms: Terms) -> int:
    """Add an account; its population must be there."""
    population = None if terms.population is None else account_of(connection, Kind.POPULATION, terms.population)
    scope_id, _ = chain.add_row(
        connection,
        chain.Linked.SCOPE,
        kind=terms.kind.value,
        name=terms.name,
        currency=terms.currency.value,
        population_id=None if population is None else population.scope_id,
        partition=terms.partition,
        unit=None if terms.neighbours is None else terms.neighbours.unit,
        adjacency=None if terms.neighbours is None else terms.neighbours.adjacency.value,
    )
    return scope_id


def add_cap(connection: Connection, scope_id: int | None, cap: Amount, note: str) -> None:
    """Append a cap: the newest holds."""
    chain.add_row(connection, chain.Linked.BUDGET, scope_id=scope_id, **asdict(cap), note=note)


def declare(connection: Connection, dataset: str, subject: Subject, value: str, note: str) -> None:
    """Add a declaration; one that was made before stays as it is."""
    if value not in declared(connection, dataset, subject):
        told = {"dataset": dataset, "subject": subject.value, "value": value, "note": note}
        chain.add_row(connection, chain.Linked.DECLARATION, **told)


def declared(connection: Connection, dataset: str, subject: Subject) -> tuple[str, ...]:
    """Return what was declared of a dataset, oldest first."""
    of_it = (declaration.c.dataset == dataset, declaration.c.subject == subject.value)
    return tuple(connection.execute(select(declaration.c.value).where(*of_it).order_by(declaration.c.id)).scalars())


def kept_apart(connection: Connection, dataset: str) -> frozenset[str]:
    """Return the datasets that somebody declared to be others than this one, whichever was named first."""
    apart = declaration.c.subject == Subject.APART.value
    others = select(declaration.c.dataset).where(apart, declaration.c.value == dataset)
    return frozenset((*declared(connection, dataset, Subject.APART), *connection.execute(others).scalars()))
