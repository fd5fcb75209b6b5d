"""Deliberately broken paths. Each must be caught: an audit that cannot fail shows nothing.

No release can reach this module (an import contract). Faults enter through the seams of the shipped code; none of it is
patched. Each draw of ``SecureNoise`` checks its scale, so a broken noise has to lie about the sensitivity as well.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import pyarrow as pa

from dpspin.audit.corpora import NAMED, RECORD, USERS
from dpspin.audit.trial import ReleasePath, measured, opened
from dpspin.boundary.mechanisms.base import Audited
from dpspin.boundary.mechanisms.drawing import Price
from dpspin.boundary.privacy import EVERYONE, Adjacency, PrivacyLoss, Randomness, RecordUnit, Sensitivity, UserUnit
from dpspin.curator.aggregate.joint_cells import Marginal
from dpspin.curator.aggregate.local import aggregate, read_into
from dpspin.curator.aggregate.sketch import MOST_TICKS, Sketch, SketchOrigin
from dpspin.curator.aggregate.totals import UserTotals
from dpspin.curator.aggregate.user_sums import MemorySums
from dpspin.curator.assign.contribution import ContributionMap, Ints
from dpspin.curator.records.columns import TEXT, Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.release.secure_noise import SecureNoise


class NotForRelease(SecureNoise):
    """Exact noise, but every plan says that it is not private."""

    randomness: Randomness = "SIMULATED-NOT-PRIVATE"


class FactorTwoDropped(NotForRelease):
    """Forgets that a replaced unit both leaves and enters: Δ1 = B, and the exponent eps·C/Δ without its 2."""

    def laplace(self, values: Ints, scale: float, sensitivity: Sensitivity, epsilon: float) -> list[int]:
        """Add half the noise."""
        return super().laplace(values, scale / 2, _halved(sensitivity), epsilon)

    def peel(self, scores: Ints, rounds: int, scale: float, price: Price) -> list[int]:
        """Select twice as sharply."""
        return super().peel(scores, rounds, scale / 2, replace(price, reach=price.reach // 2))

    def choose_set(self, scores: Ints, size: int, scale: float, sensitivity: Sensitivity, epsilon: float) -> list[int]:
        """Select twice as sharply."""
        return super().choose_set(scores, size, scale / 2, _halved(sensitivity), epsilon)


class HalvedNoise(FactorTwoDropped):
    """Draws every noise at half its scale."""

    def gaussian(self, values: Ints, scale: float, sensitivity: Sensitivity, cost: PrivacyLoss | float) -> list[int]:
        """Add half the noise."""
        return super().gaussian(values, scale / 2, _halved(sensitivity), cost)


def _halved(sensitivity: Sensitivity) -> Sensitivity:
    return replace(sensitivity, l1=sensitivity.l1 // 2, l2=sensitivity.l2 / 2, coordinate=sensitivity.coordinate // 2)


class UnclippedSums(MemorySums):
    """Lets every user count in full."""

    def clipped(self, cap: int, marginal: Marginal) -> Ints:
        """Sum without clipping."""
        del cap
        return super().clipped(MOST_TICKS, marginal)


def without_clipping(table: pa.Table, contribution_map: ContributionMap, origin: SketchOrigin) -> Iterator[Sketch]:
    """Measure users whose totals are not clipped to the bound."""
    totals = UserTotals(origin, sums=UnclippedSums())
    read_into(totals, opened(table, origin.unit), contribution_map)
    return itertools.repeat(totals.finish())


def without_user_ids(table: pa.Table, contribution_map: ContributionMap, origin: SketchOrigin) -> Iterator[Sketch]:
    """Measure as if every record came from another user."""
    sketch, _ = aggregate(open_corpus(table, Columns(TEXT)), contribution_map, origin)
    return itertools.repeat(sketch)


def as_if_added(table: pa.Table, contribution_map: ContributionMap, origin: SketchOrigin) -> Iterator[Sketch]:
    """Measure with the sensitivity of add/drop."""
    return measured(table, contribution_map, replace(origin, adjacency=Adjacency.ADD_DROP))


def without_sampling(table: pa.Table, contribution_map: ContributionMap, origin: SketchOrigin) -> Iterator[Sketch]:
    """Measure everyone, and spend what a random sample would allow."""
    everyone = next(measured(table, contribution_map, replace(origin, sampling=EVERYONE)))
    return itertools.repeat(Sketch(everyone.ticks, origin))


Cell = tuple[Audited, RecordUnit | UserUnit, Adjacency]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault, and where it must be caught."""

    fault: str
    path: ReleasePath
    cells: tuple[Cell, ...]


def _at(unit: RecordUnit | UserUnit, adjacency: Adjacency, *names: str) -> tuple[Cell, ...]:
    return tuple((NAMED[name], unit, adjacency) for name in names)


SLACK: Final = "private_topL, selection"  # half its noise is no fault under add/drop: the paper's exponent has twice
MUTANTS: Final = (
    Mutant(
        "noise halved",
        ReleasePath(noise=HalvedNoise()),
        _at(RECORD, Adjacency.ADD_DROP, *(name for name in NAMED if name != SLACK))
        + _at(RECORD, Adjacency.REPLACE, SLACK),
    ),
    Mutant(
        "sensitivity of the other adjacency",
        ReleasePath(as_if_added, NotForRelease()),
        _at(
            USERS,
            Adjacency.REPLACE,
            "laplace",
            "gaussian",
            "private_topL, values",
            "set_em, values",
            "prevalence, laplace",
        ),
    ),
    Mutant(
        "factor 2 of replacement dropped",
        ReleasePath(noise=FactorTwoDropped()),
        _at(RECORD, Adjacency.REPLACE, "laplace")
        + _at(USERS, Adjacency.REPLACE, "private_topL, selection", "set_em, selection"),
    ),
    Mutant(
        "clipping removed",
        ReleasePath(without_clipping, NotForRelease()),
        _at(
            USERS,
            Adjacency.ADD_DROP,
            "laplace",
            "gaussian",
            "private_topL, selection",
            "private_topL, values",
            "set_em, selection",
        ),
    ),
    Mutant(
        "user ids ignored",
        ReleasePath(without_user_ids, NotForRelease()),
        _at(
            USERS,
            Adjacency.ADD_DROP,
            "laplace",
            "gaussian",
            "private_topL, selection",
            "private_topL, values",
            "private_topL, monotone, zcdp",
            "prevalence, laplace",
        ),
    ),
    Mutant(
        "sample not drawn",
        ReleasePath(without_sampling, NotForRelease()),
        _at(RECORD, Adjacency.ADD_DROP, "random sample, laplace")
        + _at(USERS, Adjacency.ADD_DROP, "random sample, laplace"),
    ),
)
