"""Many releases of one known sketch, with simulated noise: what the plans list, and which of it is true."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.atoms import AtomId, AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import PlanEntry, Uncovered
from dpspin.boundary.postprocess import top
from dpspin.curator.aggregate.sketch import Sketch
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.seeded_noise import SimulatedNoise
from dpspin.public.preview.request import Request

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Trial:
    """One simulated release beside the truth.

    ``overlap`` is Overlap@L: of the L truly largest atoms, the part that was listed. ``pairs`` are those of which the
    plan may say which has more; ``orders_hold`` and ``intervals_hold`` tell whether all that may be said is true.
    """

    listed: frozenset[int]  # positions in the dictionary
    overlap: float
    pairs: int
    orders_hold: bool
    intervals_hold: bool


def simulate(
    sketch: Sketch, universe: AtomUniverse, request: Request, releases: int, noise: SimulatedNoise
) -> Iterator[SemanticPlan]:
    """Release a sketch many times through the real gate, with simulated noise: every plan says it is not private."""
    spec = ReleaseSpec(
        loss=request.loss,
        denominator=request.denominator,
        mechanism=request.mechanism,
        size=request.size,
        beta=request.beta,
        bins=request.bins,
    )
    for _ in range(releases):
        yield release_plan(sketch, universe, spec, noise)


def masses_of(sketch: Sketch) -> Floats:
    """Return the exact masses of the atoms and then, where they are measured, of "none of these" and "not read"."""
    return np.ldexp(sketch.ticks, -30, dtype=np.float64)


def trial(plan: SemanticPlan, truth: Floats, place: Mapping[AtomId, int]) -> Trial:
    """Compare a plan with the exact masses; ``place`` is the position of each atom id."""
    listed = frozenset(place[entry.atom_id] for entry in plan.entries)
    margin = plan.rules.certificates.comparison_margin
    beside = [value for value in (plan.uncovered, plan.not_read) if value is not None]
    pairs = [(a, b) for a, b in combinations(plan.entries, 2) if a.noisy_mass - b.noisy_mass > margin]
    return Trial(
        listed=listed,
        overlap=len(listed.intersection(top(truth[: len(place)].tolist(), plan.rules.size))) / plan.rules.size,
        pairs=len(pairs),
        orders_hold=all(truth[place[a.atom_id]] >= truth[place[b.atom_id]] for a, b in pairs),
        intervals_hold=all(
            [_holds(entry, truth[place[entry.atom_id]]) for entry in plan.entries]
            + [_holds(value, true) for value, true in zip(beside, truth[len(place) :], strict=True)]
        ),
    )


def _holds(released: PlanEntry | Uncovered, true: float) -> bool:
    return bool(released.low <= true <= released.high)
