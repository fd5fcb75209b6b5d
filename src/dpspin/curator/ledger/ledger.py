"""The ledger: reserve, then draw noise in memory, then commit, then publish what ``commit`` returned.

A reservation counts as spent at once and is durable before noise exists, so a crash can waste budget but never grant
it. A request is identified by dataset and fingerprint, both public; it is charged once, and once it is committed its
noise is never drawn again. A digest of the records is kept to notice that they changed, or that they are known under
another name; it never leaves the database.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger import refusal, rows, sqlite
from dpspin.curator.ledger.account import Budget, Committed, Decision, HistoryRow, Reserved
from dpspin.curator.ledger.amounts import Amount, cap_of, charge_of
from dpspin.curator.ledger.location import ledger_path, prepare_private_file
from dpspin.curator.ledger.schema import require_our_schema
from dpspin.errors import LedgerError


def open_ledger(url_or_path: str | Path) -> "Ledger":
    """Open the ledger at a file path or ``sqlite:///`` URL; an absent one is created for its owner's eyes only."""
    path = ledger_path(url_or_path)
    prepare_private_file(path)
    return Ledger(sqlite.connect(path), location=str(path))


class Ledger:
    """Budgets and charges of all datasets in one database. Safe to use from many threads and processes."""

    def __init__(self, engine: Engine, location: str) -> None:
        self._engine = engine
        self._location = location
        with self._transaction() as connection:
            require_our_schema(connection, location, sqlite.create_guards)

    def __repr__(self) -> str:
        return f"Ledger({self._location!r})"

    def set_budget(self, dataset: str, cap: PrivacyLoss, note: str = "") -> None:
        """Create a dataset's budget or change its cap; every change is kept. Never below what is spent."""
        _require_plain_name(dataset)
        new_cap = cap_of(cap)
        with self._transaction() as connection:
            account = rows.account_of(connection, dataset)
            if account is not None and not account.budget.spent.fits_in(new_cap):
                raise refusal.below_spent(dataset, account.budget, new_cap)
            rows.add_budget_change(connection, dataset, new_cap, note)

    def budget(self, dataset: str) -> Budget | None:
        """Return what is spent and left, or None where no budget was decided."""
        with self._transaction() as connection:
            account = rows.account_of(connection, dataset)
        return account.budget if account else None

    def require_budget(self, dataset: str) -> Budget:
        """Return what is spent and left, or say how to decide a budget."""
        with self._transaction() as connection:
            return self._require_account(connection, dataset).budget

    def check(self, dataset: str, fingerprint: str, loss: PrivacyLoss, first: PrivacyLoss | None = None) -> None:
        """Refuse, before any record is read, what cannot be afforded.

        A request that was charged before passes: it is answered for free. ``first`` is the budget that a dataset
        gets with its first charge where nobody decided one; without it an unknown dataset is refused.
        """
        asked = charge_of(loss)
        with self._transaction() as connection:
            account = self._account(connection, dataset, first, asked)
            if rows.entry_of(connection, account, fingerprint) is None:
                self._require_affordable(account, asked)

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
        loss: PrivacyLoss,
        request_json: str,
        first: PrivacyLoss | None = None,
    ) -> Reserved | Committed:
        """Charge the request durably, or resume it, or return its stored output.

        ``content`` is a digest of private records and stays in the database. ``request_json`` describes the request
        in public terms and names its mechanism: ``{"mechanism": {"kind": "laplace"}, …}``.
        """
        charge = rows.Charge(fingerprint, content, charge_of(loss), mechanism_of(request_json), request_json)
        with self._transaction() as connection:
            account = self._account(connection, dataset, first, charge.amount)
            known = _known(connection, account, fingerprint, content)
            if known is not None:
                return rows.answer_again(connection, known, charge.amount)
            self._require_affordable(account, charge.amount)
            return rows.add_entry(connection, rows.made_real(connection, account), charge)

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
            return rows.decisions_of(connection, dataset)

    def datasets(self) -> tuple[str, ...]:
        """Return the names of all datasets that have a budget, oldest first."""
        with self._transaction() as connection:
            return rows.dataset_names(connection)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Hold the write lock; commit at the end, or roll back and say why without any stored value."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            why = error.orig if isinstance(error, DBAPIError) else type(error).__name__
            raise LedgerError(
                f"the ledger {self._location} cannot be used: {why}. "
                "If another run is using it, try again; otherwise mend its file or permissions. "
                "A ledger made elsewhere would not know what was spent"
            ) from error

    def _require_account(self, connection: Connection, dataset: str) -> rows.Account:
        return self._account(connection, dataset, first=None)

    def _account(
        self, connection: Connection, dataset: str, first: PrivacyLoss | None, asked: Amount | None = None
    ) -> rows.Account:
        """Return a dataset's account, or the one that its first charge makes (never below that charge itself)."""
        account = rows.account_of(connection, dataset)
        if account is not None:
            return account
        if first is None:
            raise refusal.unknown_dataset(dataset, self._location)
        _require_plain_name(dataset)
        return rows.future_account(dataset, asked if asked == charge_of(first) else cap_of(first))

    def _require_affordable(self, account: rows.Account, asked: Amount) -> None:
        if not account.budget.covers(asked):
            raise refusal.over_budget(account.dataset, account.budget, asked, self._location)


def _known(connection: Connection, account: rows.Account, fingerprint: str, content: str) -> rows.Entry | None:
    """Find the entry of a request and hold the records against it.

    What is published must not tell whether records changed, so the same request never gets a second output.
    """
    known = rows.entry_of(connection, account, fingerprint)
    if known is not None and known.content != content:
        raise refusal.other_records(account.dataset)
    if (other := rows.other_name_of(connection, account, content)) is not None:
        raise refusal.other_name(account.dataset, other)
    return known


def mechanism_of(request_json: str) -> str:
    """Read the mechanism's name, which the history shows, out of a request.

    >>> mechanism_of('{"mechanism": {"kind": "laplace"}, "size": 10}')
    'laplace'
    """
    try:
        return str(json.loads(request_json)["mechanism"]["kind"])
    except (ValueError, TypeError, KeyError):
        raise LedgerError(
            'a request must be a JSON object that names its mechanism: {"mechanism": {"kind": …}}'
        ) from None


def _require_plain_name(dataset: str) -> None:
    if not dataset.isprintable() or dataset != dataset.strip() or dataset.startswith("-") or not dataset:
        raise LedgerError(
            "a dataset's name must be printable text without spaces around it or a dash in front, so that two names "
            "that look alike are one"
        )
