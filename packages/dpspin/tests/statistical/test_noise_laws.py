"""The drawn noise follows the stated law. Each test names its false-alarm rate and shows that it can fail."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare, kstest, laplace, norm

from dpspin.boundary.calibration import gaussian_sigma, laplace_scale
from dpspin.boundary.mechanisms import PrivateTopL, ValueNoise
from dpspin.boundary.mechanisms.base import Task
from dpspin.boundary.mechanisms.drawing import Price
from dpspin.boundary.mechanisms.private_top_l import selection_scale
from dpspin.boundary.mechanisms.set_em import set_scale
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, RecordUnit, sensitivity_of
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.curator.release.seeded_noise import SimulatedNoise

pytestmark = pytest.mark.statistical

FALSE_ALARM = 1e-6
DRAWS = 40_000
SOURCES = {"secure": SecureNoise(), "simulated": SimulatedNoise(11)}
SENSITIVITY = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)


@pytest.mark.parametrize("source", SOURCES)
def test_laplace_noise_has_the_stated_scale(source):
    scale = laplace_scale(SENSITIVITY.l1, 0.5)
    sample = np.array(SOURCES[source].laplace(np.zeros(DRAWS, np.int64), scale, SENSITIVITY, 0.5)) / TICKS_PER_MASS

    def fits(b):
        return kstest(sample, laplace(scale=b).cdf).pvalue

    assert fits(2.0) > FALSE_ALARM
    assert fits(1.8) < FALSE_ALARM
    assert fits(2.2) < FALSE_ALARM


@pytest.mark.parametrize("source", SOURCES)
def test_gaussian_noise_has_the_stated_scale(source):
    loss = PrivacyLoss(1.0, 1e-6)
    sigma = gaussian_sigma(SENSITIVITY.l2, loss, DRAWS)
    sample = np.array(SOURCES[source].gaussian(np.zeros(DRAWS, np.int64), sigma, SENSITIVITY, loss)) / sigma

    def fits(s):
        return kstest(sample, norm(scale=s).cdf).pvalue

    assert fits(1.0) > FALSE_ALARM
    assert fits(0.9) < FALSE_ALARM
    assert fits(1.1) < FALSE_ALARM


def sequential_exponential_mechanism(scores, rounds, scale):
    """The exact law of the paper's proposition 1 over ordered picks: P(j) ∝ exp(score_j/scale) without replacement."""
    law = {}
    for picks in itertools.permutations(range(len(scores)), rounds):
        left, probability = set(range(len(scores))), 1.0
        for pick in picks:
            probability *= math.exp(scores[pick] / scale) / sum(math.exp(scores[j] / scale) for j in left)
            left.remove(pick)
        law[picks] = probability
    return law


@pytest.mark.parametrize("source", SOURCES)
def test_admission_follows_the_sequential_exponential_mechanism(source):
    """Exponent eps_sel·C/(2·Δ·L); the exponents without the 2, or with the 2 twice, are told apart."""
    masses, rounds, epsilon, draws = [6, 4, 2, 1], 2, 2.0, 6_000
    scale, price = selection_scale(SENSITIVITY, epsilon, rounds), Price(2 * TICKS_PER_MASS, epsilon)
    ticks = np.array(masses, np.int64) * TICKS_PER_MASS
    picked = Counter(tuple(SOURCES[source].peel(ticks, rounds, scale, price)) for _ in range(draws))

    def fits(exponent_factor):
        law = sequential_exponential_mechanism(masses, rounds, 2 * rounds / epsilon / exponent_factor)
        observed = [picked[picks] for picks in law]
        return chisquare(observed, [draws * p for p in law.values()]).pvalue

    assert fits(1.0) > FALSE_ALARM
    assert fits(2.0) < FALSE_ALARM
    assert fits(0.5) < FALSE_ALARM


@pytest.mark.parametrize("source", SOURCES)
def test_unequal_rounds_follow_the_sequential_exponential_mechanism(source):
    """Round t has the exponent eps_t·C/(2Δ); equal rounds, or the shares in the other order, are told apart."""
    masses, shares, draws = [6, 4, 2, 1], (0.75, 0.25), 6_000
    asked = PrivateTopL(value_fraction=0.5, value_noise=ValueNoise.LAPLACE, selection_shares=shares)
    task = Task(PrivacyLoss(4.0), SENSITIVITY, atoms=4, size=2)
    ticks = np.array(masses, np.int64) * TICKS_PER_MASS
    picked = Counter(asked.draw(ticks, task, SOURCES[source]).positions for _ in range(draws))

    def fits(*epsilons):
        law = {}
        for first, second in itertools.permutations(range(4), 2):
            weights = [np.exp(epsilon * np.array(masses) / 2) for epsilon in epsilons]
            rest = weights[1].sum() - weights[1][first]
            law[first, second] = weights[0][first] / weights[0].sum() * weights[1][second] / rest
        return chisquare([picked[picks] for picks in law], [draws * chance for chance in law.values()]).pvalue

    assert fits(1.5, 0.5) > FALSE_ALARM
    assert fits(1.0, 1.0) < FALSE_ALARM
    assert fits(0.5, 1.5) < FALSE_ALARM


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("size", [1, 2, 4])
def test_a_set_is_drawn_by_the_exponential_mechanism_over_all_sets(source, size):
    """P(S) ∝ exp(eps·Σ_S C/B); another exponent, or independent picks, are told apart."""
    masses, epsilon, draws = [3.0, 2.5, 2.0, 1.0, 0.25], 1.0, 4_000
    scale = set_scale(SENSITIVITY, epsilon, size)
    ticks = np.array([mass * TICKS_PER_MASS for mass in masses], np.int64)
    drawn = Counter(tuple(SOURCES[source].choose_set(ticks, size, scale, SENSITIVITY, epsilon)) for _ in range(draws))
    sets = list(itertools.combinations(range(len(masses)), size))

    def fits(exponent):
        weights = np.array([math.exp(exponent * sum(masses[place] for place in one)) for one in sets])
        return chisquare([drawn[one] for one in sets], draws * weights / weights.sum()).pvalue

    assert fits(epsilon) > FALSE_ALARM
    assert fits(2 * epsilon) < FALSE_ALARM
    assert fits(epsilon / 2) < FALSE_ALARM
