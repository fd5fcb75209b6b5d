"""Tampering and old copies: recompute the chain from its first link, and every total on the way."""

from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Row, select

from dpspin.curator.ledger import chain
from dpspin.curator.ledger.accounts import NOTHING, Account, Subject, neighbours_in, terms_in
from dpspin.curator.ledger.amounts import Amount
from dpspin.curator.ledger.replay_approvals import ApprovalReplay
from dpspin.curator.ledger.schema import link


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of the whole ledger found: nothing, or the first thing that does not fit."""

    rows: int
    head: str
    finding: str | None = None

    @property
    def holds(self) -> bool:
        """Say whether nothing was found."""
        return self.finding is None


def check_ledger(connection: Connection, head: str | None) -> Checked:
    """Recompute chain and totals; with ``head``, look for a hash that stands in a release."""
    position, end = chain.end_of_chain(connection)
    finding = _first_misfit(connection) or _unlinked(connection)
    if finding is None and head is not None and not knows(connection, head):
        finding = (
            f"no row has the hash {head}: the release that states it was charged elsewhere. "
            "This ledger is an older copy, or another one; do not spend from it"
        )
    return Checked(position, end.public, finding)


def knows(connection: Connection, head: str) -> bool:
    """Say whether a published hash is one of this ledger's."""
    return connection.execute(select(link.c.position).where(link.c.public_hash == head)).scalar() is not None


def _first_misfit(connection: Connection) -> str | None:
    hashes, replay = chain.beginning(connection), Replay()
    links = connection.execute(select(link).order_by(link.c.position)).all()
    for place, stored in enumerate(links, start=1):
        kind = chain.Linked(stored.kind) if stored.kind in list(chain.Linked) else None
        row = None if kind is None else chain.row_of(connection, kind, stored.row_id)
        if stored.position != place or kind is None or row is None:
            return f"row {place} is missing or unreadable"
        before, hashes = hashes.public, hashes.then(place, kind, row)
        if (hashes.public, hashes.private) != (stored.public_hash, stored.private_hash):
            return f"row {place} ({kind}) was changed, or a row before it was"
        if (wrong := replay.finding(kind, row, before)) is not None:
            return f"row {place} ({kind}) {wrong}"
    return None


def _unlinked(connection: Connection) -> str | None:
    kind = chain.unlinked(connection)
    return None if kind is None else f"a row of the kind {kind.value!r} is not part of the chain"


@dataclass(slots=True)
class Replay:
    """The accounts as they were after each row: totals are added up anew, by other code than the triggers'."""

    accounts: dict[int, Account] = field(default_factory=dict)
    population: dict[int, int] = field(default_factory=dict)
    columns: dict[str, set[str]] = field(default_factory=dict)  # that name the users of a dataset
    periods: dict[int, tuple[int, str]] = field(default_factory=dict)  # the newest of each life: generation and name
    approvals: ApprovalReplay = field(default_factory=ApprovalReplay)

    def finding(self, kind: chain.Linked, row: "Row[Any]", head: str) -> str | None:
        """Take one more row, and say what is wrong with an account that it touches; ``head`` is the hash before it."""
        match kind:
            case chain.Linked.SCOPE:
                self.accounts[row.id] = Account(row.id, terms_in(row, population=None), NOTHING)
                self.population.update({row.id: row.population_id} if row.population_id else {})
            case chain.Linked.BUDGET:
                cap = Amount(row.epsilon_nano, row.delta_atto, row.rho_nano)
                self.accounts[row.scope_id] = replace(self.accounts[row.scope_id], cap=cap)
                return _overspent([self.accounts[row.scope_id]])
            case chain.Linked.ENTRY:
                return self.approvals.charged(row, self._payers(row.scope_id)) or self._charged(row)
            case chain.Linked.DECLARATION:
                self._declared(row)
            case chain.Linked.PERIOD:
                return self._followed(row)
            case chain.Linked.OFFICERS | chain.Linked.FILING | chain.Linked.VERDICT:
                return self._of_approvals(kind, row, head)
            case chain.Linked.OUTPUT | chain.Linked.PERIOD_OUTPUT | chain.Linked.RESUMPTION | chain.Linked.PERIOD_RUN:
                pass
        return None

    def _declared(self, row: "Row[Any]") -> None:
        if row.subject == Subject.USER_COLUMN:
            self.columns.setdefault(row.dataset, set()).add(row.value)

    def _followed(self, row: "Row[Any]") -> str | None:
        before = self.periods.get(row.entry_id, (0, ""))
        self.periods[row.entry_id] = (row.generation, row.name)
        follows = row.generation == before[0] + 1 and row.name > before[1]
        return None if follows else "does not follow the periods before it"

    def _of_approvals(self, kind: chain.Linked, row: "Row[Any]", head: str) -> str | None:
        if kind is chain.Linked.OFFICERS:
            return self.approvals.named(row, head, self.accounts[row.scope_id].terms)
        if kind is chain.Linked.FILING:
            return self.approvals.asked(row, head)
        return self.approvals.decided(row, self._payers(self.approvals.account_of(row.filing_id)))

    def _payers(self, scope_id: int) -> list[int]:
        return [scope_id, *([self.population[scope_id]] if scope_id in self.population else [])]

    def _charged(self, row: "Row[Any]") -> str | None:
        payers = [(payer, row.part if payer == row.scope_id else None) for payer in self._payers(row.scope_id)]
        if not self._names_its_users(row):
            return "takes its users from another column than the account"
        amount, about = Amount(row.epsilon_nano, row.delta_atto, row.rho_nano), neighbours_in(row)
        for scope_id, part in payers:
            account = self.accounts[scope_id]
            if account.neighbours not in {None, about}:
                return "is about other neighbours than the account"
            self.accounts[scope_id] = replace(_plus(account, amount, part), charged=about)
        return _overspent([self.accounts[scope_id] for scope_id, _ in payers])

    def _names_its_users(self, row: "Row[Any]") -> bool:
        """Compare columns; charges of schema 3 named none, and come before every declaration."""
        known = self.columns.get(self.accounts[row.scope_id].terms.name, {row.user_column})
        return row.user_column in known if row.unit == "user" else row.user_column is None


def _plus(account: Account, amount: Amount, part: str | None) -> Account:
    if part is None:
        return replace(account, outside_windows=account.outside_windows + amount)
    return replace(account, windows={**account.windows, part: account.windows.get(part, NOTHING) + amount})


def _overspent(accounts: list[Account]) -> str | None:
    fits = all(account.spent().fits_in(account.cap) for account in accounts)
    return None if fits else "spends more than was decided"
