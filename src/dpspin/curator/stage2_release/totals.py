"""Running totals from which a sketch is finished. Integer sums: the same for any batch size, order and partition."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpspin.boundary.privacy import Mass, Prevalence, RecordUnit, UserUnit, bound_ticks
from dpspin.curator.stage1_assign.contribution import Contributions, Ints, capped
from dpspin.curator.stage2_release.mentions import Mentions, counted
from dpspin.curator.stage2_release.pseudonyms import THIS_RUN, Pseudonyms
from dpspin.curator.stage2_release.sketch import Sketch, SketchOrigin, require_same_origin
from dpspin.curator.stage2_release.user_sums import ROWS, MemorySums, UserSums
from dpspin.errors import RequestError

Flags = NDArray[np.bool_]


@dataclass(slots=True)
class RecordTotals:
    """Record level: one vector, C = Σ phi(x)."""

    origin: SketchOrigin
    settled: Ints = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.settled = np.zeros(self.origin.coordinates, np.int64)

    def add(self, contributions: Contributions, users: pa.StringArray | None = None) -> None:
        """Add a batch; user ids play no part here."""
        del users
        given = counted(contributions, self.origin.quantity, self.origin.none)
        np.add.at(self.settled, given.atoms, given.ticks)

    def merge(self, other: "RecordTotals") -> None:
        """Add the totals of another part of the corpus."""
        require_same_origin(self.origin, other.origin)
        self.settled += other.settled

    def user_rows(self) -> Iterator[pa.RecordBatch]:
        """No user is known here."""
        return iter(())

    def finish(self) -> Sketch:
        """Return the sketch."""
        return Sketch(self.settled, self.origin)


@dataclass(slots=True)
class UserTotals:
    """User level: U_u = Σ phi(x) per user, clipped to the bound only at the end, C = Σ_u Clip_B(U_u)."""

    origin: SketchOrigin
    pseudonyms: Pseudonyms = THIS_RUN
    sums: UserSums = field(default_factory=MemorySums, repr=False)
    settled: Ints = field(init=False, repr=False)  # records without a user: each a unit of its own, clipped at once

    def __post_init__(self) -> None:
        self.settled = np.zeros(self.origin.coordinates, np.int64)

    def add(self, contributions: Contributions, users: pa.StringArray | None = None) -> None:
        """Add a batch with the user of each record."""
        names = pa.nulls(contributions.records, pa.string()) if users is None else users
        named = pc.is_valid(names).to_numpy(zero_copy_only=False)
        given = counted(contributions, self.origin.quantity, self.origin.none)
        self._settle(given, ~named)
        self.sums.add(self._rows(given, names, named))

    def merge(self, other: "UserTotals") -> None:
        """Add the totals of another part of the corpus, user by user."""
        require_same_origin(self.origin, other.origin)
        if self.pseudonyms != other.pseudonyms:  # one user would be two, and count for twice the bound
            raise RequestError("these totals name users under different keys and cannot be merged")
        self.settled += other.settled
        for rows in other.user_rows():
            self.sums.add(rows)

    def user_rows(self) -> Iterator[pa.RecordBatch]:
        """Read every user's total as it is before clipping."""
        return self.sums.batches()

    def finish(self) -> Sketch:
        """Clip every user's total to the bound, in exact integers, and sum."""
        return finished(self.origin, self.settled, self.sums)

    def _settle(self, given: Contributions | Mentions, unnamed: Flags) -> None:
        if unnamed.any():
            theirs = unnamed[given.rows]
            ticks = given.ticks[theirs]
            if isinstance(self.origin.quantity, Mass):
                offsets = np.r_[0, np.cumsum(np.diff(given.offsets)[unnamed])].astype(np.int64)
                ticks = capped(offsets, ticks, bound_ticks(self.origin.unit))
            np.add.at(self.settled, given.atoms[theirs], ticks)

    def _rows(self, given: Contributions | Mentions, names: pa.StringArray, named: Flags) -> pa.RecordBatch:
        users = np.zeros((given.records, 2), np.int64)
        users[named] = self.pseudonyms(names.drop_null())
        records = given.rows
        theirs = named[records]
        who = users[records[theirs]]
        atoms, ticks = given.atoms[theirs].astype(np.int32), given.ticks[theirs]
        columns = (who[:, 0], who[:, 1], atoms, ticks)
        return pa.RecordBatch.from_arrays([pa.array(column) for column in columns], schema=ROWS)


def finished(origin: SketchOrigin, settled: Ints, sums: UserSums) -> Sketch:
    """Add what is settled and every user's total, clipped to the bound (or to K atoms, each counted once)."""
    match origin.quantity:
        case Mass():
            of_users = sums.clipped(bound_ticks(origin.unit), origin.coordinates)
        case Prevalence(most_atoms=most):
            of_users = sums.prevalent(most, origin.coordinates, origin.none)
        case _:
            assert_never(origin.quantity)
    return Sketch(settled + of_users, origin)


def totals_for(
    origin: SketchOrigin, *, pseudonyms: Pseudonyms = THIS_RUN, sums: UserSums | None = None
) -> RecordTotals | UserTotals:
    """Start the totals that fit the protected unit; per-user totals are kept in memory unless told otherwise."""
    match origin.unit:
        case RecordUnit():
            return RecordTotals(origin)
        case UserUnit():
            return UserTotals(origin, pseudonyms, MemorySums() if sums is None else sums)
        case _:
            assert_never(origin.unit)
