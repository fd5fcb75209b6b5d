"""Certified statements hold at least as often as they promise, on every shape; an order without a margin does not."""

import math

import numpy as np
import pytest

from dpspin.boundary.certify import comparison_margin, superlative_margin
from dpspin.boundary.noise_laws import LaplaceNoise
from dpspin_lab.studies.promise_coverage import MECHANISMS, coverage, coverage_table, misordered
from dpspin_lab.studies.simulated_releases import AUXILIARY, SHARES, drawn, seeded

STATEMENTS = ("admission", "intervals", "comparisons", "superlative", "leading_sets")
DRAWS = 4000
BETA = 0.2  # a large one, so that a constant that is too small shows with few draws


@pytest.mark.statistical
@pytest.mark.parametrize("shape", SHARES)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_coverage_is_at_least_nominal(mechanism, shape):
    """Three standard errors below 0.8: with a fixed seed it does not change from run to run."""
    found = coverage(mechanism, shape, 1.0, draws=DRAWS, beta=BETA)
    floor = 1 - BETA - 3 * math.sqrt(BETA * (1 - BETA) / DRAWS)
    assert all(getattr(found, statement) >= floor for statement in STATEMENTS)


@pytest.mark.statistical
def test_the_admission_threshold_is_no_larger_than_it_must_be():
    assert coverage("laplace", "empty", 1.0, draws=DRAWS, beta=BETA).admission < 1 - BETA + 0.03


@pytest.mark.statistical
def test_without_a_margin_orders_are_false():
    found = coverage("laplace", "amazon", 0.25, draws=DRAWS)
    assert found.zero_margin > 0.8
    assert found.told_apart > 0.5
    tied = coverage("laplace", "flat", 1.0, draws=100)
    assert (tied.zero_margin, tied.zero_margin_reversed) == (1.0, 0.0)


@pytest.mark.statistical
def test_two_equal_masses_are_where_the_margins_are_nearly_tight():
    """The margin that does not count ties would fail twice as often as beta; 40,000 draws, standard error 0.001."""
    noise = LaplaceNoise(scale=1.0)
    values = -np.sort(-drawn(noise, (40_000, 2), seeded(3)), axis=1)
    truth = np.zeros_like(values)
    failed = misordered(truth, values, comparison_margin(noise, 2, 0.05)).mean()
    assert 0.045 < failed < 0.055
    assert misordered(truth, values, comparison_margin(noise, 2, 0.1)).mean() > 0.09
    assert 0.035 < misordered(truth, values, superlative_margin(noise, 2, 0.05)).mean() <= 0.0515


def test_the_table_names_every_cell():
    rows = list(coverage_table(draws=2))
    assert (
        len({(row.mechanism, row.shape, row.epsilon) for row in rows}) == len(rows) == len(MECHANISMS) * 3 * len(SHARES)
    )


def test_the_papers_tables():
    assert (len(AUXILIARY["amazon"]), len(AUXILIARY["yelp"]), len(AUXILIARY["cfpb"])) == (46, 50, 200)
    assert all(shares.sum() == pytest.approx(1) for shares in AUXILIARY.values())
