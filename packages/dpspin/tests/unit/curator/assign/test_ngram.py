import numpy as np
import pyarrow as pa
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from dpspin.boundary.atoms import Atom
from dpspin.curator.assign.paper_map import LONGEST_TEXT, AuxiliaryIdf, NgramMap, PublicWordIdf
from dpspin.errors import DictionaryError
from factories import universe_of

ATOMS = [
    Atom(id=10, label="late delivery", description="A parcel arrives late.", cues=("still waiting for my parcel",)),
    Atom(id=20, label="refund missing", description="Money was not paid back.", cues=("where is my money",)),
    Atom(id=30, label="app crash", description="The app closes by itself."),
    Atom(id=40, label="slow app", description="The app takes long to respond."),
]
AUXILIARY = [
    "my parcel is late again and nobody answers",
    "the app crashes when I open the refund page",
    "money still missing, refund promised last week",
    "great service, thanks",
    "slow and late, the app freezes",
]
TEXTS = [
    "The app crashed, the APP crashed again and the parcel was late",
    "refund? money? refund!",
    "nothing in common",
    "",
    None,
    "late parcel late parcel slow app",
    "ÉCLAIR naïve late—delivery",
]


def dense(contributions):
    out = np.zeros((contributions.records, contributions.universe_size))
    np.add.at(out, (contributions.rows, contributions.atoms), contributions.ticks / 2**30)
    return out


def paper_map(k):
    """TF-IDF on auxiliary and atom text, cosine, top K, lowest index wins, clamp, normalise: by scikit-learn alone."""
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), stop_words="english")
    atom_texts = [atom.text for atom in ATOMS]
    vectorizer.fit(AUXILIARY + atom_texts)
    cosine = (vectorizer.transform([t or "" for t in TEXTS]) @ vectorizer.transform(atom_texts).T).toarray()
    out = np.zeros_like(cosine)
    for row, scores in enumerate(np.maximum(cosine, 0)):
        best = [j for j in sorted(range(len(scores)), key=lambda j: (-scores[j], j)) if scores[j] > 0][:k]
        if best:
            out[row, best] = scores[best] / scores[best].sum()
    return out


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_map_equals_the_papers_map_computed_by_scikit_learn(k):
    fitted = NgramMap.fit(universe_of(ATOMS), AuxiliaryIdf([pa.array(AUXILIARY)]), k)
    assert np.abs(dense(fitted(pa.array(TEXTS))) - paper_map(k)).max() < 1e-8


def test_equal_scores_go_to_the_lowest_index():
    twins = [Atom(id=1, label="blue widget"), Atom(id=2, label="red widget"), Atom(id=3, label="green widget")]
    fitted = NgramMap.fit(universe_of(twins), AuxiliaryIdf([pa.array(["a widget"])]), 1)
    assert fitted(pa.array(["widget"])).atoms.tolist() == [0]


def test_records_without_a_match_contribute_nothing():
    fitted = NgramMap.fit(universe_of(ATOMS), PublicWordIdf())
    assert dense(fitted(pa.array(["zebra quantum", "", None], pa.string()))).sum() == 0


def test_word_frequencies_make_rare_words_count_more():
    atoms = [Atom(id=1, label="time gasket"), Atom(id=2, label="time people")]
    fitted = NgramMap.fit(universe_of(atoms), PublicWordIdf())
    weights = dense(fitted(pa.array(["gasket people"])))[0]
    assert weights[0] > weights[1] > 0
    assert "word frequencies" in fitted.statement.fitted_on


def test_the_digest_follows_everything_that_changes_the_map():
    universe = universe_of(ATOMS)
    base = NgramMap.fit(universe, PublicWordIdf()).statement.digest
    assert NgramMap.fit(universe, PublicWordIdf()).statement.digest == base
    assert NgramMap.fit(universe, PublicWordIdf(), 2).statement.digest != base
    assert NgramMap.fit(universe, AuxiliaryIdf([pa.array(AUXILIARY)])).statement.digest != base
    assert NgramMap.fit(universe_of(ATOMS[::-1]), PublicWordIdf()).statement.digest != base


def test_very_long_records_cannot_overflow_the_scores():
    fitted = NgramMap.fit(universe_of(ATOMS), PublicWordIdf(), 1)
    weights = dense(fitted(pa.array(["late delivery " * LONGEST_TEXT])))
    assert weights[0].tolist() == [1, 0, 0, 0]
    assert int(fitted.weights.data.max()) * LONGEST_TEXT < 2**63


def test_a_dictionary_without_words_is_refused():
    with pytest.raises(DictionaryError, match="no words"):
        NgramMap.fit(universe_of([Atom(id=1, label="the of")]), PublicWordIdf())
