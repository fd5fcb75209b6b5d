"""A dictionary without sentences of no theme leaves some of its own themes out while it learns to say "none"."""

from functools import cache
from pathlib import Path

import numpy as np
import yaml

from dpspin.boundary.atoms import Atom
from dpspin.curator.assign.calibrated_fits import fit_hybrid
from dpspin.curator.assign.dictionary_learners import FOLDS, composed_layers, learn_from_words
from dpspin.curator.assign.dictionary_sentences import DictionarySentences
from dpspin.curator.assign.domain_evidence import Elsewhere
from dpspin.curator.assign.evidence_sources import CueEvidence
from dpspin.public.atoms import packs
from restaurant_dictionary import ATOMS, UNIVERSE, WAIT, restaurant

BARE = restaurant(background=())
RECORDS = Path(__file__).parents[3] / "truth" / "support-tickets.yaml"


def test_the_sentences_of_themes_that_are_left_out_are_of_none():
    shared = ATOMS[1].model_copy(update={"examples": (*ATOMS[1].examples, ATOMS[WAIT].examples[0])})
    every = DictionarySentences.of(restaurant((ATOMS[WAIT], shared, ATOMS[2]), background=("We paid by card.",)))
    left = every.leaving_out(WAIT, FOLDS)
    assert left.expresses.any(axis=0).tolist() == [False, True, True]
    of_none = {text for text, none in zip(left.texts, left.background, strict=True) if none}
    assert of_none == {"We paid by card.", "long wait", *ATOMS[WAIT].cues, *ATOMS[WAIT].examples[1:]}


def test_each_theme_is_left_out_once():
    every = DictionarySentences.of(BARE)
    named = [every.leaving_out(part, FOLDS).expresses.any(axis=0) for part in range(FOLDS)]
    assert np.sum(named, axis=0).tolist() == [FOLDS - 1] * BARE.size


def test_a_dictionary_that_tells_what_is_of_none_or_has_too_few_themes_names_them_all():
    for universe in (UNIVERSE, restaurant(ATOMS[:2], background=())):
        every = DictionarySentences.of(universe)
        assert every.leaving_out(0, FOLDS) is every


def test_nothing_is_said_of_a_theme_that_is_left_out():
    """Its name must not betray it, where its sentences stand for texts of no theme."""
    atoms = (Atom(id=5, label="lukewarm", examples=("The tea was lukewarm.", "Lukewarm soup.", "So lukewarm!")), *ATOMS)
    bare = restaurant(atoms, background=())
    layers, shares, _ = composed_layers(
        DictionarySentences.of(bare), (CueEvidence.of(bare),), (learn_from_words,), Elsewhere({})
    )
    of_none = shares[:, -1] == 1
    assert of_none.any()
    hits = layers[0][of_none][:, 0]
    assert not hits.any()


@cache
def _tickets():
    """Half of the themes of a pack, with six sentences each: what somebody might write in an afternoon."""
    full = packs.load("support-tickets")
    few = (atom.model_copy(update={"examples": atom.examples[:6], "counter_examples": ()}) for atom in full.atoms[::2])
    written = full.model_copy(update={"background": (), "atoms": tuple(few)})
    records = yaml.safe_load(RECORDS.read_text(encoding="utf-8"))
    named = [record["text"] for record in records if record["atoms"] and {*record["atoms"]} <= {*written.ids}]
    left_out = [record["text"] for record in records if not {*record["atoms"]} & {*written.ids}]
    return fit_hybrid(written, None), named, left_out


def test_texts_of_the_subject_and_of_no_theme_are_on_none():
    """Measured: .67 of what is not named and .47 of what is; .34 and .23 before themes were left out."""
    fitted, named, left_out = _tickets()
    of_named, of_left_out = (fitted.weights(texts)[:, -1].mean() for texts in (named, left_out))
    assert of_left_out > 0.5
    assert of_left_out > of_named + 0.1


def test_a_long_record_is_not_taken_for_another_subject():
    """Where all own sentences were short, length told them from everyday records, and long ones were lost (.88)."""
    fitted, named, _ = _tickets()
    once, again = (fitted.weights(texts)[:, -1].mean() for texts in (named, [" ".join([text] * 4) for text in named]))
    assert again < once + 0.1
