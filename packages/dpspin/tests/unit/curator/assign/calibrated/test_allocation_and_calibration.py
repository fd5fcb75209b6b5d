import numpy as np
import pytest
from scipy.optimize import check_grad, minimize

from dpspin.curator.assign.deal_out_mass import (
    SHARPER,
    SMALLEST,
    Calibration,
    Competing,
    Exclusive,
    Expressed,
    allocate,
    calibrate_competing,
    calibrate_exclusive,
    calibrate_expressed,
    surprise,
)


def layers_of(layers, records, atoms, seed=1):
    """Scores that look like no order, the same everywhere."""
    numbers = np.arange(1, layers * records * atoms + 1, dtype=np.float64)
    return (3 * np.sin(numbers**2 * seed)).reshape(layers, records, atoms)


def test_expressed_atoms_share_the_mass_by_their_probability():
    odds = np.log([[0.8 / 0.2, 0.4 / 0.6, 0.2 / 0.8], [0.1 / 0.9] * 3])
    assert allocate(odds, Expressed(1 / 3), None) == pytest.approx(np.array([[2 / 3, 1 / 3, 0, 0], [0, 0, 0, 1]]))


def test_competing_atoms_share_with_none_by_their_odds():
    assert allocate(np.log([[3.0, 2.0]]), Competing(), None)[0] == pytest.approx([3 / 6, 2 / 6, 1 / 6])


def test_exclusive_classes_share_by_probability_with_the_last_as_none():
    assert allocate(np.log([[3.0, 2.0, 5.0]]), Exclusive(), None)[0] == pytest.approx([0.3, 0.2, 0.5])


def test_k_keeps_the_best_and_the_lower_index_of_equals_and_leaves_none_alone():
    assert allocate(np.log([[2.0, 3.0, 3.0, 2.0]]), Exclusive(), 1)[0] == pytest.approx([0, 0.8, 0, 0.2])
    assert allocate(np.log([[2.0, 3.0, 4.0, 1.0]]), Exclusive(), 2)[0] == pytest.approx(
        [0, 0.9 * 3 / 7, 0.9 * 4 / 7, 0.1]
    )


def test_weights_too_small_to_matter_vanish():
    weights = allocate(np.log([[SMALLEST / 2, 1.0, 1.0]]), Exclusive(), None)[0]
    assert weights[0] == 0
    assert weights.sum() == pytest.approx(1)


def test_absurd_odds_do_not_overflow():
    for rule in (Expressed(0.5), Competing(), Exclusive()):
        assert np.isfinite(allocate(np.array([[1e6, -1e6, 0.0]]), rule, None)).all()


def test_expressed_calibration_recovers_planted_weights():
    layers = layers_of(2, 4000, 3)
    odds = 1.5 * layers[0] - 0.5 * layers[1] - 0.3
    chance = 1 / (1 + np.exp(-odds))
    coin = np.modf(np.abs(np.sin(np.arange(odds.size) * 12.9898) * 43758.5453))[0].reshape(odds.shape)
    found = calibrate_expressed(layers, (coin < chance).astype(float))
    assert found.weights == pytest.approx([1.5, -0.5], abs=0.15)
    assert found(layers) == pytest.approx(odds, abs=1.0)


@pytest.mark.parametrize("flag", [0.0, 1.0])
def test_expressed_calibration_without_a_contrast_says_the_base_rate(flag):
    found = calibrate_expressed(layers_of(1, 9, 2), np.full((9, 2), flag))
    assert found.weights.tolist() == [0]
    assert (np.sign(found.offsets) == (1 if flag else -1)).all()


def test_competing_calibration_recovers_planted_weights_sharpened():
    layers = layers_of(2, 400, 4)
    shares = allocate(1.2 * layers[0] + 0.4 * layers[1] - 0.5, Competing(), None)
    found = calibrate_competing(layers, shares)
    assert found.weights / SHARPER == pytest.approx([1.2, 0.4], abs=0.02)
    assert found.offsets / SHARPER == pytest.approx([-0.5] * 4, abs=0.02)


def test_competing_calibration_finds_what_a_search_without_slopes_finds():
    layers = layers_of(2, 400, 4)
    shares = allocate(1.2 * layers[0] + 0.4 * layers[1] - 0.5, Competing(), 1)  # no weights explain these exactly

    def unlikely(numbers):
        return surprise(numbers, layers, shares)[0]

    for numbers in ([1.0, 1.0, 1.0], [0.0, 3.0, -2.0]):
        assert check_grad(unlikely, lambda at: surprise(at, layers, shares)[1], np.array(numbers)) < 1e-6
    found = calibrate_competing(layers, shares)
    searched = minimize(unlikely, np.ones(3), method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-12}).x
    assert np.append(found.weights, found.offsets[0]) / SHARPER == pytest.approx(searched, abs=1e-3)


def test_exclusive_calibration_matches_the_true_shares():
    scores = layers_of(1, 300, 4)
    truth = np.eye(4)[(scores[0] + [2.0, 0.0, 0.0, -1.0]).argmax(axis=1)]
    found = calibrate_exclusive(scores, truth)
    weights = allocate(found(scores), Exclusive(), None)
    assert weights.mean(axis=0) == pytest.approx(truth.mean(axis=0), abs=0.005)
    unmatched = allocate(scores[0], Exclusive(), None)
    assert np.abs(unmatched.mean(axis=0) - truth.mean(axis=0)).max() > 0.05


def test_a_calibration_is_on_the_grid_and_its_digest_follows_its_numbers():
    base = Calibration(np.array([0.1, 0.2]), np.array([0.3]))
    assert base.digest == Calibration(np.array([0.1 + 1e-9, 0.2]), np.array([0.3])).digest
    others = (([0.2, 0.1], [0.3]), ([0.1], [0.2, 0.3]), ([0.1, 0.2], [0.4]))
    assert len({base.digest, *(Calibration(np.array(w), np.array(o)).digest for w, o in others)}) == 4
