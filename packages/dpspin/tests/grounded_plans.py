"""Plans for which a sample was read: what a reader would file is given, and the noise is drawn from a seed."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.denominator import loss_of_themes
from dpspin.boundary.grounded_shares import NoisyReadings
from dpspin.boundary.grounding import Grounding, sample_noise
from dpspin.boundary.mechanisms import noise_of
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import released_in
from dpspin.boundary.privacy import TICKS_PER_MASS, sensitivity_of
from dpspin.boundary.read_plan import read_noise, reading_of
from dpspin.boundary.statement import PrivacyStatement

BY_A_PERSON = Grounding(rate=0.1, share=0.5, reader="a person")


def grounded(
    plan: SemanticPlan,
    universe: AtomUniverse,
    truth: Sequence[float],
    *,
    grounding: Grounding = BY_A_PERSON,
    randomness: str = "SIMULATED-NOT-PRIVATE",
    seed: int = 1,
) -> SemanticPlan:
    """Return the plan as it would be if a sample had been read: ``truth`` are the reader's masses, none last.

    What differs is taken to differ wholly: a unit of mass that the map puts elsewhere is a unit of its own.
    """
    statement = _read_by(plan, grounding, randomness)
    noisy, draw = released_in(plan), np.random.default_rng(seed)  # noqa: TID251  simulated, and the plan says so
    mapped = np.maximum(0.0, noisy.with_besides)
    noise = sample_noise(statement.loss, grounding, _sensitivity(statement))
    scales = [each.scale / TICKS_PER_MASS for each in (noise.corrections, noise.squares, noise.moved)]
    apart = np.abs(np.asarray(truth) - mapped)
    sums = (np.asarray(truth) - mapped, apart - (np.asarray(truth) + mapped) / 2)
    corrections, squares = (
        grounding.rate * each + draw.laplace(0, scale, len(each)) for each, scale in zip(sums, scales, strict=False)
    )
    moved = grounding.rate * (apart.sum() - plan.denominator.value) / 2 + draw.laplace(0, scales[2])
    readings = NoisyReadings(corrections=corrections.tolist(), squares=squares.tolist(), moved=float(moved))
    return read_noise(replace(noisy, readings=readings), statement, universe, reading_of(plan), software="dpspin test")


def _read_by(plan: SemanticPlan, grounding: Grounding, randomness: str) -> PrivacyStatement:
    """Return the statement with a sample, which takes its part of the loss."""
    stated = plan.statement.model_copy(update={"grounding": grounding, "randomness": randomness})
    noise = noise_of(
        stated.mechanism,
        loss_of_themes(stated.loss_of_sketch, plan.denominator),
        _sensitivity(stated),
        atoms=plan.dictionary.size,
        size=plan.rules.size,
        besides=stated.contribution_map.besides,
    )
    return stated.model_copy(update={"noise": noise})


def _sensitivity(statement: PrivacyStatement):
    return sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
