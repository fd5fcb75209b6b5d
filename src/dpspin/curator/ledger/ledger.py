"""The ledger: reserve, then draw noise in memory, then commit, then publish what ``commit`` returned.

A reservation counts as spent at once and is durable before noise exists, so a crash can waste budget but never grant
it. A request is identified by dataset and fingerprint, both public; it is charged once, and once it is committed its
noise is never drawn again. A digest of the records is kept to notice that they changed, or that they are known under
another name; it never leaves the database.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from dpspin.boundary.account import Window
from dpspin.boundary.accounting import Cost, Neighbours, Rho
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger import accounts, chain, refusal, rows
from dpspin.curator.ledger.account import Budget, Committed, Decision, HistoryRow, Kind, Overview, Reserved
from dpspin.curator.ledger.accounts import Account, Terms
from dpspin.curator.ledger.amounts import Amount, Currency, cap_of, charge_of, currency_of, loss_rounded_up
from dpspin.curator.ledger.schema import require_our_schema
from dpspin.curator.ledger.stores import Store, store_of
from dpspin.curator.ledger.verify import Checked, check_ledger
from dpspin.errors import LedgerError


def open_ledger(url_or_path: str | Path) -> "Ledger":
    """Open the ledger at a path, a ``sqlite:///`` or a ``postgresql://`` URL; an absent one is created."""
    return Ledger(store_of(url_or_path))


class Ledger:
    """Budgets and charges of all datasets in one database. Safe to use from many threads and processes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._engine = store.engine()
        with self._transaction() as connection:
            require_our_schema(connection, self._location, store.guards)

    def __repr__(self) -> str:
        return f"Ledger({self._location!r})"

    @property
    def _location(self) -> str:
        return self._store.location

    def set_budget(
        self,
        dataset: str,
        cap: PrivacyLoss | Rho,
        note: str = "",
        *,
        population: str | None = None,
        partition: str | None = None,
        neighbours: Neighbours | None = None,
    ) -> None:
        """Create a dataset's budget or change its cap; every change is kept. Never below what is spent.

        ``population`` names people who appear in several datasets: every release is charged to their account as well.
        ``partition`` declares that each record belongs to exactly one window, named by its value in that column.
        ``neighbours`` says whom the total is about; left out, the first charge decides it.
        """
        self._set(Terms(Kind.DATASET, dataset, currency_of(cap), population, partition, neighbours), cap_of(cap), note)

    def set_population_budget(
        self, population: str, cap: PrivacyLoss | Rho, note: str = "", *, neighbours: Neighbours | None = None
    ) -> None:
        """Create or change the budget of people who appear in several datasets."""
        self._set(Terms(Kind.POPULATION, population, currency_of(cap), neighbours=neighbours), cap_of(cap), note)

    def _set(self, terms: Terms, cap: Amount, note: str) -> None:
        for name in (terms.name, terms.population, terms.partition):
            _require_plain_name(name)
        with self._transaction() as connection:
            account = accounts.account_of(connection, terms.kind, terms.name)
            if account is not None:
                _require_changeable(account, terms, cap)
                accounts.add_cap(connection, account.scope_id, cap, note)
                return
            if terms.population is not None:
                self._require(connection, Kind.POPULATION, terms.population)
            accounts.add_cap(connection, accounts.add_account(connection, terms), cap, note)

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

    def check(
        self,
        dataset: str,
        fingerprint: str,
        cost: Cost,
        first: PrivacyLoss | None = None,
        window: Window | None = None,
    ) -> None:
        """Refuse, before any record is read, what cannot be afforded.

        A request that was charged before passes: it is answered for free. ``first`` is the budget that a dataset
        gets with its first charge where nobody decided one; without it an unknown dataset is refused.
        """
        with self._transaction() as connection:
            account = self._account(connection, dataset, first, charge_of(cost))
            if rows.entry_of(connection, account, fingerprint) is None:
                self._require_chargeable(connection, account, cost, window)

    def stored(self, dataset: str, *, fingerprint: str, content: str, first: PrivacyLoss | None = None) -> bytes | None:
        """Return the output of a request that was committed before, charging and changing nothing."""
        with self._transaction() as connection:
            known = _known(connection, self._account(connection, dataset, first), fingerprint, content)
        return known.output if known else None

    def reserve(
        self,
        dataset: str,
        *,
        fingerprint: str,
        content: str,
        cost: Cost,
        request_json: str,
        first: PrivacyLoss | None = None,
        window: Window | None = None,
    ) -> Reserved | Committed:
        """Charge the request durably, or resume it, or return its stored output.

        ``content`` is a digest of private records and stays in the database. ``request_json`` describes the request
        in public terms and names its mechanism: ``{"mechanism": {"kind": "laplace"}, …}``. A dataset's population pays
        in the same transaction.
        """
        mechanism = rows.mechanism_of(request_json)
        charge = rows.Charge(fingerprint, content, charge_of(cost), cost.neighbours, mechanism, request_json, window)
        with self._transaction() as connection:
            account = self._account(connection, dataset, first, charge.amount)
            known = _known(connection, account, fingerprint, content)
            if known is not None:
                return rows.answer_again(connection, account, known, charge)
            self._require_chargeable(connection, account, cost, window)
            return rows.add_entry(connection, accounts.made_real(connection, account), charge)

    def commit(self, reserved: Reserved, output: bytes) -> bytes:
        """Store the output of a reservation and return what is stored: publish that, and nothing else.

        A run that was overtaken by a newer attempt loses its own output and gets the winner's.
        """
        with self._transaction() as connection:
            stored = rows.store_output(connection, reserved, output)
        if stored is None:
            raise LedgerError(
                "another run took this request over and has not finished, so this run's output is thrown away. "
                "Repeat the request: it costs nothing more"
            )
        return stored

    def history(self, dataset: str | None = None) -> tuple[HistoryRow, ...]:
        """Return every charge, oldest first, of one dataset or of all."""
        with self._transaction() as connection:
            return rows.history_of(connection, dataset)

    def decisions(self, dataset: str | None = None) -> tuple[Decision, ...]:
        """Return every budget that was decided, oldest first, of one dataset or of all."""
        with self._transaction() as connection:
            return accounts.decisions_of(connection, dataset)

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

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Hold the write lock; commit at the end, or roll back and say why without any stored value or password."""
        try:
            with self._engine.begin() as connection:
                yield connection
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

    def _account(
        self, connection: Connection, dataset: str, first: PrivacyLoss | None, asked: Amount | None = None
    ) -> Account:
        """Return a dataset's account, or the one that its first charge makes (never below that charge itself)."""
        account = accounts.account_of(connection, Kind.DATASET, dataset)
        if account is not None:
            return account
        if first is None:
            raise refusal.unknown_account(Kind.DATASET, dataset, self._location)
        _require_plain_name(dataset)
        whole = loss_rounded_up(first)
        cap = whole if asked is not None and asked.paid_in(Currency.EPSILON) == whole else cap_of(first)
        return Account(None, Terms(Kind.DATASET, dataset, Currency.EPSILON), cap)

    def _require_chargeable(self, connection: Connection, account: Account, cost: Cost, window: Window | None) -> None:
        """Ask the dataset's account, then its population's: people may be in several windows, so there all add up."""
        population, asked = accounts.population_of(connection, account), charge_of(cost)
        for payer in (account, population):
            if payer is not None and payer.neighbours not in {None, cost.neighbours}:
                raise refusal.other_neighbours(payer.terms, payer.neighbours, cost.neighbours)
        if window is not None and window.partition != account.terms.partition:
            raise refusal.window_without_partition(account, window)
        budget = account.budget(None if window is None else window.name)
        if not budget.covers(asked):
            raise refusal.over_budget(account.terms, budget, asked, self._location)
        if population is not None and not population.budget().covers(asked):
            raise refusal.over_budget(population.terms, population.budget(), asked, self._location)


def _require_changeable(account: Account, terms: Terms, cap: Amount) -> None:
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


def _known(connection: Connection, account: Account, fingerprint: str, content: str) -> rows.Entry | None:
    """Find the entry of a request and hold the records against it.

    What is published must not tell whether records changed, so the same request never gets a second output.
    """
    known = rows.entry_of(connection, account, fingerprint)
    if known is not None and known.content != content:
        raise refusal.other_records(account.terms.name)
    if (other := rows.other_name_of(connection, account, content)) is not None:
        raise refusal.other_name(account.terms.name, other)
    return known


def _require_plain_name(name: str | None) -> None:
    if name is None:
        return
    if not name.isprintable() or name != name.strip() or name.startswith("-") or not name:
        raise LedgerError(
            "a name must be printable text without spaces around it or a dash in front, so that two names that look "
            "alike are one"
        )
