"""Where a release's error comes from: the map, the clipping of users, or the noise. Nothing here is private.

The same vector over the atoms is looked at four times on the way: as it is in truth, as mapped, as clipped, as
released. Each step's error is the difference between its end and its beginning, so the three add up, atom by atom, to
the whole one. Sizes do not add up, because errors can cancel each other: ``of_distance`` and ``of_overlap`` say what
each step adds to (or, below zero, takes from) the error with which the release ends.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.assign.contribution import Floats, Ints, capped
from dpspin.errors import RequestError
from dpspin_lab.metrics.plan import overlap, overlap_at, top_atoms

Figures = TypeVar("Figures", float, Floats)


@dataclass(frozen=True, slots=True)
class Stages:
    """Masses or shares of the same atoms, in the same order."""

    true: Floats = field(repr=False)
    mapped: Floats = field(repr=False)
    clipped: Floats = field(repr=False)
    noisy: Floats = field(repr=False)

    def __post_init__(self) -> None:
        if len({np.shape(stage) for stage in (self.true, self.mapped, self.clipped, self.noisy)}) != 1:
            raise RequestError("the stages of a release must be vectors over the same atoms")

    def as_shares(self) -> "Stages":
        """Return each stage as parts of its own total; what noise made negative counts as nothing."""
        return Stages(*(shares(stage) for stage in (self.true, self.mapped, self.clipped, self.noisy)))


@dataclass(frozen=True, slots=True)
class Parts(Generic[Figures]):
    """What each step adds: one figure, or one for each atom.

    >>> Parts(0.25, 0.125, -0.0625).total
    0.3125
    """

    mapping: Figures
    clipping: Figures
    noise: Figures

    @property
    def total(self) -> Figures:
        """Their sum: of all atoms, the released vector less the true one."""
        return self.mapping + self.clipping + self.noise

    @property
    def steps(self) -> tuple[Figures, Figures, Figures]:
        """All three."""
        return self.mapping, self.clipping, self.noise

    def times(self, factor: float) -> "Parts[Figures]":
        """Scale all three."""
        return Parts(*(factor * step for step in self.steps))


def public_only(true: Floats, auxiliary: Floats) -> Stages:
    """State the auxiliary shares as if they were the target's, at no epsilon at all: what a release has to beat.

    It clips nobody and needs no noise, so whatever is wrong about it was wrong from the first step on.
    """
    return Stages(true, auxiliary, auxiliary, auxiliary)


def by_atom(stages: Stages) -> Parts[Floats]:
    """Return the error of each step at each atom.

    >>> steps = Stages(np.array([3.0, 1.0]), np.array([2.0, 2.0]), np.array([2.0, 1.0]), np.array([2.5, 0.5]))
    >>> by_atom(steps).mapping, by_atom(steps).total
    (array([-1.,  1.]), array([-0.5, -0.5]))
    """
    return Parts(stages.mapped - stages.true, stages.clipped - stages.mapped, stages.noisy - stages.clipped)


def sizes(errors: Parts[Floats]) -> Parts[float]:
    """Return the L1 size of each step by itself; their sum is at least the size of the whole error."""
    return Parts(*(float(np.abs(step).sum()) for step in errors.steps))


def of_distance(errors: Parts[Floats]) -> Parts[float]:
    """Split the L1 size of the whole error exactly: what each step moves in the direction of the final error.

    ‖e‖₁ = Σ sign(e_j)·e_j, and e_j is the sum of the steps; a step that mends an earlier one is negative.

    >>> of_distance(Parts(np.array([-2.0, 1.0]), np.array([0.0, 0.0]), np.array([0.5, 0.5])))
    Parts(mapping=3.0, clipping=0.0, noise=0.0)
    """
    direction = np.sign(errors.total)
    return Parts(*(float(direction @ step) for step in errors.steps))


def of_overlap(stages: Stages, size: int) -> Parts[float]:
    """Split 1 - Overlap@L: the part of the true top L that each step pushes out of the list, or brings back."""
    return of_listed(stages.true, stages.mapped, stages.clipped, top_atoms(stages.noisy.tolist(), size), size)


def of_listed(true: Floats, mapped: Floats, clipped: Floats, listed: Collection[int], size: int) -> Parts[float]:
    """Do so where a release is known by the atoms it lists, as one that selects them is."""
    return _increments(
        1 - overlap_at(true, mapped, size),
        1 - overlap_at(true, clipped, size),
        1 - overlap(listed, true.tolist(), size),
    )


def clipped_by_user(weights: Floats, users: ArrayLike, bound: float) -> Floats:
    """Sum records to users, scale each user to at most ``bound`` in the integers of a release, and sum the users.

    >>> clipped_by_user(np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]), ["a", "a", "b"], bound=1.0)
    array([0.75, 1.25])
    """
    _, owner = np.unique(np.asarray(users), return_inverse=True)
    totals: Ints = np.zeros((owner.max(initial=-1) + 1, weights.shape[1]), np.int64)
    np.add.at(totals, owner, np.floor(np.ldexp(weights, 30)).astype(np.int64))
    offsets = np.arange(len(totals) + 1, dtype=np.int64) * weights.shape[1]
    kept = capped(offsets, totals.ravel(), round(bound * TICKS_PER_MASS)).reshape(totals.shape)
    sums: Floats = np.ldexp(kept.sum(axis=0), -30, dtype=np.float64)
    return sums


def shares(masses: Floats) -> Floats:
    """Return the parts of the total; negative masses count as nothing.

    >>> shares(np.array([3.0, 1.0, -2.0]))
    array([0.75, 0.25, 0.  ])
    """
    kept = np.maximum(masses, 0.0)
    parts: Floats = kept / (kept.sum() or 1.0)
    return parts


def _increments(mapped: float, clipped: float, noisy: float) -> Parts[float]:
    return Parts(mapped, clipped - mapped, noisy - clipped)
