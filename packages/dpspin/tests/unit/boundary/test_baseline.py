"""The public baseline: shares that everybody may know, what they alone would list, and what differs from them."""

import json

import pytest

from dpspin.boundary.baseline import (
    Baseline,
    BaselineShare,
    baseline_of,
    beside_baseline,
    public_only,
    require_fitting_baseline,
)
from dpspin.boundary.estimates import best_guess
from dpspin.boundary.noise_laws import LaplaceNoise
from dpspin.boundary.plan import SemanticPlan, contradictions
from dpspin.boundary.read_plan import reading_of, reread
from dpspin.errors import PlanError, RequestError
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE

SHARES = {17: 0.4, 42: 0.35, 81: 0.25}
KNOWN = baseline_of(PAPER_UNIVERSE, SHARES, source="a survey")
WITH_NONE = baseline_of(PAPER_UNIVERSE, SHARES, 0.3, source="a survey")
NOISE = LaplaceNoise(scale=1.0)


def beside(baseline, plan=PAPER_PLAN):
    return reread(plan, PAPER_UNIVERSE, reading_of(plan).model_copy(update={"baseline": baseline}))


def test_amounts_are_scaled_to_shares_and_unnamed_atoms_have_none():
    baseline = baseline_of(PAPER_UNIVERSE, {42: 3, 17: 1}, source="a survey")
    assert [each.share for each in baseline.shares] == [0.25, 0.75, 0.0, 0.0]
    assert baseline.none is None
    assert WITH_NONE.values == pytest.approx([0.4 / 1.3, 0.35 / 1.3, 0.25 / 1.3, 0.0, 0.3 / 1.3])


@pytest.mark.parametrize("amounts", [{}, {17: -1.0, 42: 3.0}, {17: float("inf")}, {5: 1.0}])
def test_amounts_that_are_no_shares_are_refused(amounts):
    with pytest.raises(RequestError, match="baseline"):
        baseline_of(PAPER_UNIVERSE, amounts, source="a survey")


def test_shares_that_do_not_sum_to_one_are_no_baseline():
    with pytest.raises(ValueError, match="sum to one"):
        Baseline(source="a survey", shares=(BaselineShare(atom_id=1, share=0.5),))


def test_the_public_only_plan_lists_the_largest_public_shares():
    assert [each.atom_id for each in public_only(KNOWN, 2)] == [17, 42]
    even = baseline_of(PAPER_UNIVERSE, dict.fromkeys(PAPER_UNIVERSE.ids, 1), source="nothing is known")
    assert [each.atom_id for each in public_only(even, 3)] == [17, 42, 81]


def test_a_theme_differs_where_its_interval_excludes_the_baseline():
    compared = beside_baseline([400.0, 350.0, 250.0, 10.0], None, NOISE, KNOWN, 0.05)
    assert [each.differs for each in compared] == [False, False, False, True]
    assert all(each.low <= each.share <= each.high <= 1 for each in compared)
    assert sum(each.share for each in compared) == pytest.approx(1)


def test_what_the_baseline_does_not_know_of_is_not_in_the_total():
    alone = beside_baseline([400.0, 350.0, 250.0, 0.0], 1000.0, NOISE, KNOWN, 0.05)
    assert alone[0].share == pytest.approx(0.4)
    with_none = beside_baseline([400.0, 350.0, 250.0, 0.0], 1000.0, NOISE, WITH_NONE, 0.05)
    assert with_none[0].share == pytest.approx(0.2)


LABELS = [atom.label for atom in PAPER_UNIVERSE.atoms]


def test_the_best_guess_follows_the_baseline_where_nothing_stands_clear_of_the_noise():
    guess = best_guess([380.0, 300.0, 90.0, 110.0], None, LaplaceNoise(scale=80.0), KNOWN, LABELS, 3)
    assert [(each.atom_id, each.novelty) for each in guess] == [(17, False), (42, False), (81, False)]
    assert guess[0].label == "long wait"


def test_a_single_place_is_not_given_to_a_novelty():
    (only,) = best_guess([400.0, 330.0, 170.0, 180.0], None, LaplaceNoise(scale=50.0), KNOWN, LABELS, 1)
    assert (only.atom_id, only.novelty) == (17, False)


def test_a_theme_that_the_baseline_hides_gets_the_novelty_slot():
    guess = best_guess([400.0, 330.0, 170.0, 180.0], None, LaplaceNoise(scale=50.0), KNOWN, LABELS, 3)
    assert [(each.atom_id, each.novelty) for each in guess] == [(17, False), (42, False), (99, True)]


def test_a_plan_carries_baseline_and_best_guess_and_reads_them_again_for_free():
    plan = beside(KNOWN)
    assert plan.entries == PAPER_PLAN.entries
    assert len(plan.denoised) == 3
    assert SemanticPlan.from_json(plan.to_json()) == plan
    assert beside(None, plan) == PAPER_PLAN
    assert beside(WITH_NONE, COVERED_PLAN).baseline == WITH_NONE


def test_a_baseline_of_something_else_is_refused():
    with pytest.raises(RequestError, match="does not measure"):
        beside(WITH_NONE)
    other = Baseline(source="x", shares=(BaselineShare(atom_id=1, share=1.0),))
    with pytest.raises(RequestError, match="another dictionary"):
        require_fitting_baseline(other, PAPER_UNIVERSE, answers_none=True)


def _forge(**changes):
    return json.dumps({**json.loads(beside(KNOWN).to_json()), **changes})


def _guess(**changes):
    first, *rest = json.loads(beside(KNOWN).to_json())["denoised"]
    return [{**first, **changes}, *rest]


FORGED = {
    "a baseline of another dictionary": (
        {"baseline": {"source": "x", "shares": [{"atom_id": 1, "share": 1.0}], "none": None}},
        "another dictionary",
    ),
    "a share of none that was not measured": (
        {"baseline": json.loads(WITH_NONE.model_dump_json())},
        "not measured",
    ),
    "a guess from nothing": ({"baseline": None}, "needs a public baseline"),
    "no guess": ({"denoised": []}, "best guess"),
    "another mass": ({"denoised": _guess(mass=400.0)}, "best guess"),
    "another share": ({"denoised": _guess(share=0.9)}, "best guess"),
    "another theme": ({"denoised": _guess(atom_id=99)}, "best guess"),
    "another name": ({"denoised": _guess(label="praise")}, "two labels"),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_does_not_follow_from_masses_and_baseline_is_noticed(name):
    changes, why = FORGED[name]
    with pytest.raises(PlanError, match=why):
        SemanticPlan.from_json(_forge(**changes))


def test_of_a_baseline_that_does_not_fit_nothing_more_is_asked():
    other = Baseline(source="x", shares=(BaselineShare(atom_id=1, share=1.0),))
    found = [list(contradictions(beside(KNOWN).model_copy(update={"baseline": each}))) for each in (other, WITH_NONE)]
    assert found == [
        ["the baseline is of another dictionary"],
        ['the baseline knows a share of "none of these", which was not measured'],
    ]
