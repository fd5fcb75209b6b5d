"""What shares refer to: public, bought or free; and how a noisy denominator enters every share."""

import json
import math

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.denominator import (
    PART_OF_BETA,
    CountShare,
    PaidCount,
    PublicNumber,
    TotalMass,
    count_scale,
    free_total,
    loss_of_themes,
    paid_count,
    split_for_count,
)
from dpspin.boundary.mechanisms import Gaussian, Laplace, PrivateTopL, noise_of
from dpspin.boundary.noise_laws import GaussianNoise, LaplaceNoise
from dpspin.boundary.plan import SemanticPlan, contradictions
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, RecordUnit, sensitivity_of
from dpspin.boundary.read_plan import ReaderChoices, read_noise, reading_of, reread
from dpspin.boundary.statement import NO_TEXTS, MapStatement, PrivacyStatement
from dpspin.errors import PlanError, RequestError
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of

COUNTED = CountShare(share=0.1)
LAPLACE = Laplace()
MASSES = [318.4, 271.9, 244.7, 1.3]


def statement_of(mechanism, loss, denominator, adjacency=Adjacency.ADD_DROP, *, none=False):
    themes = loss_of_themes(loss, denominator)
    shape = {"atoms": 4, "size": 3, "besides": none}
    return PrivacyStatement(
        unit=RecordUnit(),
        adjacency=adjacency,
        loss=loss,
        mechanism=mechanism,
        noise=noise_of(mechanism, themes, sensitivity_of(RecordUnit(), adjacency), **shape),
        randomness="os-csprng",
        separation=NO_TEXTS,
        contribution_map=MapStatement(
            name="m", fitted_on="nothing", atoms_per_record=3, digest="sha256:0", answers_none=none
        ),
    )


def counted_plan(count=2004, mechanism=LAPLACE, delta=0.0, **reading):
    loss = PrivacyLoss(1.0, delta)
    noisy = NoisyMasses(MASSES, None, count)
    if isinstance(mechanism, PrivateTopL):
        noisy = NoisyMasses(MASSES[:3], None, count, positions=[0, 1, 2])
    wanted = ReaderChoices(denominator=COUNTED, size=3, **reading)
    return read_noise(noisy, statement_of(mechanism, loss, COUNTED), PAPER_UNIVERSE, wanted, software="test")


def total_plan(plan=PAPER_PLAN, **changes):
    return reread(plan, PAPER_UNIVERSE, reading_of(plan).model_copy(update={"denominator": TotalMass(), **changes}))


PLANS = {
    "public": PAPER_PLAN,
    "public, with none": COVERED_PLAN,
    "count, laplace": counted_plan(),
    "count, gaussian": counted_plan(mechanism=Gaussian(), delta=1e-6),
    "count, private_topL": counted_plan(mechanism=PrivateTopL(), delta=1e-6),
    "total": total_plan(),
    "total, with none": total_plan(COVERED_PLAN),
}


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_of_any_denominator_survives_its_file_and_its_own_reading(name):
    plan = PLANS[name]
    assert SemanticPlan.from_json(plan.to_json()) == plan
    assert reread(plan, PAPER_UNIVERSE, reading_of(plan)) == plan


@pytest.mark.parametrize("name", PLANS)
def test_support_and_its_interval_come_from_the_denominators_own(name):
    plan = PLANS[name]
    values = [*plan.entries, *([plan.uncovered] if plan.uncovered else [])]
    for value in values:
        assert value.support == pytest.approx(value.mass / plan.denominator.value)
        assert value.support_low == pytest.approx(value.low / plan.denominator.high)
        assert value.support_high == pytest.approx(value.high / plan.denominator.low)
        assert value.support_low <= value.support <= value.support_high


def test_a_measured_denominator_is_known_once_its_interval_ends_above_the_cut_at_one():
    assert all(plan.denominator.is_known for plan in PLANS.values())
    lost = [counted_plan(count=3), total_plan(plan_of(PAPER_UNIVERSE, [2.0, 1.0, 0.0, 0.0]))]
    assert [(plan.denominator.low, plan.denominator.is_known) for plan in lost] == [(1, False), (1, False)]
    assert PublicNumber(value=1).is_known


def test_a_number_is_short_for_a_public_one():
    assert ReaderChoices(denominator=2000).denominator == PublicNumber(value=2000)
    assert (PublicNumber(value=7).low, PublicNumber(value=7).high) == (7, 7)


def test_a_bought_count_leaves_the_themes_the_rest_of_epsilon():
    plan = counted_plan()
    assert plan.denominator.epsilon == 0.1
    assert plan.statement.noise.scale == pytest.approx(1 / 0.9)
    assert loss_of_themes(plan.statement.loss, plan.denominator) == PrivacyLoss(0.9)
    split = split_for_count(PrivacyLoss(2.0, 1e-6), 0.25)
    assert split.count + split.themes.epsilon == 2.0
    assert split.themes.delta == 1e-6


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 5.0])
@pytest.mark.parametrize("beta", [0.05, 0.4])
def test_the_interval_of_a_count_is_the_smallest_that_holds(epsilon, beta):
    count = paid_count(10**6, PrivacyLoss(10 * epsilon), 0.1, beta)
    reach, decay = count.high - count.noisy_count, math.exp(-1 / count_scale(epsilon))
    assert count.noisy_count - count.low == reach
    assert 2 * decay ** (reach + 1) / (1 + decay) <= PART_OF_BETA * beta
    assert reach == 0 or 2 * decay**reach / (1 + decay) > PART_OF_BETA * beta


@pytest.mark.parametrize("noisy", [0, -250, 1])
def test_a_count_that_is_not_positive_gives_denominator_one(noisy):
    plan = counted_plan(count=noisy)
    assert plan.denominator.value == 1
    assert 1 <= plan.denominator.low <= plan.denominator.high
    assert plan.entries[0].support == plan.entries[0].mass


@pytest.mark.parametrize("noise", [LaplaceNoise(scale=2.0), GaussianNoise(sigma=3.0)], ids=["laplace", "gaussian"])
def test_a_total_has_the_noise_of_all_its_terms(noise):
    total = free_total([100.0] * 25, noise, 0.05)
    assert total.value == 2500
    assert total.noise_std == pytest.approx(5 * noise.std)
    assert total.high - total.value == pytest.approx(noise.sum_quantile(25, 0.0025))
    assert free_total([-3.0, 1.0], noise, 0.05).value == 1


def test_the_tail_of_a_sum_of_laplace_noises_is_the_known_one():
    for tail in (0.2, 0.01, 1e-6):
        assert LaplaceNoise(scale=1.0).sum_quantile(1, tail) == pytest.approx(-math.log(2 * tail), abs=1e-6)
        reach = LaplaceNoise(scale=1.0).sum_quantile(2, tail)
        assert math.exp(-reach) * (1 + reach / 2) / 2 == pytest.approx(tail, rel=1e-5)


def test_none_of_these_is_part_of_the_total():
    assert total_plan(COVERED_PLAN).denominator.value == pytest.approx(sum(MASSES) + 248.1)
    assert total_plan().denominator.value == pytest.approx(sum(MASSES))


def test_a_noisy_denominator_takes_its_part_of_beta_from_the_intervals_and_from_nothing_else():
    public, total = PAPER_PLAN.rules.certificates, total_plan().rules.certificates
    assert total.interval_below > public.interval_below
    assert total.interval_above > public.interval_above
    same = {"admission_threshold", "comparison_margin", "superlative_margin"}
    assert total.model_dump(include=same) == public.model_dump(include=same)


REFUSED = {
    "a count under replacement": (Laplace(), 0.0, COUNTED, Adjacency.REPLACE, "declare it"),
    "a total of chosen themes": (PrivateTopL(), 1e-6, TotalMass(), Adjacency.ADD_DROP, "there is no total"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_denominator_that_has_no_proof_is_refused(name):
    mechanism, delta, choice, adjacency, why = REFUSED[name]
    statement = statement_of(mechanism, PrivacyLoss(1.0, delta), choice, adjacency)
    noisy = NoisyMasses([1.0], positions=[0]) if delta else NoisyMasses(MASSES, None, 10)
    with pytest.raises(RequestError, match=why):
        read_noise(noisy, statement, PAPER_UNIVERSE, ReaderChoices(denominator=choice, size=3), software="test")


def test_a_count_cannot_be_read_out_of_a_release_that_bought_none():
    with pytest.raises(RequestError, match="no count was bought"):
        read_noise(
            NoisyMasses(MASSES),
            statement_of(Laplace(), PrivacyLoss(1.0), COUNTED),
            PAPER_UNIVERSE,
            ReaderChoices(denominator=COUNTED, size=3),
            software="test",
        )


OTHERS = {
    "a public number for a count": (counted_plan(), 2000),
    "a count for a public number": (PAPER_PLAN, COUNTED),
    "another share": (counted_plan(), CountShare(share=0.2)),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_was_bought_is_neither_forgotten_nor_added_afterwards(name):
    plan, choice = OTHERS[name]
    with pytest.raises(RequestError, match="another release"):
        reread(plan, PAPER_UNIVERSE, ReaderChoices(denominator=choice, size=3))


def test_public_number_and_total_may_be_exchanged_for_free():
    again = reread(total_plan(), PAPER_UNIVERSE, reading_of(PAPER_PLAN))
    assert again == PAPER_PLAN


FORGED = {
    "count, value": ("count, laplace", {"value": 1000}, "denominator"),
    "count, interval": ("count, laplace", {"low": 2000}, "denominator"),
    "count, noise": ("count, laplace", {"noise_std": 1.0}, "denominator"),
    "count, cheaper": ("count, laplace", {"epsilon": 0.01}, "denominator"),
    "count, larger share": ("count, laplace", {"share": 0.5, "epsilon": 0.5}, "denominator"),
    "total, value": ("total", {"value": 2000.0}, "denominator"),
    "total, interval": ("total", {"high": 836.5}, "denominator"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_denominator_is_noticed(name):
    which, changes, word = FORGED[name]
    text = json.loads(PLANS[which].to_json())
    text["denominator"] |= changes
    with pytest.raises(PlanError, match=word):
        SemanticPlan.from_json(json.dumps(text))


def test_a_share_interval_that_forgets_the_denominators_noise_is_noticed():
    text = json.loads(total_plan().to_json())
    text["entries"][0]["support_low"] = text["entries"][0]["support"]
    with pytest.raises(PlanError, match="interval of the support"):
        SemanticPlan.from_json(json.dumps(text))


def test_a_count_of_a_plan_under_replacement_is_noticed():
    text = json.loads(counted_plan().to_json())
    text["statement"]["adjacency"] = "replace"
    with pytest.raises(PlanError, match="presence"):
        SemanticPlan.from_json(json.dumps(text))


def test_a_total_without_a_full_sketch_is_noticed():
    forged = PLANS["count, private_topL"].model_copy(update={"denominator": total_plan().denominator})
    assert "only a full noisy sketch has a total" in list(contradictions(forged))


def test_intervals_of_masses_that_leave_the_denominator_nothing_are_noticed():
    text = json.loads(total_plan().to_json())
    text["rules"]["certificates"] = json.loads(PAPER_PLAN.to_json())["rules"]["certificates"]
    with pytest.raises(PlanError):
        SemanticPlan.from_json(json.dumps(text))


def test_a_count_of_one_theme_is_a_denominator_too():
    universe = universe_of([Atom(id=0, label="only")])
    statement = statement_of(Laplace(), PrivacyLoss(1.0), COUNTED)
    plan = read_noise(
        NoisyMasses([50.0], None, 80), statement, universe, ReaderChoices(denominator=COUNTED, size=1), software="test"
    )
    assert isinstance(plan.denominator, PaidCount)
    assert plan.entries[0].support == 50 / 80
