"""The most voted of six examples is chosen with 400 voters at epsilon .1, and what is told is seldom false.

Seeds are fixed. Of 4,000 choices at least 85 % must be right: with a true rate of 87 % fewer would be seen with
probability below 0.0002. Of 2,000 plans at most 5 % may err: 130 or more would be seen with probability below 0.002.
"""

import numpy as np
import pytest

from dpspin.boundary.example_table import lead_needed
from dpspin.boundary.noise_laws import LaplaceNoise
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, RecordUnit, sensitivity_of
from dpspin.curator.release.seeded_noise import SimulatedNoise

NOISE = LaplaceNoise(scale=10.0)  # of a record, or of a user with bound 1, at epsilon .1
VOTERS = 400
ZIPF = VOTERS / np.arange(1, 7) / sum(1 / np.arange(1, 7))


def noisy(votes, seed):
    ticks = np.rint(votes.ravel() * TICKS_PER_MASS).astype(np.int64)
    reach = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    drawn = SimulatedNoise(seed).laplace(ticks, NOISE.scale * TICKS_PER_MASS, reach, 1 / NOISE.scale)
    return (np.array(drawn, float) / TICKS_PER_MASS).reshape(votes.shape)


def even_dirichlet(number, voters=VOTERS):
    """Return votes whose shares are any six with the same chance: exponential variables over their sum."""
    drawn = np.abs(noisy(np.zeros((number, 6)), 3))
    return voters * drawn / drawn.sum(axis=1, keepdims=True)


def chosen_right(votes):
    return float((noisy(votes, 1).argmax(axis=1) == votes.argmax(axis=1)).mean())


@pytest.mark.statistical
def test_the_most_voted_is_chosen():
    assert chosen_right(np.tile(ZIPF, (4000, 1))) >= 0.95
    assert chosen_right(even_dirichlet(4000)) >= 0.85
    assert chosen_right(even_dirichlet(4000, voters=40)) < 0.85  # with so few it is not


def errors(votes, reach):
    """Return how often anything that is told of ten themes is false: the most voted is not among those named."""
    plans = noisy(np.tile(votes, (2000, 10, 1)), 2)
    near = plans >= plans.max(axis=2, keepdims=True) - reach
    return float((~near[:, :, votes.argmax()]).any(axis=1).mean())


@pytest.mark.statistical
@pytest.mark.parametrize("votes", [np.full(6, VOTERS / 6), np.array([100.0, 100, 50, 50, 50, 50])])
def test_what_is_told_of_all_themes_together_is_seldom_false(votes):
    assert errors(votes, lead_needed(NOISE, 6, 10, 0.05)) < 0.065
    assert errors(votes, lead_needed(NOISE, 6, 1, 0.05)) > 0.065  # the lead that one theme alone needs is too small
