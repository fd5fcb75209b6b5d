"""What the ledger tells people: accounts, charges, decisions and declarations. None of it holds a content digest.

``composed_epsilon`` is a tighter total, as information: privacy loss distributions of all charges, composed by
dp-accounting. No budget is decided by it: such a total is valid only for requests that were fixed in advance, and the
library works in floating point. Every charge is calibrated to its own sensitivity, so it enters as noise relative to a
sensitivity of one, with ADD_OR_REMOVE_ONE; the library's REPLACE_ONE would double sensitivities a second time. Laplace
enters with its whole bound on one coordinate, which is the worst case; what is neither Laplace nor Gaussian enters as
(epsilon, delta).
"""

import functools
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any

from dpspin.boundary.accounting import Neighbours
from dpspin.boundary.mechanisms import MECHANISMS
from dpspin.boundary.mechanisms.base import ReleaseMechanism
from dpspin.curator.ledger.accounts import Kind, Subject
from dpspin.curator.ledger.amounts import Amount, Budget, Currency
from dpspin.curator.ledger.officers import Officers
from dpspin.errors import RequestError

INTERVAL = 1e-4  # of the grid on which losses are kept
_BY_KIND: dict[str, type[ReleaseMechanism]] = {each().kind: each for each in MECHANISMS}


class State(StrEnum):
    """A charge is reserved before noise is drawn and committed together with the output."""

    RESERVED = "reserved"
    COMMITTED = "committed"


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
    officers: Officers = ()  # one of whom must approve every release

    @property
    def more_like_the_last(self) -> int | None:
        """How many more reports like the last one can be afforded."""
        return None if self.last_charge is None else self.budget.charges_left(self.last_charge)


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One charge, dated to the day (finer times would tell how long private work took)."""

    day: date
    dataset: str
    mechanism: str
    amount: Amount
    window: str | None
    state: State
    asked_by: str | None = None  # where an approval was demanded
    approved_by: str | None = None

    @property
    def people(self) -> str:
        """Who asked for it and who approved it, where that was demanded; else nothing."""
        return "" if self.asked_by is None else f"asked by {self.asked_by}, approved by {self.approved_by}"

    def as_json(self) -> dict[str, str | float | None]:
        """Return the row for a program to read.

        >>> row = HistoryRow(date(2024, 5, 1), "tickets", "laplace", Amount(500_000_000), None, State.COMMITTED)
        >>> row.as_json()["day"], row.as_json()["epsilon"], row.as_json()["state"]
        ('2024-05-01', 0.5, 'committed')
        """
        about = {"day": self.day.isoformat(), "dataset": self.dataset, "mechanism": self.mechanism}
        paid = {**self.amount.as_json(Currency.EPSILON), **self.amount.as_json(Currency.RHO)}
        people = {"asked_by": self.asked_by, "approved_by": self.approved_by}
        known = {who: name for who, name in people.items() if name is not None}
        return {**about, **paid, "window": self.window, "state": self.state.value, **known}


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


def composed_epsilon(charges: Iterable[HistoryRow], delta: float) -> float | None:
    """Return the epsilon at a delta of all charges together, or None where there is none at so small a delta.

    Windows are disjoint: the largest total over windows, each with what lies outside of windows, is that of the whole.

    >>> many = [HistoryRow(date(2024, 5, 1), "d", "laplace", Amount(10**8), None, State.COMMITTED)] * 100
    >>> round(composed_epsilon(many, 1e-6), 1)  # their epsilons add up to 10
    4.7
    """
    if not 0 < delta < 1:
        raise RequestError(f"a composed epsilon needs a delta between 0 and 1, for example 1e-6, not {delta}")
    rows = list(charges)
    windows: set[str | None] = {None, *(row.window for row in rows)}
    totals = [_epsilon([row for row in rows if row.window in {None, window}], delta) for window in windows]
    return None if any(math.isinf(total) for total in totals) else max(totals)


def _epsilon(rows: list[HistoryRow], delta: float) -> float:
    if not rows:
        return 0.0
    alike = Counter((row.mechanism, row.amount) for row in rows)
    distributions = [_distribution(*charge).self_compose(times) for charge, times in alike.items()]
    total = functools.reduce(lambda one, other: one.compose(other), distributions)
    return float(total.get_epsilon_for_delta(delta))


def _distribution(kind: str, amount: Amount) -> Any:  # noqa: ANN401  dp-accounting has no types
    mechanism = _BY_KIND.get(kind, ReleaseMechanism)
    return mechanism.loss_distribution(float(amount.epsilon), float(amount.delta), INTERVAL)
