"""An open ledger: its transactions, and everything that can be looked up in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from dpspin.curator.aggregate.likeness import Likeness
from dpspin.curator.ledger import accounts, chain, declarations, laws, refusal, rows
from dpspin.curator.ledger.account import Budget, Decision, Declaration, HistoryRow, Kind, Overlap, Overview
from dpspin.curator.ledger.accounts import Account, Terms
from dpspin.curator.ledger.amounts import Amount, Currency
from dpspin.curator.ledger.stores import Store
from dpspin.curator.ledger.upgrade import require_our_schema
from dpspin.curator.ledger.verify import Checked, check_ledger, knows
from dpspin.errors import LedgerError


class OpenedLedger:
    """A ledger to look into. Every question is one transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        with self._explained():
            self.is_new = store.prepare()
        self._engine = store.engine()
        with self._transaction() as connection:
            require_our_schema(connection, store)

    def __repr__(self) -> str:
        return f"Ledger({self._location!r})"

    @property
    def _location(self) -> str:
        return self._store.location

    @property
    def announcement(self) -> str:
        """What to say when the ledger is new."""
        return f"New ledger: {self._location}. It knows of no earlier release, so every budget in it is full"

    def budget(self, dataset: str) -> Budget | None:
        """Return what is spent and left, or None where no budget was decided."""
        with self._transaction() as connection:
            account = accounts.account_of(connection, Kind.DATASET, dataset)
        return account.budget() if account else None

    def require_budget(self, dataset: str) -> Budget:
        """Return what is spent and left, or say how to decide a budget."""
        with self._transaction() as connection:
            return self._require(connection, Kind.DATASET, dataset).budget()

    def population_of(self, dataset: str) -> str | None:
        """Return the people to whose account a dataset's releases are charged as well."""
        with self._transaction() as connection:
            account = accounts.account_of(connection, Kind.DATASET, dataset)
        return None if account is None else account.terms.population

    def require_population_budget(self, population: str) -> Budget:
        """Return what is spent and left for people who appear in several datasets."""
        with self._transaction() as connection:
            return self._require(connection, Kind.POPULATION, population).budget()

    def overlaps(self, dataset: str, likeness: Likeness | None) -> tuple[Overlap, ...]:
        """Return the accounts that know a substantial part of these records or users; nothing is charged."""
        with self._transaction() as connection:
            return laws.overlaps_of(connection, self._account_or_none_yet(connection, dataset), likeness)

    def history(self, dataset: str | None = None) -> tuple[HistoryRow, ...]:
        """Return every charge, oldest first, of one dataset or of all."""
        with self._transaction() as connection:
            return rows.history_of(connection, dataset)

    def decisions(self, dataset: str | None = None) -> tuple[Decision, ...]:
        """Return every budget that was decided, oldest first, of one dataset or of all."""
        with self._transaction() as connection:
            return accounts.decisions_of(connection, dataset)

    def declarations(self, dataset: str | None = None) -> tuple[Declaration, ...]:
        """Return everything that was declared, oldest first, of one dataset or of all."""
        with self._transaction() as connection:
            return declarations.declarations_of(connection, dataset)

    def overviews(self) -> tuple[Overview, ...]:
        """Return all accounts with what is spent and left: datasets first, oldest first."""
        with self._transaction() as connection:
            return accounts.overviews(connection)

    def charges_of(self, account: Overview) -> tuple[HistoryRow, ...]:
        """Return the charges that an account paid: a dataset's own, or those of a population's datasets."""
        if account.kind is Kind.DATASET:
            return self.history(account.name)
        members = {each.name for each in self.overviews() if each.population == account.name}
        return tuple(replace(row, window=None) for row in self.history() if row.dataset in members)

    def datasets(self) -> tuple[str, ...]:
        """Return the names of all datasets that have a budget, oldest first."""
        return tuple(each.name for each in self.overviews() if each.kind is Kind.DATASET)

    def head(self) -> str:
        """Return the public hash of the last link."""
        with self._transaction() as connection:
            return chain.end_of_chain(connection)[1].public

    def verify(self, head: str | None = None) -> Checked:
        """Recompute the chain and all totals; with ``head``, say whether a hash in a release is in this ledger."""
        with self._transaction() as connection:
            return check_ledger(connection, head)

    def require_head(self, head: str, place: str) -> None:
        """Refuse to go on where a release in ``place`` was charged, and this ledger does not know of it."""
        with self._transaction() as connection:
            if not knows(connection, head):
                raise refusal.unknown_head(self._location, head, place)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Hold the write lock; commit at the end, or roll back."""
        with self._explained(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say why the database failed, without any stored value or password."""
        try:
            yield
        except SQLAlchemyError as error:
            why = str(error.orig) if isinstance(error, DBAPIError) else type(error).__name__
            raise LedgerError(
                f"the ledger {self._location} cannot be used: {self._store.without_secrets(why)}. "
                "If another run is using it, try again; otherwise mend its file or permissions. "
                "A ledger made elsewhere would not know what was spent"
            ) from None

    def _require(self, connection: Connection, kind: Kind, name: str) -> Account:
        account = accounts.account_of(connection, kind, name)
        if account is None:
            raise refusal.unknown_account(kind, name, self._location)
        return account

    def _account_or_none_yet(self, connection: Connection, dataset: str) -> Account:
        """Return a dataset's account, or one that knows of no charge."""
        none_yet = Account(None, Terms(Kind.DATASET, dataset, Currency.EPSILON), Amount(0))
        return accounts.account_of(connection, Kind.DATASET, dataset) or none_yet
