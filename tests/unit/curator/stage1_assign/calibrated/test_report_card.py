import numpy as np
import pytest

from dpspin.boundary.card import AtomCard, Reliability
from dpspin.curator.stage1_assign.calibrated.card import card_of
from factories import PAPER_UNIVERSE, universe_of

TWO = universe_of(PAPER_UNIVERSE.atoms[:2])
# Four texts: right; half right; a text of two atoms of which one is noticed; a text of none taken for the first.
WEIGHTS = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.92, 0.08, 0.0], [0.25, 0.0, 0.75]])
TRUTH = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])


def test_a_card_computed_by_hand():
    card = card_of(TWO, WEIGHTS, TRUTH, "four texts", real_text=True)
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
    card = card_of(TWO, WEIGHTS, TRUTH, "four texts", real_text=True)
    first = (1.0 * np.array([1, 0, 0]) + 0.5 * np.array([0.92, 0.08, 0])) / 1.5
    second = (np.array([0.5, 0.5, 0]) + 0.5 * np.array([0.92, 0.08, 0])) / 1.5
    assert np.array(card.confusion) == pytest.approx(np.array([first, second, [0.25, 0, 0.75]]), abs=1e-5)


def test_reliability_compares_claimed_and_true_shares_band_by_band():
    bands = card_of(TWO, WEIGHTS, TRUTH, "four texts", real_text=True).reliability
    assert bands == (
        Reliability(claimed=0.08, observed=0.5, assignments=1),
        Reliability(claimed=0.25, observed=0.0, assignments=1),
        Reliability(claimed=0.5, observed=0.5, assignments=2),
        Reliability(claimed=0.96, observed=0.75, assignments=2),
    )


def test_an_atom_without_text_or_mass_is_not_judged():
    nothing = np.array([[1.0, 0.0, 0.0]])
    card = card_of(TWO, nothing, nothing, "one text", real_text=True)
    assert (card.atoms[1].precision, card.atoms[1].recall) == (None, None)
    assert card.confusion[1] == (0, 1, 0)


def test_a_map_that_answers_none_to_everything_has_no_precision():
    card = card_of(TWO, np.tile([0.0, 0.0, 1.0], (4, 1)), TRUTH, "four texts", real_text=True)
    assert (card.precision, card.recall, card.covered_by_map, card.reliability) == (0, 0, 0, ())
