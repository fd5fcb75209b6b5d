"""Plan-level recovery: how much of the non-private top L a release admits.

Atoms are named by their positions in the dictionary. ``masses`` is the exact sketch C(D), so that nothing here is
private. ``size`` is L, also where a release admitted fewer atoms than it was asked for.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
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
    place = {atom_id: position for position, atom_id in enumerate(universe.ids)}
    return frozenset(place[entry.atom_id] for entry in plan.entries)


def _kept_and_best(admitted: Collection[int], masses: Sequence[float], size: int) -> tuple[float, float]:
    """Return both masses, exactly rounded: equal sets, in any order, then differ by exactly zero."""
    kept = _admitted(admitted, masses, size)
    return math.fsum(masses[atom] for atom in kept), math.fsum(masses[atom] for atom in top_atoms(masses, size))


def _admitted(admitted: Collection[int], masses: Sequence[float], size: int) -> frozenset[int]:
    atoms = frozenset(admitted)
    if len(atoms) > size or not all(0 <= atom < len(masses) for atom in atoms):
        raise RequestError("a release admits at most L atoms, each a position of the dictionary")
    return atoms
