"""Plan-level metrics: how much of the non-private top L a release admits, how far its values are off, and the probe.

Atoms are named by their positions in the dictionary. ``masses`` is the exact sketch C(D), so that nothing here is
private. ``size`` is L, also where a release admitted fewer atoms than it was asked for. Errors are of raw noisy masses:
before clipping, shares and bins. A full-sketch release is compared over the whole dictionary; where values of the
admitted atoms alone are released, the errors are those of these coordinates.
"""

import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from dpspin.boundary.atoms import AtomId, AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import NoisyMass, PlanEntry
from dpspin.boundary.postprocess import top
from dpspin.errors import RequestError


@dataclass(frozen=True, slots=True)
class MassRetained:
    """A part of the top L's mass; where that mass is zero the ratio is undefined, and zero by convention."""

    value: float
    undefined: bool = False


@dataclass(frozen=True, slots=True)
class Recovery:
    """The three metrics of one release; ``loss`` is in units of mass."""

    overlap: float
    mass_retained: MassRetained
    loss: float


def recovery(admitted: Collection[int], masses: Sequence[float], size: int) -> Recovery:
    """Compute all three.

    >>> recovery({0, 2}, [5.0, 3.0, 1.0], size=2)
    Recovery(overlap=0.5, mass_retained=MassRetained(value=0.75, undefined=False), loss=2.0)
    """
    return Recovery(
        overlap=overlap(admitted, masses, size),
        mass_retained=mass_retained(admitted, masses, size),
        loss=support_mass_loss(admitted, masses, size),
    )


def overlap(admitted: Collection[int], masses: Sequence[float], size: int) -> float:
    """Return Overlap@L, the part of the non-private top L that was admitted.

    >>> overlap({0, 1}, [4.0, 4.0, 4.0], size=2), overlap({2}, [4.0, 4.0, 4.0], size=2)  # of equal ones the first win
    (1.0, 0.0)
    """
    return len(_admitted(admitted, masses, size) & top_atoms(masses, size)) / size


def mass_retained(admitted: Collection[int], masses: Sequence[float], size: int) -> MassRetained:
    """Return MassRetained, M(admitted) / M(top L).

    >>> mass_retained({0, 2}, [4.0, 4.0, 4.0], size=2)  # other atoms of the same mass lose nothing
    MassRetained(value=1.0, undefined=False)
    >>> mass_retained({0}, [0.0, 0.0], size=1)
    MassRetained(value=0.0, undefined=True)
    """
    kept, best = _kept_and_best(admitted, masses, size)
    return MassRetained(kept / best) if best else MassRetained(0.0, undefined=True)


def support_mass_loss(admitted: Collection[int], masses: Sequence[float], size: int) -> float:
    """Return Loss_L, M(top L) - M(admitted), in units of mass.

    >>> support_mass_loss({1, 2}, [5.0, 3.0, 1.0], size=2), support_mass_loss((), [5.0, 3.0, 1.0], size=2)
    (4.0, 8.0)
    """
    kept, best = _kept_and_best(admitted, masses, size)
    return best - kept


def top_atoms(masses: Sequence[float], size: int) -> frozenset[int]:
    """Return the non-private top L; of equal masses the lower position wins, as in a release.

    >>> sorted(top_atoms([1.0, 2.0, 1.0], size=2))
    [0, 1]
    """
    if not 1 <= size <= len(masses):
        raise RequestError(f"the top L needs L between 1 and the number of atoms, not {size}")
    return frozenset(top(masses, size))


def admitted_by(plan: SemanticPlan, universe: AtomUniverse) -> frozenset[int]:
    """Return the positions of a plan's entries in the dictionary it was made with."""
    return positions_of((entry.atom_id for entry in plan.entries), universe)


def positions_of(atoms: Iterable[AtomId], universe: AtomUniverse) -> frozenset[int]:
    """Return the positions of atoms in their dictionary."""
    return frozenset(map(universe.ids.index, atoms))


def _kept_and_best(admitted: Collection[int], masses: Sequence[float], size: int) -> tuple[float, float]:
    """Return both masses, exactly rounded: equal sets, in any order, then differ by exactly zero."""
    kept = _admitted(admitted, masses, size)
    return math.fsum(masses[atom] for atom in kept), math.fsum(masses[atom] for atom in top_atoms(masses, size))


def _admitted(admitted: Collection[int], masses: Sequence[float], size: int) -> frozenset[int]:
    atoms = frozenset(admitted)
    if len(atoms) > size or not all(0 <= atom < len(masses) for atom in atoms):
        raise RequestError("a release admits at most L atoms, each a position of the dictionary")
    return atoms


def total_variation(p: ArrayLike, q: ArrayLike) -> float:
    """Return half the L1 distance of two share vectors: the mass that lies on the wrong atoms.

    >>> total_variation([0.5, 0.5, 0.0], [0.25, 0.5, 0.25])
    0.25
    """
    return float(np.abs(np.subtract(p, q)).sum() / 2)


def overlap_at(p: ArrayLike, q: ArrayLike, size: int) -> float:
    """Return Overlap@L: the fraction of the ``size`` largest atoms of ``p`` that are among the largest of ``q``.

    >>> overlap_at([0.4, 0.3, 0.2, 0.1], [0.4, 0.1, 0.3, 0.2], size=2)
    0.5
    """
    best: list[float] = np.asarray(p).tolist()
    return overlap(top_atoms(np.asarray(q).tolist(), size), best, size)


def probe_admission(probes: Collection[int], admitted: Collection[int]) -> float:
    """Return Adm_plan, the part of the probe atoms that the release admitted; for one probe 0 or 1.

    >>> probe_admission({3}, admitted={1, 3}), probe_admission({3, 4}, admitted={1, 3})
    (1.0, 0.5)
    """
    return _part([probe in admitted for probe in set(probes)])


def probe_mention(strings: Collection[str], text: str) -> float:
    """Return Mention_text, the part of the probe strings that a text contains.

    The public rule: in compatibility form, whatever the case and the white space, and as whole words.

    >>> probe_mention({"glass kettle", "kettle"}, "A Glass  kettle is named."), probe_mention({"kettle"}, "Kettles.")
    (1.0, 0.0)
    """
    words = _plain(text)
    return _part([_contains(words, string) for string in {_plain(string) for string in strings}])


def non_private_rank(masses: Sequence[float], probe: int) -> int:
    """Return Rank_NP: one, plus the larger masses, plus the equal ones that come first in the dictionary.

    >>> [non_private_rank([2.0, 5.0, 2.0, 2.0], probe) for probe in range(4)]
    [2, 1, 3, 4]
    """
    larger = sum(mass > masses[probe] for mass in masses)
    return 1 + larger + sum(mass == masses[probe] for mass in masses[:probe])


def _part(found: Sequence[bool]) -> float:
    if not found:
        raise RequestError("a probe experiment needs at least one probe")
    return sum(found) / len(found)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _contains(text: str, string: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(string)}(?!\w)", text) is not None


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
