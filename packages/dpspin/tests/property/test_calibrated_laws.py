"""Whatever the scores and whatever the text: mass one per record, at most K atoms, and no record speaks for another."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.special import expit

from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.curator.assign.contribution import row_sums
from dpspin.curator.assign.deal_out_mass import Competing, Exclusive, Expressed, allocate
from dpspin.curator.assign.grade_map import FEWEST_TEXTS, NOTICED, card_of
from factories import PAPER_UNIVERSE
from restaurant_dictionary import MAP_KINDS, UNIVERSE, fitted

scores = hnp.arrays(np.float64, st.tuples(st.integers(0, 5), st.integers(2, 6)), elements=st.floats(-1e3, 1e3))
rules = st.sampled_from([Expressed(1 / 3), Expressed(0.9), Competing(), Exclusive()])
ks = st.none() | st.integers(1, 4)
words = st.sampled_from(["waited", "an hour", "rude", "staff", "cold", "soup", "no", "took forever", "station", ". "])
texts = st.text(max_size=60) | st.lists(words, max_size=8).map(" ".join)
utf8 = texts.filter(lambda text: not any(0xD800 <= ord(letter) < 0xE000 for letter in text))


@given(scores, rules, ks)
def test_each_record_has_mass_one_on_at_most_k_atoms_and_none(odds, rule, k):
    weights = allocate(odds, rule, k)
    assert weights.shape == (len(odds), odds.shape[1] + (not isinstance(rule, Exclusive)))
    assert (weights >= 0).all()
    assert weights.sum(axis=1) == pytest.approx(np.ones(len(odds)))
    assert k is None or (np.count_nonzero(weights[:, :-1], axis=1) <= k).all()


@given(scores, st.floats(0.05, 0.95), ks)
def test_nothing_below_the_threshold_is_given_mass_and_all_or_none_is_expressed(odds, threshold, k):
    weights = allocate(odds, Expressed(threshold), k)
    assert not weights[:, :-1][expit(odds) < threshold].any()
    expressed = (expit(odds) >= threshold).any(axis=1)
    assert weights[:, -1] == pytest.approx(1.0 - expressed, abs=1e-12)


@given(scores, rules, ks, st.randoms(use_true_random=False))
def test_weights_do_not_depend_on_the_other_records(odds, rule, k, chance):
    order = list(range(len(odds)))
    chance.shuffle(order)
    whole = allocate(odds, rule, k)
    assert (allocate(odds[order], rule, k) == whole[order]).all()
    assert all((allocate(odds[[row]], rule, k) == whole[row]).all() for row in order)


@given(scores.filter(lambda odds: len(odds) > 0), rules)
def test_more_likely_atoms_never_get_less(odds, rule):
    judged = odds[:, :-1] if isinstance(rule, Exclusive) else odds
    weights = allocate(odds, rule, None)[:, :-1]
    for row, given_mass in zip(judged, weights, strict=True):
        ranked = given_mass[np.argsort(row, kind="stable")]
        assert (np.diff(ranked) >= -1e-12).all()


@pytest.mark.parametrize("kind", MAP_KINDS)
@pytest.mark.parametrize("k", [None, 1])
@settings(max_examples=30, deadline=None)
@given(batch=st.lists(st.none() | utf8, max_size=5))
def test_any_text_gives_valid_contributions_that_no_other_record_changes(kind, k, batch):
    mapped = fitted(kind, k)
    whole = mapped(pa.array(batch, pa.string()))
    masses = row_sums(whole.offsets, whole.ticks)
    most = UNIVERSE.size + 1 if k is None else k + 1
    assert whole.universe_size == UNIVERSE.size + 1
    assert (np.diff(whole.offsets) <= most).all()
    for row, text in enumerate(batch):
        assert masses[row] == 0 if text is None else TICKS_PER_MASS - most <= masses[row] <= TICKS_PER_MASS
        alone = mapped(pa.array([text], pa.string()))
        part = slice(whole.offsets[row], whole.offsets[row + 1])
        assert alone.atoms.tolist() == whole.atoms[part].tolist()
        assert alone.ticks.tolist() == whole.ticks[part].tolist()


def shares(records):
    raw = hnp.arrays(np.int64, (records, PAPER_UNIVERSE.size + 1), elements=st.integers(0, 4))
    return raw.map(
        lambda counts: (counts + (counts.sum(axis=1) == 0)[:, None]) / np.maximum(counts.sum(axis=1), 5)[:, None]
    )


@given(st.integers(1, 5).flatmap(lambda records: st.tuples(shares(records), shares(records))))
def test_a_card_is_what_counting_one_by_one_gives(both):
    weights, truth = both
    card = card_of(PAPER_UNIVERSE, weights, truth, "drawn shares", real_text=False)
    cells = [(row, atom) for row in range(len(weights)) for atom in range(PAPER_UNIVERSE.size)]
    assigned, right = (
        sum(weights[cell] for cell in cells if keep(cell)) for keep in (lambda _: True, lambda cell: truth[cell] > 0)
    )
    expressed = [cell for cell in cells if truth[cell] > 0]
    found = [cell for cell in expressed if weights[cell] >= NOTICED]
    assert card.precision == pytest.approx(right / assigned if assigned else 0, abs=1e-5)
    assert card.recall == pytest.approx(len(found) / len(expressed) if expressed else 0, abs=1e-5)
    assert sum(band.assignments for band in card.reliability) == sum(weights[cell] > 0 for cell in cells)
    for band in card.reliability:
        inside = [
            cell
            for cell in cells
            if weights[cell] > 0 and np.ceil(weights[cell] * 10 - 1e-9) == np.ceil(band.claimed * 10 - 1e-4)
        ]
        assert band.observed == pytest.approx(np.mean([truth[cell] for cell in inside]), abs=1e-4)
    for true_class, row in enumerate(card.confusion):
        mass = truth[:, true_class].sum()
        mean = truth[:, true_class] @ weights / mass if mass else np.eye(len(row))[true_class]
        assert row == pytest.approx(mean, abs=1e-5)


@given(st.integers(1, 60).flatmap(lambda records: st.tuples(shares(records), shares(records))))
def test_a_card_of_real_text_is_round_and_near_the_exact_one(both):
    coarse, exact = (card_of(PAPER_UNIVERSE, *both, "drawn shares", real_text=real) for real in (True, False))
    assert coarse.texts % 10 == 0
    for row, fine, mass in zip(coarse.confusion, exact.confusion, both[1].sum(axis=0), strict=True):
        assert all(cell == round(cell, 2) for cell in row)
        assert mass < FEWEST_TEXTS or row == pytest.approx(fine, abs=0.0101)
    for atom, mass in zip(coarse.atoms, both[1].sum(axis=0), strict=False):
        enough = mass > FEWEST_TEXTS - 1e-9  # ten in all may be added up to a little less, in another order
        assert enough or (atom.expressed, atom.precision, atom.recall) == (None, None, None)
