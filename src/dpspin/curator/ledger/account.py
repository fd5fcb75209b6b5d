"""What the ledger answers: budgets, reservations, stored outputs and history. None of it holds a content digest."""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.ledger.amounts import Amount, charge_of
from dpspin.errors import LedgerError


class State(StrEnum):
    """A charge is reserved before noise is drawn and committed together with the output."""

    RESERVED = "reserved"
    COMMITTED = "committed"


@dataclass(frozen=True, slots=True)
class Budget:
    """What one dataset may spend in total and what it has spent; reservations count as spent.

    >>> budget = Budget(spent=Amount(400_000_000), cap=Amount(1_000_000_000))
    >>> print(budget.left, "·", budget.reports_left(PrivacyLoss(0.25)), "more reports like this one")
    epsilon 0.6 · 2 more reports like this one
    """

    spent: Amount
    cap: Amount

    def __post_init__(self) -> None:
        if not self.spent.fits_in(self.cap):
            raise LedgerError("more is spent than the cap allows: the ledger was changed by other means; do not use it")

    @property
    def left(self) -> Amount:
        """What can still be spent."""
        return self.cap - self.spent

    def covers(self, charge: Amount) -> bool:
        """Say whether the charge can still be afforded, by simple composition (epsilons and deltas add up)."""
        return charge.fits_in(self.left)

    def as_json(self) -> dict[str, dict[str, float]]:
        """Return the figures for a program to read."""
        return {"cap": self.cap.as_json(), "spent": self.spent.as_json(), "left": self.left.as_json()}

    def reports_left(self, loss: PrivacyLoss) -> int:
        """Say how many more reports of this loss can be afforded."""
        return charge_of(loss).times_in(self.left)


@dataclass(frozen=True, slots=True)
class Reserved:
    """The charge is durable: noise may be drawn. ``attempt`` fences off an older run of the same request."""

    entry_id: int
    attempt: int


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
    state: State

    def as_json(self) -> dict[str, str | float]:
        """Return the row for a program to read.

        >>> row = HistoryRow(date(2024, 5, 1), "tickets", "laplace", Amount(500_000_000), State.COMMITTED)
        >>> row.as_json()["day"], row.as_json()["epsilon"], row.as_json()["state"]
        ('2024-05-01', 0.5, 'committed')
        """
        about = {"day": self.day.isoformat(), "dataset": self.dataset, "mechanism": self.mechanism}
        return {**about, **self.amount.as_json(), "state": self.state.value}


@dataclass(frozen=True, slots=True)
class Decision:
    """One budget that somebody decided, with the note they left."""

    day: date
    dataset: str
    cap: Amount
    note: str

    def as_json(self) -> dict[str, str | float]:
        """Return the decision for a program to read."""
        return {"day": self.day.isoformat(), "dataset": self.dataset, **self.cap.as_json(), "note": self.note}
