"""Running totals from which a sketch is finished. Integer sums: the same for any batch size, order and partition."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpspin.boundary.privacy import TICKS_PER_MASS, AnyQuantity, Mass, Prevalence, RecordUnit, UserUnit, bound_ticks
from dpspin.curator.aggregate.joint_cells import Marginal, Places
from dpspin.curator.aggregate.pseudonyms import THIS_RUN, Pseudonyms
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin, require_same_origin
from dpspin.curator.aggregate.user_sums import ROWS, MemorySums, UserSums, rank_within
from dpspin.curator.assign.contribution import Contributions, Ints, capped
from dpspin.errors import BoundViolation, RequestError

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Mentions:
    """Record i mentions ``atoms[offsets[i]:offsets[i+1]]``: at most K, all different, each counting one whole unit.

    The constructor is the proof: ‖x‖∞ <= 1 and ‖x‖₁ <= K for every record. "None of these" is mentioned alone.
    """

    offsets: Ints = field(repr=False)
    atoms: Ints = field(repr=False)
    most: int

    def __post_init__(self) -> None:
        if (np.diff(self.offsets) > self.most).any():
            raise BoundViolation("a record mentions more atoms than prevalence allows")
        pairs = np.stack([self.rows, self.atoms])
        if len(np.unique(pairs, axis=1).T) != len(self.atoms):
            raise BoundViolation("a record mentions an atom twice")

    @property
    def ticks(self) -> Ints:
        """One whole unit for each mention."""
        return np.full(len(self.atoms), TICKS_PER_MASS, np.int64)

    @property
    def records(self) -> int:
        """The number of records in the batch."""
        return len(self.offsets) - 1

    @property
    def rows(self) -> Ints:
        """The record of each mention."""
        return np.repeat(np.arange(self.records, dtype=np.int64), np.diff(self.offsets))

    @classmethod
    def of(cls, contributions: Contributions, quantity: Prevalence, none: int | None) -> "Mentions":
        """Keep each record's heaviest noticed atoms; "none of these" counts where no atom is left.

        >>> rows, atoms, weights = np.array([0, 3]), np.array([0, 1, 2]), np.array([0.05, 0.6, 0.35])
        >>> both = Contributions.from_weights(rows, atoms, weights, universe_size=3, atoms_per_record=None)
        >>> Mentions.of(both, Prevalence(most_atoms=2), none=None).atoms
        array([1, 2])
        """
        noticed = (contributions.ticks >= np.ceil(quantity.noticed * TICKS_PER_MASS)) & (contributions.atoms != none)
        rows, atoms = contributions.rows[noticed], contributions.atoms[noticed]
        kept = rank_within(rows, atoms, contributions.ticks[noticed], none) < quantity.most_atoms
        rows, atoms = rows[kept], atoms[kept]
        if none is not None:
            silent = np.setdiff1d(contributions.rows, rows)  # readable, and about no atom in particular
            rows, atoms = np.r_[rows, silent], np.r_[atoms, np.full(len(silent), none)]
            order = np.argsort(rows, kind="stable")
            rows, atoms = rows[order], atoms[order]
        counts = np.bincount(rows, minlength=contributions.records)
        return cls(np.r_[0, np.cumsum(counts)].astype(np.int64), atoms, quantity.most_atoms)


def counted(contributions: Contributions, quantity: AnyQuantity, none: int | None) -> "Given":
    """Return what a batch adds to the sketch: its masses, or its mentions."""
    return Mentions.of(contributions, quantity, none) if isinstance(quantity, Prevalence) else contributions


Given = Contributions | Mentions


def by_cell(given: Given, places: Places | None, origin: SketchOrigin) -> Iterator[tuple[Given, Ints]]:
    """Yield what a batch gives, with the joint cell of each contribution: its atom and its values of all facets.

    What it gives to a facet that stands alone comes behind, among cells of its own.
    """
    if not origin.facets:
        yield given, given.atoms
        return
    alone = [marginal for marginal in origin.marginals if marginal.start]
    if places is None or len(places.alone) != len(alone):
        raise BoundViolation("these records came without the values of their facets")
    yield given, given.atoms * origin.marginals[0].joint + places(given.rows, given.atoms, given.ticks)
    for found, marginal in zip(places.alone, alone, strict=True):
        if found.records != given.records or found.universe_size != marginal.size:
            raise BoundViolation("a facet that stands alone has one row per record, and one place for each of its own")
        yield found, marginal.start + found.atoms


@dataclass(slots=True)
class RecordTotals:
    """Record level: one vector, C = Σ phi(x). Every record is a unit, also one that gives nothing."""

    origin: SketchOrigin
    settled: Ints = field(init=False, repr=False)
    settled_units: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        self.settled = np.zeros(self.origin.joint_cells, np.int64)

    def add(
        self, contributions: Contributions, users: pa.StringArray | None = None, places: Places | None = None
    ) -> None:
        """Add a batch; user ids play no part here."""
        del users
        counts = counted(contributions, self.origin.quantity, self.origin.none)
        for given, cells in by_cell(counts, places, self.origin):
            np.add.at(self.settled, cells, given.ticks)
        self.settled_units += contributions.records

    def merge(self, other: "RecordTotals") -> None:
        """Add the totals of another part of the corpus."""
        require_same_origin(self.origin, other.origin)
        self.settled += other.settled
        self.settled_units += other.settled_units

    def user_rows(self) -> Iterator[pa.RecordBatch]:
        """No user is known here."""
        return iter(())

    def finish(self) -> Sketch:
        """Return the sketch."""
        totals, *views = (marginal.sums(self.settled) for marginal in self.origin.marginals)
        return Sketch(totals, self.origin, self.settled_units, tuple(views))


@dataclass(slots=True)
class UserTotals:
    """User level: U_u = Σ phi(x) per user, clipped to the bound only at the end, C = Σ_u Clip_B(U_u)."""

    origin: SketchOrigin
    pseudonyms: Pseudonyms = THIS_RUN
    sums: UserSums = field(default_factory=MemorySums, repr=False)
    settled: Ints = field(init=False, repr=False)  # records without a user: each a unit of its own, clipped at once
    settled_units: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        self.settled = np.zeros(self.origin.joint_cells, np.int64)

    def add(
        self, contributions: Contributions, users: pa.StringArray | None = None, places: Places | None = None
    ) -> None:
        """Add a batch with the user of each record."""
        names = pa.nulls(contributions.records, pa.string()) if users is None else users
        named = pc.is_valid(names).to_numpy(zero_copy_only=False)
        counts = counted(contributions, self.origin.quantity, self.origin.none)
        for given, cells in by_cell(counts, places, self.origin):
            self._settle(given, cells, ~named)
            self.sums.add(self._rows(given, cells, names, named))
        self.settled_units += int((~named).sum())

    def merge(self, other: "UserTotals") -> None:
        """Add the totals of another part of the corpus, user by user."""
        require_same_origin(self.origin, other.origin)
        if self.pseudonyms != other.pseudonyms:  # one user would be two, and count for twice the bound
            raise RequestError("these totals name users under different keys and cannot be merged")
        self.settled += other.settled
        self.settled_units += other.settled_units
        for rows in other.user_rows():
            self.sums.add(rows)

    def user_rows(self) -> Iterator[pa.RecordBatch]:
        """Read every user's total as it is before clipping."""
        return self.sums.batches()

    def finish(self) -> Sketch:
        """Clip every user's total to the bound, in exact integers, and sum."""
        return finished(self.origin, self.settled, self.settled_units, self.sums)

    def _settle(self, given: Given, cells: Ints, unnamed: Flags) -> None:
        if unnamed.any():
            theirs = unnamed[given.rows]
            ticks = given.ticks[theirs]
            if isinstance(self.origin.quantity, Mass):
                offsets = np.r_[0, np.cumsum(np.diff(given.offsets)[unnamed])].astype(np.int64)
                ticks = capped(offsets, ticks, bound_ticks(self.origin.unit))
            np.add.at(self.settled, cells[theirs], ticks)

    def _rows(self, given: Given, cells: Ints, names: pa.StringArray, named: Flags) -> pa.RecordBatch:
        """Return what each user gave. A record that gave nothing is a row of zero ticks: its user counts as one too."""
        users = np.zeros((given.records, 2), np.int64)
        users[named] = self.pseudonyms(names.drop_null())
        records = given.rows
        theirs, idle = named[records], np.flatnonzero(named & (np.diff(given.offsets) == 0))
        nothing = np.zeros(len(idle), np.int64)
        who = users[np.r_[records[theirs], idle]]
        atoms = np.r_[cells[theirs], nothing].astype(np.int32)
        columns = (who[:, 0], who[:, 1], atoms, np.r_[given.ticks[theirs], nothing])
        return pa.RecordBatch.from_arrays([pa.array(column) for column in columns], schema=ROWS)


def finished(origin: SketchOrigin, settled: Ints, settled_units: int, sums: UserSums) -> Sketch:
    """Add what is settled and every user's total, clipped to the bound (or to K atoms, each counted once).

    A user is one unit, whatever they gave.
    """
    totals, *views = (marginal.sums(settled) + _of_users(origin, sums, marginal) for marginal in origin.marginals)
    return Sketch(totals, origin, settled_units + sums.users(), tuple(views))


def _of_users(origin: SketchOrigin, sums: UserSums, marginal: Marginal) -> Ints:
    match origin.quantity:
        case Mass():
            return sums.clipped(bound_ticks(origin.unit), marginal)
        case Prevalence(most_atoms=most):
            return sums.prevalent(most, marginal, origin.none)
        case _:
            assert_never(origin.quantity)


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
