"""Charges and their outputs. Each function works inside a transaction that the caller holds."""

import json
from dataclasses import asdict, dataclass, field

from sqlalchemy import Connection, func, select

from dpspin.boundary.accounting import AccountStatement, Balance, Cost, EpsilonBalance, RhoBalance, Window
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.aggregate.likeness import NOBODY, Likeness
from dpspin.curator.ledger import chain
from dpspin.curator.ledger.accounts import Account, Kind, account_of, population_of
from dpspin.curator.ledger.amounts import Amount, Currency, charge_of
from dpspin.curator.ledger.schema import amount_columns, entry, link, output, period, resumption, scope
from dpspin.errors import LedgerError, RequestError


@dataclass(frozen=True, slots=True)
class Charge:
    """What a request asks of a dataset's account: public, and decided before any record is read.

    ``request_json`` describes the request and names its mechanism: ``{"mechanism": {"kind": "laplace"}, …}``;
    ``user_column`` names the users, where the loss is about them; ``state`` is the declared name of the state of the
    data, where the ledger knows them by that and not by their content; ``view`` is what was declared of the rows of a
    view, where they come from one. ``first`` is the budget that a dataset gets
    with its first charge where nobody decided one; without it an unknown dataset is refused. ``told`` is the whole
    request as it was told, as an officer reads it (JSON); empty where it cannot be written down.
    """

    dataset: str
    fingerprint: str
    cost: Cost
    request_json: str
    window: Window | None = None
    user_column: str | None = None
    first: PrivacyLoss | None = None
    state: str | None = None
    view: str | None = None
    told: str = ""

    def __post_init__(self) -> None:
        if (self.cost.neighbours.unit == "user") != (self.user_column is not None):
            raise RequestError("a loss about users names the column with the user id, and no other loss does")
        require_printable_column(self.user_column)
        mechanism_of(self.request_json)

    @property
    def amount(self) -> Amount:
        """The price, rounded up."""
        return charge_of(self.cost)

    @property
    def digest(self) -> str:
        """Identify what is asked for, whole: an approval of it is of nothing else."""
        asked = {"dataset": self.dataset, "fingerprint": self.fingerprint, "amount": asdict(self.amount)}
        about = {"user_column": self.user_column, "state": self.state, "view": self.view}
        window = None if self.window is None else asdict(self.window)
        return digest_of({**asked, **about, "window": window, "request": self.request_json, "told": self.told})


def require_printable_column(column: str | None) -> None:
    """Refuse a column whose name cannot be shown: it stands in the plan."""
    if column is not None and not (column and column.isprintable()):
        raise RequestError("the name of the user column has characters that cannot be printed: rename the column")


def drawing_of(request_json: str) -> str | None:
    """Return the name of the drawing whose sample a request was released from, where there is one."""
    grounding = json.loads(request_json).get("grounding")
    return None if grounding is None else str(grounding["drawing"])


def mechanism_of(request_json: str) -> str:
    """Read the mechanism's name, which the history shows, out of a request.

    On a sample, with a count, with a reading or in a series its loss has another law, and so it has another name.

    >>> mechanism_of('{"mechanism": {"kind": "laplace"}, "size": 10}')
    'laplace'
    >>> mechanism_of('{"mechanism": {"kind": "laplace"}, "sampling": {"kind": "poisson", "rate": 0.1}}')
    'laplace on a sample'
    """
    try:
        request = json.loads(request_json)
        drawn = request.get("sampling", {}).get("kind", "everyone") != "everyone"
        counted = " with a count" if "count_share" in request else ""
        read = " with a reading" if "grounding" in request else ""
        life = " in a series" if "series" in request else ""
        return str(request["mechanism"]["kind"]) + (" on a sample" if drawn else "") + counted + read + life
    except (ValueError, TypeError, KeyError, AttributeError):
        raise LedgerError(
            'a request must be a JSON object that names its mechanism: {"mechanism": {"kind": …}}'
        ) from None


@dataclass(frozen=True, slots=True)
class Reserved:
    """The charge is durable: noise may be drawn. ``attempt`` fences off an older run of the same request."""

    entry_id: int
    attempt: int
    statement: AccountStatement = field(compare=False)  # for the plan


@dataclass(frozen=True, slots=True)
class Committed:
    """What was drawn for a charge or a period and stored: publish this, draw nothing, pay nothing.

    ``head`` is the link of this very output, and is published with it: a ledger that knows it holds the output. A copy
    from before, which would draw again, does not know it.
    """

    output: bytes = field(repr=False)
    head: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A charge that was found by its key."""

    id: int
    content: str = field(repr=False)  # private: this type has no business outside the ledger
    amount: Amount
    attempt: int
    committed: Committed | None


def entry_of(connection: Connection, account: Account, fingerprint: str) -> Entry | None:
    """Find the entry of a request: there is one at most, whatever the records were."""
    key = (entry.c.scope_id == account.scope_id, entry.c.fingerprint == fingerprint)
    columns = (entry.c.id, entry.c.content, output.c.output, link.c.public_hash, *amount_columns(entry))
    found = select(*columns).select_from(entry).outerjoin(output).outerjoin(link, chain.link_of(chain.Linked.OUTPUT))
    row = connection.execute(found.where(*key)).one_or_none()
    if row is None:
        return None
    entry_id, content, stored, head, *amount = row
    return Entry(entry_id, content, Amount(*amount), newest_attempt(connection, entry_id), committed_in(stored, head))


def committed_in(stored: bytes | None, head: str | None) -> Committed | None:
    """Return what was stored with its link; refuse an output that is in no link, and never draw it again."""
    if stored is None:
        return None
    if head is None:
        raise LedgerError(
            "an answer in this ledger is in no link of its chain: somebody has changed the ledger. Restore its newest "
            "backup; dpspin ledger verify tells what does not fit"
        )
    return Committed(stored, head)


def newest_attempt(connection: Connection, entry_id: int) -> int:
    """Return the number of the run that may store its output."""
    newest = select(func.max(resumption.c.attempt)).where(resumption.c.entry_id == entry_id)
    return connection.execute(newest).scalar() or 1


def other_name_of(connection: Connection, account: Account, content: str) -> str | None:
    """Find another dataset under which the very same records were charged, or counted in a series.

    A period in which nobody was counted, as of a file with nothing but a header, tells of no records.
    """
    of_entries = select(scope.c.name).join_from(entry, scope).where(entry.c.content == content)
    of_periods = select(scope.c.name).join_from(period, entry).join(scope)
    of_periods = of_periods.where(period.c.content == content, period.c.likeness.is_distinct_from(NOBODY))
    elsewhere = (each.where(scope.c.name != account.terms.name).limit(1) for each in (of_entries, of_periods))
    return next((name for name in map(connection.scalar, elsewhere) if name is not None), None)


def answer_again(connection: Connection, account: Account, known: Entry, charge: Charge) -> Reserved | Committed:
    """Answer a request that was charged before: with its output, or by resuming a run that stopped."""
    if known.amount != charge.amount:  # else a larger loss could ride on a smaller charge
        raise LedgerError("this request was charged with another loss: its fingerprint must cover epsilon and delta")
    if known.committed is not None:
        return known.committed
    attempt = known.attempt + 1  # fences off the earlier run, whose noise nobody saw
    _, head = chain.add_row(connection, chain.Linked.RESUMPTION, entry_id=known.id, attempt=attempt)
    return Reserved(known.id, attempt, statement_for(connection, account, charge, head))


def add_entry(
    connection: Connection, account: Account, charge: Charge, content: str, likeness: Likeness | None
) -> Reserved:
    """Reserve: from here on the charge is spent. What is private, content and likeness, stays in the database."""
    entry_id, head = chain.add_row(
        connection,
        chain.Linked.ENTRY,
        scope_id=account.scope_id,
        fingerprint=charge.fingerprint,
        content=content,
        **asdict(charge.amount),
        unit=charge.cost.neighbours.unit,
        adjacency=charge.cost.neighbours.adjacency.value,
        mechanism=mechanism_of(charge.request_json),
        request=charge.request_json,
        part=None if charge.window is None else charge.window.name,
        user_column=charge.user_column,
        likeness=None if likeness is None else likeness.to_bytes(),
    )
    return Reserved(entry_id, 1, statement_for(connection, account, charge, head))


def statement_for(connection: Connection, account: Account, charge: Charge, head: str) -> AccountStatement:
    """Say for a plan who paid: totals after the charge, and the chain's public head. Nothing depends on records."""
    payers = (account_of(connection, Kind.DATASET, charge.dataset), population_of(connection, account))
    balances = tuple(_balance(payer) for payer in payers if payer is not None)
    about = {"window": charge.window, "user_column": charge.user_column, "state": charge.state, "view": charge.view}
    return AccountStatement.model_validate({"balances": balances, "head": head, **about})


def _balance(account: Account) -> Balance:
    budget, balance = account.budget(), RhoBalance if account.terms.currency is Currency.RHO else EpsilonBalance
    spent = {f"spent_{name}": figure for name, figure in budget.spent.as_json(budget.currency).items()}
    cap = {f"cap_{name}": figure for name, figure in budget.cap.as_json(budget.currency).items()}
    return balance.model_validate({"scope": account.terms.kind.value, **spent, **cap})


def store_output(connection: Connection, reserved: Reserved, drawn: bytes) -> Committed | None:
    """Commit the output unless a newer attempt took over; return whatever is stored afterwards."""
    return stored_once(connection, chain.Linked.OUTPUT, reserved, drawn, newest_attempt(connection, reserved.entry_id))


def stored_once(
    connection: Connection, kind: chain.Linked, reserved: Reserved, drawn: bytes, newest: int
) -> Committed | None:
    """Store what the newest attempt drew, where nothing is stored; return what is stored afterwards."""
    table = chain.TABLE[kind]
    joined = select(table.c.output, link.c.public_hash).outerjoin(link, chain.link_of(kind))
    known = connection.execute(joined.where(table.c.id == reserved.entry_id)).one_or_none()
    if known is not None:
        return committed_in(*known)
    if newest != reserved.attempt:
        return None
    _, head = chain.add_row(connection, kind, id=reserved.entry_id, attempt=reserved.attempt, output=drawn)
    return Committed(drawn, head)
