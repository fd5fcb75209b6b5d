"""Empirical Bayes: right posterior means, useful with a good prior, harmless with a useless one."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import gamma

from dpspin.boundary import estimates
from dpspin.boundary.estimates import DenoisedTop, denoised_top, novelty_limit, posterior_means
from dpspin.boundary.noise_laws import GaussianNoise, LaplaceNoise
from drawing import drawn, seeded

ZIPF = 1 / np.arange(1, 61) / (1 / np.arange(1, 61)).sum()
NOISES = [LaplaceNoise(scale=10.0), GaussianNoise(sigma=10.0)]


def observed(shares, noise, total=2000.0):
    return total * shares, total * shares + drawn(noise, shares.shape, seeded(0))


def density(z, noise):
    return (
        math.exp(-abs(z) / noise.scale) if isinstance(noise, LaplaceNoise) else math.exp(-((z / noise.sigma) ** 2) / 2)
    )


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("noisy", [-12.0, 0.0, 8.0, 55.0, 240.0])
def test_one_prior_gives_the_exact_posterior_mean(monkeypatch, noise, noisy):
    """With a single gamma prior to choose from, the answer is an integral that scipy can do too."""
    monkeypatch.setattr(estimates, "SHAPES", (2.0,))
    monkeypatch.setattr(estimates, "DOUBTS", (1e-12,))
    prior = gamma(2.0, scale=60.0 / 2)

    def weight(mass):
        return prior.pdf(mass) * density(noisy - mass, noise)

    breaks = sorted({min(max(noisy + shift, 0.0), 900.0) for shift in (-40.0, 0.0, 40.0)})
    evidence = quad(weight, 0, 900, points=breaks, limit=500)[0]
    expected = quad(lambda mass: mass * weight(mass), 0, 900, points=breaks, limit=500)[0] / evidence
    found = posterior_means([noisy, 140.0], noise, [0.3, 0.7], 200.0)[0]
    assert found == pytest.approx(expected, rel=2e-3, abs=0.02)


@pytest.mark.parametrize("noise", NOISES)
def test_a_good_prior_brings_the_values_closer(noise):
    truth, noisy = observed(ZIPF, noise)
    means = np.array(posterior_means(noisy.tolist(), noise, ZIPF.tolist(), 2000.0))
    assert np.abs(means - truth).mean() < 0.5 * np.abs(noisy - truth).mean()


@pytest.mark.parametrize("noise", NOISES)
def test_a_useless_prior_leaves_the_raw_order(noise):
    _, noisy = observed(ZIPF, noise)
    useless = seeded(1).permutation(ZIPF)
    means = posterior_means(noisy.tolist(), noise, useless.tolist(), 2000.0)
    raw = np.argsort(-noisy)[:10]
    listed = denoised_top(means, noisy.tolist(), [0.0] * 60, 10, limit=math.inf)
    assert len(set(listed.positions) & set(raw.tolist())) >= 9


def test_a_share_of_zero_is_a_prior_and_not_an_error():
    means = posterior_means([900.0, 90.0, 40.0, -3.0], LaplaceNoise(scale=1.0), [0.9, 0.1, 0.0, 0.0], 1000.0)
    assert means == pytest.approx([900.0, 90.0, 40.0, 0.0], abs=1.0)
    assert all(mean >= 0 for mean in means)


@pytest.mark.parametrize("total", [1.0, 1e7])
def test_masses_of_any_size(total):
    shares = [0.5, 0.3, 0.2]
    means = posterior_means([total * share for share in shares], LaplaceNoise(scale=1.0), shares, total)
    assert means == pytest.approx([total * share for share in shares], abs=1.0)


def test_the_same_numbers_give_the_same_answer_whatever_their_order():
    _, noisy = observed(ZIPF, NOISES[0])
    there = posterior_means(noisy.tolist(), NOISES[0], ZIPF.tolist(), 2000.0)
    back = posterior_means(noisy[::-1].tolist(), NOISES[0], ZIPF[::-1].tolist(), 2000.0)
    assert back[::-1] == pytest.approx(there, rel=1e-9)


POSTERIOR, EXPECTED = [50.0, 40.0, 30.0, 10.0, 4.0, 1.0], [50.0, 40.0, 33.0, 9.0, 2.0, 0.0]


def top_three(*noisy, limit=20.0):
    return denoised_top(POSTERIOR, noisy, EXPECTED, 3, limit)


def test_the_last_place_goes_to_the_largest_theme_that_the_prior_hides():
    assert top_three(99.0, 40.0, 29.0, 8.0, 35.0, 34.0) == DenoisedTop((0, 1, 4), novelty=4)


def test_a_theme_that_is_large_but_not_clear_of_the_noise_takes_no_place():
    assert top_three(99.0, 40.0, 20.0, 29.0, 5.0, 3.0) == DenoisedTop((0, 1, 2))
    assert top_three(99.0, 40.0, 20.0, 29.0, 5.0, 3.0, limit=19.0) == DenoisedTop((0, 1, 3), novelty=3)


def test_a_theme_that_is_new_but_smaller_than_the_last_takes_no_place():
    """Where the noise is small, growth is seen in themes that are far from the top."""
    assert top_three(99.0, 40.0, 29.0, 8.0, 5.0, 28.0, limit=1.0) == DenoisedTop((0, 1, 2))


def test_a_novelty_never_takes_the_whole_plan_and_needs_another_theme():
    assert denoised_top([9.0, 8.0], [9.0, 99.0], [9.0, 0.0], 1, limit=5.0) == DenoisedTop((0,))
    assert denoised_top([9.0, 8.0], [9.0, 99.0], [9.0, 0.0], 2, limit=5.0) == DenoisedTop((0, 1))


@pytest.mark.statistical
@pytest.mark.parametrize("noise", NOISES)
def test_noise_alone_passes_the_limit_in_one_plan_of_five(noise):
    """4,000 plans of 50 atoms: the standard error is 0.006."""
    largest = drawn(noise, (4000, 50), seeded(1)).max(axis=1)
    assert (largest > novelty_limit(noise, 50)).mean() == pytest.approx(0.2, abs=0.025)
