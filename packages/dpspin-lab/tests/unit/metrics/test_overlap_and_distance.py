import numpy as np
import pyarrow as pa
import pytest

from dpspin.boundary.atoms import Atom
from dpspin.demo.synthetic import SyntheticCorpus, true_mentions
from dpspin.errors import RequestError
from dpspin_lab.metrics.plan import overlap_at, total_variation
from factories import universe_of


def test_a_user_who_mentions_a_theme_in_two_tickets_counts_once():
    universe = universe_of([Atom(id=n, label=label) for n, label in ((7, "late parcel"), (3, "refund"), (5, "crash"))])
    said = {"ticket_id": ["t1", "t1", "t2", "t3"], "atom_id": [7, 3, 3, 3]}
    written = {"ticket_id": ["t1", "t2", "t3"], "user_id": ["ann", "ann", "ben"]}
    counts = true_mentions(SyntheticCorpus(pa.table(written), pa.table(said), universe))
    assert counts.tolist() == [1, 2, 0]


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
