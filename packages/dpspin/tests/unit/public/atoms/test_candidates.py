"""Candidate themes: from public dictionaries, without what the dictionary has; adopted as drafts."""

import pytest

from candidate_themes import OTHERS, SHOP
from dpspin.boundary.atoms import AuxiliaryText, Provenance
from dpspin.boundary.facets import CandidateFacet
from dpspin.errors import DictionaryError, RequestError
from dpspin.public.atoms.candidates import adopted, list_candidates
from dpspin.public.atoms.lint import lint
from dpspin.public.atoms.packs import load
from text_viewed_plans import text_viewed

LISTED = list_candidates(SHOP, [OTHERS])
BUILT = Provenance(source="auxiliary", note="x", auxiliary=AuxiliaryText(content="0" * 64, text="body"))
MORE = Provenance(source="auxiliary", note="x", auxiliary=AuxiliaryText(content="1" * 64, text="body"))


def plan_with(themes):
    names = tuple(atom.label for atom in themes.atoms)
    facet = CandidateFacet(names=names, dictionary=themes.digest, contribution_map="sha256:of a map")
    masses = {"atoms": SHOP, "masses": [400.0, 300.0], "size": 2}
    return text_viewed(facet, [[50.0] * (len(names) + 1)], **masses)


def test_what_the_dictionary_has_is_left_out_also_in_other_words():
    assert {atom.label for atom in LISTED.themes.atoms} == {"gift card trouble", "loud music", "tax"}
    assert [(each.label, each.near) for each in LISTED.left_out] == [("parcel late", "late parcel")]
    assert {atom.parent for atom in LISTED.themes.atoms} == {"others"}


def test_of_near_candidates_the_first_stays_and_of_many_those_of_the_subject():
    twice = list_candidates(SHOP, [OTHERS, OTHERS])
    assert {atom.label for atom in twice.themes.atoms} == {atom.label for atom in LISTED.themes.atoms}
    assert len(twice.left_out) == 5
    assert list_candidates(SHOP, [OTHERS], most=1).themes.size == 1
    with pytest.raises(DictionaryError, match="has all of these"):
        list_candidates(SHOP, [SHOP])


def test_near_twins_of_other_packs_are_left_out():
    told = list_candidates(load("app-reviews"), [load("bank-complaints"), load("support-tickets")], most=500)
    near = {each.label: each.near for each in told.left_out}
    assert near["locked out online"] == "login fails"
    assert near["lost data"] == "data lost"


def test_records_behind_candidates_stay_named():
    built, more = (OTHERS.model_copy(update={"provenance": each}) for each in (BUILT, MORE))
    assert list_candidates(SHOP, [built]).themes.provenance.auxiliary == BUILT.auxiliary
    with pytest.raises(DictionaryError, match="different auxiliary records"):
        list_candidates(SHOP, [built, more])
    themes = list_candidates(SHOP, [built]).themes
    assert adopted(SHOP, themes, plan_with(themes), ["tax"]).provenance.auxiliary == BUILT.auxiliary
    with pytest.raises(DictionaryError, match="different auxiliary records"):
        adopted(SHOP.model_copy(update={"provenance": MORE}), themes, plan_with(themes), ["tax"])


def test_an_adopted_candidate_is_a_draft_until_somebody_has_read_it():
    grown = adopted(SHOP, LISTED.themes, plan_with(LISTED.themes), ["gift card trouble"])
    assert [atom.label for atom in grown.atoms] == ["late parcel", "app crash", "gift card trouble"]
    assert grown.atoms[-1].description == "Draft: About gift card trouble."
    assert grown.atoms[-1].id == 3
    assert [finding.atom_id for finding in lint(grown) if finding.rule == "unread-draft"] == [3]
    assert not [finding for finding in lint(SHOP) if finding.rule == "unread-draft"]


def test_only_candidates_of_the_plan_are_adopted():
    plan = plan_with(LISTED.themes)
    with pytest.raises(RequestError, match="no candidate 'parking'"):
        adopted(SHOP, LISTED.themes, plan, ["parking"])
    with pytest.raises(RequestError, match="not measured with these candidates"):
        adopted(SHOP, OTHERS, plan, ["tax"])
