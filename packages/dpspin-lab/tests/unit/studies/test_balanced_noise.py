"""Balanced noise: the laws of a release, with every stratum drawn once."""

import numpy as np
import pytest
from scipy import stats

from dpspin.boundary.privacy import Adjacency, RecordUnit, sensitivity_of
from dpspin_lab.studies.forecast_errors import BalancedNoise

RECORD = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
SCALE = 1e9
LAWS = {"laplace": stats.laplace(scale=SCALE), "gaussian": stats.norm(scale=SCALE)}


def drawn(law, seed, draws, values):
    """Draw all values of several releases of a sketch of zeros."""
    noise, zeros = BalancedNoise(seed, draws), np.zeros(values, np.int64)
    return np.concatenate([getattr(noise, law)(zeros, SCALE, RECORD, 1.0) for _ in range(draws // values)])


@pytest.mark.parametrize("law", LAWS)
def test_every_stratum_of_the_law_is_drawn_once(law):
    strata = np.floor(LAWS[law].cdf(np.sort(drawn(law, 3, 1000, 50))) * 1000)
    assert strata.tolist() == list(range(1000))


@pytest.mark.parametrize("law", LAWS)
def test_quantiles_in_the_tail_hardly_depend_on_the_seed(law):
    """Independent draws would leave 7 % here: 100 values lie beyond this quantile of 100,000."""
    found = [np.quantile(drawn(law, seed, 100_000, 100), 0.999) for seed in range(5)]
    assert found == pytest.approx([LAWS[law].ppf(0.999)] * 5, rel=0.003)


@pytest.mark.statistical
@pytest.mark.parametrize("law", LAWS)
def test_the_values_of_one_release_are_independent_draws_of_the_law(law):
    """One release of 400 values in 100,000: Kolmogorov-Smirnov at a false-alarm rate of 1e-4, and no serial order."""
    values = drawn(law, 5, 100_000, 400)[:400]
    assert stats.kstest(values, LAWS[law].cdf).pvalue > 1e-4
    assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 0.2


def test_the_values_come_on_top_and_a_seed_repeats_them():
    values = np.array([10, 20, 30]) * int(SCALE) * 1000
    first, second = (BalancedNoise(1, 6).laplace(values, SCALE, RECORD, 1.0) for _ in range(2))
    assert first == second
    assert all(abs(noisy - exact) < 100 * SCALE for noisy, exact in zip(first, values.tolist(), strict=True))


def test_more_draws_than_strata_begin_again():
    values = np.zeros(8, np.int64)
    signs = np.sign(BalancedNoise(2, 2).gaussian(values, SCALE, RECORD, 1.0))
    assert signs.sum() == 0
