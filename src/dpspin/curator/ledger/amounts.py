"""Integer amounts of privacy loss, so that sums are exact and every database agrees on them.

A charge is rounded up and a cap is rounded down, so rounding can never grant budget.

A float is read as the decimal its owner typed (0.1 means one tenth), not as the binary number beside it: otherwise
a cap of 0.3 would refuse a request of 0.3. That stays on the private side, because the calibration in the boundary
spends at most the next float *below* the stated epsilon, and that one is never above the typed decimal.
"""

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.errors import LedgerError, RequestError

NANO = 10**9  # epsilon is counted in 1e-9
ATTO = 10**18  # delta is counted in 1e-18
MAX_EPSILON = 10**6  # far beyond any protection; keeps every sum inside 64 bits
SMALL = Decimal("0.001")


@dataclass(frozen=True, slots=True)
class Amount:
    """A non-negative amount of epsilon and delta; unlike a ``PrivacyLoss`` it may be zero.

    >>> Amount(1_000_000_000) - Amount(300_000_000)
    Amount(epsilon_nano=700000000, delta_atto=0)
    >>> print(Amount(1_500_000_000, 1_000_000_000_000))
    epsilon 1.5, delta 1e-6
    """

    epsilon_nano: int
    delta_atto: int = 0

    def __post_init__(self) -> None:
        if self.epsilon_nano < 0 or self.delta_atto < 0:
            raise LedgerError("an amount of privacy loss cannot be negative; the ledger contradicts itself")

    @property
    def epsilon(self) -> Decimal:
        """The exact epsilon."""
        return Decimal(self.epsilon_nano) / NANO

    @property
    def delta(self) -> Decimal:
        """The exact delta."""
        return Decimal(self.delta_atto) / ATTO

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.epsilon_nano + other.epsilon_nano, self.delta_atto + other.delta_atto)

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(self.epsilon_nano - other.epsilon_nano, self.delta_atto - other.delta_atto)

    def fits_in(self, room: "Amount") -> bool:
        """Say whether both epsilon and delta are covered.

        >>> Amount(5, 1).fits_in(Amount(9, 0))
        False
        """
        return self.epsilon_nano <= room.epsilon_nano and self.delta_atto <= room.delta_atto

    def times_in(self, room: "Amount") -> int:
        """Say how many charges like this one are covered.

        >>> Amount(2, 1).times_in(Amount(9, 3)), Amount(2).times_in(Amount(9))
        (3, 4)
        """
        pairs = ((self.epsilon_nano, room.epsilon_nano), (self.delta_atto, room.delta_atto))
        return min(available // price for price, available in pairs if price > 0)

    def as_json(self) -> dict[str, float]:
        """Return the amount for a program to read.

        >>> Amount(300_000_000, 10**12).as_json()
        {'epsilon': 0.3, 'delta': 1e-06}
        """
        return {"epsilon": float(self.epsilon), "delta": float(self.delta)}

    def __str__(self) -> str:
        epsilon = f"epsilon {plain(self.epsilon)}"
        return f"{epsilon}, delta {plain(self.delta)}" if self.delta_atto else epsilon


def charge_of(loss: PrivacyLoss) -> Amount:
    """Return what a release of this loss costs, rounded up.

    >>> charge_of(PrivacyLoss(0.1)), charge_of(PrivacyLoss(1 / 3, 1e-30))
    (Amount(epsilon_nano=100000000, delta_atto=0), Amount(epsilon_nano=333333334, delta_atto=1))
    """
    _require_storable(loss)
    return Amount(math.ceil(_typed(loss.epsilon) * NANO), math.ceil(_typed(loss.delta) * ATTO))


def cap_of(loss: PrivacyLoss) -> Amount:
    """Return the budget that a cap grants, rounded down.

    >>> cap_of(PrivacyLoss(0.3)), cap_of(PrivacyLoss(1 / 3))
    (Amount(epsilon_nano=300000000, delta_atto=0), Amount(epsilon_nano=333333333, delta_atto=0))
    """
    _require_storable(loss)
    return Amount(math.floor(_typed(loss.epsilon) * NANO), math.floor(_typed(loss.delta) * ATTO))


def plain(number: Decimal) -> str:
    """Write an exact decimal the way a person would.

    >>> plain(Decimal("10.500")), plain(Decimal("0.000001")), plain(Decimal(0))
    ('10.5', '1e-6', '0')
    """
    return format(number.normalize(), "e" if 0 < number < SMALL else "f")


def _typed(number: float) -> Fraction:
    return Fraction(repr(float(number)))  # repr is the shortest decimal that means this float


def _require_storable(loss: PrivacyLoss) -> None:
    if loss.epsilon > MAX_EPSILON:
        raise RequestError(f"the ledger keeps epsilons up to {MAX_EPSILON:,}, not {loss.epsilon}: ask for less")
