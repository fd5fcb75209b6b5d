"""Integer amounts of privacy loss, so that sums are exact and every database agrees on them.

A charge is rounded up and a cap is rounded down, so rounding can never grant budget.

A float is read as the decimal its owner typed (0.1 means one tenth), not as the binary number beside it: otherwise
a cap of 0.3 would refuse a request of 0.3. That stays on the private side, because the calibration in the boundary
spends at most the next float *below* the stated epsilon, and that one is never above the typed decimal.
"""

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from dpspin.boundary.accounting import Cost, Rho
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.errors import LedgerError, RequestError

NANO = 10**9  # epsilon and rho are counted in 1e-9
ATTO = 10**18  # delta is counted in 1e-18
MOST = 10**6  # of epsilon or rho: far beyond any protection; keeps every sum inside 64 bits
ABOVE_ROUNDING = 1 + Fraction(1, 10**12)  # rho is computed, not typed: its last float digits may be too small
SMALL = Decimal("0.001")


class Currency(StrEnum):
    """In what an account is decided: the sums of epsilon and delta, or the sum of rho (zCDP)."""

    EPSILON = "epsilon"
    RHO = "rho"


@dataclass(frozen=True, slots=True)
class Amount:
    """A non-negative amount of epsilon and delta, and of rho; unlike a ``PrivacyLoss`` it may be zero.

    >>> Amount(1_000_000_000) - Amount(300_000_000)
    Amount(epsilon_nano=700000000, delta_atto=0, rho_nano=0)
    >>> print(Amount(1_500_000_000, 1_000_000_000_000))
    epsilon 1.5, delta 1e-6
    """

    epsilon_nano: int
    delta_atto: int = 0
    rho_nano: int = 0

    def __post_init__(self) -> None:
        if min(self.parts) < 0:
            raise LedgerError("an amount of privacy loss cannot be negative; the ledger contradicts itself")

    @property
    def parts(self) -> tuple[int, int, int]:
        """The three integers, as the tables have them."""
        return self.epsilon_nano, self.delta_atto, self.rho_nano

    @property
    def epsilon(self) -> Decimal:
        """The exact epsilon."""
        return Decimal(self.epsilon_nano) / NANO

    @property
    def delta(self) -> Decimal:
        """The exact delta."""
        return Decimal(self.delta_atto) / ATTO

    @property
    def rho(self) -> Decimal:
        """The exact rho."""
        return Decimal(self.rho_nano) / NANO

    def __add__(self, other: "Amount") -> "Amount":
        return self._each(operator.add, other)

    def __sub__(self, other: "Amount") -> "Amount":
        return self._each(operator.sub, other)

    def at_least(self, other: "Amount") -> "Amount":
        """Return the larger of each part: what disjoint windows cost together.

        >>> Amount(5, 1).at_least(Amount(3, 2))
        Amount(epsilon_nano=5, delta_atto=2, rho_nano=0)
        """
        return self._each(max, other)

    def _each(self, of_two: Callable[[int, int], int], other: "Amount") -> "Amount":
        return Amount(*map(of_two, self.parts, other.parts))

    def paid_in(self, currency: Currency) -> "Amount":
        """Leave the other currency out.

        >>> Amount(5, 1, 7).paid_in(Currency.RHO)
        Amount(epsilon_nano=0, delta_atto=0, rho_nano=7)
        """
        return Amount(0, 0, self.rho_nano) if currency is Currency.RHO else Amount(self.epsilon_nano, self.delta_atto)

    def fits_in(self, room: "Amount") -> bool:
        """Say whether every part is covered.

        >>> Amount(5, 1).fits_in(Amount(9, 0))
        False
        """
        return all(map(operator.le, self.parts, room.parts))

    def times_in(self, room: "Amount") -> int:
        """Say how many charges like this one are covered.

        >>> Amount(2, 1).times_in(Amount(9, 3)), Amount(2).times_in(Amount(9))
        (3, 4)
        """
        return min(available // price for price, available in zip(self.parts, room.parts, strict=True) if price > 0)

    def figures(self, currency: Currency) -> dict[str, Decimal]:
        """Return the exact figures of one currency, by name."""
        return {"rho": self.rho} if currency is Currency.RHO else {"epsilon": self.epsilon, "delta": self.delta}

    def as_json(self, currency: Currency = Currency.EPSILON) -> dict[str, float]:
        """Return the amount for a program to read.

        >>> Amount(300_000_000, 10**12, 5).as_json(), Amount(0, 0, 5).as_json(Currency.RHO)
        ({'epsilon': 0.3, 'delta': 1e-06}, {'rho': 5e-09})
        """
        return {name: float(figure) for name, figure in self.figures(currency).items()}

    def words(self, currency: Currency) -> str:
        """Write the amount as a person would.

        >>> Amount(0, 0, 500_000_000).words(Currency.RHO)
        'rho 0.5'
        """
        figures = self.figures(currency).items()
        return ", ".join(f"{name} {plain(figure)}" for name, figure in figures if figure or name != "delta")

    def __str__(self) -> str:
        return self.words(Currency.EPSILON)


NO_RHO = Amount(0, 0, MOST * NANO + 1)  # more than the largest cap


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


def charge_of(cost: Cost) -> Amount:
    """Return what a release costs, rounded up. One without a bound in rho costs more of it than any account has.

    >>> from dpspin.boundary.accounting import Neighbours
    >>> from dpspin.boundary.privacy import Adjacency
    >>> of_records = Neighbours("record", Adjacency.ADD_DROP)
    >>> charge_of(Cost(PrivacyLoss(0.1), 0.005, of_records)).epsilon_nano
    100000000
    >>> charge_of(Cost(PrivacyLoss(1 / 3, 1e-30), 1e-30, of_records))
    Amount(epsilon_nano=333333334, delta_atto=1, rho_nano=1)
    """
    if cost.rho == math.inf:
        return loss_rounded_up(cost.loss) + NO_RHO
    _require_storable(cost.rho, "rho")
    return loss_rounded_up(cost.loss) + Amount(0, 0, math.ceil(Fraction(cost.rho) * ABOVE_ROUNDING * NANO))


def loss_rounded_up(loss: PrivacyLoss) -> Amount:
    """Return epsilon and delta, rounded up.

    >>> loss_rounded_up(PrivacyLoss(1 / 3)).epsilon_nano
    333333334
    """
    _require_storable(loss.epsilon, "epsilon")
    return Amount(math.ceil(_typed(loss.epsilon) * NANO), math.ceil(_typed(loss.delta) * ATTO))


def cap_of(cap: PrivacyLoss | Rho) -> Amount:
    """Return the budget that a cap grants, rounded down.

    >>> cap_of(PrivacyLoss(0.3)).epsilon_nano, cap_of(PrivacyLoss(1 / 3)).epsilon_nano, cap_of(Rho(0.1)).rho_nano
    (300000000, 333333333, 100000000)
    """
    match cap:
        case Rho():
            _require_storable(cap.rho, "rho")
            return Amount(0, 0, math.floor(_typed(cap.rho) * NANO))
        case PrivacyLoss():
            _require_storable(cap.epsilon, "epsilon")
            return Amount(math.floor(_typed(cap.epsilon) * NANO), math.floor(_typed(cap.delta) * ATTO))


def currency_of(cap: PrivacyLoss | Rho) -> Currency:
    """Say in what a cap is decided."""
    return Currency.RHO if isinstance(cap, Rho) else Currency.EPSILON


def plain(number: Decimal) -> str:
    """Write an exact decimal the way a person would.

    >>> plain(Decimal("10.500")), plain(Decimal("0.000001")), plain(Decimal(0))
    ('10.5', '1e-6', '0')
    """
    return format(number.normalize(), "e" if 0 < number < SMALL else "f")


def _typed(number: float) -> Fraction:
    return Fraction(repr(float(number)))  # repr is the shortest decimal that means this float


def _require_storable(number: float, name: str) -> None:
    if number > MOST:
        raise RequestError(f"the ledger keeps {name} up to {MOST:,}, not {number}: ask for less")
