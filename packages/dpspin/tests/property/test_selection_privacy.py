"""The exact law of each selection on random neighbours: the log ratio never exceeds what is charged."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpspin.boundary.mechanisms import PrivateTopL
from dpspin.boundary.mechanisms.base import Task
from dpspin.boundary.mechanisms.private_top_l import selection_range, selection_scale
from dpspin.boundary.mechanisms.set_em import set_scale
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, Prevalence, PrivacyLoss, RecordUnit, sensitivity_of
from dpspin.errors import RequestError

ATOMS, SIZE, EPSILON = 4, 2, 1.0
ADD_DROP = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
REPLACE = sensitivity_of(RecordUnit(), Adjacency.REPLACE)
masses = st.lists(st.floats(0, 5), min_size=ATOMS, max_size=ATOMS).map(np.array)


@st.composite
def contributions(draw):
    """A record's masses: not negative, one at most together."""
    raw = np.array(draw(st.lists(st.floats(0, 1), min_size=ATOMS, max_size=ATOMS)))
    return raw / max(1.0, raw.sum())


def law_of_sets(scores, scale):
    sets = list(itertools.combinations(range(ATOMS), SIZE))
    weights = np.array([math.exp(sum(scores[list(one)]) / scale) for one in sets])
    return weights / weights.sum()


def law_of_peeling(scores, scale):
    """Return the law of the rounds, of one scale or of a scale each."""
    law, scales = [], np.broadcast_to(scale, SIZE)
    for picks in itertools.permutations(range(ATOMS), SIZE):
        left, chance = list(range(ATOMS)), 1.0
        for pick, at in zip(picks, scales, strict=True):
            chance *= math.exp(scores[pick] / at) / sum(math.exp(scores[other] / at) for other in left)
            left.remove(pick)
        law.append(chance)
    return np.array(law)


def loss(law, one, other, scale):
    return float(np.abs(np.log(law(one, scale) / law(other, scale))).max())


SET = set_scale(ADD_DROP, EPSILON, SIZE) / TICKS_PER_MASS
SET_REPLACED = set_scale(REPLACE, EPSILON, SIZE) / TICKS_PER_MASS
PAPER = selection_scale(ADD_DROP, EPSILON, SIZE) / TICKS_PER_MASS
MONOTONE = selection_scale(ADD_DROP, EPSILON, SIZE, monotone=True) / TICKS_PER_MASS


@given(masses, contributions())
@example(np.zeros(ATOMS), np.array([1.0, 0, 0, 0]))
def test_an_added_record_costs_a_set_at_most_epsilon(scores, record):
    assert loss(law_of_sets, scores, scores + record, SET) <= EPSILON + 1e-9


@given(masses, contributions(), contributions())
def test_a_replaced_record_costs_a_set_at_most_epsilon_at_the_wider_range(scores, old, new):
    assert loss(law_of_sets, scores + old, scores + new, SET_REPLACED) <= EPSILON + 1e-9


@given(masses, contributions())
def test_an_added_record_costs_monotone_peeling_at_most_epsilon_and_the_papers_exponent_at_most_half(scores, record):
    assert loss(law_of_peeling, scores, scores + record, MONOTONE) <= EPSILON + 1e-9
    assert loss(law_of_peeling, scores, scores + record, PAPER) <= EPSILON / 2 + 1e-9


def unequal(sensitivity, *, monotone=False):
    """Return the scales of a first round that pays four fifths of epsilon, and of a second one that pays the rest."""
    asked = PrivateTopL(value_fraction=0.5, monotone=monotone, selection_shares=(0.8, 0.2))
    task = Task(PrivacyLoss(2 * EPSILON, 1e-6), sensitivity, ATOMS, SIZE)
    return np.array(asked.calibrated(task).rounds) / TICKS_PER_MASS


def test_unequal_rounds_have_the_papers_exponent_each():
    assert 1 / unequal(ADD_DROP) == pytest.approx([0.8 * EPSILON / 2, 0.2 * EPSILON / 2])  # eps_t/(2Δ), Δ = 1
    assert 1 / unequal(REPLACE) == pytest.approx([0.8 * EPSILON / 2, 0.2 * EPSILON / 2])  # Δ_coord stays B
    assert 1 / unequal(ADD_DROP, monotone=True) == pytest.approx([0.8 * EPSILON, 0.2 * EPSILON])


@given(masses, contributions(), contributions())
def test_unequal_rounds_cost_at_most_epsilon_together(scores, old, new):
    assert loss(law_of_peeling, scores, scores + old, unequal(ADD_DROP)) <= EPSILON / 2 + 1e-9
    assert loss(law_of_peeling, scores, scores + old, unequal(ADD_DROP, monotone=True)) <= EPSILON + 1e-9
    assert loss(law_of_peeling, scores + old, scores + new, unequal(REPLACE)) <= EPSILON + 1e-9


def test_unequal_rounds_cost_more_than_the_largest_of_them():
    """A rare atom rises while the one that nearly always wins falls: the first round loses all its epsilon."""
    apart = np.array([-60.0, 0.0, -60.0, -60.0])
    first, second = np.array([1.0, 0, 0, 0]), np.array([0, 1.0, 0, 0])
    assert 0.89 * EPSILON < loss(law_of_peeling, apart + first, apart + second, unequal(REPLACE)) <= EPSILON + 1e-9


def test_the_bounds_are_reached_and_would_be_broken_without_the_factor_two_under_replacement():
    apart = np.array([0.0, 0.0, 60.0, -60.0])  # one place is left, and it is taken by the record's atom or by another
    first, second = np.array([1.0, 0, 0, 0]), np.array([0, 1.0, 0, 0])
    assert loss(law_of_sets, apart, apart + first, SET) > 0.3 * EPSILON
    assert loss(law_of_sets, apart + first, apart + second, SET) > 1.5 * loss(
        law_of_sets, apart + first, apart + second, SET_REPLACED
    )
    against_the_rest = np.array([-60.0, 0.0, 60.0, -60.0])
    swapped = loss(law_of_sets, against_the_rest + first, against_the_rest + second, SET)
    assert swapped > 1.9 * EPSILON  # so the monotone exponent is refused there
    assert loss(law_of_sets, against_the_rest + first, against_the_rest + second, SET_REPLACED) <= EPSILON + 1e-9


def test_the_monotone_exponent_is_refused_under_replacement():
    with pytest.raises(RequestError, match="replacement"):
        selection_scale(REPLACE, EPSILON, SIZE, monotone=True)
    assert selection_range(REPLACE, monotone=False) == 2 * TICKS_PER_MASS


def test_a_set_of_mentions_moves_by_the_number_of_its_atoms_at_most():
    mentions = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP, Prevalence(most_atoms=3))
    assert [mentions.of_sets(size) // TICKS_PER_MASS for size in (1, 2, 3, 9)] == [1, 2, 3, 3]
