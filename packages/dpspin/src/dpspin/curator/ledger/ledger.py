"""The ledger: reserve, then draw noise in memory, then commit, then publish what ``commit`` returned.

A reservation counts as spent at once and is durable before noise exists, so a crash can waste budget but never grant
it. A request is identified by dataset and fingerprint, both public; it is charged once, and once it is committed its
noise is never drawn again. A digest of the records is kept to notice that they changed, and a small keyed sample to
know most of them again under another name; neither leaves the database.
"""

import os
import warnings
from pathlib import Path

from sqlalchemy import Connection

from dpspin.boundary.account import Window
from dpspin.boundary.accounting import Cost, Neighbours, Rho
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.aggregate.likeness import Likeness
from dpspin.curator.ledger import accounts, chain, declarations, laws, refusal, rows
from dpspin.curator.ledger.account import Committed, Kind, Reserved, Subject
from dpspin.curator.ledger.accounts import Account, Terms
from dpspin.curator.ledger.amounts import Amount, Currency, cap_of, charge_of, currency_of, loss_rounded_up
from dpspin.curator.ledger.laws import Asked
from dpspin.curator.ledger.opened import OpenedLedger
from dpspin.curator.ledger.stores import store_of
from dpspin.errors import LedgerError, NewLedger


def default_ledger() -> str:
    """Return where the ledger is kept: $DPSPIN_LEDGER (a path or a URL), or the user's data folder."""
    if chosen := os.environ.get("DPSPIN_LEDGER"):
        return chosen
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return str(Path(home) / "dpspin" / "ledger.db")


def open_ledger(url_or_path: str | Path | None = None, *, head: str | None = None, place: str = "") -> "Ledger":
    """Open the ledger at a path, a ``sqlite:///`` or a ``postgresql://`` URL; an absent one is made, with a warning.

    ``head`` is where the ledger stood at the release that ``place`` holds: another ledger must not replace it.
    """
    store = store_of(url_or_path or default_ledger())
    if head is not None and not store.exists():  # and none is made
        raise refusal.unknown_head(store.location, head, place)
    ledger = Ledger(store)
    if ledger.is_new:
        warnings.warn(ledger.announcement, NewLedger, stacklevel=2)
    if head is not None:
        ledger.require_head(head, place)
    return ledger


class Ledger(OpenedLedger):
    """Budgets and charges of all datasets in one database. Safe to use from many threads and processes."""

    def set_budget(
        self,
        dataset: str,
        cap: PrivacyLoss | Rho,
        note: str = "",
        *,
        population: str | None = None,
        partition: str | None = None,
        neighbours: Neighbours | None = None,
        user_column: str | None = None,
    ) -> None:
        """Create a dataset's budget or change its cap; every change is kept. Never below what is spent.

        ``population`` names people who appear in several datasets: every release is charged to their account as well.
        ``partition`` declares that each record belongs to exactly one window, named by its value in that column.
        ``neighbours`` says whom the total is about, and ``user_column`` which column names them, where they are users;
        left out, the first charge decides it.
        """
        terms = Terms(Kind.DATASET, dataset, currency_of(cap), population, partition, neighbours)
        self._set(terms, cap_of(cap), note, user_column)

    def set_population_budget(
        self, population: str, cap: PrivacyLoss | Rho, note: str = "", *, neighbours: Neighbours | None = None
    ) -> None:
        """Create or change the budget of people who appear in several datasets."""
        self._set(Terms(Kind.POPULATION, population, currency_of(cap), neighbours=neighbours), cap_of(cap), note)

    def _set(self, terms: Terms, cap: Amount, note: str, user_column: str | None = None) -> None:
        for name in (terms.name, terms.population, terms.partition):
            laws.require_plain_name(name)
        with self._transaction() as connection:
            account = accounts.account_of(connection, terms.kind, terms.name)
            if account is not None:
                laws.require_changeable(account, terms, cap)
            elif terms.population is not None:
                self._require(connection, Kind.POPULATION, terms.population)
            if user_column is not None:
                laws.require_users(terms if account is None else account, terms.name)
                laws.require_its_column(connection, terms.name, user_column, self._location)
            scope_id = accounts.add_account(connection, terms) if account is None else account.scope_id
            accounts.add_cap(connection, scope_id, cap, note)
            self._name_users(connection, terms.name, user_column, note)

    def add_user_column(self, dataset: str, column: str, note: str) -> None:
        """Declare that a column names the same users as those before, one by one: it was renamed. It is kept."""
        laws.require_note(note)
        with self._transaction() as connection:
            laws.require_users(self._require(connection, Kind.DATASET, dataset), dataset)
            self._name_users(connection, dataset, column, note)

    def keep_apart(self, dataset: str, other: str, note: str) -> None:
        """Declare that two datasets are to have budgets of their own although they look alike. It is kept."""
        laws.require_note(note)
        laws.require_plain_name(dataset)
        with self._transaction() as connection:
            self._require(connection, Kind.DATASET, other)
            if dataset == other:
                raise LedgerError("a dataset cannot be apart from itself: name two")
            declarations.declare(connection, dataset, Subject.APART, other, note)

    def _name_users(self, connection: Connection, dataset: str, column: str | None, note: str) -> None:
        laws.require_printable_column(column)
        if column is not None:
            declarations.declare(connection, dataset, Subject.USER_COLUMN, column, note)

    def check(
        self,
        dataset: str,
        fingerprint: str,
        cost: Cost,
        first: PrivacyLoss | None = None,
        window: Window | None = None,
        *,
        user_column: str | None = None,
    ) -> None:
        """Refuse, before any record is read, what cannot be afforded, or is about others than the account.

        A request that was charged before passes: it is answered for free. ``first`` is the budget that a dataset
        gets with its first charge where nobody decided one; without it an unknown dataset is refused.
        """
        asked = Asked(cost, window, user_column)
        with self._transaction() as connection:
            account = self._account(connection, dataset, first, charge_of(cost))
            if rows.entry_of(connection, account, fingerprint) is None:
                laws.require_chargeable(connection, account, asked, self._location)

    def stored(self, dataset: str, *, fingerprint: str, content: str, first: PrivacyLoss | None = None) -> bytes | None:
        """Return the output of a request that was committed before, charging and changing nothing."""
        with self._transaction() as connection:
            known = laws.known_entry(connection, self._account(connection, dataset, first), fingerprint, content)
        return known.output if known else None

    def likeness_key(self) -> bytes:
        """Return the secret under which records and users are hashed before a sample of them is kept here."""
        with self._transaction() as connection:
            return chain.key_for(connection, b"dpspin likeness")

    def require_unlike(self, dataset: str, fingerprint: str, likeness: Likeness | None) -> None:
        """Refuse records or users that another account has paid for; a request that was charged before passes."""
        with self._transaction() as connection:
            account = self._account_or_none_yet(connection, dataset)
            if rows.entry_of(connection, account, fingerprint) is None:
                laws.require_unlike(connection, account, likeness, self._location)

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
        user_column: str | None = None,
        likeness: Likeness | None = None,
    ) -> Reserved | Committed:
        """Charge the request durably, or resume it, or return its stored output.

        ``content`` is a digest of private records and stays in the database. ``request_json`` describes the request
        in public terms and names its mechanism: ``{"mechanism": {"kind": "laplace"}, …}``. A dataset's population pays
        in the same transaction. ``user_column`` names the users, where the loss is about them; ``likeness`` is kept to
        know most of the records again.
        """
        asked, mechanism = Asked(cost, window, user_column), rows.mechanism_of(request_json)
        about = (charge_of(cost), cost.neighbours, mechanism, request_json, window, user_column, likeness)
        charge = rows.Charge(fingerprint, content, *about)
        with self._transaction() as connection:
            account = self._account(connection, dataset, first, charge.amount)
            known = laws.known_entry(connection, account, fingerprint, content)
            if known is not None:
                return rows.answer_again(connection, account, known, charge)
            laws.require_chargeable(connection, account, asked, self._location)
            laws.require_unlike(connection, account, likeness, self._location)
            if window is not None:
                laws.require_one_window(connection, account, window, likeness, request_json)
            account = accounts.made_real(connection, account)
            self._name_users(connection, dataset, user_column, declarations.BY_FIRST_CHARGE)
            return rows.add_entry(connection, account, charge)

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

    def _account(
        self, connection: Connection, dataset: str, first: PrivacyLoss | None, asked: Amount | None = None
    ) -> Account:
        """Return a dataset's account, or the one that its first charge makes (never below that charge itself)."""
        account = accounts.account_of(connection, Kind.DATASET, dataset)
        if account is not None:
            return account
        if first is None:
            raise refusal.unknown_account(Kind.DATASET, dataset, self._location)
        laws.require_plain_name(dataset)
        whole = loss_rounded_up(first)
        cap = whole if asked is not None and asked.paid_in(Currency.EPSILON) == whole else cap_of(first)
        return Account(None, Terms(Kind.DATASET, dataset, Currency.EPSILON), cap)
