import numpy as np
import pytest

from dpspin.boundary.report_card import AtomCard, Reliability
from dpspin.curator.assign.grade_map import card_of
from factories import PAPER_UNIVERSE, universe_of

TWO = universe_of(PAPER_UNIVERSE.atoms[:2])
# Four texts: right; half right; a text of two atoms of which one is noticed; a text of none taken for the first.
WEIGHTS = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.92, 0.08, 0.0], [0.25, 0.0, 0.75]])
TRUTH = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])


def test_a_card_computed_by_hand():
    card = card_of(TWO, WEIGHTS, TRUTH, "four texts", real_text=False)
    assert (card.measured_on, card.texts) == ("four texts", 4)
    assert card.precision == pytest.approx((1 + 0.5 + 1) / 3.25, abs=1e-5)
    assert card.recall == pytest.approx(3 / 4)  # (1, first), (2, second), (3, first); not (3, second)
    assert card.total_variation == pytest.approx(abs(2.67 / 3.25 - 0.5), abs=1e-5)
    assert (card.covered_in_truth, card.covered_by_map) == (0.75, 0.8125)
    assert card.shares_in_truth == (0.375, 0.375, 0.25)
    assert card.atoms == (
        AtomCard(atom_id=17, expressed=1.5, precision=round(1.92 / 2.67, 5), recall=1.0),
        AtomCard(atom_id=42, expressed=1.5, precision=1.0, recall=0.5),
    )


def test_confusion_is_the_mean_answer_to_each_truth():
    card = card_of(TWO, WEIGHTS, TRUTH, "four texts", real_text=False)
    first = (1.0 * np.array([1, 0, 0]) + 0.5 * np.array([0.92, 0.08, 0])) / 1.5
    second = (np.array([0.5, 0.5, 0]) + 0.5 * np.array([0.92, 0.08, 0])) / 1.5
    assert np.array(card.confusion) == pytest.approx(np.array([first, second, [0.25, 0, 0.75]]), abs=1e-5)


def test_reliability_compares_claimed_and_true_shares_band_by_band():
    bands = card_of(TWO, WEIGHTS, TRUTH, "four texts", real_text=False).reliability
    assert bands == (
        Reliability(claimed=0.08, observed=0.5, assignments=1),
        Reliability(claimed=0.25, observed=0.0, assignments=1),
        Reliability(claimed=0.5, observed=0.5, assignments=2),
        Reliability(claimed=0.96, observed=0.75, assignments=2),
    )


def many(copies=25, few=3):
    """The four texts many times over, and a few texts of the second atom alone that were all taken for the first."""
    odd = np.tile([[0.9, 0.1, 0.0]], (few, 1)), np.tile([[0.0, 1.0, 0.0]], (few, 1))
    return np.concatenate([np.tile(WEIGHTS, (copies, 1)), odd[0]]), np.concatenate(
        [np.tile(TRUTH, (copies, 1)), odd[1]]
    )


def numbers_in(card):
    """Every rate of a card: the total ones, those of atoms, those of bands and the confusion."""
    yield from (card.precision, card.recall, card.total_variation, card.covered_in_truth, card.covered_by_map)
    yield from (rate for atom in card.atoms for rate in (atom.precision, atom.recall) if rate is not None)
    yield from (rate for band in card.reliability for rate in (band.claimed, band.observed))
    yield from (cell for row in card.confusion for cell in row)


def test_of_real_text_only_round_figures_are_published():
    card = card_of(TWO, *many(), "texts", real_text=True)
    assert all(number == round(number, 2) for number in numbers_in(card))
    assert all(sum(row) == pytest.approx(1) for row in card.confusion)
    assert card.texts == 100
    assert [atom.expressed for atom in card.atoms] == [40, 40]  # 37.5, and 37.5 + 3
    assert card.shares_in_truth == (0.4, 0.4, 0.3)
    assert all(band.assignments % 10 == 0 for band in card.reliability)


@pytest.mark.parametrize("changed", [0, 1, 2, 3])
def test_counts_of_real_text_do_not_tell_whether_one_text_is_there(changed):
    with_it, without = many(few=changed + 1), many(few=changed)
    one, other = (card_of(TWO, *texts, "texts", real_text=True) for texts in (with_it, without))
    assert (one.texts, one.shares_in_truth) == (other.texts, other.shares_in_truth)
    assert [atom.expressed for atom in one.atoms] == [atom.expressed for atom in other.atoms]


def test_of_an_atom_with_a_few_real_texts_nothing_is_said():
    weights, truth = np.tile(WEIGHTS[[0, 3]], (20, 1)), np.tile(TRUTH[[0, 3]], (20, 1))
    rare = np.tile([[0.0, 1.0, 0.0]], (9, 1))
    card = card_of(TWO, np.concatenate([weights, rare]), np.concatenate([truth, rare]), "texts", real_text=True)
    assert card.atoms[1] == AtomCard(atom_id=42, expressed=None, precision=None, recall=None)
    assert card.confusion[1] == (0, 1, 0)
    assert card.shares_in_truth[1] == 0
    assert card.atoms[0].recall == 1.0


def test_no_precision_is_stated_where_few_real_texts_were_given_the_atom():
    weights, truth = np.tile([0.1, 0.0, 0.9], (20, 1)), np.tile([1.0, 0.0, 0.0], (20, 1))
    card = card_of(TWO, weights, truth, "texts", real_text=True)
    assert (card.atoms[0].precision, card.atoms[0].recall) == (None, 1.0)  # a mass of 2 in all


def test_a_band_of_few_real_texts_is_left_out():
    weights = np.concatenate([np.tile(WEIGHTS[0], (20, 1)), [[0.33, 0.32, 0.35]]])
    truth = np.tile(TRUTH[0], (21, 1))
    (band,) = card_of(TWO, weights, truth, "texts", real_text=True).reliability
    assert (band.claimed, band.assignments) == (1.0, 20)


def test_an_atom_without_text_or_mass_is_not_judged():
    nothing = np.array([[1.0, 0.0, 0.0]])
    card = card_of(TWO, nothing, nothing, "one text", real_text=False)
    assert (card.atoms[1].precision, card.atoms[1].recall) == (None, None)
    assert card.confusion[1] == (0, 1, 0)


def test_a_map_that_answers_none_to_everything_has_no_precision():
    card = card_of(TWO, np.tile([0.0, 0.0, 1.0], (4, 1)), TRUTH, "four texts", real_text=False)
    assert (card.precision, card.recall, card.covered_by_map, card.reliability) == (0, 0, 0, ())
