import math

import numpy as np
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.calibration import gaussian_sigma, laplace_scale
from dpspin.boundary.mechanisms import Accounting, Gaussian, Laplace, PrivateTopL, SetSelection
from dpspin.boundary.mechanisms.base import Task
from dpspin.boundary.mechanisms.drawing import Price
from dpspin.boundary.mechanisms.private_top_l import selection_scale
from dpspin.boundary.mechanisms.set_em import set_scale
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, RecordUnit, UserUnit, sensitivity_of
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.release.draw_plan import ReleaseSpec, release_plan
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.curator.release.seeded_noise import SimulatedNoise
from dpspin.errors import BoundViolation, RequestError
from factories import universe_of

UNIVERSE = universe_of([Atom(id=10 * i, label=f"theme {i}") for i in range(12)])
MASSES = [500, 400, 300, 200, 100, 50, 20, 5, 0, 0, 0, 0]
MAP = MapStatement(name="ngram", fitted_on="nothing", atoms_per_record=3, digest="sha256:0")
NONE_MAP = MAP.model_copy(update={"answers_none": True})
UNITS = [RecordUnit(), UserUnit(bound=2.0)]
MECHANISMS = [
    (Laplace(), 0.0),
    (Gaussian(), 1e-6),
    (PrivateTopL(), 1e-6),
    (PrivateTopL(accounting=Accounting.ZCDP), 1e-6),
    (SetSelection(), 0.0),
]


def sketch_of(masses=MASSES, unit=None, adjacency=Adjacency.ADD_DROP, universe=UNIVERSE, statement=MAP):
    origin = SketchOrigin(universe.digest, universe.size, statement, unit or RecordUnit(), adjacency)
    return Sketch(np.array(masses, np.int64) * TICKS_PER_MASS, origin)


@pytest.mark.parametrize(
    ("epsilon", "sigma"), [(0.1, 36.304690), (0.5, 8.057618), (1, 4.224679), (2, 2.230476), (4, 1.193519)]
)
def test_golden_gaussian_scales(epsilon, sigma):
    ours = gaussian_sigma(TICKS_PER_MASS, PrivacyLoss(epsilon, 1e-6), coordinates=46) / TICKS_PER_MASS
    assert ours == pytest.approx(sigma, rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.1, 0.3, 0.7, 1.0, 3.0, math.pi, 1e-3, 20.0])
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_golden_laplace_scales_and_opendp_confirms_each(epsilon, unit, adjacency):
    sensitivity = sensitivity_of(unit, adjacency)
    scale = laplace_scale(sensitivity.l1, epsilon)
    expected = unit.bound * (2 if adjacency is Adjacency.REPLACE else 1) / epsilon
    assert scale / TICKS_PER_MASS == pytest.approx(expected, rel=1e-12)
    SecureNoise().laplace(np.array([0]), scale, sensitivity, epsilon)  # asserts m.map(Δ1) <= epsilon


def test_noise_below_the_calibrated_scale_is_refused():
    sensitivity, loss = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP), PrivacyLoss(1.0, 1e-6)
    noise, values = SecureNoise(), np.zeros(3, np.int64)
    with pytest.raises(BoundViolation):
        noise.laplace(values, 0.999 * laplace_scale(sensitivity.l1, 1.0), sensitivity, 1.0)
    with pytest.raises(BoundViolation):
        noise.gaussian(values, 0.999 * gaussian_sigma(sensitivity.l2, loss, 3), sensitivity, loss)
    with pytest.raises(BoundViolation):
        noise.peel(values, 2, 0.999 * selection_scale(sensitivity, 1.0, 2), Price(2 * TICKS_PER_MASS, epsilon=1.0))
    with pytest.raises(BoundViolation):
        noise.choose_set(values, 2, 0.999 * set_scale(sensitivity, 1.0, 2), sensitivity, 1.0)
    joint = PrivateTopL(accounting="zcdp").calibrated(Task(loss, sensitivity, atoms=3, size=2))
    (admission,) = joint.admission
    with pytest.raises(BoundViolation):
        noise.gaussian(values, 0.999 * joint.noise.sigma, sensitivity, joint.value_cost)
    with pytest.raises(BoundViolation):
        noise.peel(values, 2, 0.999 * admission.scale, admission.price)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("adjacency", list(Adjacency))
@pytest.mark.parametrize(("mechanism", "delta"), MECHANISMS)
def test_every_mechanism_unit_and_adjacency_releases_a_coherent_plan(unit, adjacency, mechanism, delta):
    spec = ReleaseSpec(loss=PrivacyLoss(1.0, delta), denominator=2000, mechanism=mechanism, size=5)
    plan = release_plan(sketch_of(unit=unit, adjacency=adjacency), UNIVERSE, spec, SecureNoise())
    assert SemanticPlan.from_json(plan.to_json()) == plan
    assert plan.is_private
    assert plan.statement.unit == unit
    assert plan.statement.adjacency is adjacency
    assert len(plan.entries) <= 5
    assert (plan.noisy_sketch is None) == mechanism.selects


@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_noise_grows_with_bound_and_adjacency_as_the_lemmas_say(adjacency):
    factor = 2 if adjacency is Adjacency.REPLACE else 1
    spec = ReleaseSpec(loss=PrivacyLoss(0.5), denominator=2000, size=5)
    plan = release_plan(sketch_of(unit=UserUnit(bound=3.0), adjacency=adjacency), UNIVERSE, spec, SecureNoise())
    assert plan.statement.noise.scale == pytest.approx(factor * 3.0 / 0.5)
    gaussian = ReleaseSpec(loss=PrivacyLoss(1.0, 1e-6), denominator=2000, size=5, mechanism=Gaussian())
    plan = release_plan(sketch_of(adjacency=adjacency), UNIVERSE, gaussian, SecureNoise())
    assert plan.statement.noise.sigma == pytest.approx(math.sqrt(factor) * 4.224679, rel=1e-6)


@pytest.mark.parametrize("size", [1, 5, 12])
def test_private_top_l_admits_exactly_l_distinct_atoms(size):
    spec = ReleaseSpec(loss=PrivacyLoss(0.1, 1e-6), denominator=2000, mechanism=PrivateTopL(), size=size)
    for _ in range(5):
        plan = release_plan(sketch_of(), UNIVERSE, spec, SecureNoise())
        assert len({entry.atom_id for entry in plan.entries}) == size


@pytest.mark.parametrize(("mechanism", "delta"), MECHANISMS)
def test_a_plan_size_above_the_dictionary_is_refused(mechanism, delta):
    spec = ReleaseSpec(loss=PrivacyLoss(1.0, delta), denominator=2000, mechanism=mechanism, size=13)
    with pytest.raises(RequestError, match="plan size"):
        release_plan(sketch_of(), UNIVERSE, spec, SecureNoise())


@pytest.mark.parametrize(
    ("mechanism", "delta", "message"), [(Laplace(), 1e-6, "leave delta out"), (Gaussian(), 0.0, "needs a delta")]
)
def test_a_delta_that_does_not_fit_the_mechanism_is_refused(mechanism, delta, message):
    spec = ReleaseSpec(loss=PrivacyLoss(1.0, delta), denominator=2000, mechanism=mechanism, size=3)
    with pytest.raises(RequestError, match=message):
        release_plan(sketch_of(), UNIVERSE, spec, SecureNoise())


def test_the_threshold_admits_nothing_from_noise_and_the_papers_rule_fills_the_plan():
    nothing = sketch_of([0] * 12)
    spec = ReleaseSpec(loss=PrivacyLoss(1.0), denominator=2000, size=5, beta=1e-6)
    assert release_plan(nothing, UNIVERSE, spec, SecureNoise()).entries == ()
    fixed = spec.model_copy(update={"admission": "fixed"})
    plan = release_plan(nothing, UNIVERSE, fixed, SecureNoise())
    assert len(plan.entries) == 5
    assert not any(entry.clears_noise for entry in plan.entries)


def test_a_sketch_of_another_dictionary_is_refused():
    other = universe_of([Atom(id=i, label=f"other {i}") for i in range(12)])
    spec = ReleaseSpec(loss=PrivacyLoss(1.0), denominator=2000)
    with pytest.raises(RequestError, match="another dictionary"):
        release_plan(sketch_of(), other, spec, SecureNoise())


@pytest.mark.parametrize(("mechanism", "delta"), MECHANISMS)
def test_simulated_noise_repeats_and_says_what_it_is(mechanism, delta):
    spec = ReleaseSpec(loss=PrivacyLoss(1.0, delta), denominator=2000, mechanism=mechanism, size=5)
    plans = [release_plan(sketch_of(), UNIVERSE, spec, SimulatedNoise(7)) for _ in range(2)]
    assert plans[0] == plans[1]
    assert plans[0].statement.randomness == "SIMULATED-NOT-PRIVATE"
    assert not plans[0].is_private


def test_secure_noise_has_no_seed_and_never_repeats():
    with pytest.raises(TypeError):
        SecureNoise(7)
    spec = ReleaseSpec(loss=PrivacyLoss(1.0), denominator=2000, size=5)
    sketches = {release_plan(sketch_of(), UNIVERSE, spec, SecureNoise()).noisy_sketch for _ in range(3)}
    assert len(sketches) == 3


class Recorded(SimulatedNoise):
    """Repeatable noise that writes down what it was asked for."""

    def __init__(self):
        super().__init__(3)
        self.asked = []

    def laplace(self, values, scale, sensitivity, epsilon):
        self.asked.append(("laplace", values.tolist(), scale))
        return super().laplace(values, scale, sensitivity, epsilon)

    def gaussian(self, values, scale, sensitivity, loss):
        self.asked.append(("gaussian", values.tolist(), scale))
        return super().gaussian(values, scale, sensitivity, loss)

    def peel(self, scores, rounds, scale, price):
        self.asked.append(("peel", scores.tolist(), scale))
        return super().peel(scores, rounds, scale, price)

    def choose_set(self, scores, size, scale, sensitivity, epsilon):
        self.asked.append(("set", scores.tolist(), scale))
        return super().choose_set(scores, size, scale, sensitivity, epsilon)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("adjacency", list(Adjacency))
@pytest.mark.parametrize(("mechanism", "delta"), MECHANISMS)
def test_every_mechanism_releases_none_of_these_as_one_more_value_at_the_same_loss(unit, adjacency, mechanism, delta):
    spec = ReleaseSpec(loss=PrivacyLoss(1.0, delta), denominator=2000, mechanism=mechanism, size=5)
    sketch = sketch_of([*MASSES, 700], unit, adjacency, statement=NONE_MAP)
    plan = release_plan(sketch, UNIVERSE, spec, SecureNoise())
    without = release_plan(sketch_of(MASSES, unit, adjacency), UNIVERSE, spec, SecureNoise())
    assert SemanticPlan.from_json(plan.to_json()) == plan
    assert plan.uncovered.noisy_mass == pytest.approx(700, abs=40 * plan.statement.noise.std)
    assert plan.statement.noise.std == pytest.approx(without.statement.noise.std, rel=1e-9)  # theorems 1, 2: same noise
    assert plan.noisy_sketch is None or len(plan.noisy_sketch) == UNIVERSE.size
    assert without.uncovered is None


def test_a_selection_is_among_atoms_and_measures_none_with_those_it_chose():
    spec = ReleaseSpec(loss=PrivacyLoss(1.0, 1e-6), denominator=2000, mechanism=PrivateTopL(), size=5)
    noise, sketch = Recorded(), sketch_of([*MASSES, 10**6], statement=NONE_MAP)
    plan = release_plan(sketch, UNIVERSE, spec, noise)
    (_, scores, _), (_, values, sigma) = noise.asked
    assert scores == sketch.ticks[:-1].tolist()
    assert len(values) == 6
    assert values[-1] == 10**6 * TICKS_PER_MASS
    assert sigma == gaussian_sigma(sketch.sensitivity.l2, PrivacyLoss(0.5, 1e-6), 6)
    assert plan.statement.noise.sigma == sigma / TICKS_PER_MASS
    assert len(plan.entries) == 5


@pytest.mark.parametrize(("mechanism", "delta", "count"), [(Laplace(), 0.0, 13), (Gaussian(), 1e-6, 13)])
def test_a_full_sketch_draws_noise_for_every_coordinate(mechanism, delta, count):
    spec = ReleaseSpec(loss=PrivacyLoss(1.0, delta), denominator=2000, mechanism=mechanism, size=5)
    noise, sketch = Recorded(), sketch_of([*MASSES, 700], statement=NONE_MAP)
    plan = release_plan(sketch, UNIVERSE, spec, noise)
    ((_, values, scale),) = noise.asked
    assert values == sketch.ticks.tolist()
    if isinstance(mechanism, Gaussian):
        assert scale == gaussian_sigma(sketch.sensitivity.l2, spec.loss, count)
    assert plan.uncovered is not None


@pytest.mark.parametrize(("mechanism", "delta"), MECHANISMS)
def test_the_papers_map_is_measured_atom_by_atom_and_nothing_else_is_drawn(mechanism, delta):
    spec = ReleaseSpec(loss=PrivacyLoss(1.0, delta), denominator=2000, mechanism=mechanism, size=5)
    noise = Recorded()
    assert release_plan(sketch_of(), UNIVERSE, spec, noise).uncovered is None
    assert [len(values) for _, values, _ in noise.asked] == ([12, 5] if mechanism.selects else [12])
