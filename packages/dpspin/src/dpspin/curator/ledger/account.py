"""What the ledger answers: budgets, reservations, stored outputs and history. None of it holds a content digest."""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from dpspin.boundary.account import AccountStatement
from dpspin.boundary.accounting import Cost, Neighbours
from dpspin.curator.aggregate.likeness import Shared
from dpspin.curator.ledger.amounts import Amount, Currency, charge_of
from dpspin.errors import LedgerError


class Kind(StrEnum):
    """An account belongs to one dataset, or to people who appear in several."""

    DATASET = "dataset"
    POPULATION = "population"


class Subject(StrEnum):
    """What is declared of a dataset."""

    USER_COLUMN = "user_column"
    APART = "apart"


class State(StrEnum):
    """A charge is reserved before noise is drawn and committed together with the output."""

    RESERVED = "reserved"
    COMMITTED = "committed"


@dataclass(frozen=True, slots=True)
class Budget:
    """What one account may spend in total and what it has spent; reservations count as spent.

    >>> budget = Budget(spent=Amount(400_000_000), cap=Amount(1_000_000_000))
    >>> print(budget.left, "·", budget.charges_left(Amount(250_000_000)), "more reports like this one")
    epsilon 0.6 · 2 more reports like this one
    """

    spent: Amount
    cap: Amount
    currency: Currency = Currency.EPSILON

    def __post_init__(self) -> None:
        if not self.spent.fits_in(self.cap):
            raise LedgerError(
                "more is spent than the cap allows: the ledger was changed by other means; do not use it, and see: "
                "dpspin ledger verify"
            )

    @property
    def left(self) -> Amount:
        """What can still be spent."""
        return self.cap - self.spent

    def covers(self, charge: Amount) -> bool:
        """Say whether the charge can still be afforded: epsilons and deltas add up, or rhos do."""
        return charge.paid_in(self.currency).fits_in(self.left)

    def charges_left(self, charge: Amount) -> int:
        """Say how many more charges like this one can be afforded."""
        return charge.paid_in(self.currency).times_in(self.left)

    def reports_left(self, cost: Cost) -> int:
        """Say how many more reports of this price can be afforded."""
        return self.charges_left(charge_of(cost))

    def words(self, amount: Amount) -> str:
        """Write an amount in the currency of this account."""
        return amount.words(self.currency)

    def as_json(self) -> dict[str, dict[str, float]]:
        """Return the figures for a program to read."""
        parts = {"cap": self.cap, "spent": self.spent, "left": self.left}
        return {name: amount.as_json(self.currency) for name, amount in parts.items()}


@dataclass(frozen=True, slots=True)
class Overview:
    """One account as ``ledger show`` tells it."""

    kind: Kind
    name: str
    budget: Budget
    population: str | None
    partition: str | None
    neighbours: Neighbours | None  # None: neither declared nor charged yet
    last_charge: Amount | None
    user_columns: tuple[str, ...] = ()  # that name its users, the first one first

    @property
    def more_like_the_last(self) -> int | None:
        """How many more reports like the last one can be afforded."""
        return None if self.last_charge is None else self.budget.charges_left(self.last_charge)


@dataclass(frozen=True, slots=True)
class Reserved:
    """The charge is durable: noise may be drawn. ``attempt`` fences off an older run of the same request."""

    entry_id: int
    attempt: int
    statement: AccountStatement = field(compare=False)  # for the plan


@dataclass(frozen=True, slots=True)
class Committed:
    """The request was answered before: publish these bytes, draw nothing, pay nothing."""

    output: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One charge, dated to the day (finer times would tell how long private work took)."""

    day: date
    dataset: str
    mechanism: str
    amount: Amount
    window: str | None
    state: State

    def as_json(self) -> dict[str, str | float | None]:
        """Return the row for a program to read.

        >>> row = HistoryRow(date(2024, 5, 1), "tickets", "laplace", Amount(500_000_000), None, State.COMMITTED)
        >>> row.as_json()["day"], row.as_json()["epsilon"], row.as_json()["state"]
        ('2024-05-01', 0.5, 'committed')
        """
        about = {"day": self.day.isoformat(), "dataset": self.dataset, "mechanism": self.mechanism}
        paid = {**self.amount.as_json(Currency.EPSILON), **self.amount.as_json(Currency.RHO)}
        return {**about, **paid, "window": self.window, "state": self.state.value}


@dataclass(frozen=True, slots=True)
class Decision:
    """One budget that somebody decided, with the note they left."""

    day: date
    kind: Kind
    name: str
    currency: Currency
    cap: Amount
    note: str

    def as_json(self) -> dict[str, str | float]:
        """Return the decision for a program to read."""
        about = {"day": self.day.isoformat(), self.kind.value: self.name}
        return {**about, **self.cap.as_json(self.currency), "note": self.note}


@dataclass(frozen=True, slots=True)
class Declaration:
    """Something that a person declared of a dataset, or that its first charge decided."""

    day: date
    dataset: str
    subject: Subject
    value: str
    note: str

    @property
    def words(self) -> str:
        """What is declared.

        >>> Declaration(date(2026, 5, 1), "tickets", Subject.USER_COLUMN, "customer", "").words
        "users named by 'customer'"
        """
        match self.subject:
            case Subject.USER_COLUMN:
                return f"users named by {self.value!r}"
            case Subject.APART:
                return f"apart from {self.value!r}"

    def as_json(self) -> dict[str, str]:
        """Return the declaration for a program to read."""
        about = {"day": self.day.isoformat(), "dataset": self.dataset}
        return {**about, self.subject.value: self.value, "note": self.note}


@dataclass(frozen=True, slots=True)
class Overlap:
    """An account that knows a substantial part of a collection: its records, or its users."""

    dataset: str
    population: str | None
    shared: Shared
