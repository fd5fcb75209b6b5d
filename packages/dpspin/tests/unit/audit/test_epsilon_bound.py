import math

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from dpspin.audit.epsilon_bound import at_least, at_most, epsilon_at_least


@pytest.mark.parametrize("hits", [0, 1, 17, 99, 100])
@pytest.mark.parametrize("failure", [0.05, 1e-8])
def test_limits_are_those_of_clopper_and_pearson(hits, failure):
    exact = binomtest(hits, 100).proportion_ci(1 - 2 * failure, method="exact")  # each side fails with ``failure``
    assert float(at_least(hits, 100, failure)) == pytest.approx(exact.low, rel=1e-6)
    assert float(at_most(hits, 100, failure)) == pytest.approx(exact.high, rel=1e-6)


def test_an_event_that_always_happens_here_and_never_there_proves_a_large_epsilon():
    assert 6 < float(epsilon_at_least(10_000, 0, 10_000, 0.0, 1e-6)) < math.inf


def test_events_that_do_not_tell_prove_nothing():
    assert float(epsilon_at_least(50, 60, 100, 0.0, 0.05)) == 0.0
    assert float(epsilon_at_least(0, 0, 100, 0.0, 0.05)) == 0.0


def test_delta_is_granted_before_epsilon_is_asked():
    with_delta, without = (float(epsilon_at_least(400, 20, 1000, delta, 1e-6)) for delta in (0.2, 0.0))
    assert 0 < with_delta < without


@pytest.mark.parametrize("loss", [0.5, 1.0, 2.0])
def test_the_bound_is_above_the_truth_no_more_often_than_stated(loss):
    """Randomised response has a known loss. 20,000 audits that may fail in 5 of 100; seeded, so no false alarm."""
    trials, failure, share = 500, 0.05, 1 / (1 + math.exp(loss))
    here = binom.rvs(trials, 1 - share, size=20_000, random_state=3)
    there = binom.rvs(trials, share, size=20_000, random_state=4)
    bounds = epsilon_at_least(here, there, trials, 0.0, failure)
    assert (bounds > loss).mean() <= failure
    assert np.median(bounds) > 0.6 * loss  # and it is no empty bound
