"""The chart holds every interval, and the gaps name a reason for every theme that is not shown."""

from itertools import pairwise

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.plan import SupportBin
from dpspin.public.report.bins import reaches_into
from dpspin.public.report.chart import chart_of
from dpspin.public.report.gaps import coverage, left_out
from dpspin.public.report.scale import scale_of
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of

WORDS = universe_of([Atom(id=i, label=f"theme {i}") for i in range(6)])


def test_the_axis_begins_at_zero_and_holds_every_interval():
    chart = chart_of(PAPER_PLAN)
    assert [tick.text for tick in chart.ticks] == ["0%", "5%", "10%", "15%", "20%"]
    assert [tick.at for tick in chart.ticks] == [0, 25, 50, 75, 100]
    assert all(bar.low <= bar.support <= bar.high <= 100 for bar in chart.bars)


def test_a_bar_ends_where_its_support_lies_on_the_axis():
    chart = chart_of(PAPER_PLAN)
    full = float(chart.ticks[-1].text.rstrip("%"))
    for bar, entry in zip(chart.bars, PAPER_PLAN.entries, strict=True):
        assert bar.support == pytest.approx(100 * 100 * entry.support / full, abs=0.001)


def test_bands_meet_and_fill_the_axis():
    bands = chart_of(PAPER_PLAN).bands
    assert bands[0].start == 0
    assert bands[-1].start + bands[-1].width == pytest.approx(100)
    for left, right in pairwise(bands):
        assert left.start + left.width == pytest.approx(right.start)


def test_a_bin_beyond_the_axis_has_no_band():
    bins = (SupportBin(name="huge", at_least=0.9), SupportBin(name="usual", at_least=0.0))
    plan = plan_of(PAPER_UNIVERSE, [318.4, 271.9, 244.7, 1.3], bins=bins)
    assert [band.name for band in chart_of(plan).bands] == ["usual"]


def test_an_empty_plan_still_has_an_axis_up_to_its_detection_limit():
    chart = chart_of(plan_of(PAPER_UNIVERSE, [0.0, 0.0, 0.0, 0.0]))
    assert chart.bars == ()
    assert 0 < chart.detection_limit <= 100


def test_themes_are_left_out_for_the_noise_or_for_the_size():
    plan = plan_of(WORDS, [500.0, 400.0, 300.0, 200.0, 1.0, -2.0], size=2)
    noise, size = left_out(plan, WORDS)
    assert (noise.count, noise.names) == (2, ("theme 4", "theme 5"))
    assert (size.count, size.names) == (2, ("theme 2", "theme 3"))
    assert "the 2 largest" in size.reason


def test_without_a_full_sketch_the_rest_was_not_chosen_and_coverage_is_unknown():
    plan = plan_of(WORDS, [500.0, 400.0, 300.0, 200.0, 1.0, -2.0], size=2).model_copy(update={"noisy_sketch": None})
    (group,) = left_out(plan, WORDS)
    assert (group.count, len(group.names)) == (4, 4)
    assert left_out(plan, None)[0].names == ()
    assert coverage(plan) is None


def test_nothing_is_left_out_when_all_themes_are_listed():
    assert left_out(plan_of(WORDS, [500.0, 400.0, 300.0, 200.0, 100.0, 90.0]), WORDS) == ()


@pytest.mark.parametrize(
    ("denominator", "ticks", "first"),
    [
        (1, ["0%", "20,000%", "40,000%"], "31,840%"),
        (500, ["0%", "20%", "40%", "60%", "80%"], "63.7%"),
        (10_000, ["0%", "1%", "2%", "3%", "4%"], "3.18%"),
        (5_000_000, ["0", "20", "40", "60", "80"], "63.7"),
        (10**9, ["0", "0.1", "0.2", "0.3", "0.4"], "0.318"),
    ],
)
def test_axis_and_values_share_one_unit_that_fits_the_denominator(denominator, ticks, first):
    plan = plan_of(PAPER_UNIVERSE, [318.4, 271.9, 244.7, 1.3], denominator=denominator)
    assert [tick.text for tick in chart_of(plan).ticks] == ticks
    assert scale_of(plan).text(plan.entries[0].support) == first


def test_very_long_ticks_leave_only_the_ends_of_the_axis():
    plan = plan_of(PAPER_UNIVERSE, [1.2e7, 0.0, 0.0, 0.0], denominator=7)
    assert [tick.text for tick in chart_of(plan).ticks] == ["0%", "200,000,000%"]


def test_an_interval_across_a_floor_reaches_into_the_bins_on_its_way():
    bins = tuple(SupportBin(name=name, at_least=floor) for name, floor in [("a", 0.16), ("b", 0.159), ("c", 0.0)])
    plan = plan_of(PAPER_UNIVERSE, [318.4, 320.1, 500.0, 100.0], bins=bins)
    reached = {entry.atom_id: (entry.bin, reaches_into(entry, plan)) for entry in plan.entries}
    assert reached == {17: ("b", ("a", "c")), 42: ("a", ("b", "c")), 81: ("a", ()), 99: ("c", ())}


@pytest.mark.parametrize("masses", [[-60.0, -90.0, 1.0, -3.0], [0.3, -1.0, 2.0, 1.0], [2.0, 2.0, 1.0, 0.6]])
def test_a_total_that_the_noise_may_account_for_is_no_estimate(masses):
    """The noise of four Laplace values at epsilon 1 has a standard deviation of 2.83; twice that is 5.66."""
    assert coverage(plan_of(PAPER_UNIVERSE, masses)).share is None


def test_a_total_beyond_two_standard_deviations_is_an_estimate():
    assert coverage(plan_of(PAPER_UNIVERSE, [2.0, 2.0, 1.0, 0.7])).share == "0.3%"
