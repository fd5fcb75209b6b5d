"""A spoiled text is worse than the true one in the stated way, and in no other."""

from dpspin_lab.judge.answers import NAMES
from dpspin_lab.judge.validity import LOWERED, Spoiling, first_sentence, shuffled, spoiled_texts, with_wrong_bins
from dpspin_lab.runs.words import text_by_bins
from factories import PAPER_PLAN

TEXT = text_by_bins(PAPER_PLAN)
LISTED = [entry.label for entry in PAPER_PLAN.entries]
OTHERS = [f"another theme {number}" for number in range(20)]


def made():
    return dict(spoiled_texts(TEXT, PAPER_PLAN, OTHERS, seed=0))


def test_every_kind_is_made_and_lowers_a_score():
    assert set(made()) == set(Spoiling) == set(LOWERED)
    assert set(LOWERED.values()) <= set(NAMES)


def test_other_themes_stand_in_the_place_of_the_listed_ones():
    worse = made()[Spoiling.THEMES]
    assert not any(label in worse for label in LISTED)
    assert worse.count("nother theme") >= len(LISTED)
    assert len(worse.splitlines()) == len(TEXT.splitlines())


def test_every_bin_has_the_name_of_another_and_labels_stay():
    assert with_wrong_bins("High support: fees. Low support: staff.", PAPER_PLAN) == (
        "Low support: fees. Moderate support: staff."
    )
    label = LISTED[0]
    assert with_wrong_bins(f"High support: {label}.", PAPER_PLAN) == f"Low support: {label}."


def test_the_highest_is_no_bin():
    assert with_wrong_bins("It has the highest support.", PAPER_PLAN) == "It has the highest support."


def test_one_sentence_is_the_first():
    assert TEXT.startswith(first_sentence(TEXT))
    assert first_sentence("no end") == "no end"


def test_the_words_are_the_same_in_another_order():
    assert sorted(shuffled(TEXT, 0).split()) == sorted(TEXT.split())
    assert shuffled(TEXT, 0) == shuffled(TEXT, 0) != shuffled(TEXT, 1)


def test_what_cannot_be_spoiled_is_no_case():
    assert set(dict(spoiled_texts("Nothing.", PAPER_PLAN, OTHERS, seed=0))) == {Spoiling.EMPTY}
