"""Running totals from which a sketch is finished. Integer sums: the same for any batch size, order and partition."""

from dataclasses import dataclass, field
from typing import assert_never

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpspin.boundary.privacy import RecordUnit, UserUnit, bound_ticks
from dpspin.curator.stage1_assign.contribution import Contributions, Ints, capped
from dpspin.curator.stage2_release.sketch import Sketch, SketchOrigin, require_same_origin

COMPACT_AT = 4_000_000  # pending (user, atom) entries before they are summed up


@dataclass(slots=True)
class RecordTotals:
    """Record level: one vector, C = Σ phi(x)."""

    origin: SketchOrigin
    ticks: Ints = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.ticks = np.zeros(self.origin.universe_size, np.int64)

    def add(self, contributions: Contributions, users: pa.StringArray | None = None) -> None:
        """Add a batch; user ids play no part here."""
        del users
        np.add.at(self.ticks, contributions.atoms, contributions.ticks)

    def merge(self, other: "RecordTotals") -> None:
        """Add the totals of another part of the corpus."""
        require_same_origin(self.origin, other.origin)
        self.ticks += other.ticks

    def finish(self) -> Sketch:
        """Return the sketch."""
        return Sketch(self.ticks, self.origin)


@dataclass(slots=True)
class UserTotals:
    """User level: U_u = Σ phi(x) per user, clipped to the bound only at the end, C = Σ_u Clip_B(U_u)."""

    origin: SketchOrigin
    unnamed: Ints = field(init=False, repr=False)  # records without a user: each a unit of its own, clipped at once
    parts: list[pa.Table] = field(init=False, repr=False, default_factory=list)
    _pending: int = field(init=False, repr=False, default=0)

    def __post_init__(self) -> None:
        self.unnamed = np.zeros(self.origin.universe_size, np.int64)

    def add(self, contributions: Contributions, users: pa.StringArray | None = None) -> None:
        """Add a batch with the user of each record."""
        names = pa.nulls(contributions.records, pa.string()) if users is None else users
        own = pc.is_null(names).to_numpy(zero_copy_only=False)[contributions.rows]
        clipped = capped(contributions.offsets, contributions.ticks, bound_ticks(self.origin.unit))
        np.add.at(self.unnamed, contributions.atoms[own], clipped[own])
        self._append(_part(names.take(contributions.rows[~own]), contributions.atoms[~own], contributions.ticks[~own]))

    def merge(self, other: "UserTotals") -> None:
        """Add the totals of another part of the corpus, user by user."""
        require_same_origin(self.origin, other.origin)
        self.unnamed += other.unnamed
        for part in other.parts:
            self._append(part)

    def finish(self) -> Sketch:
        """Clip every user's total to the bound, in exact integers, and sum."""
        users = self._compacted()
        codes = users.column("user").combine_chunks().dictionary_encode().indices.to_numpy().astype(np.int64)
        order = np.argsort(codes, kind="stable")
        offsets = np.concatenate([[0], np.cumsum(np.bincount(codes))]).astype(np.int64)
        clipped = capped(offsets, users.column("ticks").to_numpy()[order], bound_ticks(self.origin.unit))
        ticks = self.unnamed.copy()
        np.add.at(ticks, users.column("atom").to_numpy()[order], clipped)
        return Sketch(ticks, self.origin)

    def _append(self, part: pa.Table) -> None:
        self.parts.append(part)
        self._pending += part.num_rows
        if self._pending > COMPACT_AT:
            self.parts = [self._compacted()]
            self._pending = self.parts[0].num_rows // 2  # so that an incompressible rest is not compacted every time

    def _compacted(self) -> pa.Table:
        """Return one row per (user, atom)."""
        parts = pa.concat_tables(self.parts or [_part(pa.nulls(0, pa.string()), *[np.zeros(0, np.int64)] * 2)])
        sums = parts.group_by(["user", "atom"], use_threads=False).aggregate([("ticks", "sum")])
        return sums.rename_columns({"ticks_sum": "ticks"})


def _part(users: pa.StringArray, atoms: Ints, ticks: Ints) -> pa.Table:
    return pa.table({"user": users, "atom": atoms, "ticks": ticks})


def totals_for(origin: SketchOrigin) -> RecordTotals | UserTotals:
    """Start the totals that fit the protected unit."""
    match origin.unit:
        case RecordUnit():
            return RecordTotals(origin)
        case UserUnit():
            return UserTotals(origin)
        case _:
            assert_never(origin.unit)
