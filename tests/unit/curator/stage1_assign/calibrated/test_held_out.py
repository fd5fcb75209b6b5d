"""A map knows the labels of the texts that it learned from; held out, it gives what it would give to new ones."""

import numpy as np
import pyarrow as pa
import pytest

from dpspin.curator.stage1_assign.calibrated.fitting import fit_hybrid, hybrid_fitting
from dpspin.curator.stage1_assign.calibrated.labels import LabelledTexts
from dpspin.curator.stage1_assign.calibrated.mapping import contributions_of
from dpspin.errors import RequestError
from schoolroom import UNIVERSE, dense, exclusive_texts, fitted, several_texts


def by_heart():
    """Return texts that have words in common but none with their label: there is nothing to learn but them."""
    words = ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet"]
    texts = tuple(f"{one} then {other}" for one in words for other in words if one != other)
    return LabelledTexts(texts, tuple(frozenset({n * n * 7 % 11 % 3}) for n in range(len(texts))), UNIVERSE.size)


def on_the_right_atom(weights, labelled):
    return float((weights * labelled.shares).sum() / len(labelled.texts))


def test_what_was_learned_by_heart_is_not_held_out():
    fitting, labelled = hybrid_fitting(UNIVERSE, by_heart()), by_heart()
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


def test_weights_are_contributions_as_the_map_gives_them():
    made, texts = fitted("supervised", 2), exclusive_texts().texts
    assert (dense(contributions_of(made.weights(texts), 2)) == dense(made(pa.array(texts)))).all()
