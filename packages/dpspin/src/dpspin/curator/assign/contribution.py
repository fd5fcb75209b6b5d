"""Bounded contributions of a batch of records. The constructor is the proof on which every sensitivity rests."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.boundary.statement import MapStatement
from dpspin.errors import BoundViolation

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

HEAVIEST_WEIGHT = 2.0**20  # heavier weights are nonsense, and would overflow the grid


@dataclass(frozen=True, slots=True)
class Contributions:
    """Record i gives ``ticks[offsets[i]:offsets[i+1]]`` to ``atoms[…]``: nonnegative, at most K atoms, mass <= 1.

    (The paper's phi: ‖phi(x)‖₀ <= K, ‖phi(x)‖₁ <= 1.) A map that answers "none of these" returns it as the last of m+1
    coordinates, inside the same mass one; it counts among the K of this batch. Whatever a scorer returned, an instance
    satisfies this or does not exist.
    """

    offsets: Ints = field(repr=False)
    atoms: Ints = field(repr=False)
    ticks: Ints = field(repr=False)
    universe_size: int
    atoms_per_record: int | None

    def __post_init__(self) -> None:
        for name in ("offsets", "atoms", "ticks"):
            object.__setattr__(self, name, sealed(getattr(self, name)))
        _require_rows(self.offsets, self.atoms, self.ticks)
        _require_known_atoms(self.atoms, self.universe_size)
        if self.atoms_per_record is not None and (np.diff(self.offsets) > self.atoms_per_record).any():
            raise BoundViolation(f"a record has more than K={self.atoms_per_record} atoms; the map must call top_k()")
        if (self.ticks < 0).any() or (self.ticks > TICKS_PER_MASS).any():
            raise BoundViolation("a contribution is negative or above mass one")
        if (row_sums(self.offsets, self.ticks) > TICKS_PER_MASS).any():
            raise BoundViolation("a record's total mass is above one")

    @property
    def records(self) -> int:
        """The number of records in the batch: private, like everything here."""
        return len(self.offsets) - 1

    @property
    def rows(self) -> Ints:
        """The record of each contribution."""
        return np.repeat(np.arange(self.records, dtype=np.int64), np.diff(self.offsets))

    @classmethod
    def from_weights(
        cls, offsets: Ints, atoms: Ints, weights: Floats, *, universe_size: int, atoms_per_record: int | None
    ) -> "Contributions":
        """Quantise real weights to ticks, toward zero, and scale down records heavier than one in exact integers."""
        if not np.isfinite(weights).all() or (weights < 0).any() or (weights > HEAVIEST_WEIGHT).any():
            raise BoundViolation(
                "a weight is negative, not a number or absurdly large; a map must return weights in [0, 1]"
            )
        ticks = np.floor(np.ldexp(weights, 30)).astype(np.int64)  # ldexp is exact, floor cannot raise the mass
        return cls(offsets, atoms, capped(offsets, ticks, TICKS_PER_MASS), universe_size, atoms_per_record)


def joined(parts: Sequence[Contributions]) -> Contributions:
    """Return the records of several batches of one map as one batch.

    >>> one = Contributions(np.array([0, 1]), np.array([2]), np.array([5]), 3, None)
    >>> joined([one, one]).offsets, joined([one, one]).atoms
    (array([0, 1, 2]), array([2, 2]))
    """
    atoms, ticks = (np.concatenate([getattr(part, name) for part in parts]) for name in ("atoms", "ticks"))
    counts = np.concatenate([np.diff(part.offsets) for part in parts])
    offsets = np.append(0, np.cumsum(counts))
    return Contributions(offsets, atoms, ticks, parts[0].universe_size, parts[0].atoms_per_record)


class ContributionMap(Protocol):
    """Stage I as one call: fixed before any protected record is read, identified by its statement's digest."""

    @property
    def statement(self) -> MapStatement:
        """What the plan says about this map."""
        ...

    def __call__(self, texts: pa.StringArray) -> Contributions:
        """Map a batch of texts; a null text contributes nothing, not even to "none of these"."""
        ...


def capped(offsets: Ints, ticks: Ints, cap: int | Ints, before: Ints | None = None) -> Ints:
    """Scale rows whose sum exceeds ``cap`` to ticks·cap // sum: exact integers, so the sum never exceeds the cap.

    There may be one cap for all rows, or one for each.

    ``before`` is what a row's earlier entries have of the same coordinate, where it lies in several cells. Running sums
    are scaled, so the cells of a coordinate add up to what it would have in one piece.

    >>> capped(np.array([0, 2, 3]), np.array([6, 2, 3]), cap=4)
    array([3, 1, 3])
    >>> capped(np.array([0, 3]), np.array([3, 3, 2]), cap=4, before=np.array([0, 3, 0]))
    array([1, 2, 1])
    >>> capped(np.array([0, 2, 3]), np.array([6, 2, 3]), cap=np.array([8, 1]))
    array([6, 2, 1])
    """
    sums = row_sums(offsets, ticks)
    heavy = np.repeat(sums > cap, np.diff(offsets))
    if not heavy.any():
        return ticks
    row_total = np.repeat(sums, np.diff(offsets))
    result = ticks.copy()
    # Python integers: ticks·cap needs more than 64 bits.
    cap = cap if isinstance(cap, int) else np.repeat(cap, np.diff(offsets))[heavy].astype(object)
    whole, own = row_total[heavy].astype(object), ticks[heavy].astype(object)
    if before is None:
        result[heavy] = own * cap // whole
    else:
        below = before[heavy].astype(object)
        result[heavy] = (below + own) * cap // whole - below * cap // whole
    return result


def row_sums(offsets: Ints, values: Ints) -> Ints:
    """Sum each row of a ragged array; empty rows give zero.

    >>> row_sums(np.array([0, 2, 2, 3]), np.array([1, 2, 5]))
    array([3, 0, 5])
    """
    running = np.concatenate([np.zeros(1, np.int64), np.cumsum(values, dtype=np.int64)])
    sums: Ints = running[offsets[1:]] - running[offsets[:-1]]
    return sums


def sealed(array: Ints) -> Ints:
    """Return a copy that cannot be changed."""
    copy = np.array(array, dtype=np.int64)
    copy.setflags(write=False)
    return copy


def _require_rows(offsets: Ints, atoms: Ints, ticks: Ints) -> None:
    starts_and_ends = len(offsets) > 0 and offsets[0] == 0 and offsets[-1] == len(atoms) == len(ticks)
    if not starts_and_ends or (np.diff(offsets) < 0).any():
        raise BoundViolation("offsets, atoms and ticks do not describe one row per record")


def _require_known_atoms(atoms: Ints, universe_size: int) -> None:
    if len(atoms) and not (atoms.min() >= 0 and atoms.max() < universe_size):
        raise BoundViolation("a contribution names an atom outside the dictionary")


def top_k(scores: "csr_array[np.int64]", k: int | None) -> Contributions:
    """Turn a batch of integer scores (records x atoms) into contributions (the paper's remark 1).

    Scores are integers, so equal scores are really equal and the order does not depend on the machine. ``k=None``
    keeps every positive score.

    >>> result = top_k(csr_array(np.array([[5, 0, 5, 10], [0, -3, 0, 0]])), k=2)
    >>> result.atoms, result.ticks / 2**30
    (array([3, 0]), array([0.66666667, 0.33333333]))
    """
    rows, atoms, values = _positive_entries(scores)
    order = np.lexsort((atoms, -values, rows))  # by record, best first, then lowest index
    rows, atoms, values = rows[order], atoms[order], values[order]
    counts = np.bincount(rows, minlength=scores.shape[0])
    place = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    if k is not None:
        kept = place < k
        rows, atoms, values = rows[kept], atoms[kept], values[kept]
        counts = np.minimum(counts, k)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    totals = np.bincount(rows, weights=values, minlength=scores.shape[0])
    weights = values / totals[rows]
    return Contributions.from_weights(offsets, atoms, weights, universe_size=scores.shape[1], atoms_per_record=k)


def _positive_entries(
    scores: "csr_array[np.int64]",
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    entries = scores.tocoo()
    positive = entries.data > 0
    rows, atoms = (index[positive].astype(np.int64) for index in entries.coords)
    return rows, atoms, entries.data[positive]
