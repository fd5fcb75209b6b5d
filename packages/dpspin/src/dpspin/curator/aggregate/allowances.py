"""What each user of a series has used of the allowance for a life, and what a period takes of it, in integer ticks.

A user's vector of the period is scaled to min(b, what is left), floors only shrink it, and what was really added is
taken off: so over a life a user adds at most B_total (the theorem of `boundary.series`), whatever others do.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Final, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpspin.boundary.series import SeriesTerms
from dpspin.curator.aggregate.user_sums import ROWS, UserSums
from dpspin.curator.assign.contribution import Ints, capped, row_sums, sealed
from dpspin.errors import BoundViolation

MARK: Final = b"dpspin allowances 1\n"
KEY: Final = np.dtype([("high", "<i8"), ("low", "<i8")])
Keys = NDArray[np.void]


@dataclass(frozen=True, slots=True)
class Allowances:
    """Pseudonyms in order, and the ticks that each has used; who is not here has used none."""

    users: Ints = field(repr=False)  # two halves of a pseudonym in each row
    used: Ints = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "users", sealed(self.users))
        object.__setattr__(self, "used", sealed(self.used))
        in_order = self.users.shape == (len(self.used), 2) and np.array_equal(self.users, _halves(_once(self.users)))
        if not in_order or (self.used <= 0).any():
            raise BoundViolation("allowances name each user once, in order, with what was used")

    @classmethod
    def full(cls) -> Self:
        """Begin a life: nobody has used anything."""
        return cls(np.zeros((0, 2), np.int64), np.zeros(0, np.int64))

    def used_by(self, users: Ints) -> Ints:
        """Return what each of these users has used."""
        place = np.searchsorted(_keys(self.users), _keys(users))
        padded = np.vstack([self.users, np.zeros((1, 2), np.int64)])[place]
        known = (place < len(self.used)) & (padded == users).all(axis=1)
        return np.where(known, np.r_[self.used, 0][place], 0)

    def plus(self, users: Ints, taken: Ints) -> "Allowances":
        """Take more off the allowances of some users."""
        every = _once(np.vstack([self.users, users[taken > 0]]))
        used = np.zeros(len(every), np.int64)
        for who, amount in ((self.users, self.used), (users, taken)):
            np.add.at(used, np.searchsorted(every, _keys(who[amount > 0])), amount[amount > 0])
        return Allowances(_halves(every), used)

    def to_bytes(self) -> bytes:
        """Return the file of this state; equal states give equal bytes."""
        return MARK + np.column_stack([self.users, self.used]).astype("<i8").tobytes()

    @classmethod
    def from_bytes(cls, content: bytes) -> "Allowances":
        """Read the file of a state, whose digest was checked before."""
        rows = np.frombuffer(content.removeprefix(MARK), "<i8").reshape(-1, 3).astype(np.int64)
        return cls(rows[:, :2], rows[:, 2])


def digest_of_state(content: bytes) -> str:
    """Identify a state; private, because it depends on records."""
    return hashlib.sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class Taken:
    """What a period adds to the sketch, what was wanted, and the allowances that it leaves. All of it is private."""

    ticks: Ints = field(repr=False)
    wanted: int = field(repr=False)
    left: Allowances = field(repr=False)


def take(sums: UserSums, coordinates: int, before: Allowances, terms: SeriesTerms) -> Taken:
    """Clip each user's vector of the period to min(b, what is left of the allowance), and take off what was added."""
    rows = pa.Table.from_batches(sums.batches(), ROWS).sort_by([("high", "ascending"), ("low", "ascending")])
    high, low, atoms, ticks = (rows.column(name).to_numpy() for name in ROWS.names)
    names = np.column_stack([high, low])
    starts = np.flatnonzero(np.r_[True, (names[1:] != names[:-1]).any(axis=1)][: len(names)])
    offsets, users = np.r_[starts, len(names)].astype(np.int64), names[starts]
    left = terms.lifetime_ticks - before.used_by(users)
    caps = np.minimum(terms.per_period_ticks, left)
    added = capped(offsets, ticks, caps)
    taken = row_sums(offsets, added)
    if (left < 0).any() or (taken > caps).any():
        raise BoundViolation("a user would add more than is left of the allowance")
    result = np.zeros(coordinates, np.int64)
    np.add.at(result, atoms, added)
    wanted = int(np.minimum(row_sums(offsets, ticks), terms.per_period_ticks).sum())
    return Taken(result, wanted, before.plus(users, taken))


def _keys(users: Ints) -> Keys:
    """Return pseudonyms as values that are compared whole, the high half first."""
    return np.ascontiguousarray(users, "<i8").view(KEY).reshape(-1)


def _once(users: Ints) -> Keys:
    """Return each pseudonym once, in order."""
    return np.unique(_keys(users))


def _halves(keys: Keys) -> Ints:
    halves: Ints = np.ascontiguousarray(keys).view("<i8").reshape(-1, 2).astype(np.int64)
    return halves
