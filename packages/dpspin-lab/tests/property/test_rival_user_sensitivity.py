"""What one user, with many records in several clusters, can change of each noisy vector of the rivals."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dpspin.errors import BoundViolation
from dpspin_lab.baselines.private.histograms import PER_RECORD, Indicators, category_counts
from dpspin_lab.baselines.private.release import GRID, of_indicators, of_unit_vectors
from dpspin_lab.baselines.private.urania import UnitVectors, nearest, normalised
from dpspin_lab.baselines.private.urania_schedule import Shape
from dpspin_lab.baselines.private.urania_users import (
    BoundedUsers,
    category_of_users,
    indicators_of_users,
    numbered,
)
from dpspin_lab.studies.simulated_releases import seeded

CLUSTERS, DIMENSION, WORDS = 4, 3, 8
SHAPE = Shape(CLUSTERS, DIMENSION, WORDS)
finite = st.floats(-1e6, 1e6, allow_nan=False)
centres = arrays(np.int64, (CLUSTERS, DIMENSION), elements=st.integers(-GRID, GRID))
rounds = st.lists(centres, min_size=3, max_size=3)


@st.composite
def records_of(draw, most):
    """Draw records as vectors and rows of at most five keywords."""
    count = draw(st.integers(1, most))
    rows = draw(arrays(np.float64, (count, DIMENSION), elements=finite))
    chosen = [draw(st.sets(st.integers(0, WORDS - 1), max_size=PER_RECORD)) for _ in range(count)]
    flags = np.array([[word in words for word in range(WORDS)] for words in chosen], dtype=np.bool_)
    return normalised(rows).ticks, flags


@st.composite
def corpora(draw):
    """Draw the records of some users, and those of one more."""
    (ticks, flags), (own_ticks, own_flags) = draw(records_of(6)), draw(records_of(12))
    users = draw(st.lists(st.integers(0, 3), min_size=len(ticks), max_size=len(ticks)))
    return bounded(ticks, flags, users), bounded(
        np.vstack([ticks, own_ticks]), np.vstack([flags, own_flags]), [*users, *[9] * len(own_ticks)]
    )


def bounded(ticks, flags, users):
    return BoundedUsers(UnitVectors(ticks), Indicators(flags), numbered([str(user) for user in users]))


def both_ways(side):
    """One user whose records lie in opposite clusters: the longest vector over several rows."""
    ticks = np.array([[GRID, 0, 0], [-GRID, 0, 0], [0, GRID, 0], [0, -GRID, 0]], dtype=np.int64)
    flags = np.zeros((4, WORDS), dtype=np.bool_)
    flags[:, :PER_RECORD] = True
    others = ([0], [0, 1, 1, 1, 1])[side]
    return bounded(
        np.vstack([ticks[:1], *([ticks] if side else [])]), np.vstack([flags[:1], *([flags] if side else [])]), others
    )


AXES = np.array([[GRID, 0, 0], [-GRID, 0, 0], [0, GRID, 0], [0, -GRID, 0]], dtype=np.int64)


def squared(change) -> int:
    return sum(int(value) ** 2 for value in change.ravel())


def l1(change) -> int:
    return int(np.abs(change).sum())


@given(corpora(), rounds)
@example((both_ways(0), both_ways(1)), [AXES] * 3)
def test_a_user_moves_sums_by_one_vector_and_counts_by_one_in_every_round(pair, centres_by_round):
    without, with_user = pair
    bound = of_unit_vectors(SHAPE.cells)
    for at in centres_by_round:
        (old_sums, old_counts), (sums, counts) = without.moments(at), with_user.moments(at)
        change = sums - old_sums
        assert squared(change) <= bound.l2**2
        assert l1(change) <= bound.l1
        assert np.abs(change).max() <= bound.coordinate
        assert (l1(counts - old_counts), squared(counts - old_counts)) == (1, 1)


@given(corpora(), rounds)
def test_sums_and_counts_in_thirds_are_one_vector_of_the_stated_joint_length(pair, centres_by_round):
    for at in centres_by_round:
        (old_sums, old_counts), (sums, counts) = (side.moments(at) for side in pair)
        assert 9 * squared(sums - old_sums) + squared(counts - old_counts) * GRID**2 <= 10 * GRID**2


@given(corpora(), centres)
@example((both_ways(0), both_ways(1)), AXES)
def test_a_user_moves_one_size_and_at_most_five_cells_of_the_keywords(pair, at):
    (old_sizes, old_table), (new_sizes, table) = (
        (side.sizes(cluster, CLUSTERS), side.keyword_table(cluster, CLUSTERS))
        for side in pair
        for cluster in [nearest(side.vectors, at)]
    )
    change, bound = table - old_table, of_indicators(PER_RECORD)
    assert table.shape == (CLUSTERS, WORDS)
    assert l1(change) <= bound.l1
    assert squared(change) <= bound.l2**2
    assert np.abs(change).max() <= bound.coordinate
    assert (change >= 0).all()
    assert l1(new_sizes - old_sizes) == of_indicators(1).l1
    assert new_sizes.sum() == len(set(pair[1].users.tolist()))


def test_without_the_bound_such_a_user_would_move_all_of_it_by_more():
    at = AXES
    without, with_user = both_ways(0), both_ways(1)
    cluster = nearest(with_user.vectors, at)
    own = with_user.users == with_user.users.max()
    assert len(set(cluster[own].tolist())) == 4  # four clusters, one record in each
    assert squared(with_user.vectors.ticks[own]) == 4 * GRID**2
    assert with_user.keywords.flags[own].sum() == 4 * PER_RECORD
    moved = with_user.moments(at)[0] - without.moments(at)[0]
    assert squared(moved) > 0.99 * GRID**2  # bounded to one vector, and nearly all of it is used
    assert with_user.keyword_table(cluster, CLUSTERS).sum() == 2 * PER_RECORD


@given(corpora(), centres)
def test_what_a_user_gives_does_not_depend_on_company(pair, at):
    without, with_user = pair
    own = with_user.users == with_user.users.max()
    alone = bounded(with_user.vectors.ticks[own], with_user.keywords.flags[own], [0] * int(own.sum()))
    for table in (lambda side: side.moments(at)[0], lambda side: _keywords(side, at), lambda side: _sizes(side, at)):
        assert (table(with_user) - table(without)).tolist() == table(alone).tolist()


def _keywords(side, at):
    return side.keyword_table(nearest(side.vectors, at), CLUSTERS)


def _sizes(side, at):
    return side.sizes(nearest(side.vectors, at), CLUSTERS)


@given(corpora(), st.data())
def test_a_user_moves_at_most_five_keywords_and_one_category_of_the_histograms(pair, data):
    old, new = (indicators_of_users(side.keywords, side.users).flags.sum(axis=0) for side in pair)
    assert l1(new - old) <= of_indicators(PER_RECORD).l1
    names = data.draw(
        st.lists(st.sampled_from("abcd"), min_size=len(pair[1].users), max_size=len(pair[1].users)), label="categories"
    )
    counts = [category_counts(category_of_users(names[: len(side.users)], side.users), "abc") for side in pair]
    assert l1(counts[1] - counts[0]) <= of_indicators(1).l1


def test_one_record_each_is_the_record_level_to_the_tick_in_all_but_rounding():
    rng = seeded(0)
    ticks, flags = normalised(rng.normal(size=(20, DIMENSION))).ticks, rng.random((20, WORDS)) < 0.3
    flags[:, PER_RECORD:] = False
    users = bounded(ticks, flags, range(100, 120))
    at = AXES
    cluster = nearest(users.vectors, at)
    sums, counts = users.moments(at)
    exact = np.array([ticks[cluster == place].sum(axis=0) for place in range(CLUSTERS)])
    assert np.abs(sums - exact).max() <= 20 * 20  # a few ticks of 2^20 for each record
    assert counts.tolist() == np.bincount(cluster, minlength=CLUSTERS).tolist()
    assert users.keyword_table(cluster, CLUSTERS).sum() == flags.sum()


def test_records_without_a_user_cannot_be_bounded():
    with pytest.raises(BoundViolation, match="one user"):
        BoundedUsers(normalised(np.eye(3)), Indicators(np.zeros((3, WORDS), np.bool_)), np.array([0, 1]))
