"""Errors of released values, on raw noisy masses: before clipping, shares and bins, which come after.

A full-sketch release is compared over the whole dictionary. ``private_topL`` and the like release values of the
admitted atoms alone: there the errors are those of these coordinates, and the full-vector errors do not exist.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import NoisyMass, PlanEntry


class Coordinates(StrEnum):
    """Over which coordinates errors were taken: figures of the two kinds are not comparable."""

    FULL = "full_vector"
    SELECTED = "selected_coordinates"


@dataclass(frozen=True, slots=True)
class ValueErrors:
    """The largest error, their sum and their Euclidean norm, in units of mass."""

    coordinates: Coordinates
    maximum: float
    total: float
    euclidean: float


def full_vector_errors(noisy: Sequence[float], masses: Sequence[float]) -> ValueErrors:
    """Return the norms of a noisy sketch minus the exact one; a negative noisy mass counts as it is.

    >>> full_vector_errors([-3.0, 6.0], [0.0, 2.0])
    ValueErrors(coordinates=<Coordinates.FULL: 'full_vector'>, maximum=4.0, total=7.0, euclidean=5.0)
    """
    return _norms(Coordinates.FULL, [value - mass for value, mass in zip(noisy, masses, strict=True)])


def selected_coordinate_errors(noisy: Mapping[int, float], masses: Sequence[float]) -> ValueErrors:
    """Return the same over the admitted atoms, given by position; if none was admitted, all are zero.

    >>> selected_coordinate_errors({1: 5.0}, [90.0, 2.0]).maximum, selected_coordinate_errors({}, [90.0]).maximum
    (3.0, 0.0)
    """
    return _norms(Coordinates.SELECTED, [value - masses[atom] for atom, value in noisy.items()])


def value_errors(plan: SemanticPlan, universe: AtomUniverse, masses: Sequence[float]) -> ValueErrors:
    """Compare a plan with the exact sketch, over as many coordinates as it released."""
    if plan.noisy_sketch is None:
        return selected_coordinate_errors(_by_position(plan.entries, universe), masses)
    noisy = _by_position(plan.noisy_sketch, universe)
    return full_vector_errors([noisy[position] for position in range(universe.size)], masses[: universe.size])


def _by_position(released: Sequence[NoisyMass | PlanEntry], universe: AtomUniverse) -> dict[int, float]:
    place = {atom_id: position for position, atom_id in enumerate(universe.ids)}
    return {place[item.atom_id]: item.noisy_mass for item in released}


def _norms(coordinates: Coordinates, differences: Sequence[float]) -> ValueErrors:
    sizes = [abs(difference) for difference in differences]
    return ValueErrors(coordinates, max(sizes, default=0.0), math.fsum(sizes), math.hypot(*sizes))
