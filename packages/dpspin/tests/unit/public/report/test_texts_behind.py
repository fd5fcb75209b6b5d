"""A reader of label or page can tell a text that was compared with the records from one that was declared public."""

import json
import re
from itertools import product

import pytest

from dpspin.boundary.statement import EARLIER_TOLERANCE, TOLERANCE, Apart, Separation
from dpspin.public.report.label import label_json, privacy_label
from dpspin.public.wording.promise import map_text_words, on_trust
from dpspin.public.wording.texts_apart import apart_words
from factories import PAPER_PLAN
from pages import page_of
from report_cards import PAPER_CARD


def plan_of_texts(map_text, dictionary_text, randomness="os-csprng", tolerance=None):
    separation = Separation(map_text=map_text, dictionary_text=dictionary_text, tolerance=tolerance)
    statement = PAPER_PLAN.statement.model_copy(update={"separation": separation, "randomness": randomness})
    return PAPER_PLAN.model_copy(update={"statement": statement})


def facts(plan):
    """The page's list of facts, by name."""
    return dict(re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)</dd>", page_of(plan, [])))


@pytest.mark.parametrize(("of_map", "of_dictionary"), list(product(Apart, Apart)))
def test_label_and_page_say_of_each_text_how_it_was_kept_apart(of_map, of_dictionary):
    plan = plan_of_texts(of_map, of_dictionary)
    label, shown = json.loads(label_json(plan)), facts(plan)
    assert label["separation"] == {"map_text": of_map.value, "dictionary_text": of_dictionary.value}
    assert label["map_text_words"] == shown["Text behind the map"] == words_of_map(of_map)
    assert label["dictionary_text_words"] == shown["Text behind the dictionary"] == words_of_dictionary(of_dictionary)
    technical = rf"<code>{of_map.value}</code>, <code>{of_dictionary.value}</code>"
    assert technical in page_of(plan, [])


def words_of_map(stated, tolerance=EARLIER_TOLERANCE):
    return apart_words(stated, tolerance.unpublished)


def words_of_dictionary(stated, tolerance=EARLIER_TOLERANCE):
    return apart_words(stated, tolerance.published)


def test_each_way_has_words_of_its_own():
    assert len({words_of_map(each) for each in Apart}) == len(Apart)
    assert "declared public" in words_of_map(Apart.DECLARED_PUBLIC)


@pytest.mark.parametrize(
    ("tolerance", "of_map", "of_dictionary"),
    [
        (TOLERANCE, "up to 0.5 % of the longer ones", "none of the longer ones"),
        (None, "up to 5 % of the longer ones", "none of the longer ones"),
    ],
)
def test_a_comparison_says_what_it_tolerated_and_an_old_plan_what_was_tolerated_then(tolerance, of_map, of_dictionary):
    plan = plan_of_texts("compared", "compared", tolerance=tolerance)
    label, shown = json.loads(label_json(plan)), facts(plan)
    assert of_map in label["map_text_words"] == shown["Text behind the map"]
    assert of_dictionary in label["dictionary_text_words"] == shown["Text behind the dictionary"]
    shorter = ("50", "5") if tolerance is None else ("2", "2")
    for key, share in zip(("map_text_words", "dictionary_text_words"), shorter, strict=True):
        assert f"up to {share} % of the shorter ones" in label[key]


def test_of_labelled_text_no_longer_text_could_coincide():
    plan = plan_of_texts("compared", "no_text", tolerance=TOLERANCE)
    carded = plan.statement.contribution_map.model_copy(update={"card": PAPER_CARD})
    assert "up to 0.5 % of the longer" in map_text_words(plan.statement)
    taught = plan.statement.model_copy(update={"contribution_map": carded})
    assert "none of the longer" in map_text_words(taught)


def test_without_a_named_text_nothing_is_said_of_what_a_model_has_read():
    words = words_of_map(Apart.NO_TEXT)
    assert words.startswith("none is named")
    assert "learned elsewhere, if one was used, is unknown" in words


@pytest.mark.parametrize(
    ("of_map", "of_dictionary", "named"),
    [
        ("declared_public", "compared", ["map"]),
        ("no_text", "declared_public", ["dictionary"]),
        ("declared_public", "declared_public", ["map", "dictionary"]),
        ("named_not_verified", "compared", ["map"]),
        ("users_compared", "users_compared", ["map", "dictionary"]),
        ("compared", "no_text", []),
    ],
)
def test_the_promise_names_each_declaration_that_it_rests_on(of_map, of_dictionary, named):
    plan = plan_of_texts(of_map, of_dictionary)
    told = [sentence for sentence in privacy_label(plan).sentences if "takes that on trust" in sentence]
    assert [sentence.split()[4] for sentence in told] == named
    assert told == list(on_trust(plan.statement))
    assert all(sentence in page_of(plan, []) for sentence in told)


def test_a_simulation_promises_nothing_so_it_takes_nothing_on_trust():
    plan = plan_of_texts("declared_public", "declared_public", randomness="SIMULATED-NOT-PRIVATE")
    assert not any("on trust" in sentence for sentence in privacy_label(plan).sentences)
