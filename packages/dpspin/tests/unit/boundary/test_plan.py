"""A plan proves itself: whatever does not follow from its noisy masses, its rules and its statement is refused."""

import json

import pytest

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.postprocess import lead_over_the_rest
from dpspin.boundary.read_plan import ReaderChoices, reread
from dpspin.errors import DictionaryError, PlanError, RequestError
from factories import COVERED_PLAN, PAPER_PLAN, PAPER_UNIVERSE


def edited(*changes, of=PAPER_PLAN):
    plan = json.loads(of.to_json())
    for path, value in changes:
        target = plan
        for step in path[:-1]:
            target = target[step]
        if value is None:
            del target[path[-1]]
        else:
            target[path[-1]] = None if value == "null" else value
    return json.dumps(plan)


FORGED = {
    "a mass": [(("entries", 0, "mass"), 1.0)],
    "a support": [(("entries", 0, "support"), 0.9)],
    "a bin": [(("entries", 0, "bin"), "low")],
    "a rank": [(("entries", 0, "rank"), 2)],
    "an interval": [(("entries", 0, "low"), 318.4)],
    "a clear flag": [(("entries", 0, "clears_noise"), False)],
    "a noisy mass": [(("noisy_sketch", 0, "noisy_mass"), 9.0)],
    "an atom twice": [(("entries", 1, "atom_id"), 17)],
    "a missing entry": [(("entries", 2), None)],
    "a short sketch": [(("noisy_sketch", 3), None)],
    "less noise than epsilon needs": [(("statement", "loss", "epsilon"), 0.01)],
    "another noise than the mechanism's": [(("statement", "noise"), {"kind": "gaussian", "sigma": 9.0})],
    "a larger bound than the noise covers": [(("statement", "unit"), {"kind": "user", "bound": 5.0})],
    "a sketch that was not paid for": [
        (("statement", "mechanism"), {"kind": "private_topL", "value_fraction": 0.5}),
        (("statement", "loss", "delta"), 1e-6),
        (("statement", "noise"), {"kind": "gaussian", "sigma": 99.0}),
    ],
    "no sketch for laplace": [(("noisy_sketch",), "null")],
    "delta on laplace": [(("statement", "loss", "delta"), 1e-6)],
    "an unknown key": [(("count_of_records",), 12)],
    "not a number": [(("entries", 0, "noisy_mass"), "NaN")],
    "bins upside down": [(("rules", "bins"), [{"name": "low", "at_least": 0.0}, {"name": "high", "at_least": 0.5}])],
    "a future schema": [(("schema_version",), "4")],
}


@pytest.mark.parametrize("what", FORGED)
def test_a_plan_that_contradicts_itself_is_refused(what):
    with pytest.raises(PlanError, match="is not valid"):
        SemanticPlan.from_json(edited(*FORGED[what]))


def test_a_plan_survives_its_file():
    assert SemanticPlan.from_json(PAPER_PLAN.to_json()) == PAPER_PLAN
    assert SemanticPlan.from_json(edited()) == PAPER_PLAN


def test_reading_a_plan_in_another_way_keeps_its_numbers():
    again = reread(
        PAPER_PLAN, PAPER_UNIVERSE, ReaderChoices(denominator=1000, size=2, title="again", admission="fixed")
    )
    assert again.noisy_sketch == PAPER_PLAN.noisy_sketch
    assert [entry.support for entry in again.entries] == pytest.approx([0.3184, 0.2719])
    same = ReaderChoices(denominator=2000, size=3, title="a test corpus", bins=PAPER_PLAN.rules.bins)
    assert reread(PAPER_PLAN, PAPER_UNIVERSE, same).to_json() == PAPER_PLAN.to_json()
    with pytest.raises(RequestError, match="plan size"):
        reread(PAPER_PLAN, PAPER_UNIVERSE, ReaderChoices(denominator=1, size=5))
    other = PAPER_UNIVERSE.model_copy(update={"name": "other"})
    with pytest.raises(DictionaryError):
        reread(PAPER_PLAN, type(other).model_validate(other.model_dump()), same)


def test_a_lead_is_measured_against_everything_released_not_only_what_is_listed():
    alone = reread(PAPER_PLAN, PAPER_UNIVERSE, ReaderChoices(denominator=2000, size=1))
    assert lead_over_the_rest(alone, {17}) == pytest.approx(318.4 - 271.9)


def test_a_notebook_shows_the_entries_and_says_when_they_are_simulated():
    assert "long wait" in PAPER_PLAN._repr_html_()
    statement = PAPER_PLAN.statement.model_copy(update={"randomness": "SIMULATED-NOT-PRIVATE"})
    assert "SIMULATED" in PAPER_PLAN.model_copy(update={"statement": statement})._repr_html_()


FORGED_COVERAGE = {
    "a mass": [(("uncovered", "mass"), 1.0)],
    "a support": [(("uncovered", "support"), 0.9)],
    "an interval": [(("uncovered", "high"), 248.1)],
    "a noisy mass": [(("uncovered", "noisy_mass"), 9.0)],
    "a map that answers none, and no answer": [(("uncovered",), "null")],
    "an answer of a map that gives none": [(("statement", "contribution_map", "answers_none"), False)],
}


@pytest.mark.parametrize("what", FORGED_COVERAGE)
def test_a_plan_that_contradicts_itself_on_coverage_is_refused(what):
    with pytest.raises(PlanError, match="is not valid"):
        SemanticPlan.from_json(edited(*FORGED_COVERAGE[what], of=COVERED_PLAN))


def test_what_is_uncovered_survives_a_file_and_another_reading():
    assert SemanticPlan.from_json(COVERED_PLAN.to_json()) == COVERED_PLAN
    again = reread(COVERED_PLAN, PAPER_UNIVERSE, ReaderChoices(denominator=1000, size=2))
    assert again.uncovered.noisy_mass == 248.1
    assert again.uncovered.support == pytest.approx(0.2481)
    assert [item.atom_id for item in again.noisy_sketch] == list(PAPER_UNIVERSE.ids)  # none is no atom
    assert reread(PAPER_PLAN, PAPER_UNIVERSE, ReaderChoices(denominator=1000, size=2)).uncovered is None


def test_a_notebook_shows_what_is_uncovered_before_the_themes():
    shown = COVERED_PLAN._repr_html_()
    assert shown.index("none of these") < shown.index("long wait")
    assert "none of these" not in PAPER_PLAN._repr_html_()
