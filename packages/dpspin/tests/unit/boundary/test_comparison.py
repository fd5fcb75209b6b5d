"""Two plans are compared with the exact law of both noises, and refused where they did not measure the same."""

import math

import numpy as np
import pytest

from changes import measured_again
from dpspin.boundary.atoms import Atom
from dpspin.boundary.comparison import compare_plans, reach_of_difference
from dpspin.boundary.denominator import TotalMass
from dpspin.boundary.noise_laws import GaussianNoise, LaplaceNoise
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import PoissonSample, Prevalence, PrivacyLoss, UserUnit
from dpspin.boundary.read_plan import reading_of, reread
from dpspin.errors import RequestError
from factories import PAPER_PLAN, plan_of, universe_of
from grounded_plans import BY_A_PERSON, grounded
from shop_plans import CLEAR, LOST_TOTAL, MASSES, SHOP, read_by, shop, stated

LATER = shop([mass + step for mass, step in zip(MASSES, (0.5, -50.0, 1.0, 100.0, 0.0, -0.5, 1.0), strict=True)])
LAWS = (LaplaceNoise(scale=1.0), LaplaceNoise(scale=1.00001), LaplaceNoise(scale=7.0), GaussianNoise(sigma=3.0))


def on_grid(noise, step, reach):
    """Return the chances of a discrete noise on a grid: the law that a release draws from, on a coarser grid."""
    places = np.arange(-round(reach / step), round(reach / step) + 1) * step
    chances = np.exp(noise.log_density(places))
    return chances / chances.sum()


@pytest.mark.long
@pytest.mark.parametrize("one", LAWS, ids=str)
@pytest.mark.parametrize("other", LAWS, ids=str)
@pytest.mark.parametrize("tail", [0.02, 4e-4])
def test_the_reach_is_that_of_the_convolution_of_both_discrete_laws(one, other, tail):
    step, reach = 1 / 64, 150.0
    found = reach_of_difference(one, other, tail)
    chances = np.convolve(on_grid(one, step, reach), on_grid(other, step, reach))
    places = (np.arange(len(chances)) - len(chances) // 2) * step
    beyond = chances[places > found + 2 * step].sum()  # a step for each of the two, as a tick is added in a plan
    assert beyond <= tail
    assert chances[places > 0.99 * found - 2 * step].sum() > tail  # a hundredth less would be too little


def test_a_rise_and_a_fall_are_told_apart_and_nothing_else():
    change = compare_plans(CLEAR, LATER, SHOP)
    assert {each.label: each.direction for each in change.moved} == {"slow refund": "up", "lost data": "down"}
    assert [each.label for each in change.moved] == ["slow refund", "lost data"]
    risen = change.moved[0]
    reach = reach_of_difference(*[CLEAR.statement.noise.scaled(1 / 2000)] * 2, 0.05 / 14)
    assert (risen.share_a, risen.share_b) == (158 / 2000, 258 / 2000)
    assert (risen.high - risen.low) / 2 == pytest.approx(reach, abs=1e-8)
    assert risen.values.high - risen.values.low == pytest.approx(2 * 2000 * reach, abs=1e-5)


def test_a_total_that_is_noisy_takes_its_part_and_has_no_values():
    one, other = (read_by(plan, denominator=TotalMass()) for plan in (shop([*MASSES[:6], 1.0]), LATER))
    change = compare_plans(one, other, SHOP)
    exact = compare_plans(CLEAR, LATER, SHOP)
    assert all(each.values is None for each in change.themes)
    width = {each.label: each.high - each.low for each in change.themes}
    whole = one.denominator.value
    assert all(width[each.label] * whole > (each.high - each.low) * 2000 for each in exact.themes)


def test_themes_that_only_one_plan_chose_are_not_compared():
    chosen = [plan.model_copy(update={"noisy_sketch": None}) for plan in (CLEAR, LATER)]
    less = chosen[1].model_copy(update={"entries": chosen[1].entries[:3]})
    change = compare_plans(chosen[0], less, SHOP)
    assert [each.atom_id for each in change.themes] == sorted(entry.atom_id for entry in less.entries)
    assert {*change.not_compared} == {*SHOP.ids} - {entry.atom_id for entry in less.entries}
    narrow, wide = (each.themes[0].high - each.themes[0].low for each in (change, compare_plans(CLEAR, LATER, SHOP)))
    assert narrow < wide  # fewer hold together


def other_dictionary():
    return plan_of(universe_of([Atom(id=i, label=f"theme {i}") for i in range(7)]), MASSES)


def other_map(plan):
    return stated(
        plan, contribution_map=plan.statement.contribution_map.model_copy(update={"digest": "sha256:another"})
    )


USERS = stated(CLEAR, unit=UserUnit(bound=1.0))
REFUSED = {
    "dictionary": (CLEAR, PAPER_PLAN),
    "map": (CLEAR, other_map(LATER)),
    "unit": (CLEAR, stated(LATER, unit=UserUnit(bound=1.0))),
    "bound": (USERS, stated(LATER, unit=UserUnit(bound=2.0))),
    "missing": (USERS, stated(LATER, unit=UserUnit(bound=1.0, missing="drop"))),
    "quantity": (CLEAR, stated(LATER, quantity=Prevalence())),
    "denominator": (CLEAR, read_by(LATER, denominator=TotalMass())),
    "same-release": (CLEAR, reread(CLEAR, SHOP, reading_of(CLEAR).model_copy(update={"title": "again", "size": 3}))),
    "sample": tuple(stated(plan, sampling=PoissonSample(rate=0.25)) for plan in (CLEAR, LATER)),
    "no-shares": (LOST_TOTAL, read_by(LATER, denominator=TotalMass())),
}


@pytest.mark.parametrize("code", REFUSED)
def test_plans_that_did_not_measure_the_same_are_refused_with_a_code_of_its_own(code):
    with pytest.raises(RequestError) as refused:
        compare_plans(*REFUSED[code], SHOP)
    assert refused.value.code == f"compare.{code}"


def test_every_difference_is_named():
    with pytest.raises(RequestError, match=r"the map differs.*the protected unit differs.*what is measured differs"):
        compare_plans(CLEAR, other_map(stated(LATER, unit=UserUnit(bound=1.0), quantity=Prevalence())), SHOP)


def test_what_cannot_matter_is_no_obstacle():
    fine = stated(LATER, loss=PrivacyLoss(4.0), noise=LaplaceNoise(scale=0.25))
    assert compare_plans(CLEAR, fine, SHOP).b.loss == PrivacyLoss(4.0)
    rash = reread(LATER, SHOP, reading_of(LATER).model_copy(update={"size": 2, "beta": 0.2, "title": "later"}))
    assert compare_plans(CLEAR, rash, SHOP).beta == 0.2


TRUTH = ([442, 300, 160, 158, 90, 60, 0, 300], [442, 250, 161, 658, 90, 60, 0, 300])
FITTING = [shop([max(0.0, mass) for mass in truth[:7]], none=300.0) for truth in TRUTH]
WIDE = BY_A_PERSON.model_copy(update={"rate": 0.5})


def read_pair(**of_second):
    second = WIDE.model_copy(update=of_second)
    plans = zip(FITTING, TRUTH, (WIDE, second), strict=True)
    return [grounded(plan, SHOP, truth, grounding=read, seed=3) for plan, truth, read in plans]


def test_grounded_plans_are_compared_by_what_a_reader_would_file():
    change = compare_plans(*read_pair(), SHOP)
    assert (change.told, change.why_filed) == ("read", None)
    assert [each.label for each in change.moved] == ["slow refund"]
    filed = compare_plans(*FITTING, SHOP)
    assert all(a.high - a.low > b.high - b.low for a, b in zip(change.themes, filed.themes, strict=True))


@pytest.mark.parametrize(
    ("pair", "why"),
    [
        ((FITTING[0], FITTING[1]), "none_read"),
        ((read_pair()[0], FITTING[1]), "one_read"),
        ((FITTING[0], read_pair()[1]), "one_read"),
        (read_pair(reader="a model"), "readers_differ"),
    ],
)
def test_else_what_the_map_filed_is_compared_and_it_says_why(pair, why):
    change = compare_plans(*pair, SHOP)
    assert (change.told, change.why_filed) == ("filed", why)


def test_a_share_below_zero_is_shown_between_the_ends_and_no_difference_is_beyond_all():
    low = shop([442.0, -300.0, 160.0, 158.0, 90.0, 60.0, -40.0])
    fallen = next(each for each in compare_plans(CLEAR, low, SHOP).themes if each.label == "lost data")
    assert fallen.share_b == 0
    assert fallen.low <= fallen.share_b - fallen.share_a <= fallen.high
    few = read_by(shop([60.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]), denominator=TotalMass())
    again = measured_again(few, SHOP, [0.0, 20.0] + [0.0] * 7)
    assert all(-1 <= each.low <= each.high <= 1 for each in compare_plans(few, again, SHOP).themes)


def test_a_plan_that_was_written_and_read_again_gives_the_same_comparison():
    again = [SemanticPlan.from_json(plan.to_json()) for plan in (PAPER_PLAN, PAPER_PLAN)]
    with pytest.raises(RequestError) as refused:
        compare_plans(*again, SHOP)
    assert refused.value.code == "compare.same-release"
    assert math.isfinite(compare_plans(CLEAR, LATER, SHOP).themes[0].low)
