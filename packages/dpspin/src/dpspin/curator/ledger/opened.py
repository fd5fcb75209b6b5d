"""An open ledger: its transactions, and everything that can be looked up in it."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from sqlalchemy import Connection, select

from dpspin.boundary.approval import ApprovedRequest
from dpspin.curator.aggregate.likeness import Likeness
from dpspin.curator.ledger import accounts, approvals, chain, filings, officers, overlaps, refusals
from dpspin.curator.ledger.accounts import Account, Kind, Subject, Terms
from dpspin.curator.ledger.amounts import Amount, Budget, Currency
from dpspin.curator.ledger.charges import Charge
from dpspin.curator.ledger.filings import Filed
from dpspin.curator.ledger.officers import Officers, OfficersNamed
from dpspin.curator.ledger.overviews import Decision, Declaration, HistoryRow, Overview, State
from dpspin.curator.ledger.replay import Checked, check_ledger, knows
from dpspin.curator.ledger.schema import amount_columns, budget_change, declaration, entry, explained, output, scope
from dpspin.curator.ledger.stores import Store, require_our_schema


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

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Hold the write lock; commit at the end, or roll back."""
        with self._explained(), self._engine.begin() as connection:
            yield connection

    def _explained(self) -> AbstractContextManager[None]:
        return explained(self._location, self._store.without_secrets)

    def budget(self, dataset: str) -> Budget | None:
        """Return what is spent and left, or None where no budget was decided."""
        with self._transaction() as connection:
            account = accounts.account_of(connection, Kind.DATASET, dataset)
        return account.budget() if account else None

    def require_budget(self, name: str, kind: Kind = Kind.DATASET) -> Budget:
        """Return what is spent and left of a dataset, or of a population; or say how to decide a budget."""
        with self._transaction() as connection:
            return self._require(connection, kind, name).budget()

    def _require(self, connection: Connection, kind: Kind, name: str) -> Account:
        account = accounts.account_of(connection, kind, name)
        if account is None:
            raise refusals.unknown_account(kind, name, self._location)
        return account

    def population_of(self, dataset: str) -> str | None:
        """Return the people to whose account a dataset's releases are charged as well."""
        with self._transaction() as connection:
            account = accounts.account_of(connection, Kind.DATASET, dataset)
        return None if account is None else account.terms.population

    def overlaps(self, dataset: str, likeness: Likeness | None) -> tuple[overlaps.Overlap, ...]:
        """Return the accounts that know a substantial part of these records or users; nothing is charged."""
        none_yet = Account(None, Terms(Kind.DATASET, dataset, Currency.EPSILON), Amount(0))
        with self._transaction() as connection:
            account = accounts.account_of(connection, Kind.DATASET, dataset) or none_yet
            return overlaps.overlaps_of(connection, account, likeness)

    def history(self, dataset: str | None = None) -> tuple[HistoryRow, ...]:
        """Return every charge, oldest first, of one dataset or of all; no fingerprints, content or outputs."""
        stored = output.c.id.label("stored")
        charges = select(entry, scope.c.name, stored).join_from(entry, scope).outerjoin(output).order_by(entry.c.id)
        if dataset is not None:
            charges = charges.where(scope.c.name == dataset)
        with self._transaction() as connection:
            people = approvals.people_behind(connection)
            return tuple(
                HistoryRow(
                    row.day,
                    row.name,
                    row.mechanism,
                    Amount(row.epsilon_nano, row.delta_atto, row.rho_nano),
                    row.part,
                    State.RESERVED if row.stored is None else State.COMMITTED,
                    *people.get((row.name, row.fingerprint), (None, None)),
                )
                for row in connection.execute(charges)
            )

    def decisions(self, dataset: str | None = None) -> tuple[Decision, ...]:
        """Return every budget that was decided, oldest first, of one dataset or of all."""
        columns = (budget_change.c.day, scope.c.kind, scope.c.name, scope.c.currency, budget_change.c.note)
        decided = select(*columns, *amount_columns(budget_change)).join_from(budget_change, scope)
        if dataset is not None:
            decided = decided.where(scope.c.name == dataset, scope.c.kind == Kind.DATASET.value)
        with self._transaction() as connection:
            return tuple(
                Decision(day, Kind(kind), name, Currency(currency), Amount(*cap), note)
                for day, kind, name, currency, note, *cap in connection.execute(decided.order_by(budget_change.c.id))
            )

    def declarations(self, dataset: str | None = None) -> tuple[Declaration, ...]:
        """Return everything that was declared, oldest first, of one dataset or of all."""
        with self._transaction() as connection:
            rows = connection.execute(select(declaration).order_by(declaration.c.id)).all()
        return tuple(
            Declaration(row.day, row.dataset, Subject(row.subject), row.value, row.note)
            for row in rows
            if dataset in {None, row.dataset}
        )

    def officers(self, name: str, kind: Kind = Kind.DATASET) -> Officers:
        """Return whose approval an account demands; nobody's where it demands none."""
        with self._transaction() as connection:
            return officers.officers_of(connection, self._require(connection, kind, name))

    def guarded(self) -> dict[str, Officers]:
        """Return the accounts that demand an approval, with those who may give it."""
        with self._transaction() as connection:
            return officers.guarded(connection)

    def asked_for(self, dataset: str) -> Officers:
        """Return everybody who may approve a release of a dataset: its own officers, and its population's."""
        with self._transaction() as connection:
            demands = approvals.demanded_by(connection, self._require(connection, Kind.DATASET, dataset))
        return tuple(dict.fromkeys(each for named in demands for each in named))

    def decisions_on_officers(self, dataset: str | None = None) -> tuple[OfficersNamed, ...]:
        """Return every decision on whose approval is demanded, oldest first, of one dataset or of all accounts."""
        with self._transaction() as connection:
            found = officers.decisions_on_officers(connection)
        return tuple(each for each in found if dataset is None or (each.kind, each.name) == (Kind.DATASET, dataset))

    def filings(self, dataset: str | None = None) -> tuple[Filed, ...]:
        """Return every request that was filed for approval, oldest first, with what was decided about it."""
        with self._transaction() as connection:
            return tuple(each for each in filings.filings(connection) if dataset in {None, each.dataset})

    def filed(self, digest: str) -> Filed:
        """Return a request that was filed, by its digest or by how that begins."""
        begins = digest.removeprefix("sha256:")
        found = [each for each in self.filings() if begins and each.digest.removeprefix("sha256:").startswith(begins)]
        if len(found) != 1:
            why = "several requests begin" if found else "no request begins"
            raise refusals.unknown_filing(why, self._location)
        return found[0]

    def approved(self, charge: Charge) -> ApprovedRequest | None:
        """Return the approvals under which a request was charged, for its release; None where none was demanded."""
        with self._transaction() as connection:
            account = self._require(connection, Kind.DATASET, charge.dataset)
            return approvals.approvals_behind(connection, account, charge)

    def overviews(self) -> tuple[Overview, ...]:
        """Return all accounts with what is spent and left: datasets first, oldest first."""
        with self._transaction() as connection:
            rows = connection.execute(accounts.SCOPES.order_by(scope.c.kind, scope.c.id)).all()
            return tuple(_overview(connection, accounts.account_in(connection, row)) for row in rows)

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

    def require_heads(self, heads: Iterable[str], place: str) -> None:
        """Refuse to go on where ``place`` holds a release that this ledger does not know."""
        with self._transaction() as connection:
            for head in heads:
                if not knows(connection, head):
                    raise refusals.unknown_head(self._location, head, place)


def _overview(connection: Connection, account: Account) -> Overview:
    terms = account.terms
    paid = select(*amount_columns(entry)).join_from(entry, scope).where(accounts.paid_by(account))
    last = connection.execute(paid.order_by(entry.c.id.desc()).limit(1)).one_or_none()
    columns = accounts.declared(connection, terms.name, Subject.USER_COLUMN) if terms.kind is Kind.DATASET else ()
    about = (terms.population, terms.partition, account.neighbours)
    newest = Amount(*last) if last else None
    named = officers.officers_of(connection, account)
    return Overview(terms.kind, terms.name, account.budget(), *about, newest, columns, named)
