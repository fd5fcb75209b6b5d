"""Algorithm 2, the one gate: an exact sketch goes in, a differentially private plan comes out."""

from typing import Self, assert_never

from pydantic import Field, model_validator

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.calibration import noise_of
from dpspin.boundary.certify import certificates
from dpspin.boundary.plan import (
    Admission,
    DictionaryRef,
    NoisyMass,
    ReadingRules,
    SemanticPlan,
    SupportBin,
    even_share_bins,
)
from dpspin.boundary.postprocess import admitted_positions, entries_of, noisy_sketch_of
from dpspin.boundary.privacy import (
    TICKS_PER_MASS,
    Laplace,
    Mechanism,
    PrivacyLoss,
    PrivacyStatement,
    PrivateTopL,
)
from dpspin.boundary.sealed import Sealed
from dpspin.boundary.software import SOFTWARE
from dpspin.curator.stage2_release.mechanisms import FullSketch, SelectedValues, perturb
from dpspin.curator.stage2_release.noise import NoiseSource
from dpspin.curator.stage2_release.sketch import Sketch
from dpspin.errors import RequestError


class ReleaseSpec(Sealed):
    """What is asked of Stage II: all public, all fixed before a record is read."""

    loss: PrivacyLoss
    denominator: int = Field(ge=1)
    mechanism: Mechanism = Laplace()
    size: int = Field(10, ge=1)
    admission: Admission | None = None  # None: fixed for private_topL, threshold otherwise
    beta: float = Field(0.05, gt=0, lt=0.5)
    bins: tuple[SupportBin, ...] | None = None  # None: by the even share of the dictionary
    title: str = ""

    @model_validator(mode="after")
    def _selection_admits_exactly_its_size(self) -> Self:
        if isinstance(self.mechanism, PrivateTopL) and self.admission == "threshold":
            raise ValueError("private_topL admits exactly L atoms by its own selection; a threshold does not apply")
        return self

    @property
    def effective_admission(self) -> Admission:
        """The rule that decides which atoms enter the plan."""
        return self.admission or ("fixed" if isinstance(self.mechanism, PrivateTopL) else "threshold")


def release_plan(sketch: Sketch, universe: AtomUniverse, spec: ReleaseSpec, noise: NoiseSource) -> SemanticPlan:
    """Perturb the sketch and dress the noisy masses as a plan; only ``perturb`` sees the exact values."""
    if sketch.origin.universe_digest != universe.digest:
        raise RequestError("the sketch was made with another dictionary")
    noisy = perturb(sketch, spec.mechanism, spec.loss, spec.size, noise)
    statement = _statement(sketch, spec, noise)
    rules = _rules(statement, spec, universe.size)
    admitted, whole = _admitted(noisy, universe, rules)
    return SemanticPlan(
        title=spec.title,
        software=SOFTWARE,
        dictionary=DictionaryRef(
            name=universe.name, version=universe.version, digest=universe.digest, size=universe.size
        ),
        denominator=spec.denominator,
        statement=statement,
        rules=rules,
        entries=entries_of(admitted, universe, spec.denominator, rules),
        noisy_sketch=whole,
    )


def _statement(sketch: Sketch, spec: ReleaseSpec, noise: NoiseSource) -> PrivacyStatement:
    return PrivacyStatement(
        unit=sketch.origin.unit,
        adjacency=sketch.origin.adjacency,
        loss=spec.loss,
        mechanism=spec.mechanism,
        noise=noise_of(spec.mechanism, spec.loss, sketch.sensitivity, atoms=len(sketch.ticks), size=spec.size),
        randomness=noise.randomness,
        contribution_map=sketch.origin.contribution_map,
    )


def _rules(statement: PrivacyStatement, spec: ReleaseSpec, atoms: int) -> ReadingRules:
    return ReadingRules(
        size=spec.size,
        admission=spec.effective_admission,
        beta=spec.beta,
        bins=spec.bins or even_share_bins(atoms, statement.unit.bound),
        certificates=certificates(spec.mechanism, statement.noise, atoms=atoms, size=spec.size, beta=spec.beta),
    )


def _admitted(
    noisy: FullSketch | SelectedValues, universe: AtomUniverse, rules: ReadingRules
) -> tuple[list[tuple[int, float]], tuple[NoisyMass, ...] | None]:
    """Return the admitted (position, noisy mass) pairs, and all m noisy masses where the mechanism paid for them."""
    masses = [ticks / TICKS_PER_MASS for ticks in noisy.ticks]
    match noisy:
        case FullSketch():
            chosen = admitted_positions(masses, rules)
            return [(position, masses[position]) for position in chosen], noisy_sketch_of(universe, masses)
        case SelectedValues():
            return list(zip(noisy.positions, masses, strict=True)), None
        case _:
            assert_never(noisy)
