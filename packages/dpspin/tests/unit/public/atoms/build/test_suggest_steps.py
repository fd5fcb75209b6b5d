"""Each step from text to candidate, on invented words."""

from time import perf_counter

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.public.atoms.build.candidates import (
    Candidate,
    candidates,
    is_name_like,
    without_companions,
    without_fragments,
)
from dpspin.public.atoms.build.harvest import harvest, keys_in
from dpspin.public.atoms.build.phrase_keys import key_of, why_dropped
from dpspin.public.atoms.build.suggestions import Coverage, examples, is_quotable
from dpspin.text.sentences import sentences_in
from dpspin.text.stems import base_form
from dpspin.text.words import tokens
from factories import universe_of


def candidate(label, documents):
    return Candidate(key_of(label.split()), (label,), frozenset(documents))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("easy to apply", "an easy application"),
        ("easy to apply", "it applies easily"),
        ("wasted my money", "a waste of money"),
        ("the staff was so friendly", "friendly staff"),
        ("reasonably priced", "reasonable prices"),
        ("horrible service", "the service was awful"),
        ("the waiter's attitude", "waiter attitude"),
        ("crème brûlée", "creme brulee"),
        ("my skin feels soft", "soft skin"),
    ],
)
def test_variants_of_a_phrase_share_a_key(one, other):
    assert keys_in(one) == keys_in(other) != set()


@pytest.mark.parametrize(("one", "other"), [("dry skin", "dry hair"), ("good service", "bad service")])
def test_distinct_concerns_have_distinct_keys(one, other):
    assert keys_in(one).isdisjoint(keys_in(other))


@pytest.mark.parametrize(
    "text",
    ["pump and dispenser", "pump, dispenser", "pump without dispenser", "pump 3 dispenser", "pump\ndispenser", "pump"],
)
def test_no_phrase_reaches_across_a_break(text):
    assert keys_in(text) == set()


@pytest.mark.parametrize("word", ["friendly", "apply", "evening", "string", "glass", "delicious", "gas"])
def test_a_word_that_only_looks_like_a_form_is_left_alone(word):
    assert base_form(word) == word


def test_links_addresses_and_markup_are_no_words():
    found = tokens("see <b>www.example.com</b> or me@example.com now")
    assert [token for token in found if token.isalpha()] == ["see", "or", "now"]
    assert sentences_in("One.<br>Two! Three") == ["One.", "Two!", "Three"]


@pytest.mark.parametrize("junk", ["x", "[[", "<", "@", "1-", "x'"])
def test_no_text_takes_long_to_read(junk):
    started = perf_counter()
    harvest([junk * 50_000])
    assert perf_counter() - started < 20, "reading time must not grow with the square of the length"


@pytest.mark.parametrize(
    ("phrase", "reason"),
    [
        ("great product", "sentiment only"),
        ("awesome brush", "sentiment only"),
        ("new place", "generic"),
        ("hair hairs", "one word"),
        ("great onion soup", "sentiment only"),
        ("large onion soup", "stretched"),
        ("great service", None),
        ("happy hour", None),
        ("battery life", None),
        ("small portions", None),
    ],
)
def test_a_phrase_that_says_too_little_is_dropped_with_a_reason(phrase, reason):
    assert why_dropped(key_of(phrase.split())) == reason


def test_a_name_shows_in_its_capitals_and_a_cuisine_is_none():
    found = harvest(["We met Zorbo Quills and had Mexican food there"] * 3)
    assert is_name_like(["zorbo", "quills"], found.words, found.capitals)
    assert not is_name_like(["mexican", "food"], found.words, found.capitals)


def test_support_counts_documents_once_and_the_commonest_form_comes_first():
    found = harvest(["Dry skin. Dry skin. My skin is dry.", "such dry skins", "dry skin", "no phrase here"])
    (one,) = candidates(found, 2)
    assert (one.label, one.documents) == ("dry skin", {0, 1, 2})
    assert candidates(found, 4) == []


def test_degrees_of_praise_are_named_by_the_plain_word():
    (one,) = candidates(harvest(["awful service"] * 5 + ["bad service"] * 3), 2)
    assert one.forms == ("bad service", "awful service")


def test_a_rare_form_is_no_variant():
    (one,) = candidates(harvest(["dry skin"] * 9 + ["dried skin"] * 4 + ["skin drying"]), 2)
    assert one.forms == ("dry skin", "dried skin")


def test_a_fragment_goes_into_the_phrase_it_is_a_part_of():
    whole, part = candidate("french onion soup", range(10)), candidate("onion soup", range(12))
    (kept,) = without_fragments([whole, part])
    assert kept.label == "french onion soup"
    assert kept.support == 12
    assert part.key in kept.keys


def test_a_long_phrase_that_is_a_small_part_of_a_short_one_goes():
    short = candidate("crab claw", range(100))
    assert without_fragments([candidate("crab claw starter", range(10)), short]) == [short]


def test_phrases_that_share_a_word_and_their_documents_are_merged_into_the_better():
    better, worse = candidate("bath bomb", range(20)), candidate("bomb fizz", range(4, 22))
    (kept,) = without_companions([better, worse])
    assert (kept.label, kept.forms, kept.support) == ("bath bomb", ("bath bomb", "bomb fizz"), 22)


@pytest.mark.parametrize("other", [candidate("lime fizz", range(20)), candidate("bomb crater", range(15, 40))])
def test_phrases_without_common_words_or_documents_stay_apart(other):
    assert len(without_companions([candidate("bath bomb", range(20)), other])) == 2


@pytest.mark.parametrize(
    "sentence",
    [
        "Write to me@example.com about the dry skin cream.",
        "My order 4711 0815 of dry skin cream is lost.",
        "See www.example.com for a dry skin cream.",
        "I gave the dry skin cream to Zorbo at work.",
        "It is what I saw on Zorbo’s table last week.",
        "DRY SKIN CREAM IS WHAT I WANTED TO HAVE.",
        "Dry skin cream.",
        "Dry skin " + "very " * 40 + "long.",
    ],
)
def test_what_could_point_at_a_person_or_reads_badly_is_not_quoted(sentence):
    assert not is_quotable(sentence)


def test_an_example_is_quoted_once_and_only_where_it_holds_the_phrase():
    texts = ["- My skin is  dry after every winter walk. I like the smell of it.", "It is for dry skin in the winter."]
    used = set()
    first = examples(candidate("dry skin", {0, 1}), texts, 6, used)
    assert sorted(first) == ["It is for dry skin in the winter.", "My skin is dry after every winter walk."]
    assert examples(candidate("dry skin", {0, 1}), texts, 6, used) == ()
    assert examples(candidate("dry skin", {0, 1}), texts, 0, set()) == ()


def test_an_atom_covers_what_its_own_words_say():
    known = Coverage(
        universe_of(
            [
                Atom(id=1, label="moisture", cues=("my skin was dry",)),
                Atom(id=2, label="money lost", examples=("What a waste of money!",)),
            ]
        )
    )
    assert known.of([("dry", "skin")]) == "moisture"
    assert known.of([("money", "waste")]) is None, "one example may mention anything"
    assert known.of([("hair", "wet")]) is None
