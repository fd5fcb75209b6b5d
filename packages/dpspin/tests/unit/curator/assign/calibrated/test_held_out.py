"""A map knows the labels of the texts that it learned from; held out, it gives what it would give to new ones."""

import pickle
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.privacy import RecordUnit
from dpspin.boundary.statement import Apart, Separation
from dpspin.curator.aggregate.auxiliary_baseline import auxiliary_baseline
from dpspin.curator.assign.calibrated_fits import fit_hybrid, hybrid_fitting
from dpspin.curator.assign.calibrated_map import as_if_new, contributions_of
from dpspin.curator.assign.labelled_texts import LabelledTexts
from dpspin.curator.assign.saved_maps import load_map, save_map
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import RequestError
from restaurant_dictionary import UNIVERSE, dense, exclusive_texts, fitted, several_texts


def by_heart():
    """Return texts that have words in common but none with their label: there is nothing to learn but them."""
    words = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet"]
    texts = tuple(f"{one} then {other}" for one in words for other in words if one != other)
    return LabelledTexts(texts, tuple(frozenset({n * n * 7 % 11 % 3}) for n in range(len(texts))), UNIVERSE.size)


def on_the_right_atom(weights, labelled):
    return float((weights * labelled.shares).sum() / len(labelled.texts))


def test_what_was_learned_by_heart_is_not_held_out():
    fitting, labelled = hybrid_fitting(UNIVERSE, by_heart(), ()), by_heart()
    known = on_the_right_atom(fitting.cut(None).weights(labelled.texts), labelled)
    held_out = on_the_right_atom(fitting.held_out(None), labelled)
    assert known > held_out + 0.1


@pytest.mark.parametrize("labelled", [exclusive_texts, several_texts])
def test_one_fitting_gives_the_map_of_every_k(labelled):
    fitting = hybrid_fitting(UNIVERSE, labelled())
    assert fitting.cut(2).statement == fit_hybrid(UNIVERSE, labelled(), 2).statement
    assert len(fitting.held_out(1)) == len(labelled().texts)
    assert (np.count_nonzero(fitting.held_out(1)[:, :-1], axis=1) <= 1).all()


def test_a_record_needs_an_atom():
    with pytest.raises(RequestError, match="at least one atom"):
        hybrid_fitting(UNIVERSE, exclusive_texts()).cut(0)


def test_a_map_meets_the_texts_that_taught_it_as_if_they_were_new():
    fitting, labelled = hybrid_fitting(UNIVERSE, by_heart(), ()), by_heart()
    known = fitting.cut(None)
    found = dense(as_if_new(known)(pa.array(labelled.texts)))
    assert found == pytest.approx(fitting.held_out(None), abs=1e-6)
    assert np.abs(found - known.weights(labelled.texts)).max() > 0.1
    assert as_if_new(known).statement == known.statement


def test_other_texts_are_mapped_as_ever():
    known, others = fit_hybrid(UNIVERSE, by_heart(), 2, ()), ["inlet amber fjord", None, "", "birch and cedar"]
    mixed = dense(as_if_new(known)(pa.array([*others, by_heart().texts[0]])))
    assert mixed[:-1].tolist() == dense(known(pa.array(others))).tolist()
    assert not mixed[1].any()


def test_what_taught_a_map_is_in_no_file(tmp_path):
    cues, known = fitted("cues"), fit_hybrid(UNIVERSE, by_heart(), learners=())
    assert as_if_new(cues) is cues
    save_map(known, tmp_path / "map.npz")
    read = load_map(tmp_path / "map.npz")
    assert read.statement == known.statement
    assert as_if_new(read) is read


def test_what_taught_a_map_is_in_no_pickle():
    known = fit_hybrid(UNIVERSE, by_heart(), learners=())
    written = pickle.dumps(known)
    assert b"inlet then amber" not in written
    read = pickle.loads(written)
    assert read.weights(["amber then birch"]).tolist() == known.weights(["amber then birch"]).tolist()
    assert as_if_new(read) is read


def test_what_is_known_at_one_k_does_not_pass_for_another():
    with pytest.raises(RequestError, match="fit the map again"):
        replace(fit_hybrid(UNIVERSE, by_heart(), 2, ()), atoms_per_record=1)


def test_a_baseline_says_whether_it_was_held_out(tmp_path):
    known, text = (
        fit_hybrid(UNIVERSE, by_heart(), learners=()),
        open_corpus(pa.table({"text": by_heart().texts}), Columns("text")),
    )
    save_map(known, tmp_path / "map.npz")
    held_out, saved, cues = (told(text, one) for one in (known, load_map(tmp_path / "map.npz"), fitted("cues")))
    assert "held out where it taught the map" in held_out
    assert "by heart where it taught the map" in saved
    assert "taught" not in cues


def told(text, mapping):
    apart = Separation(map_text=Apart.COMPARED, dictionary_text=Apart.NO_TEXT)
    return auxiliary_baseline(text, mapping, UNIVERSE, RecordUnit(), apart).source


def test_weights_are_contributions_as_the_map_gives_them():
    made, texts = fitted("supervised", 2), exclusive_texts().texts
    assert (dense(contributions_of(made.weights(texts), 2)) == dense(made(pa.array(texts)))).all()
