"""The generic profile: phrases of any English text, without parts of longer ones and what says the same."""

import pytest

from dpspin.public.atoms.build.harvest import mentions
from dpspin.public.atoms.build.phrases import build_phrases
from dpspin.public.atoms.build.profile import Profile, read_profile

GENERIC = read_profile("generic")


def labels_of(texts, profile=GENERIC, **options):
    built = build_phrases(texts, profile, **{"min_support": 2, **options})
    return {one.label: one.support for one in built.manifest.supports}


def test_no_topic_is_needed_and_no_phrase_is_outside():
    assert labels_of(["A late fee.", "Late fees again", "Password reset!"] * 2) == {
        "late fee": 4,
        "password reset": 2,
    }


def test_a_phrase_is_written_as_people_say_it():
    assert labels_of(["They closed my line of credit."] * 3) == {"line of credit": 3}


def test_a_part_of_a_longer_phrase_is_no_theme_beside_another_part():
    texts = ["A victim of identity theft."] * 3 + ["Identity theft!"] * 4
    assert labels_of(texts) == {"identity theft": 7}


def test_where_all_parts_are_said_inside_the_longer_phrase_the_best_stands_for_it():
    texts = ["The social security card."] * 3 + ["Social security!"]
    assert labels_of(texts) == {"social security": 4}


def test_phrases_that_keep_company_are_one_theme():
    texts = ["Prompt refund, please. The refund was partial."] * 4
    built = build_phrases(texts, GENERIC, min_support=2)
    assert [atom.label for atom in built.universe.atoms] == ["partial refund"]
    assert "prompt refund" in built.universe.atoms[0].cues


def test_what_a_profile_names_is_neither_dropped_nor_merged():
    named = Profile(name="n", domain="d", min_support=2, labels={"prompt refund": (), "victim identity": ()})
    texts = ["Prompt refund, please. The refund was partial."] * 4 + ["A victim of identity theft."] * 3
    assert {"prompt refund", "partial refund", "victim identity"} <= labels_of(texts, named).keys()


def test_blame_of_what_people_judge_is_a_theme_and_applause_is_none():
    assert labels_of(["Terrible service, great brush."] * 3) == {"terrible service": 3}


def test_blackened_names_part_phrases():
    assert labels_of(["XXXX account, late fee of XXXX XXXX"] * 3) == {"late fee": 3}


@pytest.mark.parametrize("greeting", ["Dear support team,", "Hello team!", "hi all -"])
def test_whom_a_letter_greets_is_no_theme(greeting):
    assert [
        one.spoken for one in mentions(f"{greeting} late parcel".lower().replace(",", " ,").replace("!", " !").split())
    ] == ["late parcel"]


def test_a_greeting_inside_a_sentence_hides_nothing():
    assert [one.spoken for one in mentions(["oh", "dear", ",", "late", "parcel"])] == ["late parcel"]


def test_the_manifest_counts_both_steps():
    steps = [step.name for step in build_phrases(["A late fee."] * 2, GENERIC, min_support=2).manifest.steps]
    assert steps[-4:] == ["minimum support", "without fragments", "without companions", "kept"]
    assert "without outside the domain" not in steps
