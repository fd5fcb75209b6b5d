"""Where noise makes parts come out as more than the whole, nothing is said that the cut at the whole would make up."""

import pytest

from dpspin.boundary.atoms import Atom
from dpspin.boundary.denominator import TotalMass, paid_count
from dpspin.boundary.plan_views import percent
from dpspin.boundary.privacy import Prevalence
from dpspin.boundary.read_plan import reading_of, reread
from dpspin.public.narrate.ask import ask
from dpspin.public.narrate.claims.areas import AreaInterval, AreaTie, LargestArea
from dpspin.public.narrate.claims.certainty import NoiseReach
from dpspin.public.narrate.claims.orders import Tie
from dpspin.public.narrate.claims.themes import IntervalOf, ShareOf
from dpspin.public.narrate.claims.wholes import RestHolds
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.narrate import narrate
from dpspin.public.report.folder import report
from factories import plan_of, universe_of
from shop_plans import ALL_BUT_ALL, SHOP, read_by, shop, stated

NO_SHARES = "No share is given, because what shares would refer to is too noisy."


def of_total(masses, **changes):
    return read_by(shop(masses, **changes), denominator=TotalMass())


BEYOND = of_total([900.0, 2.0, -30.0, -30.0, 0.0, 0.0, 0.0])  # more than the total beyond the noise
TWICE = of_total([300.0, 299.0, -70.0, -70.0, -70.0, -70.0, -40.0], epsilon=0.05, admission="fixed")  # a part, twice
MENTIONED = stated(shop([200.0, 199.0, 50.0, 0.0, 0.0, 0.0, 0.0]), quantity=Prevalence())
COUNTED = MENTIONED.model_copy(update={"denominator": paid_count(190, MENTIONED.statement.loss, share=0.1, beta=0.05)})


def holds(claim, plan, atoms=SHOP):
    facts = Facts(plan, atoms)
    return claim.filled(facts).holds(facts)


@pytest.mark.parametrize("plan", [BEYOND, TWICE])
@pytest.mark.parametrize("claim", [ShareOf(1), IntervalOf(1), IntervalOf(2), Tie((1, 2)), NoiseReach()])
def test_where_parts_contradict_the_whole_no_share_is_given_and_nothing_is_said_of_intervals(plan, claim):
    assert plan.denominator.is_known
    assert not holds(claim, plan)


@pytest.mark.parametrize("plan", [BEYOND, TWICE])
def test_text_page_answer_and_notebook_all_give_none(plan):
    told = narrate(plan, SHOP)
    assert NO_SHARES in told.text
    assert not told.used_fallback
    assert "“app crashes” is in this dictionary, but without a share." in ask(plan, SHOP, "app crashes")
    assert NO_SHARES in report(plan, SHOP)
    assert "is too noisy. It is at most" in report(plan, SHOP)
    assert percent(plan, plan.entries[0].support) == "unknown"


def test_one_part_a_little_over_the_whole_keeps_its_share_and_the_noise_has_moved_it_by_what_was_cut():
    facts = Facts(ALL_BUT_ALL, SHOP)
    interval, reach = (claim.filled(facts) for claim in (IntervalOf(1), NoiseReach()))
    assert (interval.share, interval.high) == (100, 100)
    assert interval.low < 100
    released = facts.percent(ALL_BUT_ALL.entries[0].support)
    assert released > 100
    assert reach.holds(facts)
    assert reach.reach >= released - interval.low


def test_units_may_all_mention_two_themes():
    assert holds(ShareOf(1), COUNTED)
    assert holds(ShareOf(2), COUNTED)


def test_but_they_cannot_all_mention_a_theme_and_none():
    plan = stated(shop([200.0, 10.0, 0.0, 0.0, 0.0, 0.0, 0.0], none=195.0), quantity=Prevalence())
    both = plan.model_copy(update={"denominator": paid_count(190, plan.statement.loss, share=0.1, beta=0.05)})
    assert both.denominator.is_known
    assert not both.has_shares


def test_two_areas_are_not_each_the_whole():
    halves = [160.0, 160.0, 160.0, 160.0, 160.0, 160.0, -560.0]  # software, shipping and money: 80 % each
    assert holds(AreaInterval("money"), of_total(halves))
    plan = of_total([160.0, 160.0, 160.0, 160.0, 160.0, 160.0, -640.0])  # 100 % each, and every theme half of that
    assert plan.has_shares
    assert not any(holds(claim, plan) for claim in (AreaInterval("money"), AreaTie(("money", "shipping"))))
    assert not holds(LargestArea("money"), plan)


def test_nor_are_an_area_and_a_theme_without_one():
    atoms = universe_of([*(Atom(id=i, label=f"theme {i}", parent="one") for i in (1, 2)), Atom(id=3, label="loose")])
    plan = plan_of(atoms, [100.0, 100.0, 199.0], none=-200.0, epsilon=0.1)
    total = reread(plan, atoms, reading_of(plan).model_copy(update={"denominator": TotalMass()}))
    assert total.has_shares
    assert not holds(AreaInterval("one"), total, atoms)


def test_what_is_not_listed_may_be_as_much_as_its_themes_intervals_allow():
    plan = of_total([400.0, 300.0, 200.0, 9.0, 8.0, 3.0, -120.0], size=5)
    facts = Facts(plan, SHOP)
    rest = RestHolds().filled(facts)
    assert rest.holds(facts)
    assert rest.high >= facts.outward(facts.theme(6))[1] > 0


def test_what_is_not_listed_is_not_told_as_the_whole_beside_a_theme_that_is():
    plan = read_by(shop([400.0, 399.0, -2.0, 0.0, 0.0, 0.0, 0.0], size=1, none=-399.0), denominator=TotalMass())
    assert not holds(RestHolds(), plan)
