"""Quantification undoes a known confusion, believes it as far as its texts go, and says how unsure it is."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin.boundary.estimates import quantify, unfold
from report_cards import card_of, identity, leaning

TRUTH = np.array([0.1, 0.6, 0.3])  # two atoms, then none of these
CONFUSION = ((0.8, 0.1, 0.1), (0.2, 0.7, 0.1), (0.1, 0.2, 0.7))


def quantified(card, observed, *, records=1000.0, noise_std=5.0, beta=0.05):
    *masses, uncovered = records * np.asarray(observed)
    return quantify(masses, uncovered, card, noise_std=noise_std, beta=beta)


def widths(found):
    return np.array([one.high - one.low for one in found])


def shares(found):
    return [one.share for one in found]


def test_a_map_without_confusion_is_believed_as_it_is():
    assert shares(quantified(card_of(identity(3)), TRUTH)) == pytest.approx(TRUTH[:2])


def test_a_known_confusion_is_undone():
    observed = TRUTH @ np.array(CONFUSION)
    assert observed[:2] != pytest.approx(TRUTH[:2], abs=0.05)
    assert shares(quantified(card_of(CONFUSION), observed)) == pytest.approx(TRUTH[:2], abs=0.005)


def test_the_atoms_keep_their_own_ids_and_none_of_these_is_not_listed():
    found = quantified(card_of(CONFUSION, ids=[42, 17]), TRUTH)
    assert [one.atom_id for one in found] == [42, 17]
    assert sum(shares(found)) < 1


@pytest.mark.parametrize("masses", [(0.0, 0.0, 0.0), (-3.0, -1.0, -0.5)])
def test_where_nothing_was_measured_nothing_is_quantified(masses):
    assert quantified(card_of(CONFUSION), masses) == ()


def test_a_negative_mass_counts_as_zero():
    card = card_of(CONFUSION)
    assert quantified(card, [-0.2, 0.6, 0.4]) == quantified(card, [0.0, 0.6, 0.4])


@pytest.mark.parametrize(
    ("sure", "unsure"),
    [
        pytest.param({}, {"noise_std": 50.0}, id="more noise"),
        pytest.param({}, {"beta": 0.001}, id="a smaller chance of being wrong"),
        pytest.param({}, {"records": 200.0}, id="fewer records"),
    ],
)
def test_an_interval_widens_with(sure, unsure):
    card = card_of(CONFUSION)
    assert np.all(widths(quantified(card, TRUTH, **unsure)) > widths(quantified(card, TRUTH, **sure)))


def test_an_interval_widens_with_fewer_texts_on_the_card():
    few, some, many = (widths(quantified(card_of(CONFUSION, texts=texts), TRUTH)) for texts in (100, 1000, 10**5))
    assert np.all(few > some)
    assert np.all(some > many)


def test_an_interval_contains_the_truth_that_was_planted_and_the_share_that_was_observed_may_lie_outside():
    observed = TRUTH @ np.array(leaning(3))
    found = quantified(card_of(leaning(3)), observed, records=10**5)
    assert all(one.low <= truth <= one.high for one, truth in zip(found, TRUTH, strict=False))
    assert not found[0].low <= observed[0] <= found[0].high


def test_a_class_known_from_few_texts_moves_slowly():
    observed = TRUTH @ np.array(CONFUSION)
    moved = [
        np.abs(np.array(shares(quantified(card_of(CONFUSION, texts=texts), observed))) - observed[:2])
        for texts in (1, 10, 100, 10**5)
    ]
    assert all(np.all(less < more) for less, more in pairwise(moved))


def test_a_class_without_texts_moves_less_than_one_that_is_known():
    confusion = np.array(CONFUSION)
    observed = TRUTH @ confusion
    unknown, known = (unfold(observed, confusion, np.array([texts, 1e6, 1e6])) for texts in (0.0, 1e6))
    assert abs(unknown[0] - observed[0]) < abs(known[0] - observed[0])
    assert unfold(observed, confusion, np.zeros(3)) == pytest.approx(observed)


@st.composite
def measured(draw):
    classes = draw(st.integers(2, 5))
    part = st.integers(0, 20)
    rows = draw(
        st.lists(st.lists(part, min_size=classes, max_size=classes).filter(any), min_size=classes, max_size=classes)
    )
    truth = draw(st.lists(part, min_size=classes, max_size=classes).filter(any))
    masses = draw(st.lists(st.floats(-100, 1e6).map(lambda mass: round(mass, 3)), min_size=classes, max_size=classes))
    confusion = [[one / sum(row) for one in row] for row in rows]
    return card_of(confusion, texts=draw(st.integers(1, 10**6)), truth=[one / sum(truth) for one in truth]), masses


@settings(max_examples=60, deadline=None)
@given(measured(), st.floats(0.01, 1e3), st.floats(1e-9, 0.49))
def test_any_confusion_gives_shares_of_one_whole_inside_their_intervals(case, noise_std, beta):
    card, (*masses, uncovered) = case
    found = quantify(masses, uncovered, card, noise_std=noise_std, beta=beta)
    assert len(found) == (len(card.atoms) if max(*masses, uncovered) > 0 else 0)
    assert all(0 <= one.low <= one.share <= one.high <= 1 for one in found)
    assert sum(shares(found)) <= 1 + 1e-5
