"""Plans of a series beside each other: which ones stand together, which pairs are compared, and since when."""

from decimal import Decimal

import pytest

from dpspin.boundary.comparison import certified_changes
from dpspin.boundary.series_changes import PlansInTime, place_of
from dpspin.boundary.series_levels import areas_in, areas_of, counted_part, levels_of
from dpspin.errors import DpSpinError, PlanError
from series_plans import MONTHS, SHOP_SERIES, TERMS, WEEKS, PeriodFacet, series_of, series_plan, terms_of
from shop_plans import CLEAR, SHOP

USUAL = [1768.0, 1200.0, 640.0, 632.0, 360.0, 240.0, -16.0]
OTHER = [mass + 1 for mass in USUAL]


def plan(period, masses=USUAL, **changes):
    return series_plan(SHOP, masses, period, **changes)


REFUSED = {
    "out of order": (plan("2026-02"), plan("2026-01", OTHER)),
    "a period twice": (plan("2026-01"), plan("2026-01", OTHER)),
    "the same noise": (plan("2026-01"), plan("2026-02")),
    "the same noise later": (plan("2026-01"), plan("2026-02", OTHER), plan("2026-03", OTHER)),
    "another calendar": (plan("2026-01"), plan("2026-W07", OTHER, terms=terms_of(WEEKS))),
    "another time zone": (
        plan("2026-01"),
        plan("2026-02", OTHER, terms=terms_of(MONTHS.model_copy(update={"zone": "Asia/Tokyo"}))),
    ),
    "another bound": (plan("2026-01"), plan("2026-02", OTHER, terms=terms_of(MONTHS, lifetime_bound=8.0))),
    "another part of a user": (plan("2026-01"), plan("2026-02", OTHER, terms=terms_of(MONTHS, per_period_bound=2.0))),
    "another rule for late records": (plan("2026-01"), plan("2026-02", OTHER, terms=terms_of(MONTHS, late="next"))),
    "another denominator": (plan("2026-01"), plan("2026-02", OTHER, denominator=5000)),
    "no series": (CLEAR,),
}


@pytest.mark.parametrize("name", REFUSED)
def test_plans_that_are_not_of_one_series_in_its_order_are_refused(name):
    with pytest.raises(DpSpinError):
        PlansInTime(REFUSED[name])


def test_a_plan_that_stands_for_itself_has_no_place():
    with pytest.raises(PlanError):
        place_of(CLEAR)


def test_each_period_is_compared_with_the_one_before_and_with_the_first():
    released = SHOP_SERIES.periods
    assert "2026-06" not in released
    assert SHOP_SERIES.steps["2026-07"].earlier == "2026-05"
    assert {step.earlier for step in SHOP_SERIES.from_first.values()} == {"2026-01"}
    assert SHOP_SERIES.step("2026-02", "2026-09") is None
    assert SHOP_SERIES.step("2026-01", "2026-02") == SHOP_SERIES.steps["2026-02"]
    assert SHOP_SERIES.pairs == 21


def test_the_calendar_of_a_renewed_series_goes_on_and_a_life_may_cost_another_epsilon():
    later = PeriodFacet(column="date", every="month", first="2026-07", last="2027-06")
    time = PlansInTime(
        (plan("2026-01"), plan("2026-08", OTHER, terms=terms_of(later, epsilon=1.0), life=2)),
    )
    assert (time.calendar[0], time.calendar[-1], len(time.calendar)) == ("2026-01", "2027-06", 18)
    _, changes = certified_changes(*time.released, time.beta / 33)
    assert time.steps["2026-08"].changes == changes


def test_since_when_starts_again_where_a_theme_came_back_to_its_first_share():
    rising = [[*USUAL[:3], 632.0 + step, *USUAL[4:6], place] for place, step in enumerate((0, 500, 0, 500, 510, 520))]
    time = series_of(SHOP, dict(zip(MONTHS.declared, rising, strict=False)))
    since = time.since(4)
    assert (since.direction, since.period) == ("up", "2026-04")
    assert since.least == min(step.ends(4)[0] for name, step in time.from_first.items() if name >= "2026-04")
    assert since.least > Decimal(5)
    assert time.since(1).direction == "down"  # its share of a larger total
    assert time.since(7) is None


def test_a_period_whose_total_is_noise_is_compared_with_nothing():
    lost = [2.0, -1.0, 3.0, 0.5, 0.0, 0.0, 1.0]
    time = series_of(SHOP, {"2026-01": USUAL, "2026-02": lost, "2026-03": OTHER, "2026-04": [*OTHER[:6], 0.0]})
    assert time.known == {"2026-01", "2026-03", "2026-04"}
    assert {*time.steps} == {"2026-04"}
    assert {*time.from_first} == {"2026-03", "2026-04"}


def test_chance_counts_a_user_as_what_one_period_takes_and_not_as_a_whole_life():
    months = {"2026-01": USUAL, "2026-02": OTHER}
    narrow, wide = (
        series_of(SHOP, months, terms=terms_of(MONTHS, per_period_bound=bound)).steps["2026-02"] for bound in (1.0, 4.0)
    )
    for theme, change in narrow.themes.items():
        assert wide.changes[theme].chance == pytest.approx(2 * change.chance)
        assert (wide.changes[theme].low, wide.changes[theme].high) == (change.low, change.high)


def test_an_area_is_known_better_than_the_sum_of_its_themes():
    one = SHOP_SERIES.released[0]
    levels, areas = levels_of(one, 0.01), areas_of(one, areas_in(SHOP), 0.01)
    for name, atoms in areas_in(SHOP).items():
        assert areas[name].value == pytest.approx(sum(max(0.0, levels[atom].value) for atom in atoms), abs=0.01)
        if len(atoms) > 1:
            assert areas[name].high - areas[name].low < sum(levels[atom].high - levels[atom].low for atom in atoms)


def test_what_was_counted_is_all_where_nobody_faded_and_unknown_where_the_noise_is_larger_than_what_was_wanted():
    total = sum(USUAL)
    full, half, lost = (counted_part(plan("2026-01", wanted=wanted), 0.05) for wanted in (total, 2 * total, 10.0))
    assert full.low < full.high == 1
    assert half.low < 0.5 < half.high < 0.6
    assert (lost.low, lost.high) == (0, 1)
    noise = TERMS.wanted_noise.upper_quantile(0.0125)
    assert half.low == pytest.approx(
        (total - plan("2026-01").statement.noise.sum_quantile(7, 0.0125)) / (2 * total + noise)
    )
