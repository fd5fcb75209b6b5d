"""Stage II of a run: the product's own gate with seeded noise, which every plan states as SIMULATED-NOT-PRIVATE."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.baseline import Baseline, public_only
from dpspin.boundary.certify import CertifiedMargins, FixedMargin
from dpspin.boundary.model_base import canonical_json
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import NoisyMasses, top
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.boundary.read_plan import read_noise, reading_of
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan, with_mechanism
from dpspin.curator.release.seeded_noise import SimulatedNoise
from dpspin.rehearse import masses_of
from dpspin_lab.metrics.plan import ValueErrors, admitted_by, full_vector_errors, positions_of, value_errors
from dpspin_lab.not_private import RANDOMNESS
from dpspin_lab.runs.config import OF_A_MODEL, MechanismName, RunConfig, effective_loss
from dpspin_lab.runs.prepared import Start

_NOT_OF_THE_NOISE: Final = {
    *("decoder_backend", "clean_reference_decoder_backend", "comparison_margin", "strict_sample_size"),
    *OF_A_MODEL,
}
_ONCE_THE_ONLY_ONES: Final = {"decoder_contract_mode": "audit_text", "summary_embedding_backend": "none"}


@dataclass(frozen=True, slots=True)
class Released:
    """What a mechanism gave: the admitted positions, how far its values are off, and the plan, where there is one.

    ``values`` is what it says of every atom; a selection says nothing of the others, and a best guess neither.
    """

    admitted: frozenset[int]
    errors: ValueErrors
    loss: PrivacyLoss | None
    plan: SemanticPlan | None = field(default=None, repr=False)
    values: list[float] | None = field(default=None, repr=False)

    def to_json(self) -> str:
        """Return the text of ``private_plan.json``; the public-only plan is no release and says so."""
        if self.plan is not None:
            return self.plan.to_json()
        marked = {"private": False, "randomness": RANDOMNESS, "use": "offline evaluation only", "public_only": True}
        return json.dumps({**marked, "positions": sorted(self.admitted)}, indent=2) + "\n"


def released(config: RunConfig, start: Start) -> Released:
    """Release the sketch as the run asks for, or list what the auxiliary records alone would."""
    if config.mechanism is MechanismName.PUBLIC_ONLY:
        return _public_only(config, start)
    plan = release_plan(start.sketch, start.prepared.universe, _spec(config, start), SimulatedNoise(noise_seed(config)))
    return Released(
        admitted=_admitted(config, plan, start),
        errors=value_errors(plan, start.prepared.universe, start.masses),
        loss=plan.statement.loss,
        plan=plan,
        values=_values(config, plan),
    )


def noise_seed(config: RunConfig) -> int:
    """Return a seed of the run's own: runs that differ in anything but their words draw independent noise."""
    content = {**config.model_dump(mode="json", exclude=_NOT_OF_THE_NOISE), **_ONCE_THE_ONLY_ONES}
    return int.from_bytes(hashlib.sha256(canonical_json(content).encode()).digest()[:16])


def reference_plan(plan: SemanticPlan, start: Start) -> SemanticPlan:
    """Return the paper's P_NP: the exact top L, read by the very rules of the release, as if no noise had fallen."""
    none = None if start.sketch.origin.none is None else float(masses_of(start.sketch)[start.sketch.origin.none])
    return read_as(plan, start.prepared.universe, start.masses, none)


def read_as(plan: SemanticPlan, universe: AtomUniverse, masses: list[float], none: float | None = None) -> SemanticPlan:
    """Read other masses by the very rules of a release."""
    best = top(masses, plan.rules.size)
    exact = (
        NoisyMasses([masses[place] for place in best], none, positions=best)
        if plan.statement.mechanism.selects
        else NoisyMasses(masses, none)
    )
    return read_noise(exact, plan.statement, universe, reading_of(plan), software=plan.software)


def _spec(config: RunConfig, start: Start) -> ReleaseSpec:
    """Ask for the paper's plan: exactly L atoms, and support relative to the configured size."""
    choice = config.asked()
    loss = effective_loss(config.mechanism, config.epsilon, config.delta, config.selected_value_mechanism)
    if choice is None or loss is None:
        raise AssertionError("a run without a release has no request")
    spec = ReleaseSpec(
        loss=loss,
        denominator=config.public_denominator,
        size=config.L,
        admission="fixed",
        margin=CertifiedMargins() if config.comparison_margin is None else FixedMargin(mass=config.comparison_margin),
        baseline=_baseline(config, start) if config.mechanism is MechanismName.LAPLACE_EB else None,
    )
    return with_mechanism(spec, choice, start.sketch.origin)


def _admitted(config: RunConfig, plan: SemanticPlan, start: Start) -> frozenset[int]:
    if config.mechanism is not MechanismName.LAPLACE_EB:
        return admitted_by(plan, start.prepared.universe)
    return positions_of((guess.atom_id for guess in plan.denoised), start.prepared.universe)


def _values(config: RunConfig, plan: SemanticPlan) -> list[float] | None:
    if plan.noisy_sketch is None or config.mechanism is MechanismName.LAPLACE_EB:
        return None
    return [each.noisy_mass for each in plan.noisy_sketch]


def _public_only(config: RunConfig, start: Start) -> Released:
    """List the auxiliary top L; its values are the auxiliary masses per unit, for as many units as are configured."""
    universe, auxiliary = start.prepared.universe, start.prepared.auxiliary
    listed = positions_of((each.atom_id for each in public_only(_baseline(config, start), config.L)), universe)
    per_unit = auxiliary.ticks(config.unit) / 2**30 / auxiliary.units(config.unit)
    expected = (per_unit * config.public_denominator)[: universe.size].tolist()
    return Released(listed, full_vector_errors(expected, start.masses), None, values=expected)


def _baseline(config: RunConfig, start: Start) -> Baseline:
    return start.prepared.baseline(config.unit)
