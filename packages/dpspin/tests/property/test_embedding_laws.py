"""A record's weights are a function of that record: to the last bit, whatever stands beside it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.curator.assign.calibrated_fits import fit_embedding, fit_hybrid
from dpspin.curator.assign.dictionary_learners import embedding_learner, learn_from_words
from dpspin.curator.assign.embedders import BertEmbedder, StaticEmbedder
from dpspin.public.atoms.packs import load

WORDS = ("late", "refund", "rude", "the", "app", "crashes", "again", "Thanks!", "no.", "é", "☕", "12", "[SEP]", "\n")
words = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
texts = words | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def few_atoms():
    """Few and short, because MiniLM takes its time: three examples each are enough to fit."""
    pack = load("support-tickets")
    atoms = tuple(
        atom.model_copy(update={"examples": atom.examples[:3], "cues": atom.cues[:1], "counter_examples": ()})
        for atom in pack.atoms[:4]
    )
    return pack.model_copy(update={"atoms": atoms, "background": pack.background[:4]})


@pytest.fixture(scope="module")
def by_minilm():
    return fit_embedding(few_atoms(), BertEmbedder.installed())


@pytest.fixture(scope="module")
def by_words_and_static():
    learners = (learn_from_words, embedding_learner(StaticEmbedder.installed()))
    return fit_hybrid(few_atoms(), None, learners=learners)


def assert_alone_is_as_together(fitted, batch):
    together = fitted.weights(batch)
    for place, text in enumerate(batch):
        assert np.array_equal(fitted.weights([text])[0], together[place])


@settings(max_examples=10, deadline=None)
@given(batch=st.lists(texts, min_size=2, max_size=4))
def test_minilm_weights_do_not_depend_on_the_batch(by_minilm, batch):
    assert_alone_is_as_together(by_minilm, batch)


@settings(max_examples=60, deadline=None)
@given(batch=st.lists(texts, min_size=2, max_size=24))
def test_weights_of_words_and_static_do_not_depend_on_the_batch(by_words_and_static, batch):
    assert_alone_is_as_together(by_words_and_static, batch)
