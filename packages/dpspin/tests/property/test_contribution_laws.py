"""Whatever a scorer returns, a contribution satisfies the bound or does not exist."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.sparse import csr_array

from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.assign.contribution import Contributions, capped, row_sums, top_k
from dpspin.errors import BoundViolation

anything = st.floats(allow_nan=True, allow_infinity=True) | st.floats(-2, 2)
scores = hnp.arrays(np.int64, st.tuples(st.integers(0, 6), st.integers(1, 7)), elements=st.integers(-(2**50), 2**50))
ragged = st.lists(st.lists(st.integers(0, 2**40), max_size=5), max_size=6)


def rows_of(nested):
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in nested])]).astype(np.int64)
    return offsets, np.array([value for row in nested for value in row], np.int64)


@given(st.lists(st.lists(anything, max_size=5), max_size=6), st.none() | st.integers(1, 3))
def test_a_contribution_keeps_the_bound_or_does_not_exist(weights, k):
    offsets, atoms = rows_of([range(len(row)) for row in weights])
    flat = np.array([w for row in weights for w in row], np.float64)
    try:
        made = Contributions.from_weights(offsets, atoms, flat, universe_size=5, atoms_per_record=k)
    except BoundViolation:
        too_many = k is not None and any(len(row) > k for row in weights)
        assert too_many or not (np.isfinite(flat) & (flat >= 0) & (flat <= 2**20)).all()
    else:
        assert (made.ticks >= 0).all()
        assert (row_sums(made.offsets, made.ticks) <= TICKS_PER_MASS).all()
        assert k is None or (np.diff(made.offsets) <= k).all()


@given(scores, st.none() | st.integers(1, 4))
def test_top_k_keeps_the_best_and_the_lowest_index_of_ties(matrix, k):
    made = top_k(csr_array(matrix), k)
    for record, row in enumerate(matrix.tolist()):
        chosen = made.atoms[made.offsets[record] : made.offsets[record + 1]].tolist()
        ranked = sorted((j for j, value in enumerate(row) if value > 0), key=lambda j: (-row[j], j))
        assert chosen == ranked[:k]
        mass = int(made.ticks[made.offsets[record] : made.offsets[record + 1]].sum())
        assert mass == 0 if not ranked else TICKS_PER_MASS - len(chosen) <= mass <= TICKS_PER_MASS


@given(ragged, st.integers(1, 2**45))
def test_capping_is_exact_and_never_exceeds_the_cap(rows, cap):
    offsets, ticks = rows_of(rows)
    result = capped(offsets, ticks, cap)
    for row, start, end in zip(rows, offsets, offsets[1:], strict=False):
        total = sum(row)
        expected = row if total <= cap else [value * cap // total for value in row]
        assert result[start:end].tolist() == expected
        assert sum(expected) <= max(cap, 0)


@pytest.mark.parametrize(
    ("offsets", "atoms", "ticks"),
    [
        ([0, 1], [9], [5]),  # an atom outside the dictionary
        ([0, 1], [0], [-1]),
        ([0, 1], [0], [TICKS_PER_MASS + 1]),
        ([0, 2], [0, 1], [TICKS_PER_MASS, 1]),
        ([0, 2], [0], [1]),  # rows that do not match
        ([0, 4], [0, 1, 2, 3], [1, 1, 1, 1]),  # more than K
        ([], [], []),
    ],
)
def test_ticks_that_break_the_bound_are_refused(offsets, atoms, ticks):
    with pytest.raises(BoundViolation):
        Contributions(np.array(offsets, np.int64), np.array(atoms, np.int64), np.array(ticks, np.int64), 5, 3)


def test_contributions_cannot_be_changed_afterwards_and_do_not_print():
    offsets, atoms, ticks = np.array([0, 1]), np.array([2]), np.array([7])
    made = Contributions(offsets, atoms, ticks, 5, 3)
    ticks[0] = 2**40
    assert made.ticks.tolist() == [7]
    with pytest.raises(ValueError, match="read-only"):
        made.ticks[0] = 1
    assert "7" not in repr(made)
