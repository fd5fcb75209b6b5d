"""What a view by candidates says: masses of what fits no theme, with ends that hold for all candidates together."""

import json

import pytest
from pydantic import ValidationError

from dpspin.boundary.candidate_table import candidate_reach, candidates_of
from dpspin.boundary.facets import CandidateFacet
from dpspin.boundary.plan import SemanticPlan
from dpspin.errors import PlanError
from text_viewed_plans import BY_CANDIDATE, LACKING, NEAREST


def test_candidates_that_stand_clear_of_the_noise_are_lacking_the_largest_first():
    table = candidates_of(LACKING)
    assert table.lacking == ("gift cards", "loud music")
    reach = candidate_reach(LACKING.views[0].noise, 4, 0.05)
    assert table.masses["gift cards"].low == pytest.approx(60 - reach)
    assert table.masses["slow wifi"].low == table.masses["slow wifi"].value == 0
    assert LACKING.views[0].noise.tail(reach) == pytest.approx(0.05 / 8, rel=1e-6)
    assert candidates_of(NEAREST) is None


def test_only_none_of_these_is_measured_by_candidate():
    again = SemanticPlan.from_json(LACKING.to_json())
    assert again == LACKING
    assert again.schema_version == "6"
    assert all(len(column.noisy_masses) == 1 for column in again.views[0].columns)


@pytest.mark.parametrize(
    "change",
    [
        lambda plan: plan.update(schema_version="5"),
        lambda plan: plan["views"][0]["columns"][0]["noisy_masses"].append(1.0),
        lambda plan: plan["views"][0]["columns"][0].update(value="dogs"),
        lambda plan: plan["statement"]["views"][0]["facet"]["names"].append("dogs"),
    ],
)
def test_a_plan_whose_candidates_do_not_follow_from_its_statement_is_none(change):
    plan = json.loads(LACKING.to_json())
    change(plan)
    with pytest.raises(PlanError):
        SemanticPlan.from_json(json.dumps(plan))


@pytest.mark.parametrize("names", [(), ("a", "a"), ("none of the candidates",), ("a\nb",)])
def test_names_that_are_none_are_refused(names):
    told = {**BY_CANDIDATE.model_dump(), "names": names}
    with pytest.raises(ValidationError):
        CandidateFacet.model_validate(told)
