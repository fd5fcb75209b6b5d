"""The statements behind the ledger: each works inside a transaction that the caller holds."""

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime

from sqlalchemy import Connection, Insert, func, insert, select, update

from dpspin.curator.ledger.account import Budget, Committed, Decision, HistoryRow, Reserved, State
from dpspin.curator.ledger.amounts import Amount
from dpspin.curator.ledger.schema import budget_change, entry, scope
from dpspin.errors import LedgerError


@dataclass(frozen=True, slots=True)
class Account:
    """A dataset as the database knows it."""

    scope_id: int | None  # None: it is made by its first charge
    dataset: str
    budget: Budget


@dataclass(frozen=True, slots=True)
class Charge:
    """One request to be charged: the public request, the private content digest and the price."""

    fingerprint: str
    content: str  # private: this type has no business outside the ledger
    amount: Amount
    mechanism: str
    request_json: str

    def __repr__(self) -> str:
        return "Charge(<private>)"


@dataclass(frozen=True, slots=True)
class Entry:
    """A charge that was found by its key."""

    id: int
    content: str = field(repr=False)  # private, like the one of a charge
    amount: Amount
    attempt: int
    output: bytes | None


def account_of(connection: Connection, dataset: str) -> Account | None:
    """Read a dataset's cap and the sum of its charges, reserved ones included."""
    scope_id = connection.execute(select(scope.c.id).where(scope.c.dataset == dataset)).scalar()
    if scope_id is None:
        return None
    return Account(scope_id, dataset, Budget(spent=_spent(connection, scope_id), cap=_cap(connection, scope_id)))


def _spent(connection: Connection, scope_id: int) -> Amount:
    sums = [func.coalesce(func.sum(column), 0) for column in (entry.c.epsilon_nano, entry.c.delta_atto)]
    epsilon, delta = connection.execute(select(*sums).where(entry.c.scope_id == scope_id)).one()
    return Amount(int(epsilon), int(delta))


def _cap(connection: Connection, scope_id: int) -> Amount:
    newest_first = (
        select(budget_change.c.epsilon_nano, budget_change.c.delta_atto)
        .where(budget_change.c.scope_id == scope_id)
        .order_by(budget_change.c.id.desc())
    )
    epsilon, delta = connection.execute(newest_first.limit(1)).one()
    return Amount(epsilon, delta)


def future_account(dataset: str, cap: Amount) -> Account:
    """Describe the account that a dataset would get with its first charge."""
    return Account(None, dataset, Budget(spent=Amount(0), cap=cap))


def made_real(connection: Connection, account: Account) -> Account:
    """Make an account that was only described; the charge follows in the same transaction."""
    if account.scope_id is not None:
        return account
    scope_id = add_budget_change(connection, account.dataset, account.budget.cap, "set by the first release")
    return replace(account, scope_id=scope_id)


def add_budget_change(connection: Connection, dataset: str, cap: Amount, note: str) -> int:
    """Append a cap to a dataset, which may be new: the newest cap holds. Return the dataset's key."""
    known = connection.execute(select(scope.c.id).where(scope.c.dataset == dataset)).scalar()
    scope_id = known if known is not None else _insert(connection, insert(scope).values(dataset=dataset))
    connection.execute(
        insert(budget_change).values(
            scope_id=scope_id, epsilon_nano=cap.epsilon_nano, delta_atto=cap.delta_atto, note=note, day=_today()
        )
    )
    return scope_id


def entry_of(connection: Connection, account: Account, fingerprint: str) -> Entry | None:
    """Find the entry of a request: there is one at most, whatever the records were."""
    key = (entry.c.scope_id == account.scope_id, entry.c.fingerprint == fingerprint)
    row = connection.execute(select(entry).where(*key)).one_or_none()
    if row is None:
        return None
    return Entry(row.id, row.content, Amount(row.epsilon_nano, row.delta_atto), row.attempt, row.output)


def other_name_of(connection: Connection, account: Account, content: str) -> str | None:
    """Find another dataset under which the very same records were charged."""
    elsewhere = (entry.c.content == content, scope.c.dataset != account.dataset)
    return connection.execute(select(scope.c.dataset).join_from(entry, scope).where(*elsewhere).limit(1)).scalar()


def answer_again(connection: Connection, known: Entry, asked: Amount) -> Reserved | Committed:
    """Answer a request that was charged before: with its output, or by resuming a run that stopped."""
    if known.amount != asked:  # else a larger loss could ride on a smaller charge
        raise LedgerError("this request was charged with another loss: its fingerprint must cover epsilon and delta")
    return _resumed(connection, known) if known.output is None else Committed(known.output)


def _resumed(connection: Connection, known: Entry) -> Reserved:
    """Take over: the raised attempt fences off the earlier run, whose noise nobody saw."""
    attempt = known.attempt + 1
    connection.execute(update(entry).where(entry.c.id == known.id).values(attempt=attempt))
    return Reserved(known.id, attempt)


def add_entry(connection: Connection, account: Account, charge: Charge) -> Reserved:
    """Reserve: from here on the charge is spent."""
    row = {
        "scope_id": account.scope_id,
        "fingerprint": charge.fingerprint,
        "content": charge.content,
        "epsilon_nano": charge.amount.epsilon_nano,
        "delta_atto": charge.amount.delta_atto,
        "mechanism": charge.mechanism,
        "request": charge.request_json,
        "state": State.RESERVED,
        "attempt": 1,
        "day": _today(),
    }
    return Reserved(entry_id=_insert(connection, insert(entry).values(row)), attempt=1)


def store_output(connection: Connection, reserved: Reserved, output: bytes) -> bytes | None:
    """Commit the output unless a newer attempt took over; return whatever is stored afterwards."""
    mine = (entry.c.id == reserved.entry_id, entry.c.state == State.RESERVED, entry.c.attempt == reserved.attempt)
    connection.execute(update(entry).where(*mine).values(state=State.COMMITTED, output=output))
    return connection.execute(select(entry.c.output).where(entry.c.id == reserved.entry_id)).scalar()


def decisions_of(connection: Connection, dataset: str | None) -> tuple[Decision, ...]:
    """Read every budget that was decided, oldest first."""
    columns = (budget_change.c.day, scope.c.dataset, budget_change.c.epsilon_nano, budget_change.c.delta_atto)
    statement = select(*columns, budget_change.c.note).join_from(budget_change, scope).order_by(budget_change.c.id)
    if dataset is not None:
        statement = statement.where(scope.c.dataset == dataset)
    return tuple(
        Decision(row.day, row.dataset, Amount(row.epsilon_nano, row.delta_atto), row.note)
        for row in connection.execute(statement)
    )


def history_of(connection: Connection, dataset: str | None) -> tuple[HistoryRow, ...]:
    """Read the charges, oldest first, without fingerprints, content or outputs."""
    public = (entry.c.day, scope.c.dataset, entry.c.mechanism, entry.c.epsilon_nano, entry.c.delta_atto, entry.c.state)
    statement = select(*public).join_from(entry, scope).order_by(entry.c.id)
    if dataset is not None:
        statement = statement.where(scope.c.dataset == dataset)
    return tuple(
        HistoryRow(row.day, row.dataset, row.mechanism, Amount(row.epsilon_nano, row.delta_atto), State(row.state))
        for row in connection.execute(statement)
    )


def dataset_names(connection: Connection) -> tuple[str, ...]:
    """Read the names of all datasets, oldest first."""
    return tuple(connection.execute(select(scope.c.dataset).order_by(scope.c.id)).scalars())


def _insert(connection: Connection, statement: Insert) -> int:
    key = connection.execute(statement).inserted_primary_key
    if key is None:
        raise LedgerError("the database did not say which row it added")
    return int(key[0])


def _today() -> date:
    return datetime.now(UTC).date()
