"""Settings agree, are open or are against a claim, by intervals that hold together."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin_lab.results.claims.claim import Claim, judge
from dpspin_lab.results.estimate import Correlation, Estimate, less, measured, times
from dpspin_lab.results.evaluation_tables import Results
from dpspin_lab.results.evidence import Beyond, Stand
from dpspin_lab.results.page import otherwise
from dpspin_lab.results.verdict import (
    Cell,
    Verdict,
    above,
    above_on_average,
    at_least,
    at_least_on_average,
    at_most,
    both,
    decided,
    ever,
    falling,
    never,
    not_below_on_average,
    rising,
    some,
    weighed,
    within,
)

FOR, OPEN, AGAINST = Stand.FOR, Stand.OPEN, Stand.AGAINST


def figure(mean: float, error: float = 0.01) -> Estimate:
    return Estimate(mean, error, 20)


def stand_of(cell: Cell) -> Stand:
    return weighed([cell])[0].stand


@pytest.mark.parametrize(("mean", "stand"), [(0.95, FOR), (0.92, OPEN), (0.88, OPEN), (0.85, AGAINST)])
def test_a_bound_is_met_or_missed_only_beyond_the_interval(mean: float, stand: Stand):
    assert stand_of(at_least("", "", figure(mean), 0.9)) is stand
    assert stand_of(at_most("", "", figure(-mean), -0.9)) is stand


@pytest.mark.parametrize(("high", "stand"), [(0.6, FOR), (0.53, OPEN), (0.47, OPEN), (0.4, AGAINST)])
def test_a_difference_counts_beyond_its_interval(high: float, stand: Stand):
    assert stand_of(above("", "", figure(high), figure(0.5))) is stand


@pytest.mark.parametrize(("high", "stand"), [(0.5, FOR), (0.46, OPEN), (0.38, AGAINST)])
def test_no_loss_is_shown_by_excluding_the_margin(high: float, stand: Stand):
    assert stand_of(not_below_on_average("", "", [(figure(high), figure(0.5))], 0.05)) is stand


def test_few_runs_do_not_show_that_nothing_is_lost():
    assert stand_of(not_below_on_average("", "", [(figure(0.5, 0.05), figure(0.5, 0.05))], 0.05)) is OPEN


def test_an_average_is_vetoed_by_a_single_clear_loss():
    good, bad = (figure(0.9), figure(0.5)), (figure(0.5), figure(0.7))

    assert stand_of(above_on_average("", "", [good] * 5)) is FOR
    assert stand_of(above_on_average("", "", [*[good] * 5, bad])) is AGAINST
    assert stand_of(not_below_on_average("", "", [good] * 5, 0.05)) is FOR
    assert stand_of(not_below_on_average("", "", [*[good] * 5, bad], 0.05)) is AGAINST
    assert stand_of(at_least_on_average("", "", [figure(0.99)] * 5, 0.9)) is FOR
    assert stand_of(at_least_on_average("", "", [*[figure(0.99)] * 5, figure(0.7)], 0.9)) is AGAINST


def test_an_average_tells_what_a_single_budget_leaves_open():
    pair = (figure(0.9, 0.015), figure(0.9, 0.015))

    assert stand_of(not_below_on_average("", "", [pair], 0.05)) is OPEN
    assert stand_of(not_below_on_average("", "", [pair] * 6, 0.05)) is FOR


@pytest.mark.parametrize(
    ("means", "stand"),
    [((0.1, 0.5, 0.9), FOR), ((0.5, 0.5, 0.51), OPEN), ((0.1, 0.9, 0.5), AGAINST), ((0.9, 0.5, 0.1), AGAINST)],
)
def test_a_trend_needs_a_clear_gain_and_no_clear_step_back(means: tuple[float, ...], stand: Stand):
    assert stand_of(rising("", "", [figure(mean) for mean in means])) is stand
    assert stand_of(falling("", "", [figure(-mean) for mean in means])) is stand


@pytest.mark.parametrize(("other", "stand"), [(1.0, FOR), (1.22, OPEN), (1.4, AGAINST), (0.6, AGAINST)])
def test_the_same_size_is_shown_up_to_a_part_of_it(other: float, stand: Stand):
    assert stand_of(within("", "", figure(1.0), figure(other), 0.25)) is stand


@pytest.mark.parametrize(
    ("runs", "exceptions", "stand"), [(2000, False, FOR), (50, False, OPEN), (2000, True, AGAINST)]
)
def test_never_falls_with_one_exception_and_needs_many_runs(runs: int, *, exceptions: bool, stand: Stand):
    assert stand_of(never("", "", runs, exceptions=exceptions)) is stand


@pytest.mark.parametrize(
    ("means", "stand"), [((0.2, 0.95), FOR), ((0.2, 0.9), OPEN), ((0.2, 0.3), AGAINST), ((0.9, 0.9), OPEN)]
)
def test_some_setting_is_enough_and_all_must_fail(means: tuple[float, ...], stand: Stand):
    assert stand_of(some("", [at_least("", f"at {mean}", figure(mean), 0.9) for mean in means])) is stand


def test_the_setting_that_stands_best_is_shown():
    (shown,) = weighed(
        [some("cfpb", [at_least("", "first", figure(0.2), 0.9), at_least("", "last", figure(0.99), 0.9)])]
    )

    assert (shown.where, shown.figures) == ("best of 2: last", "0.990 ± 0.010")


def test_verdicts_that_hang_on_the_level_are_named():
    claim = Claim("level", "", "", lambda _: [at_least("", "", figure(0.93), 0.9)])
    here, elsewhere = judge(claim, Results()), judge(claim, Results(), 0.9999)

    assert list(otherwise("P", [here], [here])) == []
    assert list(otherwise("P", [here], [elsewhere])) == ["P1 “undecided: no setting is clear”"]


def test_two_things_of_a_setting_must_both_be_true():
    met, missed = at_least("", "", figure(0.99), 0.9), at_least("", "", figure(0.5), 0.9)

    assert [stand_of(both(met, other)) for other in (met, missed)] == [FOR, AGAINST]


@pytest.mark.parametrize(("settings", "stand"), [(50, AGAINST), (10, OPEN)])
def test_a_correlation_has_an_interval_too(settings: int, stand: Stand):
    assert stand_of(at_least("", "", Correlation(0.3, settings, 20), 0.8)) is stand


def test_more_comparisons_make_every_interval_wider():
    clear = above("", "", figure(0.55), figure(0.5))

    assert stand_of(clear) is FOR
    assert {setting.stand for setting in weighed([clear] * 100)} == {OPEN}
    assert {setting.stand for setting in weighed([clear, some("", [clear] * 100)])} == {OPEN}


@pytest.mark.parametrize(
    ("stands", "needed", "verdict"),
    [
        ([FOR, FOR], 1.0, Verdict.HOLDS),
        ([FOR, OPEN, OPEN], 1.0, Verdict.PARTLY),
        ([OPEN], 1.0, Verdict.UNDECIDED),
        ([OPEN], 0.9, Verdict.UNDECIDED),
        ([FOR] * 9 + [AGAINST], 1.0, Verdict.FAILS),
        ([FOR] * 9 + [AGAINST], 0.9, Verdict.HOLDS),
        ([FOR] * 8 + [AGAINST] * 2, 0.9, Verdict.FAILS),
        ([], 1.0, Verdict.UNTESTED),
    ],
)
def test_settings_decide_together(stands: list[Stand], needed: float, verdict: Verdict):
    assert decided(stands, needed) is verdict


def test_where_the_spread_is_unknown_no_difference_is_clear():
    high, low = (measured({"j_tok": mean, "runs": 20}, "j_tok") for mean in (0.9, 0.1))

    assert high is not None
    assert low is not None
    for cell in (above("", "", high, low), rising("", "", [low, high]), within("", "", low, high, 0.25)):
        assert stand_of(cell) is OPEN
        assert weighed([cell])[0].told.startswith("anything")


def test_one_run_shows_nothing():
    assert measured({"error_l2": 0.9, "runs": 1}, "error_l2") == Estimate(0.9, inf, 1)
    assert stand_of(at_least("", "", Estimate(0.9, inf, 1), 0.1)) is OPEN


@pytest.mark.parametrize(("high", "low"), [(0.58, 0.28), (0.95, 0.05), (0.5, 0.5)])
def test_no_interval_goes_beyond_what_a_likeness_can_be(high: float, low: float):
    both_ = [measured({"j_tok": mean, "j_tok_sd": 0.1, "runs": 2}, "j_tok") for mean in (high, low)]
    first, second = (each for each in both_ if each is not None)

    assert weighed([at_least("", "", first, 0.5)])[0].told == "anything from 0 to 1, bound 0.5"
    assert weighed([above("", "", first, second)])[0].told == "anything from -1 to 1, bound 0"
    assert weighed([above("", "", times(first, 2.0), second)])[0].told == "anything from -1 to 2, bound 0"


@pytest.mark.parametrize(
    ("column", "mean", "told"),
    [
        ("coverage", 4.5, "anything from 1 to 5"),
        ("privacy_safety", 2.0, "anything from 1 to 5"),
        ("truth_tv", 0.3, "anything from 0 to 1"),
        ("labels_tv", 0.3, "anything from 0 to 1"),
        ("truth_tv_mapping", 0.3, "anything from 0 to 1"),
        ("truth_tv_noise", -0.1, "anything from -1 to 1"),
        ("error_l2", 0.3, "anything"),
    ],
)
def test_no_interval_goes_beyond_what_a_score_or_a_distance_can_be(column: str, mean: float, told: str):
    figure = measured({column: mean, "runs": 1}, column)

    assert figure is not None
    assert weighed([at_least("", "", figure, 0.5)])[0].told == f"{told}, bound 0.5"


def test_what_is_cut_off_is_the_sum_and_not_its_terms():
    """The squares of reaches that were cut off before would exclude a difference of -1, which nothing here excludes."""
    first, second = (Estimate(mean, 0.1, 2, span=(0.0, 1.0)) for mean in (0.6, 0.3))

    assert less(first, second).interval(0.005) == (-1.0, 1.0)


@pytest.mark.parametrize(("mean", "runs"), [(0.9, 2), (0.6, 2), (0.55, 3), (0.52, 20)])
def test_the_number_of_runs_that_would_decide_is_the_smallest_that_does(mean: float, runs: int):
    tried = Beyond(less(Estimate(mean, 0.05, runs), Estimate(0.5, 0.05, runs)), 0.0, strict=True)
    needed = tried.runs_needed(0.005)
    assert needed is not None
    spread = 0.05 * runs**0.5

    def stand(count: int) -> Stand:
        parts = (Estimate(each, spread / count**0.5, count) for each in (mean, 0.5))
        return Beyond(less(*parts), 0.0, strict=True).weigh(0.005).stand

    assert (stand(needed - 1), stand(needed)) == (OPEN, FOR)


def test_what_no_number_of_runs_would_decide_has_none():
    same = less(Estimate(0.5, 0.05, 4), Estimate(0.5, 0.05, 4))

    assert Beyond(same, 0.0, strict=True).runs_needed(0.005) is None
    assert Beyond(Correlation(0.3, 10, 20), 0.8).runs_needed(0.005) is None


def test_only_an_undecided_claim_says_how_many_runs_it_lacks():
    def claim(mean: float) -> Claim:
        return Claim("few", "", "", lambda _: [above("", "", Estimate(mean, 0.01, 3), Estimate(0.5, 0.01, 3))])

    assert [len(judge(claim(mean), Results()).needed) for mean in (0.52, 0.99)] == [1, 0]


@pytest.mark.parametrize(
    ("runs", "seen", "stand"), [(2000, 0, AGAINST), (50, 0, OPEN), (2000, 1, FOR), (1, 1, FOR), (1, 0, OPEN)]
)
def test_one_run_shows_that_something_can_be_and_many_without_it_that_it_is_rare(runs: int, seen: int, stand: Stand):
    assert stand_of(ever("", "", runs, seen=seen)) is stand


def test_themes_and_yes_or_no_are_counted_and_other_figures_are_not():
    row = {"runs": 20, "L": 10, "overlap": 1.0, "probe_admission": 1.0, "j_tok": 1.0}
    trials = [each.trials for name in ("overlap", "probe_admission", "j_tok") if (each := measured(row, name))]

    assert trials == [200, 20, None]


@given(st.lists(st.sampled_from(Stand), max_size=12))
def test_one_setting_against_a_claim_brings_it_down(stands: list[Stand]):
    assert (decided(stands) is Verdict.FAILS) == (AGAINST in stands)
