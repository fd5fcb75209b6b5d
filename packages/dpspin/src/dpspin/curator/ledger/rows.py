"""Charges and outputs: the statements behind them. Each works inside a transaction that the caller holds."""

import json
from dataclasses import dataclass, field

from sqlalchemy import Connection, func, insert, select

from dpspin.boundary.account import AccountStatement, Window
from dpspin.boundary.accounting import Neighbours
from dpspin.curator.aggregate.likeness import Likeness
from dpspin.curator.ledger import chain
from dpspin.curator.ledger.account import Committed, HistoryRow, Reserved, State
from dpspin.curator.ledger.accounts import Account, statement_for
from dpspin.curator.ledger.amounts import Amount
from dpspin.curator.ledger.schema import entry, output, resumption, scope
from dpspin.curator.ledger.writing import insert_row, today
from dpspin.errors import LedgerError


@dataclass(frozen=True, slots=True)
class Charge:
    """One request to be charged: the public request, the private content digest and the price."""

    fingerprint: str
    content: str  # private: this type has no business outside the ledger
    amount: Amount
    neighbours: Neighbours
    mechanism: str
    request_json: str
    window: Window | None
    user_column: str | None = None
    likeness: Likeness | None = None  # private, like the content

    def __repr__(self) -> str:
        return "Charge(<private>)"


def mechanism_of(request_json: str) -> str:
    """Read the mechanism's name, which the history shows, out of a request.

    On a sample, or with a count, its loss has another law, and so it has another name.

    >>> mechanism_of('{"mechanism": {"kind": "laplace"}, "size": 10}')
    'laplace'
    >>> mechanism_of('{"mechanism": {"kind": "laplace"}, "sampling": {"kind": "poisson", "rate": 0.1}}')
    'laplace on a sample'
    """
    try:
        request = json.loads(request_json)
        drawn = request.get("sampling", {}).get("kind", "everyone") != "everyone"
        counted = " with a count" if "count_share" in request else ""
        return str(request["mechanism"]["kind"]) + (" on a sample" if drawn else "") + counted
    except (ValueError, TypeError, KeyError, AttributeError):
        raise LedgerError(
            'a request must be a JSON object that names its mechanism: {"mechanism": {"kind": …}}'
        ) from None


@dataclass(frozen=True, slots=True)
class Entry:
    """A charge that was found by its key."""

    id: int
    content: str = field(repr=False)  # private, like the one of a charge
    amount: Amount
    attempt: int
    output: bytes | None


def entry_of(connection: Connection, account: Account, fingerprint: str) -> Entry | None:
    """Find the entry of a request: there is one at most, whatever the records were."""
    key = (entry.c.scope_id == account.scope_id, entry.c.fingerprint == fingerprint)
    amounts = (entry.c.epsilon_nano, entry.c.delta_atto, entry.c.rho_nano)
    found = select(entry.c.id, entry.c.content, *amounts, output.c.output).select_from(entry).outerjoin(output)
    row = connection.execute(found.where(*key)).one_or_none()
    if row is None:
        return None
    amount = Amount(row.epsilon_nano, row.delta_atto, row.rho_nano)
    return Entry(row.id, row.content, amount, newest_attempt(connection, row.id), row.output)


def newest_attempt(connection: Connection, entry_id: int) -> int:
    """Return the number of the run that may store its output."""
    newest = select(func.max(resumption.c.attempt)).where(resumption.c.entry_id == entry_id)
    return connection.execute(newest).scalar() or 1


def other_name_of(connection: Connection, account: Account, content: str) -> str | None:
    """Find another dataset under which the very same records were charged."""
    elsewhere = (entry.c.content == content, scope.c.name != account.terms.name)
    return connection.execute(select(scope.c.name).join_from(entry, scope).where(*elsewhere).limit(1)).scalar()


def answer_again(connection: Connection, account: Account, known: Entry, charge: Charge) -> Reserved | Committed:
    """Answer a request that was charged before: with its output, or by resuming a run that stopped."""
    if known.amount != charge.amount:  # else a larger loss could ride on a smaller charge
        raise LedgerError("this request was charged with another loss: its fingerprint must cover epsilon and delta")
    if known.output is not None:
        return Committed(known.output)
    attempt = known.attempt + 1  # fences off the earlier run, whose noise nobody saw
    connection.execute(insert(resumption).values(entry_id=known.id, attempt=attempt))
    _, end = chain.end_of_chain(connection)
    return Reserved(known.id, attempt, _statement(connection, account, charge, end.public))


def add_entry(connection: Connection, account: Account, charge: Charge) -> Reserved:
    """Reserve: from here on the charge is spent."""
    row = {
        "scope_id": account.scope_id,
        "fingerprint": charge.fingerprint,
        "content": charge.content,
        "epsilon_nano": charge.amount.epsilon_nano,
        "delta_atto": charge.amount.delta_atto,
        "rho_nano": charge.amount.rho_nano,
        "unit": charge.neighbours.unit,
        "adjacency": charge.neighbours.adjacency.value,
        "mechanism": charge.mechanism,
        "request": charge.request_json,
        "part": None if charge.window is None else charge.window.name,
        "day": today(),
        "user_column": charge.user_column,
        "likeness": None if charge.likeness is None else charge.likeness.to_bytes(),
    }
    entry_id = insert_row(connection, entry, row)
    head = chain.append(connection, chain.Linked.ENTRY, entry_id)
    return Reserved(entry_id, 1, _statement(connection, account, charge, head))


def _statement(connection: Connection, account: Account, charge: Charge, head: str) -> AccountStatement:
    return statement_for(connection, account, head, window=charge.window, user_column=charge.user_column)


def store_output(connection: Connection, reserved: Reserved, drawn: bytes) -> bytes | None:
    """Commit the output unless a newer attempt took over; return whatever is stored afterwards."""
    stored = select(output.c.output).where(output.c.id == reserved.entry_id)
    known = connection.execute(stored).scalar()
    if known is not None or newest_attempt(connection, reserved.entry_id) != reserved.attempt:
        return known
    values = {"id": reserved.entry_id, "attempt": reserved.attempt, "output": drawn}
    connection.execute(insert(output).values(values))
    chain.append(connection, chain.Linked.OUTPUT, reserved.entry_id)
    return connection.execute(stored).scalar()


def history_of(connection: Connection, dataset: str | None) -> tuple[HistoryRow, ...]:
    """Read the charges, oldest first, without fingerprints, content or outputs."""
    amounts = (entry.c.epsilon_nano, entry.c.delta_atto, entry.c.rho_nano)
    public = (entry.c.day, scope.c.name, entry.c.mechanism, entry.c.part, output.c.id.label("stored"))
    statement = select(*public, *amounts).join_from(entry, scope).outerjoin(output).order_by(entry.c.id)
    if dataset is not None:
        statement = statement.where(scope.c.name == dataset)
    return tuple(
        HistoryRow(
            row.day,
            row.name,
            row.mechanism,
            Amount(row.epsilon_nano, row.delta_atto, row.rho_nano),
            row.part,
            State.RESERVED if row.stored is None else State.COMMITTED,
        )
        for row in connection.execute(statement)
    )
