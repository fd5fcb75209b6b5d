import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.demo.synthetic import SyntheticCorpus, generate_tickets, true_mentions
from dpspin.errors import RequestError
from dpspin_lab.truth import overlap_at, total_variation, true_shares
from factories import universe_of


def test_true_shares_weigh_each_ticket_by_its_truth_in_dictionary_order():
    corpus = generate_tickets(60, seed=4)
    shares = true_shares(corpus)
    weight = sum(
        row["weight"] for row in corpus.truth.to_pylist() if row["atom_id"] == corpus.universe.ids[15]
    )  # late delivery, the most frequent theme
    assert weight > 0
    assert shares[15] == pytest.approx(weight / sum(corpus.truth["weight"].to_pylist()))
    assert shares.sum() == pytest.approx(1)


def test_a_user_who_mentions_a_theme_in_two_tickets_counts_once():
    universe = universe_of([Atom(id=n, label=label) for n, label in ((7, "late parcel"), (3, "refund"), (5, "crash"))])
    said = {"ticket_id": ["t1", "t1", "t2", "t3"], "atom_id": [7, 3, 3, 3]}
    written = {"ticket_id": ["t1", "t2", "t3"], "user_id": ["ann", "ann", "ben"]}
    counts = true_mentions(SyntheticCorpus(pa.table(written), pa.table(said), universe))
    assert counts.tolist() == [1, 2, 0]


def test_a_corpus_without_truth_has_no_shares():
    corpus = next(c for c in (generate_tickets(1, seed=s) for s in range(200)) if c.truth.num_rows == 0)
    assert not true_shares(corpus).any()


def test_total_variation_of_disjoint_shares_is_one():
    assert total_variation([1, 0], [0, 1]) == 1


def test_overlap_breaks_ties_by_the_lower_index():
    flat = np.full(4, 0.25)
    assert overlap_at(flat, [0.4, 0.4, 0.1, 0.1], size=2) == 1
    assert overlap_at(flat, [0.1, 0.1, 0.4, 0.4], size=2) == 0


@pytest.mark.parametrize("size", [0, 3])
def test_overlap_needs_a_size_that_exists(size):
    with pytest.raises(RequestError):
        overlap_at([0.5, 0.5], [0.5, 0.5], size)
