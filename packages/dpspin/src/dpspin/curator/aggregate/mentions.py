"""Prevalence: which atoms a record mentions at all. One or nothing for each, and for at most K atoms."""

from dataclasses import dataclass, field

import numpy as np

from dpspin.boundary.privacy import TICKS_PER_MASS, AnyQuantity, Prevalence
from dpspin.curator.assign.contribution import Contributions, Ints
from dpspin.errors import BoundViolation


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


def rank_within(rows: Ints, atoms: Ints, ticks: Ints, none: int | None) -> Ints:
    """Rank each row's atoms by weight, from 0; of equal ones the lower index comes first, "none of these" last.

    >>> rank_within(np.array([0, 0, 1]), np.array([4, 7, 4]), np.array([1, 2, 9]), none=None)
    array([1, 0, 0])
    """
    order = np.lexsort((atoms, -ticks, atoms == (-1 if none is None else none), rows))
    starts = np.r_[True, rows[order][1:] != rows[order][:-1]][: len(rows)]
    place = np.arange(len(rows))
    rank = np.empty(len(rows), np.int64)
    rank[order] = place - np.maximum.accumulate(np.where(starts, place, 0))
    return rank


def counted(contributions: Contributions, quantity: AnyQuantity, none: int | None) -> Contributions | Mentions:
    """Return what a batch adds to the sketch: its masses, or its mentions."""
    return Mentions.of(contributions, quantity, none) if isinstance(quantity, Prevalence) else contributions
