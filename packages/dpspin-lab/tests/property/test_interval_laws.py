"""Intervals of the results page cover as often as they say, and the three-way rule is the same in both directions."""

from math import comb, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin_lab.results.estimate import Estimate, less, mean_of, of_share, times
from dpspin_lab.results.evidence import Beyond, Every, Some, Stand

OPPOSITE = {Stand.FOR: Stand.AGAINST, Stand.AGAINST: Stand.FOR, Stand.OPEN: Stand.OPEN}
RUNS, THEMES, DRAWS = 20, 10, 4000

means = st.floats(-5, 5)
bounds = st.floats(-5, 5)
errors = st.floats(1e-3, 1)
tails = st.sampled_from([0.025, 0.005, 1e-4])
estimates = st.builds(Estimate, means, errors, st.integers(2, 50))
comparisons = st.builds(Beyond, estimates, bounds, st.booleans(), st.booleans())


@pytest.mark.parametrize("trials", [1, 5, 20, 60])
@pytest.mark.parametrize("tail", [0.025, 0.005, 1e-4])
def test_shares_are_covered_at_every_rate_by_exact_computation(trials: int, tail: float):
    ends = [of_share(yes / trials, trials, tail) for yes in range(trials + 1)]
    for rate in np.linspace(0.001, 0.999, 199):
        chances = [comb(trials, yes) * rate**yes * (1 - rate) ** (trials - yes) for yes in range(trials + 1)]
        too_high = sum(chance for chance, (low, _) in zip(chances, ends, strict=True) if rate < low)
        too_low = sum(chance for chance, (_, high) in zip(chances, ends, strict=True) if rate > high)
        assert max(too_high, too_low) <= tail * (1 + 1e-6)


@given(st.integers(1, 500), tails)
def test_no_exception_leaves_the_rate_at_which_that_is_just_unlikely_enough(trials: int, tail: float):
    limit = of_share(0.0, trials, tail)[1]

    assert (1 - limit) ** trials == pytest.approx(tail)
    assert of_share(1.0, trials, tail) == (pytest.approx(1 - limit), 1.0)


def _overlaps(seed: int, rate: float, spread: float = 0.0) -> list[Estimate]:
    """Draw evaluations of twenty runs; runs differ in their own rate where there is a spread."""
    rng = np.random.default_rng(seed)  # noqa: TID251 - a simulation of the lab
    rates = rng.beta(rate / spread, (1 - rate) / spread, (DRAWS, RUNS)) if spread else np.full((DRAWS, RUNS), rate)
    found = rng.binomial(THEMES, rates) / THEMES
    errors_ = found.std(axis=1, ddof=1) / RUNS**0.5
    pairs = zip(found.mean(axis=1), errors_, strict=True)
    return [Estimate(float(mean), float(error), RUNS, RUNS * THEMES) for mean, error in pairs]


@pytest.mark.parametrize("rate", [0.5, 0.9, 0.98, 0.998])
@pytest.mark.parametrize("spread", [0.0, 0.02])  # 0.02: a variance of 1.2 times the binomial one, more than is observed
def test_overlaps_are_covered_also_where_runs_hardly_differ(rate: float, spread: float):
    drawn = _overlaps(6, rate, spread)
    missed = sum(not low <= rate <= high for low, high in (each.interval(0.005) for each in drawn))

    assert missed / DRAWS <= 0.01 + 3 * (0.01 * 0.99 / DRAWS) ** 0.5


@pytest.mark.parametrize(("high", "low"), [(0.9, 0.9), (0.99, 0.9), (0.999, 0.999), (0.6, 0.3)])
def test_differences_of_overlaps_are_covered(high: float, low: float):
    pairs = zip(_overlaps(7, high), _overlaps(8, low), strict=True)
    ends = [less(one, other).interval(0.005) for one, other in pairs]
    missed = sum(not start <= high - low <= end for start, end in ends)

    assert missed / DRAWS <= 0.01 + 3 * (0.01 * 0.99 / DRAWS) ** 0.5


def test_means_over_budgets_are_covered():
    rates = (0.4, 0.8, 0.95, 0.99)
    drawn = [_overlaps(seed, rate) for seed, rate in enumerate(rates)]
    truth = sum(rates) / len(rates)
    ends = [mean_of(each).interval(0.005) for each in zip(*drawn, strict=True)]

    assert sum(not low <= truth <= high for low, high in ends) / DRAWS <= 0.015


@given(estimates, bounds, tails, st.booleans())
def test_what_is_for_a_statement_is_against_its_opposite(figure: Estimate, bound: float, tail: float, strict: bool):
    one = Beyond(figure, bound, upwards=True, strict=strict).weigh(tail)
    opposite = Beyond(figure, bound, upwards=False, strict=not strict).weigh(tail)

    assert opposite.stand is OPPOSITE[one.stand]


@given(estimates, bounds, tails, st.booleans())
def test_up_and_down_are_judged_alike(figure: Estimate, bound: float, tail: float, strict: bool):
    up = Beyond(figure, bound, upwards=True, strict=strict).weigh(tail)
    down = Beyond(times(figure, -1.0), -bound, upwards=False, strict=strict).weigh(tail)

    assert (down.stand, down.slack) == (up.stand, pytest.approx(up.slack))


@given(st.lists(comparisons, min_size=1, max_size=5), tails)
def test_not_some_is_all_not(parts: list[Beyond], tail: float):
    opposites = [Beyond(part.figure, part.bound, upwards=not part.upwards, strict=not part.strict) for part in parts]

    assert Every(opposites).weigh(tail).stand is OPPOSITE[Some(parts).weigh(tail).stand]


@given(comparisons, st.sampled_from([2, 10, 1000]))
def test_a_stricter_level_never_turns_a_stand_around(comparison: Beyond, factor: int):
    loose, tight = comparison.weigh(0.025).stand, comparison.weigh(0.025 / factor).stand

    assert tight in {loose, Stand.OPEN}


@given(estimates, estimates, tails)
def test_a_difference_is_no_wider_than_both_together(one: Estimate, other: Estimate, tail: float):
    (low, high), (start, end), (down, up) = (each.interval(tail) for each in (one, other, less(one, other)))

    assert low - end - 1e-9 <= down <= up <= high - start + 1e-9
    assert less(one, Estimate(0.0, inf, 1)).interval(tail) == (-inf, inf)
