import numpy as np
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.curator.assign.dictionary_sentences import EVERY_BACKGROUND, DictionarySentences, compose
from dpspin.curator.assign.labelled_texts import FEWEST, LabelledTexts, read_labels
from dpspin.curator.assign.sentence_terms import sentences_of
from dpspin.errors import RequestError
from factories import universe_of
from restaurant_dictionary import ATOMS, BACKGROUND, UNIVERSE

SENTENCES = DictionarySentences.of(UNIVERSE)
EXAMPLES = [text for atom in ATOMS for text in atom.examples]


def read(*labels):
    """Read these labels, with harmless others to make up the number."""
    filled = [*labels, *["17"] * FEWEST]
    return read_labels(UNIVERSE, [f"text {row}" for row in range(len(filled))], filled).atoms[: len(labels)]


def test_each_example_is_the_first_theme_of_one_record():
    composed = compose(SENTENCES, range(len(SENTENCES.texts)))
    first = [sentences_of(text)[0] for text in composed.texts]
    assert first[: len(EXAMPLES)] == EXAMPLES
    assert len(composed.texts) == len(EXAMPLES) + -(-len(EXAMPLES) // EVERY_BACKGROUND)


def test_composed_shares_are_those_of_the_sentences_in_the_record():
    composed = compose(SENTENCES, range(len(SENTENCES.texts)))
    assert composed.shares.sum(axis=1) == pytest.approx(np.ones(len(composed.texts)))
    for text, shares in zip(composed.texts, composed.shares, strict=True):
        said = {place for place, atom in enumerate(ATOMS) if set(sentences_of(text)) & set(atom.examples)}
        assert {place for place in range(4) if shares[place]} == (said or {3})
    assert {tuple(row) for row in composed.shares if row[3]} == {(0, 0, 0, 1)}
    assert (np.count_nonzero(composed.shares, axis=1) == 2).any()


def test_near_misses_cues_and_other_rows_are_not_composed():
    rows = [row for row, text in enumerate(SENTENCES.texts) if text in {*EXAMPLES[:4], *BACKGROUND[:2]}]
    said = {sentence for text in compose(SENTENCES, rows).texts for sentence in sentences_of(text)}
    assert said == {*EXAMPLES[:4], *BACKGROUND[:2]}


def test_without_background_every_record_has_a_theme():
    sentences = DictionarySentences.of(universe_of(ATOMS))
    composed = compose(sentences, range(len(sentences.texts)))
    assert len(composed.texts) == len(EXAMPLES)
    assert not composed.shares[:, 3].any()


@pytest.mark.parametrize(
    ("label", "places"),
    [
        ("42", {1}),
        (" Cold FOOD ", {2}),
        ("17; rude staff", {0, 1}),
        ("cold food|17", {0, 2}),
        ("17;17", {0}),
        ("17; parking", {0}),
        ("parking", set()),
        ("2", set()),  # a position is no id
        ("", set()),
        (None, set()),
        (" ; ", set()),
    ],
)
def test_labels_are_ids_or_labels_and_what_is_unknown_is_none(label, places):
    assert read(label) == (frozenset(places),)


def test_a_label_that_holds_the_separator_is_one_label():
    universe = universe_of([Atom(id=1, label="late; lost"), Atom(id=2, label="late")])
    labelled = read_labels(universe, ["text"] * 20, ["late; lost"] * 20)
    assert labelled.atoms[0] == frozenset({0})


def test_missing_texts_are_left_out():
    labelled = read_labels(UNIVERSE, ["a", None, "", *["b"] * FEWEST], ["17", "42", "42", *["81"] * FEWEST])
    assert len(labelled.texts) == FEWEST + 1
    assert labelled.atoms[0] == frozenset({0})


def test_truth_is_spread_over_a_texts_atoms_or_lies_on_none():
    labelled = LabelledTexts(("t",) * FEWEST, (frozenset({0, 2}), frozenset(), *[frozenset({1})] * (FEWEST - 2)), 3)
    assert labelled.shares[:3].tolist() == [[0.5, 0, 0.5, 0], [0, 0, 0, 1], [0, 1, 0, 0]]
    assert labelled.flags[:3].tolist() == [[1, 0, 1], [0, 0, 0], [0, 1, 0]]
    assert not labelled.exclusive
    assert LabelledTexts(("t",) * FEWEST, (frozenset({1}),) * FEWEST, 3).exclusive


def test_some_of_the_texts_keep_their_labels():
    labelled = LabelledTexts(tuple(map(str, range(30))), tuple(frozenset({row % 3}) for row in range(30)), 3)
    part = labelled.part(range(5, 30))
    assert part.texts[0] == "5"
    assert part.atoms[0] == frozenset({2})


def test_too_few_or_only_foreign_labels_are_refused():
    with pytest.raises(RequestError, match="at least 20 labelled texts"):
        read_labels(UNIVERSE, ["text"] * (FEWEST - 1), ["17"] * (FEWEST - 1))
    with pytest.raises(RequestError, match="no label of the auxiliary data"):
        read_labels(UNIVERSE, ["text"] * FEWEST, ["parking"] * FEWEST)
