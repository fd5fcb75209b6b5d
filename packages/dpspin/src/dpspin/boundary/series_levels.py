"""How large everything is in each period of a series, and how much of what was wanted was counted: with intervals.

Each kind of number (shares, sums over areas, counted parts) holds for all periods of the calendar together with the
confidence of the plans: a period has beta/W of its kind, by the calendar's own number of periods W, so that an interval
stays as it is when later periods come. Pure post-processing of released numbers.
"""

import math
from collections.abc import Iterable, Mapping

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.certify import TICK
from dpspin.boundary.comparable import Place, released_by_place
from dpspin.boundary.denominator import PART_OF_BETA, PublicNumber, share_interval
from dpspin.boundary.percentages import most_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import denominator_at
from dpspin.boundary.series_place import fading_of
from dpspin.boundary.view_cells import Range


def levels_of(plan: SemanticPlan, beta: float) -> dict[Place, Range]:
    """Return the share of everything that a plan released; all of them hold together with 1 - beta."""
    masses = released_by_place(plan)
    tail = _of_masses(plan, beta) / (2 * len(masses))
    reach = plan.statement.noise.upper_quantile(tail) + TICK
    return {place: _share(plan, mass, reach, beta) for place, mass in masses.items()}


def areas_of(plan: SemanticPlan, areas: Mapping[str, Iterable[int]], beta: float) -> dict[str, Range]:
    """Return the share of each area, by the exact law of the sum of its noises; all hold together with 1 - beta."""
    masses = released_by_place(plan)
    tail = _of_masses(plan, beta) / (2 * max(1, len(areas)))
    sums = {name: [masses[atom] for atom in atoms] for name, atoms in areas.items()}
    noise = plan.statement.noise
    return {
        name: _share(plan, math.fsum(each), noise.sum_quantile(len(each), tail), beta) for name, each in sums.items()
    }


def _of_masses(plan: SemanticPlan, beta: float) -> float:
    """Return the masses' part of the chance of error; a noisy denominator takes its own."""
    return beta if isinstance(plan.denominator, PublicNumber) else (1 - PART_OF_BETA) * beta


def _share(plan: SemanticPlan, mass: float, reach: float, beta: float) -> Range:
    whole, least, most = denominator_at(plan, beta), max(0.0, mass), most_of(plan)
    low, high = share_interval(max(0.0, mass - reach), least + reach, whole)
    return Range(*(min(most, value) for value in (least / whole.value, low, high)))


def areas_in(universe: AtomUniverse) -> dict[str, tuple[int, ...]]:
    """Return the headings of a dictionary with all of their themes."""
    parents = dict.fromkeys(atom.parent for atom in universe.atoms if atom.parent is not None)
    return {name: tuple(int(atom.id) for atom in universe.atoms if atom.parent == name) for name in parents}


def counted_part(plan: SemanticPlan, beta: float) -> Range:
    """Return how much of the mass that was wanted was counted, and between which ends that lies: anything, if lost."""
    found = fading_of(plan, beta)
    return Range(1.0, 0.0, 1.0) if found is None else Range(found.part, found.low, found.high)
