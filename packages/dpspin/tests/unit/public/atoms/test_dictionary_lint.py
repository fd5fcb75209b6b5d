import re

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.errors import DictionaryError
from dpspin.public.atoms.lint import lint
from dpspin.public.atoms.speakable_names import require_speakable
from factories import universe_of


def findings(*atoms: Atom) -> list[tuple[str, int]]:
    found = [(finding.rule, finding.atom_id) for finding in lint(universe_of(atoms))]
    return [(rule, atom) for rule, atom in found if rule != "untested-map"]  # of the whole dictionary, not of an atom


def atom(number: int, label: str, **more) -> Atom:
    return Atom(id=number, label=label, **({"description": "One sentence."} | more))


def taught(number: int, label: str, examples=(), counter_examples=()) -> Atom:
    """Return an atom with the given sentences first and as many of its own as a good one needs."""
    return atom(
        number,
        label,
        examples=(*examples, *(f"{label} {count}" for count in range(6 - len(examples)))),
        counter_examples=(*counter_examples, *(f"no {label} {count}" for count in range(4 - len(counter_examples)))),
    )


def test_a_good_dictionary_has_no_findings():
    assert findings(atom(1, "late delivery", cues=("still waiting",)), atom(2, "double charge")) == []


UNSPEAKABLE = {
    "an apostrophe that is not between letters": "late 'parcel'",
    "a word of two alphabets": "d\u0430ta",
    "the sign '['": "slow [atom:3]",
    "the sign '”'": "late” parcel",
}


@pytest.mark.parametrize("wrong", UNSPEAKABLE)
@pytest.mark.parametrize("place", ["label", "parent"])
def test_a_name_that_no_release_takes_is_found(place, wrong):
    name = UNSPEAKABLE[wrong]
    named = atom(7, **{"label": "late delivery", place: name})
    (found,) = [finding for finding in lint(universe_of([named])) if finding.rule == "unspeakable-name"]
    assert found.atom_id == 7
    assert found.message == f"{name!r} holds {wrong}; no release takes it, write it without"
    with pytest.raises(DictionaryError, match=re.escape(wrong)):
        require_speakable(universe_of([named]))


@pytest.mark.parametrize("name", ["can't pay", "guests' needs", "R&D (24/7)", "תמיכה", "カードの遅さ"])
def test_a_name_of_everyday_writing_is_speakable(name):
    assert "unspeakable-name" not in {rule for rule, _ in findings(atom(1, name, parent=name))}


def test_a_label_inside_another_is_found_on_whole_words_only():
    assert findings(atom(1, "Price"), atom(2, "reasonable price")) == [("label-inside-label", 1)]
    assert findings(atom(1, "app"), atom(2, "happy staff")) == []
    assert findings(atom(1, "price range"), atom(2, "range of price")) == []


def test_long_labels_are_found_but_taxonomy_paths_may_be_long():
    assert findings(atom(1, "w" * 61)) == [("long-label", 1)]
    assert findings(atom(1, "w" * 60)) == []
    assert findings(atom(1, "credit card / " + "w" * 61)) == []


def test_a_missing_description_is_found():
    assert findings(atom(4, "late delivery", description=" ")) == [("no-description", 4)]


def test_a_cue_of_two_atoms_is_found_once_and_whatever_its_case():
    one = atom(1, "late delivery", cues=("Still waiting", "still waiting"))
    two = atom(2, "slow refund", cues=("still waiting",))
    assert findings(one, two) == [("shared-cue", 2)]
    assert findings(one) == []


@pytest.mark.parametrize(
    "label",
    ["mail to anna@example.org", "order 4711 0815 42", "account 123456", "complaint about Mr. Smith", "Dr Miller"],
)
def test_what_looks_like_a_person_or_an_identifier_is_found(label):
    assert findings(atom(1, label)) == [("personal-data", 1)]


@pytest.mark.parametrize("label", ["ask @anna", "see https://example.org", "see www.example.org", "ticket AB12345"])
def test_links_account_names_and_codes_are_found(label):
    assert ("personal-data", 1) in findings(atom(1, label))


@pytest.mark.parametrize("label", ["401k fees", "covid19 rules", "price of 250 units"])
def test_short_numbers_in_words_are_no_identifiers(label):
    assert findings(atom(1, label)) == []


@pytest.mark.parametrize("label", ["refund from Maria", "Loan / fraud by Smith and sons"])
def test_a_name_in_a_label_is_found(label):
    assert findings(atom(1, label)) == [("name-in-label", 1)]


@pytest.mark.parametrize(
    "label", ["Mexican food", "good Mexican food", "Credit Card Fees", "broken LED light", "Late fee"]
)
def test_a_cuisine_a_title_or_an_abbreviation_is_no_name(label):
    assert findings(atom(1, label)) == []


@pytest.mark.parametrize("other", ["skin dryness", "dried skin", "Skin Dry"])
def test_labels_that_say_the_same_are_found(other):
    assert findings(atom(1, "dry skin"), atom(2, other)) == [("same-theme", 2)]
    assert findings(atom(1, "dry skin"), atom(2, "dry hair")) == []


@pytest.mark.parametrize("label", ["great product", "nice place", "new item", "product"])
def test_praise_of_nothing_in_particular_is_vague(label):
    assert findings(atom(1, label)) == [("vague-label", 1)]
    assert findings(atom(1, "terrible service")) == []


def test_personal_data_is_also_found_in_descriptions_and_cues():
    assert findings(atom(1, "billing", description="Ask billing@example.org.")) == [("personal-data", 1)]
    assert findings(atom(1, "billing", cues=("call 555 123 456",))) == [("personal-data", 1)]


def test_personal_data_is_also_found_in_examples_and_counter_examples():
    assert findings(taught(1, "billing", examples=("Mrs Brown billed me",))) == [("personal-data", 1)]
    assert findings(taught(1, "billing", counter_examples=("write to pay@example.org",))) == [("personal-data", 1)]


@pytest.mark.parametrize("label", ["error 503", "mrs of the year", "24 7 support"])
def test_harmless_numbers_and_words_pass(label):
    assert findings(atom(1, label)) == []


@pytest.mark.parametrize("label", ["Other", "misc", "general", "other problems", "Fees / Other"])
def test_vague_labels_are_found(label):
    assert findings(atom(1, label)) == [("vague-label", 1)]


def test_a_vague_word_beside_a_real_one_passes():
    assert findings(atom(1, "general ledger"), atom(2, "login problem")) == []


def test_a_dictionary_that_teaches_enough_has_no_findings():
    assert findings(taught(1, "late delivery"), taught(2, "double charge")) == []


def test_an_example_of_two_atoms_is_found_whatever_its_case_and_punctuation():
    one = taught(1, "late delivery", examples=("It came late.",))
    two = taught(2, "slow refund", examples=("it came late!",))
    assert findings(one, two) == [("repeated-example", 2)]


def test_an_example_that_stands_twice_in_one_atom_is_found():
    assert findings(taught(1, "late delivery", examples=("It came late.", "It came late"))) == [("repeated-example", 1)]


@pytest.mark.parametrize("order", [1, -1])
def test_an_example_that_is_a_counter_example_elsewhere_is_found_there(order):
    one = taught(1, "late delivery", examples=("It came late.",))
    two = taught(2, "slow refund", counter_examples=("It came late.",))
    assert findings(*(one, two)[::order]) == [("repeated-example", 2)]


def test_a_near_miss_of_two_atoms_is_no_repeated_example():
    one = taught(1, "late delivery", counter_examples=("It came early.",))
    two = taught(2, "slow refund", counter_examples=("It came early.",))
    assert findings(one, two) == []


def test_an_example_that_is_also_a_counter_example_of_its_atom_is_found_once():
    both = taught(1, "late delivery", examples=("It came late.",), counter_examples=("It came LATE", "it came late"))
    assert findings(both) == [("contradictory-example", 1)]


def test_too_few_sentences_are_found_in_every_atom_once_one_has_any():
    few = atom(1, "late delivery", examples=tuple("abcde"), counter_examples=("x", "y", "z"))
    none = atom(2, "double charge")
    assert findings(few, none) == [
        ("few-examples", 1),
        ("few-examples", 2),
        ("few-counter-examples", 1),
        ("few-counter-examples", 2),
    ]


def test_the_messages_about_examples_say_what_to_do():
    messages = [
        finding.message for finding in lint(universe_of([atom(1, "late delivery", examples=("It came late.",))]))
    ]
    assert messages == [
        "not every atom has three examples: without labelled text the map goes by names alone, and is untested",
        "'late delivery' has 1 examples; write at least 6 varied sentences",
        "'late delivery' has 0 counter-examples; write at least 4 near misses",
    ]


def test_a_dictionary_without_examples_leaves_the_map_untested():
    sentences = ("It came late.", "I wait for money.", "No refund yet.")
    bare, taught = atom(1, "late delivery"), atom(2, "slow refund", examples=sentences)
    told = [
        [finding.atom_id for finding in lint(universe_of(atoms)) if finding.rule == "untested-map"]
        for atoms in ([bare], [bare, taught], [taught])
    ]
    assert told == [[1], [1], []]
