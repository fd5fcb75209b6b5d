"""The ledger: reserve, then draw noise in memory, then commit, then publish what ``commit`` returned.

A reservation counts as spent at once and is durable before noise exists, so a crash can waste budget but never grant
it. A request is identified by dataset and fingerprint, both public; it is charged once, and once it is committed its
noise is never drawn again. A digest of the records is kept to notice that they changed, and a small keyed sample to
know most of them again under another name; neither leaves the database.
"""

import os
import warnings
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from sqlalchemy import Connection

from dpspin.boundary.accounting import Neighbours, Rho
from dpspin.boundary.approval import SignedApproval
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.boundary.signing import PublicKey, SigningKey
from dpspin.curator.aggregate.likeness import Likeness
from dpspin.curator.ledger import accounts, approvals, chain, charges, filings, officers, overlaps, periods, refusals
from dpspin.curator.ledger.accounts import Account, Kind, Subject, Terms
from dpspin.curator.ledger.amounts import Amount, Currency, cap_of, currency_of, loss_rounded_up
from dpspin.curator.ledger.approvals import Verdict
from dpspin.curator.ledger.charges import Charge, Committed, Reserved
from dpspin.curator.ledger.filings import Filed
from dpspin.curator.ledger.opened import OpenedLedger
from dpspin.curator.ledger.periods import Claim, Moved, Standing
from dpspin.curator.ledger.stores import store_of
from dpspin.errors import LedgerBusy, LedgerError, NewLedger


def default_ledger() -> str:
    """Return where the ledger is kept: $DPSPIN_LEDGER (a path or a URL), or the user's data folder."""
    if chosen := os.environ.get("DPSPIN_LEDGER"):
        return chosen
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return str(Path(home) / "dpspin" / "ledger.db")


def open_ledger(url_or_path: str | Path | None = None, *, heads: Sequence[str] = (), place: str = "") -> "Ledger":
    """Open the ledger at a path, a ``sqlite:///`` or a ``postgresql://`` URL; an absent one is made, with a warning.

    ``heads`` are the links of what ``place`` holds: a ledger that does not know them would draw it again.
    """
    store = store_of(url_or_path or default_ledger())
    if heads and not store.exists():  # and none is made
        raise refusals.unknown_head(store.location, heads[0], place)
    ledger = Ledger(store)
    if ledger.is_new:
        warnings.warn(ledger.announcement, NewLedger, stacklevel=2)
    ledger.require_heads(heads, place)
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
            refusals.require_plain_name(name)
        with self._transaction() as connection:
            account = accounts.account_of(connection, terms.kind, terms.name)
            if account is not None:
                refusals.require_changeable(account, terms, cap)
            elif terms.population is not None:
                self._require(connection, Kind.POPULATION, terms.population)
            if user_column is not None:
                refusals.require_users(terms if account is None else account, terms.name)
                refusals.require_its_column(connection, terms.name, user_column, self._location)
            scope_id = accounts.add_account(connection, terms) if account is None else account.scope_id
            accounts.add_cap(connection, scope_id, cap, note)
            self._name_users(connection, terms.name, user_column, note)

    def add_user_column(self, dataset: str, column: str, note: str) -> None:
        """Declare that a column names the same users as those before, one by one: it was renamed. It is kept."""
        refusals.require_note(note)
        with self._transaction() as connection:
            refusals.require_users(self._require(connection, Kind.DATASET, dataset), dataset)
            self._name_users(connection, dataset, column, note)

    def keep_apart(self, dataset: str, other: str, note: str) -> None:
        """Declare that two datasets are to have budgets of their own although they look alike. It is kept."""
        refusals.require_note(note)
        refusals.require_plain_name(dataset)
        with self._transaction() as connection:
            self._require(connection, Kind.DATASET, other)
            if dataset == other:
                raise LedgerError("a dataset cannot be apart from itself: name two")
            accounts.declare(connection, dataset, Subject.APART, other, note)

    def _name_users(self, connection: Connection, dataset: str, column: str | None, note: str) -> None:
        charges.require_printable_column(column)
        if column is not None:
            accounts.declare(connection, dataset, Subject.USER_COLUMN, column, note)

    def name_officers(
        self,
        name: str,
        people: Sequence[PublicKey],
        note: str,
        *,
        kind: Kind = Kind.DATASET,
        key: SigningKey | None = None,
    ) -> None:
        """Demand the approval of one of these people for every release that an account pays; nobody ends it.

        Where an account has officers, ``key`` is one of theirs: who may approve is changed by those who may.
        """
        refusals.require_note(note)
        with self._transaction() as connection:
            officers.name_officers(connection, self._require(connection, kind, name), people, note, key)

    def ask(self, charge: Charge, note: str, key: SigningKey) -> Filed:
        """File a request for approval, signed by whoever asks; refuse what the budget would refuse all the same."""
        refusals.require_note(note)
        with self._transaction() as connection:
            account = self._account(connection, charge)
            if charges.entry_of(connection, account, charge.fingerprint) is not None:
                raise refusals.charged_before()
            if not approvals.demanded_by(connection, account):
                raise refusals.no_approval_needed(charge.dataset)
            refusals.require_chargeable(connection, account, charge, self._location)
            return filings.file_request(connection, account, charge, note, key)

    def decide(self, filed: Filed, verdict: Verdict, key: SigningKey) -> SignedApproval:
        """Approve or decline a request that was filed, signed with an officer's key; it is kept in the chain."""
        with self._transaction() as connection:
            account = self._require(connection, Kind.DATASET, filed.dataset)
            known = filings.filings_of(connection, account, filed.fingerprint)
            newest = next((each for each in known if each.digest == filed.digest), None)
            if newest is None:
                raise refusals.unknown_filing("no request begins", self._location)
            return approvals.decide(connection, account, newest, verdict, key)

    def check(self, charge: Charge) -> None:
        """Refuse, before any record is read, what cannot be afforded, or is about others than the account.

        A request that was charged before passes, in the words that were approved: it is answered for free.
        """
        with self._transaction() as connection:
            account = self._account(connection, charge)
            if charges.entry_of(connection, account, charge.fingerprint) is None:
                refusals.require_allowed(connection, account, charge, self._location)
            else:
                approvals.require_in_approved_words(connection, account, charge)

    def stored(self, charge: Charge, content: str) -> Committed | None:
        """Return the output of a request that was committed before, charging and changing nothing."""
        with self._transaction() as connection:
            known = refusals.known_entry(connection, self._account(connection, charge), charge, content)
        return known.committed if known else None

    def likeness_key(self) -> bytes:
        """Return the secret under which records and users are hashed before a sample of them is kept here."""
        with self._transaction() as connection:
            return chain.key_for(connection, b"dpspin likeness")

    def drawing_key(self, drawing: str, content: str) -> bytes:
        """Return the secret that decides who is drawn into a sample: the same for the same drawing and records."""
        with self._transaction() as connection:
            key = chain.key_for(connection, b"dpspin drawing")
        return blake2b(f"{drawing} {content}".encode(), key=key, digest_size=32).digest()

    def require_unlike(self, charge: Charge, likeness: Likeness | None) -> None:
        """Refuse records or users that another account has paid for; a request that was charged before passes."""
        with self._transaction() as connection:
            account = self._account(connection, charge)
            if charges.entry_of(connection, account, charge.fingerprint) is None:
                overlaps.require_unlike(connection, account, likeness, self._location)

    def reserve(self, charge: Charge, content: str, likeness: Likeness | None = None) -> Reserved | Committed:
        """Charge the request durably, or resume it, or return its stored output. A dataset's population pays as well.

        ``content`` is a digest of private records, and ``likeness`` a sample to know most of them again; both stay in
        the database.
        """
        with self._transaction() as connection:
            account = self._account(connection, charge)
            known = refusals.known_entry(connection, account, charge, content)
            if known is not None:
                return charges.answer_again(connection, account, known, charge)
            refusals.require_allowed(connection, account, charge, self._location)
            overlaps.require_unlike(connection, account, likeness, self._location)
            refusals.require_one_window(connection, account, charge, likeness)
            account = accounts.made_real(connection, account)
            self._name_users(connection, charge.dataset, charge.user_column, "named by the first charge")
            return charges.add_entry(connection, account, charge, content, likeness)

    def commit(self, reserved: Reserved, output: bytes) -> Committed:
        """Store the output of a reservation and return what is stored: publish that, and nothing else.

        A run that was overtaken by a newer attempt loses its own output and gets the winner's.
        """
        with self._transaction() as connection:
            stored = charges.store_output(connection, reserved, output)
        return _unless_overtaken(stored)

    def allowance_key(self, life: Charge) -> bytes:
        """Return the secret under which the users of a life are named in its allowances."""
        with self._transaction() as connection:
            key = chain.key_for(connection, b"dpspin allowance")
        return blake2b(f"{life.dataset} {life.fingerprint}".encode(), key=key, digest_size=32).digest()

    def standing(self, life: Charge) -> Standing:
        """Return how far the life of a series has come; refuse one that was not opened here."""
        with self._transaction() as connection:
            account = self._require(connection, Kind.DATASET, life.dataset)
            return periods.standing_of(connection, periods.life_of(connection, account, life))

    def reserve_period(self, life: Charge, claim: Claim) -> Reserved | Committed | Moved:
        """Reserve a period of a life durably, with the allowances that it leaves; nothing more is charged for it."""
        with self._transaction() as connection:
            account = self._require(connection, Kind.DATASET, life.dataset)
            periods.require_own_records(connection, account, claim, self._location)
            return periods.reserve(connection, account, life, claim)

    def commit_period(self, reserved: Reserved, output: bytes) -> Committed:
        """Store what was drawn for a period and return what is stored: publish that, and nothing else."""
        with self._transaction() as connection:
            stored = periods.store_output(connection, reserved, output)
        return _unless_overtaken(stored)

    def _account(self, connection: Connection, charge: Charge) -> Account:
        """Return a dataset's account, or the one that its first charge makes (never below that charge itself)."""
        account = accounts.account_of(connection, Kind.DATASET, charge.dataset)
        if account is not None:
            return account
        if charge.first is None:
            raise refusals.unknown_account(Kind.DATASET, charge.dataset, self._location)
        refusals.require_plain_name(charge.dataset)
        refusals.require_unguarded(connection, charge.dataset, self._location)
        whole = loss_rounded_up(charge.first)
        cap = whole if charge.amount.paid_in(Currency.EPSILON) == whole else cap_of(charge.first)
        return Account(None, Terms(Kind.DATASET, charge.dataset, Currency.EPSILON), cap)


def _unless_overtaken(stored: Committed | None) -> Committed:
    if stored is None:
        raise LedgerBusy(
            "another run took this request over and has not finished, so this run's output is thrown away. "
            "Repeat the request: it costs nothing more"
        )
    return stored
