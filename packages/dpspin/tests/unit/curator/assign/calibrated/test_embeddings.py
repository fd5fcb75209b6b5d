"""Embeddings as evidence of a calibrated map."""

import numpy as np
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.curator.assign.calibrated_fits import fit_embedding, fit_hybrid
from dpspin.curator.assign.dictionary_learners import embedding_learner, learn_from_words
from dpspin.curator.assign.embedders import BertEmbedder, StaticEmbedder
from dpspin.curator.assign.sentence_evidence import STEP, EmbeddingVectors
from factories import universe_of

LATE = ("My parcel came a week late.", "The courier was delayed again.", "Still waiting for delivery.")
MONEY = ("I was charged twice.", "Please refund my money.", "The invoice amount is wrong.")
RUDE = ("The agent was rude to me.", "He shouted at me on the phone.", "Your staff were impolite.")
UNIVERSE = universe_of(
    [
        Atom(id=1, label="late delivery", cues=("arrived late",), examples=LATE),
        Atom(id=2, label="billing error", cues=("charged twice",), examples=MONEY),
        Atom(id=3, label="rude staff", cues=("was rude",), examples=RUDE),
    ]
).model_copy(update={"background": ("I bought a blue kettle.", "It is sunny here.", "We have two cats.")})
SAID_OTHERWISE = (
    "The shipment has not turned up yet.",
    "You took the payment two times from my bank.",
    "The woman at the desk was disrespectful.",
)


class Counting:
    """An embedder that remembers how many texts it was asked for."""

    name, digest = "counting", "none"

    def __init__(self):
        self.asked = 0

    def __call__(self, texts):
        self.asked += len(texts)
        return np.array([[0.6, 0.8]] * len(texts)).reshape(len(texts), 2)


@pytest.mark.parametrize("embedder", [StaticEmbedder.installed(), BertEmbedder.installed()], ids=lambda one: one.name)
def test_themes_are_found_in_words_that_the_dictionary_does_not_have(embedder):
    weights = fit_embedding(UNIVERSE, embedder).weights(SAID_OTHERWISE)
    assert weights[:, :3].argmax(axis=1).tolist() == [0, 1, 2]


def test_embeddings_join_words_as_one_more_layer():
    learners = (learn_from_words, embedding_learner(StaticEmbedder.installed()))
    fitted = fit_hybrid(UNIVERSE, None, learners=learners)
    assert [source.layers[-1] for source in fitted.sources[1:]] == ["examples", "embedding static", "shortness"]
    assert fitted.statement.digest != fit_hybrid(UNIVERSE, None).statement.digest


def test_the_embedder_is_part_of_the_maps_digest():
    one, two = Counting(), Counting()
    two.digest = "other weights"
    assert fit_embedding(UNIVERSE, one).statement.digest != fit_embedding(UNIVERSE, two).statement.digest


def test_the_dictionary_and_repeated_sentences_are_embedded_once():
    embedder = Counting()
    vectors = EmbeddingVectors.of(embedder, LATE)
    assert embedder.asked == 3
    rows = vectors.parts(["New.", LATE[0], "New.", LATE[0]])
    assert embedder.asked == 4
    assert rows.shape == (4, 2)
    assert vectors.parts([]).shape == (0, 2)


def test_vectors_lie_on_the_grid_on_which_sums_are_exact():
    vectors = EmbeddingVectors.of(StaticEmbedder.installed(), LATE)
    steps = vectors.scaled(vectors.parts(SAID_OTHERWISE)) / STEP
    assert np.array_equal(steps, np.rint(steps))


def test_a_record_without_a_sentence_to_judge_is_none_of_these():
    fitted = fit_embedding(UNIVERSE, StaticEmbedder.installed())
    assert fitted.weights([""])[0].tolist() == [0, 0, 0, 1]
