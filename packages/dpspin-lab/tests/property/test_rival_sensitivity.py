"""What one record can change of each noisy vector of the private rivals, on random records and hostile centres."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dpspin.errors import BoundViolation
from dpspin_lab.baselines.private.histograms import PER_RECORD, Indicators, Vocabulary, category_counts, keywords_of
from dpspin_lab.baselines.private.release import GRID, of_indicators, of_unit_vectors
from dpspin_lab.baselines.private.urania import (
    UnitVectors,
    fit_representation,
    keyword_table,
    moments,
    nearest,
    normalised,
    sizes,
)

CLUSTERS, DIMENSION, WORDS = 4, 3, 8
PUBLIC = ["late fee on a credit card", "card stolen, account closed", "loan payment refused", "rude staff at the bank"]
VOCABULARY = keywords_of(PUBLIC)
REPRESENTATION = fit_representation(PUBLIC * 3 + ["wholly other words about mortgage escrow insurance and taxes"])

finite = st.floats(-1e6, 1e6, allow_nan=False)
rows = arrays(np.float64, st.tuples(st.integers(1, 6), st.just(DIMENSION)), elements=finite)
centres = arrays(np.int64, (CLUSTERS, DIMENSION), elements=st.integers(-GRID, GRID))
rounds = st.lists(centres, min_size=3, max_size=3)
words = st.lists(st.sampled_from([*VOCABULARY.words, "the", "and", "zebra"]), max_size=15).map(" ".join)
texts = st.lists(words, min_size=1, max_size=6)


def joined(vectors: UnitVectors, record: UnitVectors) -> UnitVectors:
    return UnitVectors(np.vstack([vectors.ticks, record.ticks]))


def added(vectors, record, at):
    """Return how one more record changes sums and counts under the same centres."""
    return changes(vectors, joined(vectors, record), at)


def changes(old, new, at):
    (old_sums, old_counts), (new_sums, new_counts) = moments(old, at), moments(new, at)
    return new_sums - old_sums, new_counts - old_counts


def squared(change) -> int:
    return sum(int(value) ** 2 for value in change.ravel())


def l1(change) -> int:
    return int(np.abs(change).sum())


@given(rows, arrays(np.float64, (1, DIMENSION), elements=finite), rounds)
@example(np.array([[1.0, 1.0, 1.0]]), np.array([[-1.0, -1.0, -1.0]]), [np.zeros((CLUSTERS, DIMENSION), np.int64)] * 3)
def test_a_record_added_or_removed_moves_sums_and_counts_by_one_vector_in_every_round(others, one, centres_by_round):
    vectors, record = normalised(others), normalised(one)
    for at in centres_by_round:  # the record may lie in another cluster in each round
        sums, counts = added(vectors, record, at)
        assert squared(sums) <= of_unit_vectors(DIMENSION).l2 ** 2
        assert l1(sums) <= of_unit_vectors(DIMENSION).l1
        assert np.abs(sums).max() <= of_unit_vectors(DIMENSION).coordinate
        assert (l1(counts), squared(counts)) == (of_indicators(1).l1, of_indicators(1).l2 ** 2)
        assert (np.abs(sums).any(axis=1) <= (counts > 0)).all()  # one cluster, the same for both


@given(rows, arrays(np.float64, (1, DIMENSION), elements=finite), rounds)
def test_sums_and_counts_in_thirds_are_one_vector_of_the_stated_joint_length(others, one, centres_by_round):
    vectors, record = normalised(others), normalised(one)
    for at in centres_by_round:
        sums, counts = added(vectors, record, at)
        assert 9 * squared(sums) + squared(counts) * GRID**2 <= 10 * GRID**2


@given(rows, arrays(np.float64, (2, DIMENSION), elements=finite), rounds)
def test_a_record_that_is_moved_counts_as_one_removed_and_one_added(others, versions, centres_by_round):
    old, new = (joined(normalised(others), normalised(version[None, :])) for version in versions)
    for at in centres_by_round:
        sums, counts = changes(old, new, at)
        assert squared(sums) <= (2 * of_unit_vectors(DIMENSION).l2) ** 2
        assert l1(counts) <= 2 * of_indicators(1).l1


@given(rows, arrays(np.float64, (1, DIMENSION), elements=finite), centres)
def test_nobody_else_changes_cluster_because_of_a_record(others, one, at):
    vectors = normalised(others)
    everyone = nearest(joined(vectors, normalised(one)), at)
    assert nearest(vectors, at).tolist() == everyone[:-1].tolist()


@given(texts, words, st.data())
def test_a_record_moves_one_size_and_at_most_five_keywords_of_one_cluster(others, one, data):
    counted = VOCABULARY.indicators([*others, one])
    cluster = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(others) + 1, max_size=len(others) + 1)))
    without = Indicators(counted.flags[:-1])
    change = keyword_table(cluster, counted, CLUSTERS) - keyword_table(cluster[:-1], without, CLUSTERS)
    bound = of_indicators(PER_RECORD)
    assert l1(change) <= bound.l1
    assert squared(change) <= bound.l2**2
    assert np.abs(change).max(initial=0) <= bound.coordinate
    assert change.any(axis=1).sum() <= 1
    assert l1(sizes(cluster, CLUSTERS) - sizes(cluster[:-1], CLUSTERS)) == of_indicators(1).l1


@given(texts, words)
def test_a_record_moves_at_most_five_keywords_of_the_histogram(others, one):
    flags = VOCABULARY.indicators([*others, one]).flags
    assert l1(flags.sum(axis=0) - flags[:-1].sum(axis=0)) <= of_indicators(PER_RECORD).l1


@given(st.lists(st.sampled_from("abcd")), st.sampled_from("abcd"))
def test_a_record_moves_at_most_one_category(others, one):
    change = category_counts([*others, one], "abc") - category_counts(others, "abc")
    assert l1(change) == (one in "abc") * of_indicators(1).l1


@given(texts, words)
def test_what_is_kept_of_a_record_does_not_depend_on_its_company(others, one):
    together = REPRESENTATION([*others, one]).ticks[-1]
    assert together.tolist() == REPRESENTATION([one]).ticks[0].tolist()
    assert VOCABULARY.indicators([*others, one]).flags[-1].tolist() == VOCABULARY.indicators([one]).flags[0].tolist()


@given(arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 64)), elements=finite))
def test_vectors_are_of_length_one_at_most_and_nearly_one(raw):
    for row, ticks in zip(raw, normalised(raw).ticks, strict=True):
        assert squared(ticks) <= GRID**2
        if math.fsum(abs(row)) > 1e-100:
            assert math.sqrt(squared(ticks)) >= GRID - 10  # rounding towards zero costs a few ticks


def test_longer_vectors_and_busier_records_cannot_exist():
    with pytest.raises(BoundViolation):
        UnitVectors(np.array([[GRID, 1]], dtype=np.int64))
    with pytest.raises(BoundViolation):
        Indicators(np.ones((1, PER_RECORD + 1), dtype=np.bool_))


@given(st.text(alphabet="ab -'_XY9", max_size=40))
def test_occurrences_are_those_of_a_word_boundary_search(text):
    import re

    vocabulary = Vocabulary(("ab", "a-b", "ba", "b"))
    counts = {w: len(re.findall(rf"\b{w}\b", text, re.IGNORECASE)) for w in vocabulary.words}
    expected = sorted((w for w in counts if counts[w]), key=lambda w: (-counts[w], vocabulary.words.index(w)))
    assert [vocabulary.words[place] for place in vocabulary.chosen(text)] == expected
