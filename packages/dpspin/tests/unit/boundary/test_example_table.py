"""What a view by examples says: the nearest where it leads beyond the noise, a few where one of them is, or nothing."""

import json

import pytest

from dpspin.boundary.atoms import Provenance
from dpspin.boundary.example_table import ExampleTable, examples_of, lead_needed
from dpspin.boundary.plan import SemanticPlan
from dpspin.errors import PlanError, RequestError
from factories import universe_of
from text_viewed_plans import BY_EXAMPLE, CAFE, NEAREST, VOTES, text_viewed

TABLE = examples_of(NEAREST, CAFE)


def test_the_nearest_is_told_where_it_leads_and_few_where_one_of_them_is():
    assert isinstance(TABLE, ExampleTable)
    assert TABLE.nearest(1) == ("We waited an hour for a table.",)
    assert TABLE.nearest(2) == ()  # both of two: nothing is told by that
    assert TABLE.nearest(3) == ("The espresso is superb.", "Best flat white in town!")
    assert TABLE.nearest(4) == ()  # there is one only


def test_the_lead_that_is_needed_is_that_of_the_noise_over_all_listed_themes():
    reach = lead_needed(NEAREST.views[0].noise, 3, len(NEAREST.entries), 0.05)
    for lead, told in ((reach * 0.99, 2), (reach * 1.01, 1)):
        votes = [[100.0 + lead, 100.0, 0.0, 0.0, 0.0, 0.0, 0.0], *VOTES[1:]]
        found = examples_of(text_viewed(BY_EXAMPLE, votes), CAFE)
        assert len(found.nearest(1)) == told
    tail = NEAREST.views[0].noise.difference_tail(reach)
    assert tail == pytest.approx(0.05 / (4 * 2), rel=1e-6)


def test_a_plan_with_examples_keeps_its_numbers_and_has_a_schema_of_its_own():
    again = SemanticPlan.from_json(NEAREST.to_json())
    assert again == NEAREST
    assert again.schema_version == "6"
    assert again.statement.views[0].facet == BY_EXAMPLE


@pytest.mark.parametrize(
    "change",
    [
        lambda plan: plan.update(schema_version="5"),
        lambda plan: plan["views"][0]["columns"].pop(),
        lambda plan: plan["views"][0]["columns"][0]["noisy_masses"].append(1.0),
        lambda plan: plan["views"][0]["noise"].update(scale=0.01),
        lambda plan: plan["statement"]["views"][0].update(share=0.01),
        lambda plan: plan["statement"]["views"][0]["facet"].update(most=5),
    ],
)
def test_a_plan_whose_examples_do_not_follow_from_its_statement_is_none(change):
    plan = json.loads(NEAREST.to_json())
    change(plan)
    with pytest.raises(PlanError):
        SemanticPlan.from_json(json.dumps(plan))


def test_other_examples_than_the_dictionary_has_are_refused():
    changed = [atom.model_copy(update={"examples": atom.examples[::-1]}) for atom in CAFE.atoms]
    with pytest.raises(RequestError, match="other examples"):
        examples_of(NEAREST, universe_of(changed))


def test_a_dictionary_whose_examples_may_be_other_peoples_words_is_refused():
    built = CAFE.model_copy(update={"provenance": Provenance(source="auxiliary", note="built from reviews")})
    with pytest.raises(RequestError, match="could not call them ours"):
        type(BY_EXAMPLE).of(built)


def test_a_dictionary_without_examples_is_refused():
    bare = universe_of([atom.model_copy(update={"examples": atom.examples[:1]}) for atom in CAFE.atoms])
    with pytest.raises(RequestError, match="two examples"):
        type(BY_EXAMPLE).of(bare)
