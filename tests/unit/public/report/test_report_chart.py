"""The chart holds every interval, and the gaps name a reason for every theme that is not shown."""

from itertools import pairwise

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.plan import SupportBin
from dpspin.public.report.chart import chart_of
from dpspin.public.report.gaps import coverage, left_out
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
