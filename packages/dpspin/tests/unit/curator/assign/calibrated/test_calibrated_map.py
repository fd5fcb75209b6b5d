from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.assign.calibrated_fits import fit_cues, fit_hybrid, fit_supervised, fit_taught
from dpspin.curator.assign.calibrated_map import AT_ONCE
from dpspin.curator.assign.contribution import row_sums
from dpspin.curator.assign.deal_out_mass import Competing, Exclusive, Expressed, allocate
from dpspin.curator.assign.evidence_sources import stacked
from dpspin.curator.assign.labelled_texts import LabelledTexts
from dpspin.errors import DictionaryError, RequestError
from factories import universe_of
from restaurant_dictionary import (
    ATOMS,
    BACKGROUND,
    COLD,
    MAP_KINDS,
    STAFF,
    UNIVERSE,
    WAIT,
    dense,
    exclusive_texts,
    fitted,
    restaurant,
    several_texts,
)

NONE = len(ATOMS)
NEW = {
    "We waited thirty minutes in the queue.": WAIT,
    "Such a rude waiter, he insulted me.": STAFF,
    "The pizza was cold.": COLD,
    "The garden is near the station.": NONE,
}


def odds(map_, text):
    return map_.calibration(stacked(map_.sources, [text]))[0]


@pytest.mark.parametrize("kind", MAP_KINDS)
def test_new_sentences_go_to_the_right_atom_or_to_none(kind):
    assert fitted(kind).weights(list(NEW)).argmax(axis=1).tolist() == list(NEW.values())


@pytest.mark.parametrize("kind", MAP_KINDS)
def test_a_null_text_contributes_nothing_not_even_to_none(kind):
    made = fitted(kind)(pa.array([None, "The pizza was cold.", None, ""], pa.string()))
    assert row_sums(made.offsets, made.ticks)[[0, 2]].tolist() == [0, 0]
    assert (row_sums(made.offsets, made.ticks)[[1, 3]] >= TICKS_PER_MASS - 4).all()
    assert made.universe_size == UNIVERSE.size + 1


WORDLESS = ["zzz qqq", "!!!", "   ", "", "日本語"]


def mostly(place):
    """Return labelled texts four fifths of which are of one atom: that is what a map expects before it reads."""
    some = exclusive_texts()
    rows = [row for row, atoms in enumerate(some.atoms) if place in atoms]
    return LabelledTexts(some.texts + 9 * some.part(rows).texts, some.atoms + 9 * some.part(rows).atoms, some.size)


@pytest.mark.parametrize("fit", [fit_supervised, fit_taught])
def test_a_text_without_a_known_word_is_none_of_these_whatever_is_common(fit):
    made = fit(UNIVERSE, mostly(WAIT))
    assert allocate(odds(made, "zzz")[None], made.allocation, None)[0, WAIT] > 0.5  # what it would be given unread
    for path in (made, made.reference):
        given = dense(path(pa.array(WORDLESS, pa.string())))
        assert given[:, NONE].tolist() == [1.0] * len(WORDLESS)
        assert not given[:, :NONE].any()


def test_the_card_counts_texts_without_a_known_word_as_none_of_these_too():
    texts = mostly(WAIT)
    lone = tuple(f"{number}{number}{number}qqq" for number in range(50))  # no two of them share a word
    odd = LabelledTexts(texts.texts + lone, texts.atoms + (frozenset({COLD}),) * len(lone), texts.size)
    card = fit_supervised(UNIVERSE, odd).card
    assert card.confusion[COLD][NONE] == pytest.approx(50 / 74, abs=0.05)


@pytest.mark.parametrize("kind", MAP_KINDS)
def test_an_empty_batch_is_mapped(kind):
    assert fitted(kind)(pa.array([], pa.string())).records == 0


@pytest.mark.parametrize("kind", MAP_KINDS)
def test_a_long_batch_equals_its_parts(kind):
    texts = [f"{text} number {row}" for row, text in enumerate([*NEW] * (AT_ONCE // 4 + 1))]
    whole = dense(fitted(kind)(pa.array(texts)))
    assert (whole[-3:] == dense(fitted(kind)(pa.array(texts[-3:])))).all()


@pytest.mark.parametrize("kind", MAP_KINDS)
def test_k_bounds_the_atoms_beside_none(kind):
    text = ["The waiter was rude, my soup was cold and we waited an hour near the station."]
    spread, held = fitted(kind).weights(text)[0], fitted(kind, 1).weights(text)[0]
    assert np.count_nonzero(spread[:NONE]) > 1 == np.count_nonzero(held[:NONE])
    assert fitted(kind, 1)(pa.array(text)).atoms_per_record == 2
    assert fitted(kind, 1).statement.atoms_per_record == 1


def test_k_is_that_of_the_fit_and_of_its_card():
    held = fit_supervised(UNIVERSE, exclusive_texts(), 1)
    assert (held.weights([*NEW]) == fitted("supervised", 1).weights([*NEW])).all()
    assert held.card != fitted("supervised").card


def test_a_denied_cue_is_less_evidence_than_the_cue():
    said, denied = (odds(fitted("cues"), text)[WAIT] for text in ("It took forever.", "It never took forever."))
    cue = fitted("cues").calibration.weights[:2].sum()
    assert said - denied > cue / 2 > 0


def test_a_near_miss_takes_mass_from_its_atom():
    without = [atom.model_copy(update={"counter_examples": ()}) for atom in ATOMS]
    naive = fit_cues(restaurant(atoms=without))
    text = "A lovely cold beer."
    assert odds(fitted("cues"), text)[COLD] < odds(naive, text)[COLD] - 1


def test_several_atoms_of_a_text_are_shared_by_the_taught_map():
    weights = fitted("taught").weights(["waited for dinner, cold soup for us"])[0]
    assert weights == pytest.approx([0.5, 0, 0.5, 0], abs=0.05)


def test_the_hybrid_uses_what_there_is():
    from_dictionary = fit_hybrid(UNIVERSE, None)
    from_classes = fit_hybrid(UNIVERSE, exclusive_texts())
    from_several = fit_hybrid(UNIVERSE, several_texts())
    bare = fit_hybrid(universe_of([atom.model_copy(update={"examples": ()}) for atom in ATOMS]), several_texts())
    made = (from_dictionary, from_classes, from_several, bare)
    assert [type(one.allocation) for one in made] == [Competing, Exclusive, Expressed, Expressed]
    assert [len(one.sources) for one in made] == [3, 3, 3, 3]
    assert {one.name for one in made} == {"hybrid"}
    assert [type(one).__name__ for one in from_dictionary.sources][:-1] == [
        type(one).__name__ for one in fitted("cues").sources
    ]


def test_labels_do_not_make_a_map_forget_its_dictionary():
    """The words of an example that no labelled text has: labels alone leave them to the base rates."""
    text = "An hour passed before the menu came."
    assert not any("hour" in known or "menu" in known for known in exclusive_texts().texts)
    labels, both = (fitted(kind).weights([text])[0] for kind in ("supervised", "supervised with examples"))
    assert both[WAIT] > 4 * labels[WAIT]
    assert both[:NONE].argmax() == WAIT


def test_any_theme_is_a_layer_where_nothing_else_teaches_silence():
    assert [len(source.layers) for source in fitted("cues").sources] == [2, 2]
    assert fitted("cues").calibration.weights[-1] > 0
    assert [len(source.layers) for source in fitted("taught with examples").sources] == [2, 1, 1]


@pytest.mark.parametrize("kind", MAP_KINDS)
def test_the_card_is_measured_on_text_of_its_own_and_tells_a_good_map(kind):
    card = fitted(kind).statement.card
    assert card.texts > 20
    assert card.precision > 0.7
    assert len(card.confusion or card.corrections) == 4
    assert fitted(kind).statement.answers_none


def test_a_map_needs_examples_for_every_atom():
    for examples in ((), ("The same.",) * 3):
        atoms = [*ATOMS[:2], ATOMS[2].model_copy(update={"examples": examples})]
        with pytest.raises(DictionaryError, match="at least 3 `examples`"):
            fit_cues(universe_of(atoms))


def test_the_supervised_map_needs_one_label_per_text():
    with pytest.raises(RequestError, match="one label per auxiliary record"):
        fit_supervised(UNIVERSE, several_texts())


def test_a_map_must_allow_one_atom():
    with pytest.raises(RequestError, match="at least one atom"):
        fit_cues(UNIVERSE, 0)


def test_texts_without_common_words_are_refused():
    texts = tuple(f"word{row}" for row in range(20))
    with pytest.raises(RequestError, match="no words in common"):
        fit_taught(UNIVERSE, LabelledTexts(texts, (frozenset({0}),) * 20, 3))


def test_one_labelled_text_of_an_atom_is_enough_to_fit_and_to_measure():
    single = exclusive_texts()
    atoms = tuple(frozenset({0}) if row == 0 else frozenset() for row in range(len(single.texts)))
    assert fit_taught(UNIVERSE, LabelledTexts(single.texts, atoms, 3)).card.covered_in_truth < 0.1


def test_two_fits_are_one_map():
    assert fit_cues(UNIVERSE).statement == fitted("cues").statement
    assert fit_supervised(UNIVERSE, exclusive_texts()).statement == fitted("supervised").statement
    assert fit_taught(UNIVERSE, several_texts()).statement == fitted("taught").statement


def test_the_digest_follows_dictionary_labels_and_k():
    single = exclusive_texts()
    turned = LabelledTexts(single.texts, single.atoms[1:] + single.atoms[:1], 3)
    digests = [
        *(fitted(kind).statement.digest for kind in MAP_KINDS),
        fit_supervised(UNIVERSE, exclusive_texts(), 1).statement.digest,
        fit_cues(restaurant(version="2")).statement.digest,
        fit_supervised(UNIVERSE, turned).statement.digest,
        fit_cues(restaurant(background=BACKGROUND[:-1])).statement.digest,
        replace(fitted("cues"), card=None).statement.digest,
    ]
    assert len(set(digests)) == len(digests)
