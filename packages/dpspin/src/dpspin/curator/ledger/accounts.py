"""Accounts and their budgets: the statements behind them. Each works inside a transaction that the caller holds."""

from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, func, select

from dpspin.boundary.account import AccountStatement, Balance, EpsilonBalance, RhoBalance, Window
from dpspin.boundary.accounting import Neighbours
from dpspin.boundary.privacy import Adjacency
from dpspin.curator.ledger import chain
from dpspin.curator.ledger.account import Budget, Decision, Kind, Overview, Subject
from dpspin.curator.ledger.amounts import Amount, Currency
from dpspin.curator.ledger.declarations import declared
from dpspin.curator.ledger.schema import budget_change, entry, scope
from dpspin.curator.ledger.writing import insert_row, today

NOTHING = Amount(0)


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
        within = self.windows.get(window, NOTHING) if window is not None else self._largest_window
        return (self.outside_windows + within).paid_in(self.terms.currency)

    @property
    def _largest_window(self) -> Amount:
        largest = NOTHING
        for amount in self.windows.values():
            largest = largest.at_least(amount)
        return largest


_people = scope.alias("people")
_SCOPES = select(scope, _people.c.name.label("population")).outerjoin(_people, scope.c.population_id == _people.c.id)


def account_of(connection: Connection, kind: Kind, name: str) -> Account | None:
    """Read an account's cap and the sums of its charges, reserved ones included."""
    row = connection.execute(_SCOPES.where(scope.c.kind == kind.value, scope.c.name == name)).one_or_none()
    return None if row is None else _account(connection, row)


def population_of(connection: Connection, account: Account) -> Account | None:
    """Read the account of the population to which a dataset belongs."""
    name = account.terms.population
    return None if name is None else account_of(connection, Kind.POPULATION, name)


def _account(connection: Connection, row: "Row[Any]") -> Account:
    account = Account(
        row.id, terms_in(row, row.population), _cap(connection, row.id), charged=_charged(connection, row.id)
    )
    if account.terms.kind is Kind.POPULATION:
        return replace(account, outside_windows=_spent_by_members(connection, row.id))
    sums = _spent_by_window(connection, row.id)
    return replace(account, outside_windows=sums.pop(None, NOTHING), windows={str(key): sums[key] for key in sums})


def terms_in(row: "Row[Any]", population: str | None) -> Terms:
    """Read the terms of an account out of its row."""
    return Terms(Kind(row.kind), row.name, Currency(row.currency), population, row.partition, neighbours_in(row))


def neighbours_in(row: "Row[Any]") -> Neighbours | None:
    """Read whom losses are about out of the row of an account, which may leave it open, or of a charge."""
    return None if row.unit is None else Neighbours(row.unit, Adjacency(row.adjacency))


def _charged(connection: Connection, scope_id: int) -> Neighbours | None:
    paid = select(entry.c.unit, entry.c.adjacency).join_from(entry, scope).where(_paid_by(scope_id))
    row = connection.execute(paid.limit(1)).one_or_none()
    return None if row is None else Neighbours(row.unit, Adjacency(row.adjacency))


def _paid_by(scope_id: int | None) -> ColumnElement[bool]:
    return (entry.c.scope_id == scope_id) | (scope.c.population_id == scope_id)


_SUMS = tuple(
    func.coalesce(func.sum(column), 0) for column in (entry.c.epsilon_nano, entry.c.delta_atto, entry.c.rho_nano)
)


def _spent_by_window(connection: Connection, scope_id: int) -> dict[str | None, Amount]:
    statement = select(entry.c.part, *_SUMS).where(entry.c.scope_id == scope_id).group_by(entry.c.part)
    return {row[0]: Amount(*map(int, row[1:])) for row in connection.execute(statement)}


def _spent_by_members(connection: Connection, scope_id: int) -> Amount:
    """Add all charges of all member datasets: a person may be in several of them, and in several windows."""
    statement = select(*_SUMS).join_from(entry, scope).where(scope.c.population_id == scope_id)
    return Amount(*map(int, connection.execute(statement).one()))


def _cap(connection: Connection, scope_id: int) -> Amount:
    columns = (budget_change.c.epsilon_nano, budget_change.c.delta_atto, budget_change.c.rho_nano)
    newest_first = select(*columns).where(budget_change.c.scope_id == scope_id).order_by(budget_change.c.id.desc())
    return Amount(*connection.execute(newest_first.limit(1)).one())


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
    row = {
        "kind": terms.kind.value,
        "name": terms.name,
        "currency": terms.currency.value,
        "population_id": None if population is None else population.scope_id,
        "partition": terms.partition,
        "unit": None if terms.neighbours is None else terms.neighbours.unit,
        "adjacency": None if terms.neighbours is None else terms.neighbours.adjacency.value,
    }
    scope_id = insert_row(connection, scope, row)
    chain.append(connection, chain.Linked.SCOPE, scope_id)
    return scope_id


def add_cap(connection: Connection, scope_id: int | None, cap: Amount, note: str) -> None:
    """Append a cap: the newest holds."""
    row = {
        "scope_id": scope_id,
        "epsilon_nano": cap.epsilon_nano,
        "delta_atto": cap.delta_atto,
        "rho_nano": cap.rho_nano,
        "note": note,
        "day": today(),
    }
    chain.append(connection, chain.Linked.BUDGET, insert_row(connection, budget_change, row))


def statement_for(
    connection: Connection, charged: Account, head: str, *, window: Window | None, user_column: str | None
) -> AccountStatement:
    """Say for a plan who paid: totals after the charge, and the chain's public head. Nothing depends on records."""
    account = _account(connection, connection.execute(_SCOPES.where(scope.c.id == charged.scope_id)).one())
    population = population_of(connection, account)
    payers = (account,) if population is None else (account, population)
    balances = tuple(_balance(payer) for payer in payers)
    return AccountStatement(balances=balances, window=window, user_column=user_column, head=head)


def _balance(account: Account) -> Balance:
    budget, scope_ = account.budget(), account.terms.kind.value
    if budget.currency is Currency.RHO:
        return RhoBalance(scope=scope_, spent_rho=float(budget.spent.rho), cap_rho=float(budget.cap.rho))
    return EpsilonBalance(
        scope=scope_,
        spent_epsilon=float(budget.spent.epsilon),
        spent_delta=float(budget.spent.delta),
        cap_epsilon=float(budget.cap.epsilon),
        cap_delta=float(budget.cap.delta),
    )


def overviews(connection: Connection) -> tuple[Overview, ...]:
    """Read all accounts, datasets first, oldest first."""
    rows = connection.execute(_SCOPES.order_by(scope.c.kind, scope.c.id)).all()
    return tuple(_overview(connection, _account(connection, row)) for row in rows)


def _overview(connection: Connection, account: Account) -> Overview:
    terms = account.terms
    last = _last_charge(connection, account)
    about = (terms.population, terms.partition, account.neighbours)
    columns = declared(connection, terms.name, Subject.USER_COLUMN) if terms.kind is Kind.DATASET else ()
    return Overview(terms.kind, terms.name, account.budget(), *about, last, columns)


def _last_charge(connection: Connection, account: Account) -> Amount | None:
    columns = (entry.c.epsilon_nano, entry.c.delta_atto, entry.c.rho_nano)
    paid = select(*columns).join_from(entry, scope).where(_paid_by(account.scope_id))
    row = connection.execute(paid.order_by(entry.c.id.desc()).limit(1)).one_or_none()
    return None if row is None else Amount(*row)


def decisions_of(connection: Connection, dataset: str | None) -> tuple[Decision, ...]:
    """Read every budget that was decided, oldest first."""
    columns = (scope.c.kind, scope.c.name, scope.c.currency)
    statement = select(budget_change, *columns).join_from(budget_change, scope).order_by(budget_change.c.id)
    if dataset is not None:
        statement = statement.where(scope.c.name == dataset, scope.c.kind == Kind.DATASET.value)
    return tuple(
        Decision(
            row.day,
            Kind(row.kind),
            row.name,
            Currency(row.currency),
            Amount(row.epsilon_nano, row.delta_atto, row.rho_nano),
            row.note,
        )
        for row in connection.execute(statement)
    )
