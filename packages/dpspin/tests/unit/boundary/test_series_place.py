"""A plan of a series states the loss of a whole life, the noise that was used, and nothing that does not follow."""

import json

import pytest
from pydantic import ValidationError

from dpspin.boundary.accounting import cost_of
from dpspin.boundary.calibration import pure_rho
from dpspin.boundary.facets import PeriodFacet
from dpspin.boundary.mechanisms.laplace import laplace_rho
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import Adjacency, MissingUsers, PrivacyLoss, RecordUnit, UserUnit
from dpspin.boundary.read_plan import reading_of, reread
from dpspin.boundary.series import (
    SeriesIndex,
    SeriesPeriod,
    SeriesStep,
    SeriesTerms,
    require_in_series,
)
from dpspin.boundary.series_place import fading_of
from dpspin.errors import InputError, PlanError, RequestError
from period_plans import CALENDAR, IN_SERIES, TERMS, period
from shop_plans import CLEAR, SHOP

HALF = {"every": CALENDAR, "epsilon": 1.0, "lifetime_bound": 2.0, "per_period_bound": 0.5}


def test_the_noise_is_that_of_a_whole_life():
    plan = SemanticPlan.from_json(IN_SERIES.to_json())
    assert plan == IN_SERIES
    assert plan.schema_version == "6"
    assert plan.statement.loss == PrivacyLoss(4.0)
    assert plan.statement.noise.scale == pytest.approx(2.0 / 3.6)  # B_total over what fading leaves of epsilon
    assert plan.series.wanted_noise.scale == pytest.approx(6 * 1.0 / 0.4)  # W·b over the rest
    assert reread(plan, SHOP, reading_of(plan)) == plan


def test_bins_go_by_an_even_share_of_the_period_and_not_of_a_life():
    by_default = reading_of(IN_SERIES).model_copy(update={"bins": None})
    bins = reread(IN_SERIES, SHOP, by_default).rules.bins
    assert [each.at_least for each in bins] == [0.29, 0.14, 0.0]  # of seven themes


def test_a_plan_of_no_series_keeps_its_text():
    assert "series" not in json.loads(CLEAR.to_json())
    assert "series" not in json.loads(CLEAR.to_json())["statement"]


def test_a_life_is_charged_once_for_masses_and_fading_together():
    cost = cost_of(IN_SERIES.statement, 5, IN_SERIES.denominator)
    assert cost.loss == PrivacyLoss(4.0)
    assert cost.rho == pytest.approx(laplace_rho(3.6) + pure_rho(0.4))


def changed(change):
    told = json.loads(IN_SERIES.to_json())
    change(told)
    return json.dumps(told)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda told: told.pop("series"), "place in a series"),
        (lambda told: told["statement"].pop("series"), "place in a series"),
        (lambda told: told.update(schema_version="3"), "schema 6"),
        (lambda told: told["series"].update(period="2027-03"), "none of its calendar"),
        (lambda told: told["series"]["terms"].update(late="next"), "different terms"),
        (lambda told: told["series"]["wanted_noise"].update(scale=1.0), "what was wanted is too small"),
        (lambda told: told["statement"]["noise"].update(scale=0.5), "does not follow from what was released"),
        (lambda told: told["statement"]["loss"].update(epsilon=1.0), "those of a whole life"),
        (lambda told: told["statement"]["unit"].update(bound=1.0), "those of a whole life"),
        (lambda told: told["statement"].update(adjacency="replace"), "named users, under add/drop"),
        (lambda told: told["statement"]["unit"].update(missing="own_unit"), "named users, under add/drop"),
    ],
)
def test_what_does_not_follow_is_no_plan(change, why):
    with pytest.raises(PlanError, match=why):
        SemanticPlan.from_json(changed(change))


def test_counted_over_wanted_has_an_interval_that_knows_both_noises():
    found = fading_of(IN_SERIES)
    counted = sum(IN_SERIES.released_masses)
    assert found.part == pytest.approx(counted / 1400)
    assert found.low < found.part < found.high < 1
    assert fading_of(CLEAR) is None
    assert fading_of(period(wanted=10.0)) is None  # it may be noise alone
    assert fading_of(period(wanted=1000.0)).part == 1.0


@pytest.mark.parametrize(
    "wrong",
    [{"per_period_bound": 3.0}, {"epsilon": 0.0}, {"fading_share": 1.0}, {"fading_share": 0.0}, {"late": "soon"}],
)
def test_terms_that_promise_nothing_are_none(wrong):
    with pytest.raises(ValidationError):
        SeriesTerms(**HALF | wrong)


def test_bounds_are_rounded_down_to_whole_ticks():
    terms = SeriesTerms(**HALF | {"lifetime_bound": 0.3, "per_period_bound": 0.1})
    assert (terms.lifetime_ticks, terms.per_period_ticks) == (int(0.3 * 2**30), int(0.1 * 2**30))


STEP = SeriesStep(period="2026-03", life=1, terms=TERMS)


@pytest.mark.parametrize(
    ("unit", "adjacency", "mechanism", "plain", "why"),
    [
        (RecordUnit(), Adjacency.ADD_DROP, "laplace", True, "protects users under add/drop"),
        (UserUnit(2.0), Adjacency.REPLACE, "laplace", True, "protects users under add/drop"),
        (UserUnit(2.0, MissingUsers.OWN_UNIT), Adjacency.ADD_DROP, "laplace", True, "no allowance"),
        (UserUnit(2.0), Adjacency.ADD_DROP, "gaussian", True, "of mass, by laplace"),
        (UserUnit(2.0), Adjacency.ADD_DROP, "laplace", False, "of mass, by laplace"),
    ],
)
def test_what_has_no_proof_is_refused(unit, adjacency, mechanism, plain, why):
    require_in_series(STEP, UserUnit(2.0), Adjacency.ADD_DROP, "laplace", plain=True)
    with pytest.raises(RequestError, match=why):
        require_in_series(STEP, unit, adjacency, mechanism, plain=plain)


def test_an_index_lists_periods_once_and_in_order(tmp_path):
    periods = tuple(SeriesPeriod(name=name, life=1, plan=f"{name}/plan.json") for name in ("2026-01", "2026-03"))
    index = SeriesIndex(title="support", terms=TERMS, periods=periods)
    (tmp_path / "series.json").write_text(index.to_json())
    assert SeriesIndex.load(tmp_path) == index
    with pytest.raises(ValidationError, match="in the order of the calendar"):
        SeriesIndex(terms=TERMS, periods=periods[::-1])
    with pytest.raises(InputError, match="no series is published"):
        SeriesIndex.load(tmp_path / "nowhere")
    (tmp_path / "series.json").write_text(index.to_json().replace('"life": 1', '"life": 0', 1))
    with pytest.raises(InputError, match=r"periods\.0\.life"):
        SeriesIndex.load(tmp_path)


def test_weeks_and_days_are_in_order_by_their_names():
    """The ledger compares names: those of a calendar must grow with time."""
    for every in ("day", "week", "month", "quarter", "year"):
        names = PeriodFacet(column="date", every=every, first="2025-09-01", last="2026-11-30").declared
        assert list(names) == sorted(set(names))
