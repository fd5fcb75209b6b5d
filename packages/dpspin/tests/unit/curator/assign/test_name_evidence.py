"""A map by names alone: a sentence is about a theme if it holds about half of its name; else none of these."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.curator.assign.calibrated_fits import fit_hybrid
from dpspin.curator.assign.embedders import installed
from dpspin.curator.assign.name_evidence import WHOLE, NameEvidence
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.assign.recipes import MapKind, Recipe, fit_by_recipe, weights_of
from dpspin.curator.assign.saved_maps import load_map, save_map
from dpspin.errors import DictionaryError, SourceError
from factories import universe_of

ATOMS = (
    Atom(id=1, label="late delivery", cues=("still waiting for my parcel",)),
    Atom(id=2, label="card arrival", description="The new card has not come."),
    Atom(id=3, label="top up failed", examples=("I could not add money.",)),
)
BARE = universe_of(ATOMS)
NONE = len(ATOMS)


def heaviest(*texts, fitted=None):
    return weights_of(fitted or fit_hybrid(BARE, None), texts, BARE.size).argmax(axis=1).tolist()


def test_a_name_a_cue_a_description_and_a_lone_example_are_all_names():
    assert heaviest(
        "The delivery was late.",
        "I am still waiting for a parcel!",
        "My new card has not come yet",
        "I could not add any money",
    ) == [0, 0, 1, 2]


def test_one_common_word_of_a_name_is_not_half_of_it():
    texts = ("We went to the top.", "It is getting late.", "Up and up.", "Nothing of the kind", "")
    assert heaviest(*texts) == [NONE] * len(texts)
    assert NONE not in heaviest(*texts[:2], fitted=NgramMap.fit(BARE, PublicWordIdf()))  # the paper's map takes them


def test_the_parts_of_a_name_must_stand_in_one_sentence():
    together, apart = (NameEvidence.of(BARE)([text])[0, 0, 0] for text in ("late delivery", "Late. Delivery."))
    assert together > 0.99 > apart


def test_a_word_that_is_repeated_counts_once():
    once, often = NameEvidence.of(BARE)(["late", "late late late"])[0]
    assert once.tolist() == often.tolist()


def test_the_parts_of_each_name_add_up_to_the_whole():
    found = NameEvidence.of(BARE)
    sums = np.zeros(len(found.owners), np.int64)
    for parts in found.stems.values():
        for name, part in parts:
            sums[name] += part
    assert (np.abs(sums - WHOLE) <= 10).all()  # each part is rounded down


def test_a_map_by_names_is_saved_and_loaded(tmp_path):
    fitted = fit_by_recipe(Recipe(MapKind.NAMES), BARE, None)
    save_map(fitted, tmp_path / "names.map")
    loaded = load_map(tmp_path / "names.map", BARE)
    assert loaded.statement == fitted.statement
    texts = pa.array(["late delivery", "my card", ""])
    assert loaded(texts).ticks.tolist() == fitted(texts).ticks.tolist()


@pytest.mark.parametrize(
    ("owners", "stems"),
    [((0, 9), (("late", ((0, 5),)),)), ((0,), (("late", ((1, 5),)),)), ((0,), (("late", ((0, 2 * WHOLE),)),))],
    ids=["an atom outside", "a name that is not there", "more than a whole"],
)
def test_a_file_whose_names_do_not_fit_is_refused(tmp_path, owners, stems):
    fitted = fit_by_recipe(Recipe(MapKind.NAMES), BARE, None)
    save_map(replace(fitted, sources=(NameEvidence(owners, BARE.size, dict(stems)),)), tmp_path / "spoilt.map")
    with pytest.raises(SourceError):
        load_map(tmp_path / "spoilt.map", BARE)


def test_an_embedding_has_nothing_to_learn_from_names():
    with pytest.raises(DictionaryError):
        fit_by_recipe(Recipe(embedder=installed("static")), BARE, None)
