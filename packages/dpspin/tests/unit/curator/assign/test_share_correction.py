"""Shares are mended by what a map got wrong on labelled text, as far as that is more than chance."""

import numpy as np
import pytest

from dpspin.boundary.corrected_shares import corrected
from dpspin.curator.assign.share_correction import corrections_of, passed_on, rival_shares

RECORDS = 40_000
SHARES = np.array([0.3, 0.25, 0.2, 0.1, 0.15])  # the last is none of these
CONFUSION = np.array([[0.5, 0.5, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0.6, 0.4, 0], [0, 0, 0, 1, 0], [0, 0.2, 0, 0, 0.8]])


def texts(count, shares=SHARES, confusion=CONFUSION, seed=0):
    """Draw the truth of texts, and what a map that confuses classes gives them."""
    chance = np.random.default_rng(seed)  # noqa: TID251 - texts of a test
    classes = chance.choice(len(shares), size=count, p=shares)
    return confusion[classes], np.eye(len(shares))[classes]


def distance(shares, true):
    return np.abs(shares - true).sum() / 2


def test_a_map_that_errs_on_labelled_text_is_mended_by_it():
    weights, truth = texts(2000)
    new, true = (part.mean(axis=0) for part in texts(RECORDS, seed=1))
    mended = corrected(new, corrections_of(weights, truth, fewest=10))
    assert distance(new, true) > 0.2
    assert distance(mended, true) < 0.03


def test_the_mended_shares_follow_a_change_that_the_map_sees():
    weights, truth = texts(2000)
    changed = np.array([0.1, 0.25, 0.4, 0.1, 0.15])
    new, true = (part.mean(axis=0) for part in texts(RECORDS, changed, seed=1))
    mended = corrected(new, corrections_of(weights, truth, fewest=10))
    assert distance(mended, true) < distance(new, true) / 2
    assert distance(mended, true) < distance(truth.mean(axis=0), true) / 2


def test_with_few_labels_chance_is_not_taken_for_an_error():
    """A perfect map but for noise: with twenty labels nothing is worth mending."""
    right = 0.9 * np.eye(5) + 0.02
    for seed in range(20):
        weights, truth = texts(20, confusion=right, seed=seed)
        assert all(abs(one.offset) < 0.05 for one in corrections_of(weights, truth, fewest=0))


def test_a_map_that_is_right_is_left_alone():
    weights, truth = texts(500, confusion=np.eye(5))
    mended = corrections_of(weights, truth, fewest=10)
    assert [(one.slope, one.offset, one.error) for one in mended] == [(1.0, 0.0, 0.0)] * 5


def test_classes_of_few_texts_are_told_of_together_only():
    weights, truth = texts(1000)
    rare = np.zeros((1000, 3))
    rare[:4, 0], rare[4:10, 1], rare[10:22, 2] = 1, 1, 1
    truth = np.column_stack([rare, truth * (1 - rare.sum(axis=1, keepdims=True))])
    weights = np.column_stack([rare / 2, weights * (1 - rare.sum(axis=1, keepdims=True) / 2)])
    first, second, third, *_ = corrections_of(weights, truth, fewest=10)
    assert first == second  # four and six texts
    assert first.offset == 0
    assert third.slope != first.slope or third.offset != 0  # twelve texts speak for themselves


def test_labels_alone_are_beside_what_the_map_adds():
    weights, truth = texts(2000, confusion=np.eye(5))
    perfect = rival_shares(weights, truth, fewest=10)
    blind = rival_shares(np.tile(SHARES, (2000, 1)), truth, fewest=10)
    assert perfect.with_map == pytest.approx(0, abs=0.01)
    assert perfect.labels > 0.01
    assert blind.with_map == pytest.approx(blind.labels, abs=0.001)


@pytest.mark.parametrize("shown", [0.0, 0.4, 1.0])
def test_how_much_of_a_rise_a_map_passes_on(shown):
    confusion = shown * np.eye(5) + (1 - shown) * SHARES
    weights, truth = texts(5000, confusion=confusion)
    assert passed_on(weights, truth, fewest=10) == pytest.approx(shown, abs=0.01)


def test_of_a_handful_of_texts_no_rise_is_told():
    assert passed_on(*texts(20), fewest=30) is None
