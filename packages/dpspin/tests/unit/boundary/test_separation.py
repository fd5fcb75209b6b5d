"""The plan states, text by text, why map and dictionary do not depend on protected records; it cannot be left out."""

import json

import pytest

from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.statement import TOLERANCE, Apart, Separation, separation_of
from dpspin.errors import PlanError, RequestError
from factories import PAPER_PLAN

STATED = {
    (False, False): Apart.NO_TEXT,
    (True, False): Apart.COMPARED,
    (True, True): Apart.DECLARED_PUBLIC,
}


@pytest.mark.parametrize(("of_map", "of_dictionary"), [(one, other) for one in STATED for other in STATED])
def test_each_text_has_its_own_statement(of_map, of_dictionary):
    stated = separation_of(
        behind_map=of_map[0],
        map_is_public=of_map[1],
        behind_dictionary=of_dictionary[0],
        dictionary_is_public=of_dictionary[1],
    )
    assert (stated.map_text, stated.dictionary_text) == (STATED[of_map], STATED[of_dictionary])
    assert stated.tolerance == (TOLERANCE if Apart.COMPARED in {stated.map_text, stated.dictionary_text} else None)


def test_a_plan_without_a_tolerance_keeps_its_text_and_means_the_earlier_one():
    old = {"map_text": "compared", "dictionary_text": "no_text"}
    stated = Separation.model_validate(old)
    assert stated.model_dump(mode="json") == json.loads(stated.model_dump_json()) == old
    assert (stated.tolerated.unpublished.longer, stated.tolerated.unpublished.shorter) == (0.05, 0.5)
    new = Separation.model_validate(old | {"tolerance": TOLERANCE.model_dump(mode="json")})
    assert (new.tolerated.unpublished.longer, new.tolerated.unpublished.shorter) == (0.005, 0.02)
    assert Separation.model_validate_json(new.model_dump_json()) == new != stated
    assert stated.says_the_same_as(new)


def test_of_a_fitted_maps_text_nobody_can_say_more_than_that_one_was_named():
    texts = {"behind_map": True, "behind_dictionary": True, "dictionary_is_public": False, "map_came_fitted": True}
    stated = separation_of(**texts, map_is_public=False)
    assert (stated.map_text, stated.dictionary_text) == (Apart.NAMED_NOT_VERIFIED, Apart.COMPARED)
    assert separation_of(**texts, map_is_public=True).map_text is Apart.DECLARED_PUBLIC


@pytest.mark.parametrize("field", ["auxiliary_is_public", "atoms_auxiliary_is_public"])
def test_a_text_that_is_not_there_cannot_be_declared(field):
    with pytest.raises(RequestError, match=f"leave `records.{field}` out"):
        separation_of(
            behind_map=False,
            map_is_public=field == "auxiliary_is_public",
            behind_dictionary=False,
            dictionary_is_public=field != "auxiliary_is_public",
        )


def edited(change):
    content = json.loads(PAPER_PLAN.to_json())
    change(content)
    return json.dumps(content)


def test_the_statement_survives_the_file():
    assert SemanticPlan.from_json(PAPER_PLAN.to_json()).statement.separation == PAPER_PLAN.statement.separation


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda plan: plan["statement"].pop("separation"), "statement.separation: Field required"),
        (lambda plan: plan["statement"]["separation"].pop("map_text"), "map_text: Field required"),
        (lambda plan: plan["statement"]["separation"].update(map_text="checked"), "map_text: Input should be"),
        (lambda plan: plan["statement"]["contribution_map"].update(learned_from_auxiliary=True), "learned from"),
        (lambda plan: plan.update(schema_version="1"), "another version of dpspin wrote it"),
    ],
)
def test_a_plan_without_a_true_statement_is_refused_in_plain_words(change, why):
    with pytest.raises(PlanError, match=why):
        SemanticPlan.from_json(edited(change))
