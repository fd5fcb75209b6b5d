"""A reader of label or page can tell a text that was compared with the records from one that was declared public."""

import json
import re
from itertools import product

import pytest

from dpspin.boundary.separation import Apart, Separation
from dpspin.public.report.label import label_json, privacy_label
from dpspin.public.report.page import render_report
from dpspin.public.report.texts import apart_words, on_trust
from factories import PAPER_PLAN


def plan_of_texts(map_text, dictionary_text, randomness="os-csprng"):
    separation = Separation(map_text=map_text, dictionary_text=dictionary_text)
    statement = PAPER_PLAN.statement.model_copy(update={"separation": separation, "randomness": randomness})
    return PAPER_PLAN.model_copy(update={"statement": statement})


def facts(plan):
    """The page's list of facts, by name."""
    return dict(re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)</dd>", render_report(plan, [])))


@pytest.mark.parametrize(("of_map", "of_dictionary"), list(product(Apart, Apart)))
def test_label_and_page_say_of_each_text_how_it_was_kept_apart(of_map, of_dictionary):
    plan = plan_of_texts(of_map, of_dictionary)
    label, shown = json.loads(label_json(plan)), facts(plan)
    assert label["separation"] == {"map_text": of_map.value, "dictionary_text": of_dictionary.value}
    assert label["map_text_words"] == shown["Text behind the map"] == apart_words(of_map)
    assert label["dictionary_text_words"] == shown["Text behind the dictionary"] == apart_words(of_dictionary)
    technical = rf"<code>{of_map.value}</code>, <code>{of_dictionary.value}</code>"
    assert technical in render_report(plan, [])


def test_each_way_has_words_of_its_own():
    assert len({apart_words(each) for each in Apart}) == len(Apart)
    assert "declared public" in apart_words(Apart.DECLARED_PUBLIC)


def test_without_a_named_text_nothing_is_said_of_what_a_model_has_read():
    words = apart_words(Apart.NO_TEXT)
    assert words.startswith("none is named")
    assert "learned elsewhere, if one was used, is unknown" in words


@pytest.mark.parametrize(
    ("of_map", "of_dictionary", "named"),
    [
        ("declared_public", "compared", ["map"]),
        ("no_text", "declared_public", ["dictionary"]),
        ("declared_public", "declared_public", ["map", "dictionary"]),
        ("named_not_verified", "compared", ["map"]),
        ("compared", "no_text", []),
    ],
)
def test_the_promise_names_each_declaration_that_it_rests_on(of_map, of_dictionary, named):
    plan = plan_of_texts(of_map, of_dictionary)
    told = [sentence for sentence in privacy_label(plan).sentences if "takes that on trust" in sentence]
    assert [sentence.split()[4] for sentence in told] == named
    assert told == list(on_trust(plan.statement.separation))
    assert all(sentence in render_report(plan, []) for sentence in told)


def test_a_simulation_promises_nothing_so_it_takes_nothing_on_trust():
    plan = plan_of_texts("declared_public", "declared_public", randomness="SIMULATED-NOT-PRIVATE")
    assert not any("on trust" in sentence for sentence in privacy_label(plan).sentences)
