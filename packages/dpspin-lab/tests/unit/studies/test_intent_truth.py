"""Dictionaries for domains that no pack was written for, and what is counted there."""

import numpy as np
import pytest

from dpspin.curator.assign.labelled_texts import LabelledTexts
from dpspin_lab.datasets.intents import BANKING, HOTELS, Requests, dictionary, sentences_of
from dpspin_lab.studies.intent_truth import compare, drawn, likely_by_class
from factories import WeightsMap

TRUTH = LabelledTexts(("0", "1", "2") * 10, (frozenset({0}), frozenset({1}), frozenset()) * 10, 2)
REQUESTS = Requests(
    tuple(str(row) for row in range(80)),
    tuple(frozenset({"a"}) if row % 4 else frozenset({"b"}) for row in range(80)),
    np.arange(80) >= 40,
)


@pytest.mark.parametrize(("corpus", "classes"), [(BANKING, 77), (HOTELS, 40)])
def test_every_class_has_six_sentences_of_its_own(corpus, classes):
    written = sentences_of(corpus.name)
    bare, taught = (dictionary(corpus, sorted(written), examples=examples) for examples in (False, True))
    assert bare.size == taught.size == classes
    assert {len(set(atom.examples)) for atom in taught.atoms} == {6}
    assert not any(atom.examples for atom in bare.atoms)


def test_texts_count_by_what_they_stand_for():
    likely = np.array([0.5, 0.25, 0.25] * 10) / 10
    perfect = compare(WeightsMap(2, lambda text: np.eye(3)[int(text)]), TRUTH, likely, None)
    assert (perfect.precision, perfect.total_variation, perfect.left_out) == pytest.approx((1, 0, 1))
    first = compare(WeightsMap(2, lambda _: np.eye(3)[0]), TRUTH, likely, None)
    assert (first.precision, first.total_variation, first.left_out) == pytest.approx((0.5, 1 / 3, 0))


def test_labels_are_drawn_from_texts_that_are_not_held_back():
    chance = np.random.default_rng(0)  # noqa: TID251 - a simulation of the lab
    likely = likely_by_class(REQUESTS, chance)
    rows = drawn(REQUESTS, likely, 20, chance)
    assert len(set(rows.tolist())) == 20
    assert not REQUESTS.held[rows].any()
    of_class = [likely[REQUESTS.held & [name in one for one in REQUESTS.classes]].sum() for name in "ab"]
    again = [likely[~REQUESTS.held & np.array([name in one for one in REQUESTS.classes])].sum() for name in "ab"]
    assert of_class == pytest.approx(again)  # the same shares on both sides
