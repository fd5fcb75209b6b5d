"""What every mechanism promises, asked of all that are registered: a new one is held to it by being in the union.

Statistical tests draw seeded noise, name their rate of false alarms, and show that a fault of a tenth is noticed.
"""

from dataclasses import dataclass, field

import numpy as np
import pytest
from dp_accounting import get_epsilon_gaussian
from pydantic import TypeAdapter, ValidationError
from scipy.stats import binom, kstest

from dpspin.audit.corpora import AUDITED
from dpspin.audit.mutants import MUTANTS
from dpspin.boundary.accounting import cost_of, rho_of
from dpspin.boundary.atoms import Atom
from dpspin.boundary.calibration import epsilon_of, pure_rho
from dpspin.boundary.mechanisms import MECHANISMS, Mechanism, PrivateTopL, ValueNoise, noise_of
from dpspin.boundary.mechanisms.base import Task
from dpspin.boundary.mechanisms.laplace import laplace_rho
from dpspin.boundary.planner import planned
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, RecordUnit, UserUnit, sensitivity_of
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.release.draw_plan import ReleaseSpec, dry_run, release_plan, statement_of
from dpspin.curator.release.seeded_noise import SimulatedNoise
from dpspin.errors import RequestError
from dpspin.public.preview.forecast import forecast
from dpspin.public.preview.render import render_forecast
from dpspin.public.report.label import privacy_label
from factories import universe_of

GOLDEN = {
    "laplace": '{"kind":"laplace"}',
    "gaussian": '{"kind":"gaussian"}',
    "private_topL": '{"kind":"private_topL","value_fraction":0.5,"monotone":false,"accounting":"basic"}',
    "private_topL zcdp": '{"kind":"private_topL","value_fraction":0.5,"monotone":false,"accounting":"zcdp"}',
    "private_topL zcdp mono": '{"kind":"private_topL","value_fraction":0.5,"monotone":true,"accounting":"zcdp"}',
    "set_em": '{"kind":"set_em","value_fraction":0.5}',
    "private_topL laplace": '{"kind":"private_topL","value_fraction":0.5,"monotone":false,"accounting":"basic",'
    '"value_noise":"laplace"}',
    "private_topL shares": '{"kind":"private_topL","value_fraction":0.5,"monotone":false,"accounting":"basic",'
    '"selection_shares":[0.4,0.3,0.15,0.1,0.05]}',
    "private_topL mono laplace shares": '{"kind":"private_topL","value_fraction":0.5,"monotone":true,'
    '"accounting":"basic","value_noise":"laplace","selection_shares":[0.4,0.3,0.15,0.1,0.05]}',
}
UNEQUAL = (0.4, 0.3, 0.15, 0.1, 0.05)
ASKED_FOR = (  # what a preview does not set beside the others by itself
    PrivateTopL(value_noise=ValueNoise.LAPLACE),
    PrivateTopL(selection_shares=UNEQUAL),
    PrivateTopL(monotone=True, value_noise=ValueNoise.LAPLACE, selection_shares=UNEQUAL),
)
SHOWN = {variant.short_name: variant for each in MECHANISMS for variant in each.compared()}
VARIANTS = SHOWN | {variant.short_name: variant for variant in ASKED_FOR}
FALSE_ALARM, DRAWN, RELEASES, BETA = 1e-6, 60_000, 400, 0.2
UNIVERSE = universe_of([Atom(id=10 * i, label=f"theme {i}") for i in range(12)])
MASSES = [500, 400, 300, 200, 100, 50, 20, 5, 0, 0, 0, 0]
MAP = MapStatement(name="ngram", fitted_on="nothing", atoms_per_record=3, digest="sha256:0", answers_none=True)
RECORD = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
SIZE, LOSS = 5, PrivacyLoss(1.0, 1e-6)
CELLS = [
    (name, unit, adjacency)
    for name, mechanism in VARIANTS.items()
    for unit in (RecordUnit(), UserUnit(bound=2.0))
    for adjacency in Adjacency
    if mechanism.is_offered_for(sensitivity_of(unit, adjacency))
]

every_variant = pytest.mark.parametrize("mechanism", VARIANTS.values(), ids=VARIANTS)


def loss_of(mechanism, epsilon=LOSS.epsilon):
    return PrivacyLoss(epsilon, LOSS.delta if mechanism.needs_delta else 0.0)


def task_of(mechanism, epsilon=LOSS.epsilon, unit=None, adjacency=Adjacency.ADD_DROP, shape=(12, SIZE)):
    sensitivity = sensitivity_of(unit or RecordUnit(), adjacency)
    return Task(loss_of(mechanism, epsilon), sensitivity, *shape, besides=1)


def origin_of(unit=None, adjacency=Adjacency.ADD_DROP):
    return SketchOrigin(UNIVERSE.digest, UNIVERSE.size, MAP, unit or RecordUnit(), adjacency)


def spec_of(mechanism, epsilon=LOSS.epsilon):
    return ReleaseSpec(loss=loss_of(mechanism, epsilon), denominator=2000, mechanism=mechanism, size=SIZE, beta=BETA)


def statement_by(mechanism, unit=None, adjacency=Adjacency.ADD_DROP, epsilon=LOSS.epsilon):
    return statement_of(origin_of(unit, adjacency), spec_of(mechanism, epsilon), "SIMULATED-NOT-PRIVATE")


@dataclass
class Bill:
    """A noise source that adds up what its draws cost, by the laws of each and by what one unit can really change."""

    sensitivity: object
    factor: float = 1.0  # on every scale: a fault
    pure: float = 0.0
    rho: float = 0.0
    multipliers: list[float] = field(default_factory=list)
    randomness: str = "SIMULATED-NOT-PRIVATE"

    def laplace(self, values, scale, sensitivity, epsilon):
        spent = self.sensitivity.l1 / (self.factor * scale)
        self.pure, self.rho = self.pure + spent, self.rho + laplace_rho(spent)
        return [0] * len(values)

    def gaussian(self, values, scale, sensitivity, cost):
        self.multipliers.append(self.factor * scale / self.sensitivity.l2)
        self.rho += 1 / (2 * self.multipliers[-1] ** 2)
        return [0] * len(values)

    def peel(self, scores, rounds, scale, price):
        ways = 1 if self.sensitivity.monotone else 2
        spent = ways * self.sensitivity.coordinate / (self.factor * scale)
        self.pure, self.rho = self.pure + rounds * spent, self.rho + rounds * spent**2 / 8
        return list(range(rounds))

    def choose_set(self, scores, size, scale, sensitivity, epsilon):
        spent = self.sensitivity.of_sets(size) / (self.factor * scale)
        self.pure, self.rho = self.pure + spent, self.rho + spent**2 / 8
        return list(range(size))

    def epsilon(self, delta):
        """Return the smaller of the two valid totals: epsilons that add up, or rho converted once."""
        added = self.pure + sum(get_epsilon_gaussian(each, delta) for each in self.multipliers)
        return min(added, epsilon_of(self.rho, delta)) if delta else added


def billed(mechanism, task, factor=1.0):
    bill = Bill(task.sensitivity, factor)
    mechanism.draw(np.zeros(task.coordinates, np.int64), task, bill)
    return bill


def test_every_variant_has_its_golden_text():
    texts = {name: variant.model_dump_json() for name, variant in VARIANTS.items()}
    assert texts == GOLDEN


@every_variant
def test_a_spec_survives_its_file_and_refuses_what_it_does_not_know(mechanism):
    adapter = TypeAdapter(Mechanism)
    assert adapter.validate_json(mechanism.model_dump_json()) == mechanism
    with pytest.raises(ValidationError):
        adapter.validate_python({**mechanism.model_dump(), "colour": "red"})
    with pytest.raises(ValidationError):
        mechanism.kind = "another"


@every_variant
def test_what_a_caller_may_set_is_named_and_explained(mechanism):
    assert set(mechanism.parameters) == set(type(mechanism).model_fields) - {"kind"}
    assert all(words and not words.startswith("-") for words in mechanism.parameters.values())


@every_variant
def test_a_delta_that_does_not_fit_is_refused(mechanism):
    wrong = PrivacyLoss(1.0, 0.0 if mechanism.needs_delta else 1e-6)
    for asked in (mechanism.require_fitting_loss, lambda loss: noise_of(mechanism, loss, RECORD, atoms=12, size=SIZE)):
        asked(loss_of(mechanism))
        with pytest.raises(RequestError, match="delta"):
            asked(wrong)


@every_variant
def test_a_draw_has_the_shape_that_the_mechanism_states(mechanism):
    ticks = np.array([*MASSES, 70], np.int64) * TICKS_PER_MASS
    drawn = mechanism.draw(ticks, task_of(mechanism), SimulatedNoise(1))
    assert (drawn.positions is not None) == mechanism.selects
    assert len(drawn.beside) == 1
    assert len(drawn.ticks) == (SIZE if mechanism.selects else 12)
    if mechanism.selects:
        assert len(set(drawn.positions)) == SIZE
        assert set(drawn.positions) <= set(range(12))


@pytest.mark.statistical
@every_variant
def test_the_noise_that_is_stated_is_the_noise_that_is_drawn(mechanism):
    atoms = 999
    if getattr(mechanism, "selection_shares", None) is not None:  # rounds one by one: fewer of them, more often
        atoms = 99
        mechanism = mechanism.model_copy(update={"selection_shares": (1 / atoms,) * atoms})
    task = task_of(mechanism, shape=(atoms, atoms))  # all are chosen, so that the choice says nothing of the values
    source, ticks = SimulatedNoise(7), np.full(atoms + 1, 10**13)
    draws = (mechanism.draw(ticks, task, source) for _ in range(DRAWN // (atoms + 1)))
    errors = np.concatenate([(*each.ticks, *each.beside) for each in draws]) - 10**13
    stated = mechanism.noise(task)

    def chance(factor):
        return kstest(errors / (factor * stated.width), stated.below).pvalue

    assert chance(1.0) > FALSE_ALARM
    assert max(chance(0.9), chance(1.1)) < FALSE_ALARM


@pytest.mark.parametrize(("name", "unit", "adjacency"), CELLS)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
def test_the_draws_together_lose_no_more_than_was_granted(name, unit, adjacency, epsilon):
    mechanism = VARIANTS[name]
    task = task_of(mechanism, epsilon, unit, adjacency)
    assert billed(mechanism, task).epsilon(task.loss.delta) <= epsilon * (1 + 1e-9)
    assert (
        billed(mechanism, task, factor=0.45).epsilon(task.loss.delta) > epsilon
    )  # the paper's exponent has a 2 to lose


@pytest.mark.parametrize(("name", "unit", "adjacency"), CELLS)
def test_the_price_in_rho_covers_the_draws(name, unit, adjacency):
    mechanism = VARIANTS[name]
    statement = statement_by(mechanism, unit, adjacency)
    charged = cost_of(statement, SIZE, spec_of(mechanism).denominator)
    assert charged.loss == loss_of(mechanism)
    assert charged.rho == rho_of(statement, SIZE)
    assert billed(mechanism, task_of(mechanism, unit=unit, adjacency=adjacency)).rho <= charged.rho * (1 + 1e-9)
    assert mechanism.needs_delta or charged.rho <= pure_rho(1.0)


@every_variant
def test_its_loss_distribution_claims_no_less_than_it_spends(mechanism):
    loss = loss_of(mechanism)
    distribution = mechanism.loss_distribution(loss.epsilon, loss.delta, 1e-3)
    at = loss.delta or 1e-12
    assert distribution.get_epsilon_for_delta(at) == pytest.approx(loss.epsilon, rel=5e-3)


@every_variant
def test_more_epsilon_means_less_noise_and_a_higher_price(mechanism):
    tasks = [task_of(mechanism, epsilon) for epsilon in (0.1, 0.5, 1.0, 2.0)]
    widths = [mechanism.noise(task).width for task in tasks]
    assert widths == sorted(set(widths), reverse=True)
    assert all(later < earlier for earlier, later in zip(*pairwise_scales(mechanism, tasks), strict=True))
    prices = [rho_of(statement_by(mechanism, epsilon=epsilon), SIZE) for epsilon in (0.1, 0.5, 1.0, 2.0)]
    assert prices == sorted(set(prices))
    missed = [mechanism.regret(task, 0.05) for task in tasks]
    assert all(each is None for each in missed) == (not mechanism.selects)
    if mechanism.selects:
        together = [each.all_choices for each in missed]
        assert together == sorted(set(together), reverse=True)
        assert all(each.one_choice <= each.all_choices for each in missed)


def pairwise_scales(mechanism, tasks):
    scales = [scale for task in tasks for scale in mechanism.scales(task)]
    step = len(mechanism.scales(tasks[0]))
    return scales[:-step], scales[step:]


@pytest.mark.statistical
@every_variant
def test_what_is_certified_holds(mechanism):
    spec, source = spec_of(mechanism), SimulatedNoise(11)
    sketch = Sketch(np.array([*MASSES, 70], np.int64) * TICKS_PER_MASS, origin_of())
    plans = [release_plan(sketch, UNIVERSE, spec, source) for _ in range(RELEASES)]
    truth = dict(zip(UNIVERSE.ids, MASSES, strict=True))
    most = binom.isf(FALSE_ALARM, RELEASES, BETA)

    def wrong(is_wrong):
        return sum(any(is_wrong(plan, entry) for entry in plan.entries) for plan in plans)

    def misordered(plan, entry):
        below = (each for each in plan.entries if entry.noisy_mass - each.noisy_mass > plan.rules.comparison_margin)
        return any(truth[entry.atom_id] <= truth[each.atom_id] for each in below)

    def outside_a_third(plan, entry):
        return abs(entry.noisy_mass - truth[entry.atom_id]) > plan.rules.certificates.interval_above / 3

    assert wrong(lambda _, entry: not entry.low <= truth[entry.atom_id] <= entry.high) <= most
    assert wrong(outside_a_third) > most
    assert wrong(misordered) <= most


@every_variant
def test_what_cannot_be_drawn_is_refused_before_a_charge(mechanism):
    hopeless = PrivacyLoss(1e-13, 1e-20 if mechanism.needs_delta else 0.0)
    dry_run(origin_of(), UNIVERSE, spec_of(mechanism))
    with pytest.raises(RequestError):
        dry_run(origin_of(), UNIVERSE, spec_of(mechanism).model_copy(update={"loss": hopeless}))


@every_variant
def test_label_and_preview_say_what_is_done(mechanism):
    plan = release_plan(
        Sketch(np.array([*MASSES, 70], np.int64) * TICKS_PER_MASS, origin_of()),
        UNIVERSE,
        spec_of(mechanism),
        SimulatedNoise(3),
    )
    words = mechanism.words(SIZE, " and on “none of these”")
    assert privacy_label(plan).mechanism == words
    assert "none of these" in words
    asked = forecast(
        RecordUnit(), Adjacency.ADD_DROP, loss_of(mechanism), mechanism, atoms=12, size=SIZE, denominator=9
    )
    shown = render_forecast(asked)
    payable = [name for name, each in SHOWN.items() if asked.request.loss.delta or not each.needs_delta]
    assert all(name in shown for name in (*payable, mechanism.short_name))
    assert (asked.selection is None) == (not mechanism.selects)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"selection_shares": (0.5, 0.4)}, "add up to 1, not to 0.9"),
        ({"value_noise": "laplace", "accounting": "zcdp"}, "joint accounting"),
        ({"selection_shares": (0.5, 0.5), "accounting": "zcdp"}, "joint accounting"),
    ],
)
def test_options_that_do_not_go_together_are_refused(told, why):
    with pytest.raises(RequestError, match=why):
        PrivateTopL(**told)


def test_shares_are_positive_numbers_and_one_for_each_round():
    with pytest.raises(ValidationError):
        PrivateTopL(selection_shares=(1.0, 0.0))
    with pytest.raises(RequestError, match="names 5 rounds, and 4 themes"):
        PrivateTopL(selection_shares=UNEQUAL).noise(task_of(PrivateTopL(), shape=(12, 4)))
    assert PrivateTopL(selection_shares="0.4, 0.3,0.15,0.1,0.05").selection_shares == UNEQUAL


def test_equal_shares_are_the_papers_allocation():
    task = task_of(PrivateTopL())
    equal, usual = PrivateTopL(selection_shares=(0.2,) * SIZE), PrivateTopL()
    assert equal.calibrated(task).rounds == pytest.approx(usual.calibrated(task).rounds)
    assert equal.regret(task, 0.05).all_choices == pytest.approx(usual.regret(task, 0.05).all_choices)


def test_variants_are_told_apart_in_words():
    assert len({each.words(SIZE, "") for each in VARIANTS.values()}) == len(VARIANTS)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_every_mechanism_is_audited_and_a_fault_in_it_must_show(mechanism):
    cases = mechanism.audited()
    assert cases
    assert all(type(case.mechanism) is mechanism and case in AUDITED for case in cases)
    halved = {audited.name for audited, _, _ in MUTANTS[0].cells}
    assert {case.name for case in cases} <= halved


@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_the_planner_considers_only_what_is_offered(adjacency):
    sensitivity = sensitivity_of(RecordUnit(), adjacency)
    variants = [each.planned_for(sensitivity) for each in MECHANISMS]
    assert all(variant.is_offered_for(sensitivity) for variant in variants if variant is not None)
    assert planned(LOSS, sensitivity, atoms=200, size=10).mechanism in variants


def test_what_is_not_offered_is_refused():
    refused = [
        each for each in VARIANTS.values() if not each.is_offered_for(sensitivity_of(RecordUnit(), Adjacency.REPLACE))
    ]
    assert refused
    for mechanism in refused:
        with pytest.raises(RequestError):
            mechanism.noise(task_of(mechanism, adjacency=Adjacency.REPLACE))
