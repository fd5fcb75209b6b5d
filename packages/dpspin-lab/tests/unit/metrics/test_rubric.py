"""The rubric scores what can be counted: coverage, verified sentences, claims, readability."""

import pytest

from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.narrate import narrate
from dpspin_lab.metrics.text import readability, rubric, rubric_of_names, syllables
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of

GOOD, BAD = "“Long wait” has a share of 15.9%.", "“Friendly staff” has a share of 13.7%."


def test_the_template_names_everything_and_is_verified():
    found = rubric(narrate(PAPER_PLAN, PAPER_UNIVERSE).text, PAPER_PLAN, PAPER_UNIVERSE)
    assert (found.coverage, found.verified) == (1.0, 1.0)
    assert found.claims_per_sentence > 0.5


def test_audit_text_is_scored_too():
    text = narrate(PAPER_PLAN, PAPER_UNIVERSE, mode=Mode.AUDIT).text
    assert rubric(text, PAPER_PLAN, PAPER_UNIVERSE, Mode.AUDIT).verified == 1.0


def test_each_score_moves_for_its_own_reason():
    one = rubric(GOOD, PAPER_PLAN, PAPER_UNIVERSE)
    two = rubric(f"{GOOD} {BAD}", PAPER_PLAN, PAPER_UNIVERSE)
    assert (one.coverage, one.verified, one.sentences, one.claims_per_sentence) == (pytest.approx(1 / 3), 1.0, 1, 1.0)
    assert (two.coverage, two.verified, two.sentences) == (pytest.approx(2 / 3), 0.5, 2)


def test_a_text_of_nothing_covers_and_claims_nothing():
    found = rubric("", PAPER_PLAN, PAPER_UNIVERSE)
    assert (found.coverage, found.verified, found.sentences, found.readability) == (0.0, 0.0, 0, None)


def test_there_is_nothing_to_cover_in_an_empty_plan():
    plan = plan_of(PAPER_UNIVERSE, [0.0] * 4)
    assert plan.entries == ()
    assert rubric(narrate(plan, PAPER_UNIVERSE).text, plan, PAPER_UNIVERSE).coverage == 1.0


def test_other_objects_are_scored_by_the_names_of_their_entries():
    found = rubric_of_names("Fees lead; feesible is no mention.", ["fees", "late fees"])
    assert (found.coverage, found.verified, found.claims_per_sentence) == (0.5, None, None)
    assert rubric_of_names("Nothing was released.", []).coverage == 1.0


def test_readability_is_fleschs_formula():
    words, sentences, sounds = 6, 2, 1 + 1 + 2 + 1 + 2 + 1
    expected = 206.835 - 1.015 * words / sentences - 84.6 * sounds / words
    assert readability("The long waiting [atom:17] ends. Parking costs.") == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Fees lead. Staff help. Waits end.", True),
        ("Fees lead. Staff help.", False),
        ("Fees:\n- a b\n- c d\n- e f", False),
    ],
)
def test_reading_ease_is_told_of_prose_alone(text, told):
    assert (rubric_of_names(text, ["fees"]).readability is not None) == told


def test_short_words_in_short_sentences_read_more_easily():
    assert readability("Staff are kind.") > readability("Administrative personnel demonstrate considerable amiability.")


@pytest.mark.parametrize(("word", "count"), [("support", 2), ("theme", 1), ("people", 2), ("rhythm", 1), ("hmm", 1)])
def test_syllables_are_groups_of_vowels(word, count):
    assert syllables(word) == count
