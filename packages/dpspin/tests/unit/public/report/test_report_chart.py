"""The chart holds areas, themes and their bands on one axis; coverage is stated only where the noise allows it."""

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.certify import SupportBin
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.chart import MOST_LANES, chart_of
from dpspin.public.report.how_sure import coverage
from dpspin.public.report.page import reaches_into
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of, universe_of

WORDS = universe_of([Atom(id=i, label=f"theme {i}") for i in range(6)])


def chart(masses, atoms=PAPER_UNIVERSE, **options):
    return chart_of(Facts(plan_of(atoms, masses, **options), atoms))


PAPER_CHART = chart_of(Facts(PAPER_PLAN, PAPER_UNIVERSE))
GROUPED = universe_of(
    [Atom(id=i, label=f"theme {i}", parent=area) for i, area in enumerate(["small", "large", "large", "silent", None])]
)


def test_the_axis_begins_at_zero_and_holds_every_bar():
    assert [tick.text for tick in PAPER_CHART.ticks] == ["0%", "5%", "10%", "15%", "20%"]
    assert [tick.at for tick in PAPER_CHART.ticks] == [0, 25, 50, 75, 100]
    assert all(lane.noise.start <= lane.end <= lane.noise.end <= 100 for lane in PAPER_CHART.lanes)


def test_a_bar_ends_where_its_share_lies_on_the_axis():
    full = float(PAPER_CHART.ticks[-1].text.rstrip("%"))
    for lane, entry in zip(PAPER_CHART.lanes, PAPER_PLAN.entries, strict=True):
        assert lane.end == pytest.approx(100 * 100 * entry.support / full, abs=0.001)


def test_themes_stand_under_their_areas_and_areas_in_the_order_of_their_sums():
    drawn = chart([100.0, 80.0, 70.0, 2.0, 60.0], GROUPED, size=4)
    assert [(group.area and group.area.name, [lane.name for lane in group.themes]) for group in drawn.groups] == [
        ("large", ["theme 1", "theme 2"]),
        ("small", ["theme 0"]),
        ("silent", []),
        (None, ["theme 4"]),
    ]
    assert drawn.groups[0].area.share == "7.5%"  # 150 of 2,000, listed or not


def test_an_area_counts_its_themes_that_are_not_listed():
    drawn = chart([100.0, 80.0, 70.0, 2.0, 60.0], GROUPED, size=2)
    area = next(group.area for group in drawn.groups if group.area and group.area.name == "large")
    assert area.share == "7.5%"


def test_without_a_full_sketch_themes_stand_alone():
    plan = plan_of(GROUPED, [100.0, 80.0, 70.0, 2.0, 60.0], size=4).model_copy(update={"noisy_sketch": None})
    (group,) = chart_of(Facts(plan, GROUPED)).groups
    assert group.area is None
    assert [lane.name for lane in group.themes] == ["theme 0", "theme 1", "theme 2", "theme 4"]


def test_areas_without_a_listed_theme_are_drawn_while_there_is_room():
    many = universe_of([Atom(id=i, label=f"theme {i}", parent=f"area {i}") for i in range(40)])
    drawn = chart([100.0] * 40, many, size=3)
    assert len(list(drawn.lanes)) == MOST_LANES
    assert drawn.undrawn == 40 - 3 - (MOST_LANES - 6)


def test_an_empty_plan_still_has_an_axis_and_what_is_beside_the_themes():
    drawn = chart([0.0, 0.0, 0.0, 0.0], none=300.0)
    assert drawn.groups == ()
    assert [(lane.name, lane.share) for lane in drawn.beside] == [("none of these", "15.0%")]
    assert chart([0.0, 0.0, 0.0, 0.0]).ticks[0].text == "0%"


def test_without_a_full_sketch_coverage_is_unknown():
    plan = plan_of(WORDS, [500.0, 400.0, 300.0, 200.0, 1.0, -2.0], size=2).model_copy(update={"noisy_sketch": None})
    assert coverage(plan) is None


@pytest.mark.parametrize(
    ("denominator", "ticks", "first"),
    [
        (1, ["0%", "20,000%", "40,000%"], "31,840%"),
        (500, ["0%", "20%", "40%", "60%", "80%"], "63.7%"),
        (10_000, ["0%", "1%", "2%", "3%", "4%"], "3.18%"),
        (5_000_000, ["0%", "0.002%", "0.004%", "0.006%", "0.008%"], "0.0064%"),
        (10**9, ["0%", "0.00002%", "0.00004%"], "0.0000318%"),
    ],
)
def test_axis_and_values_fit_the_denominator(denominator, ticks, first):
    plan = plan_of(PAPER_UNIVERSE, [318.4, 271.9, 244.7, 1.3], denominator=denominator)
    drawn = chart_of(Facts(plan, PAPER_UNIVERSE))
    assert [tick.text for tick in drawn.ticks] == ticks
    assert next(drawn.lanes).share == first


def test_very_long_ticks_leave_only_the_ends_of_the_axis():
    drawn = chart([1.2e7, 0.0, 0.0, 0.0], denominator=7)
    assert [tick.text for tick in drawn.ticks] == ["0%", "200,000,000%"]


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
