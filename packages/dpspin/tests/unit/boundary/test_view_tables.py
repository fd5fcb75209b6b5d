"""What a plan's view says follows from its cells, and a plan whose views do not fit its statement does not exist."""

import json
import math

import pytest

from dpspin.boundary.facets import ColumnFacet
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.read_plan import reading_of, reread
from dpspin.boundary.view_cells import Contrast, Range
from dpspin.boundary.view_tables import tables_of
from dpspin.errors import PlanError
from shop_plans import SHOP
from viewed_plans import APP, BY_CHANNEL, BY_MONTH, BY_THREE, CHANNEL, FEW, NOBODY, SIZED, WEB, sized, viewed

[TABLE] = tables_of(BY_CHANNEL)


def test_a_plan_with_views_is_read_as_it_was_written():
    again = SemanticPlan.from_json(BY_CHANNEL.to_json())
    assert again == BY_CHANNEL
    assert again.schema_version == "5"
    assert again.statement.loss_of_sketch.epsilon == 2.0


def test_shares_are_of_the_values_own_mass_and_differ_from_the_rest():
    cell = TABLE.cell(1, 0)
    assert cell.share.low < 300 / sum(APP) < cell.share.high
    assert cell.difference.low > 0.2
    assert [(each.atom_id, TABLE.values[each.place]) for each in TABLE.apart[:2]] == [(1, "app"), (1, "web")]
    assert TABLE.cell(1, 1).difference.high < 0


def test_a_value_that_may_be_noise_alone_has_no_shares():
    assert TABLE.cell(1, 3).share is None


def test_consistent_cells_add_up_to_the_best_of_the_two_totals():
    cells = TABLE.consistent(1)
    own, of_cells = 442.0, APP[0] + WEB[0] + FEW[0] + NOBODY[0]
    best = (own * 4 + of_cells) / 5  # the sum of four cells has four times the variance of a total at the same epsilon
    assert math.isclose(sum(cells), best)
    spread = [cell - raw for cell, raw in zip(cells, (APP[0], WEB[0], FEW[0], NOBODY[0]), strict=True)]
    assert max(spread) - min(spread) < 1e-9


def broken(change):
    plan = BY_CHANNEL.model_dump(mode="json")
    change(plan)
    return plan


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda plan: plan.update(views=[]), "views go with a statement"),
        (lambda plan: plan["statement"].pop("views"), "views go with|too small"),
        (lambda plan: plan.update(schema_version="3"), "views go with a statement"),
        (lambda plan: plan["views"][0]["columns"].pop(), "one column for each value"),
        (lambda plan: plan["views"][0]["columns"].reverse(), "in their order"),
        (lambda plan: plan["views"][0]["columns"][0]["noisy_masses"].pop(), "one cell for each"),
        (lambda plan: plan["views"][0]["noise"].update(scale=0.1), "too small"),
        (lambda plan: plan["statement"]["views"][0].update(share=0.1), "too small"),
        (lambda plan: plan["statement"].update(sampling={"kind": "poisson", "rate": 0.5}), "views are of everyone"),
    ],
)
def test_a_plan_that_contradicts_its_views_is_refused(change, why):
    with pytest.raises(PlanError, match=why):
        SemanticPlan.from_json(json.dumps(broken(change)))


def test_nothing_is_told_apart_where_all_values_are_alike():
    half = [each / 2 for each in WEB]
    [table] = tables_of(viewed([WEB, half, half, NOBODY]))
    assert table.apart == ()


def test_a_value_is_among_the_declared_other_or_missing():
    assert CHANNEL.places == ("app", "web", "other", "missing")


def test_what_was_not_read_was_not_filed_so_no_share_is_of_it():
    unread = [[*APP, 0.0], [0.5, -1.0, 0.3, 0.0, 1.0, -0.4, 0.2, 0.1, 2000.0], [*WEB, 900.0], [*NOBODY, 0.0]]
    [table] = tables_of(viewed(unread, not_read=2900.0))
    assert table.cell(1, 1).share is None  # nothing in it is in a language that the map reads
    assert table.cell(1, 2).share.low < WEB[0] / sum(WEB) < table.cell(1, 2).share.high


def test_a_part_that_noise_makes_more_than_the_whole_is_all_of_it():
    [table] = tables_of(viewed([[400.0, *[-30.0] * 7], WEB, FEW, NOBODY]))
    assert table.cell(1, 0).share.high == table.cell(1, 0).share.low == 1
    difference = table.cell(1, 0).difference
    assert difference.low <= difference.value <= difference.high == 1
    assert table.decimals >= 0


def test_where_nearly_all_lies_in_one_value_there_is_no_elsewhere():
    [table] = tables_of(viewed([WEB, NOBODY, NOBODY, NOBODY]))
    cell = table.cell(1, 0)
    assert cell.share is not None
    assert (cell.elsewhere, cell.difference) == (None, None)
    assert table.apart == ()


def test_two_values_are_compared_by_the_law_of_their_difference():
    here, there = TABLE.cell(1, 0).share, TABLE.cell(1, 1).share
    told = TABLE.between(1, 0, 1)
    assert told.difference.low < here.value - there.value < told.difference.high
    assert told.difference.low > here.low - there.high  # nearer than the ends of the two shares
    turned = TABLE.between(1, 1, 0)
    assert turned.difference.low == pytest.approx(-told.difference.high)
    assert told.turned.difference.high == -told.difference.low
    assert told.certain == told.difference.low == turned.certain
    assert told.most == told.difference.high


def test_of_periods_only_neighbours_are_compared_and_else_any_two_declared_values():
    [months], [three] = tables_of(BY_MONTH), tables_of(BY_THREE)
    pairs = [(one, other) for one in range(5) for other in range(one)]
    assert [pair for pair in pairs if months.compares(*pair)] == [(1, 0), (2, 1)]
    assert [pair for pair in pairs if three.compares(*pair)] == [(1, 0), (2, 0), (2, 1)]
    assert (months.number_of_pairs, three.number_of_pairs, TABLE.number_of_pairs) == (2, 3, 1)
    assert months.between(1, 2, 0) is None
    assert months.steps == ((1, 0), (2, 1))
    assert (three.steps, TABLE.steps) == ((), ((0, 1),))
    assert TABLE.between(7, 0, 1) is None  # not listed
    assert TABLE.between(1, 0, 3) is None


def test_a_ratio_has_no_upper_end_where_the_other_share_may_be_nothing():
    [table] = tables_of(viewed([APP, [1.0, *WEB[1:]], FEW, NOBODY]))
    low, high = table.between(1, 0, 1).times
    assert low > 10
    assert high == math.inf
    assert table.between(1, 0, 1).turned.times[0] == 0
    none = Range(0.0, 0.0, 0.0)
    assert Contrast(1, none, none, none).times == (0.0, math.inf)


def test_shares_of_declared_sizes_are_exact_in_what_they_are_of():
    [table] = tables_of(SIZED)
    cell = table.cell(1, 0)
    assert (cell.share.low, cell.share.high) == (cell.mass.low / 5000, cell.mass.high / 5000)
    assert cell.elsewhere.value == 140 / 20000
    assert table.cell(1, 2).share is None  # nothing is declared of what is other
    [three] = tables_of(sized(BY_THREE, app=5000, web=20000, fax=100))
    assert three.cell(1, 2).share.value > 1  # the size is the requester's word
    assert three.between(1, 2, 0).difference.low > 1
    assert three.cell(1, 0).elsewhere.value == pytest.approx((280 + 140) / 20100)
    [one] = tables_of(sized(viewed([WEB, FEW, NOBODY], facet=ColumnFacet(column="c", values=("app",))), app=9))
    assert one.cell(1, 0).elsewhere is None


@pytest.mark.parametrize(
    "change",
    [
        lambda plan: plan.update(schema_version="5"),
        lambda plan: plan.update(sizes=[]),
        lambda plan: plan["sizes"][0]["sizes"].pop(),
        lambda plan: plan["sizes"][0]["sizes"].reverse(),
        lambda plan: plan["sizes"][0]["sizes"][0].update(size=0),
        lambda plan: plan["sizes"][0].update(view="region"),
        lambda plan: plan["sizes"].append(plan["sizes"][0]),
    ],
)
def test_sizes_that_do_not_fit_their_view_make_no_plan(change):
    plan = SIZED.model_dump(mode="json")
    assert SemanticPlan.from_json(json.dumps(plan)) == SIZED
    change(plan)
    with pytest.raises(PlanError, match="size"):
        SemanticPlan.from_json(json.dumps(plan))


def test_a_plan_is_read_with_sizes_and_without_them_again():
    assert reread(SIZED, SHOP, reading_of(SIZED)) == SIZED
    assert reread(SIZED, SHOP, reading_of(BY_CHANNEL)) == BY_CHANNEL
    assert "sizes" not in BY_CHANNEL.to_json()
