"""Records after Stage I, as sparse integers: choosing some of them, clipping their users and summing are array work.

The sums are those of the product's own totals, bit for bit: integers in, the same exact clipping, integers out.
"""

from dataclasses import dataclass, field
from typing import assert_never

import numpy as np

from dpspin.boundary.privacy import RecordUnit, UserUnit, bound_ticks
from dpspin.curator.assign.contribution import Contributions, Ints, capped
from dpspin.errors import RequestError


@dataclass(frozen=True, slots=True)
class Mapped:
    """What each record gives to each atom, and the number of the user who wrote it, where users are known."""

    given: Contributions
    users: Ints | None = field(default=None, repr=False)

    @property
    def records(self) -> int:
        """How many records there are."""
        return self.given.records

    def part(self, rows: Ints) -> "Mapped":
        """Return some of the records.

        >>> two = Contributions(np.array([0, 1, 3]), np.array([0, 0, 2]), np.array([8, 3, 4]), 3, None)
        >>> Mapped(two).part(np.array([1])).given.atoms
        array([0, 2])
        """
        starts, counts = self.given.offsets[:-1][rows], np.diff(self.given.offsets)[rows]
        offsets = np.r_[0, np.cumsum(counts)].astype(np.int64)
        places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], counts)
        chosen = self._like(offsets, self.given.atoms[places], self.given.ticks[places])
        return Mapped(chosen, None if self.users is None else self.users[rows])

    def and_others(self, others: "Mapped") -> "Mapped":
        """Add records of other people: each of them is a user of their own."""
        if self.given.universe_size != others.given.universe_size:
            raise RequestError("records can be joined where both were mapped to the same atoms")
        offsets = np.r_[self.given.offsets, self.given.offsets[-1] + others.given.offsets[1:]]
        atoms = np.r_[self.given.atoms, others.given.atoms]
        joined = self._like(offsets, atoms, np.r_[self.given.ticks, others.given.ticks])
        if self.users is None:
            return Mapped(joined)
        first = int(self.users.max(initial=-1)) + 1
        return Mapped(joined, np.r_[self.users, first + np.arange(others.records)])

    def ticks(self, unit: RecordUnit | UserUnit) -> Ints:
        """Return C(D): the sum over records, or over users clipped to their bound."""
        match unit:
            case RecordUnit():
                return _summed(self.given.atoms, self.given.ticks, self.given.universe_size)
            case UserUnit():
                offsets, atoms, ticks = self._by_user()
                return _summed(atoms, capped(offsets, ticks, bound_ticks(unit)), self.given.universe_size)
            case _:
                assert_never(unit)

    def units(self, unit: RecordUnit | UserUnit) -> int:
        """Count the protected units, also those that give nothing."""
        return self.records if isinstance(unit, RecordUnit) else len(np.unique(self._known_users()))

    def _by_user(self) -> tuple[Ints, Ints, Ints]:
        """Return U_u = Σ phi(x) of every user who gives something, one row each."""
        size = self.given.universe_size
        keys, place = np.unique(self._known_users()[self.given.rows] * size + self.given.atoms, return_inverse=True)
        sums = _summed(place, self.given.ticks, len(keys))
        starts = np.flatnonzero(np.diff(keys // size, prepend=-1))
        return np.r_[starts, len(keys)].astype(np.int64), keys % size, sums

    def _known_users(self) -> Ints:
        if self.users is None:
            raise RequestError("these records name no users, so users cannot be protected: use the record unit")
        return self.users

    def _like(self, offsets: Ints, atoms: Ints, ticks: Ints) -> Contributions:
        return Contributions(offsets, atoms, ticks, self.given.universe_size, self.given.atoms_per_record)


def _summed(places: Ints, values: Ints, size: int) -> Ints:
    sums = np.zeros(size, np.int64)
    np.add.at(sums, places, values)
    return sums
