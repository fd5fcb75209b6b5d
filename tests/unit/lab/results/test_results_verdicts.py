"""Settings agree, are open or are against a claim, by their standard errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.lab.results.estimate import Estimate, measured
from dpspin.lab.results.verdict import (
    Cell,
    Stand,
    Verdict,
    above,
    at_least,
    at_most,
    decided,
    falling,
    not_below,
    rising,
    steady,
)

FOR, OPEN, AGAINST = Stand.FOR, Stand.OPEN, Stand.AGAINST


def figure(mean: float, error: float = 0.01) -> Estimate:
    return Estimate(mean, error, 20)


def cells(*stands: Stand) -> list[Cell]:
    return [Cell("cfpb, record", "", "", 20, 0.0, stand) for stand in stands]


@pytest.mark.parametrize(("mean", "stand"), [(0.9, FOR), (0.88, OPEN), (0.85, AGAINST)])
def test_a_bound_is_missed_only_beyond_the_margin_of_error(mean: float, stand: Stand):
    assert at_least("", "", figure(mean), 0.9).stand is stand
    assert at_most("", "", figure(-mean), -0.9).stand is stand


@pytest.mark.parametrize(("high", "stand"), [(0.6, FOR), (0.55, OPEN), (0.45, OPEN), (0.4, AGAINST)])
def test_a_difference_counts_beyond_the_margin_of_error(high: float, stand: Stand):
    assert above("", "", figure(high), figure(0.5)).stand is stand


@pytest.mark.parametrize(("high", "stand"), [(0.5, FOR), (0.45, OPEN), (0.4, AGAINST)])
def test_equal_figures_agree_where_nothing_more_is_claimed(high: float, stand: Stand):
    assert not_below("", "", figure(high), figure(0.5)).stand is stand


@pytest.mark.parametrize(
    ("means", "stand"),
    [((0.1, 0.5, 0.9), FOR), ((0.5, 0.5, 0.51), OPEN), ((0.1, 0.9, 0.5), AGAINST), ((0.9, 0.5, 0.1), AGAINST)],
)
def test_a_trend_needs_a_clear_gain_and_no_clear_step_back(means: tuple[float, ...], stand: Stand):
    assert rising("", "", [figure(mean) for mean in means]).stand is stand
    assert falling("", "", [figure(-mean) for mean in means]).stand is stand


@pytest.mark.parametrize(("means", "stand"), [((0.5, 0.52, 0.48), FOR), ((0.5, 0.8, 0.5), AGAINST)])
def test_steady_figures_do_not_differ_clearly(means: tuple[float, ...], stand: Stand):
    assert steady("", "", [figure(mean) for mean in means]).stand is stand


@pytest.mark.parametrize(
    ("stands", "needed", "verdict"),
    [
        ([FOR, FOR, OPEN], 1.0, Verdict.HOLDS),
        ([FOR, OPEN, OPEN], 1.0, Verdict.UNTESTED),
        ([OPEN], 1.0, Verdict.UNTESTED),
        ([FOR] * 9 + [AGAINST], 1.0, Verdict.FAILS),
        ([FOR] * 9 + [AGAINST], 0.9, Verdict.HOLDS),
        ([FOR] * 8 + [AGAINST] * 2, 0.9, Verdict.FAILS),
        ([], 1.0, Verdict.UNTESTED),
    ],
)
def test_settings_decide_together(stands: list[Stand], needed: float, verdict: Verdict):
    assert decided(cells(*stands), needed) is verdict


def test_where_the_spread_is_unknown_no_difference_is_clear():
    high, low = (measured({"overlap": mean, "runs": 20}, "overlap") for mean in (0.9, 0.1))

    assert high is not None
    assert low is not None
    assert above("", "", high, low).stand is OPEN
    assert rising("", "", [low, high]).stand is OPEN
    assert steady("", "", [low, high]).stand is OPEN


@pytest.mark.parametrize(("agreeing", "verdict"), [(18, Verdict.UNTESTED), (19, Verdict.HOLDS)])
def test_too_many_open_settings_that_lean_the_other_way_leave_a_claim_undecided(agreeing: int, verdict: Verdict):
    leaning = Cell("cfpb, record", "", "", 20, -0.1, OPEN)

    assert decided([*cells(*[FOR] * agreeing), leaning]) is verdict


@given(st.lists(st.sampled_from(Stand), max_size=12))
def test_one_setting_against_a_claim_brings_it_down(stands: list[Stand]):
    assert (decided(cells(*stands)) is Verdict.FAILS) == (AGAINST in stands)
