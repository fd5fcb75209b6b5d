# ruff: noqa: E501  sentences stand in one line
"""What lies in the values of a view: whether the declaration fits is told, and so is a size that is too small."""

import pytest

from dpspin.boundary.privacy import PoissonSample, Prevalence, UserUnit
from dpspin.boundary.view_tables import tables_of
from dpspin.public.narrate.claims.claim import holding
from dpspin.public.narrate.claims.in_values import AboveSize, HardlyFits, PartHere, ShareHere
from dpspin.public.narrate.claims.wholes import NotFiled
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.verify import check_text
from shop_plans import FITS_NONE, OF_TOTAL, SHOP, shop, stated
from viewed_plans import APP, BY_CHANNEL, FEW, NOBODY, SIZED, SIZED_THREE, WEB, sized, viewed

MORE = [1.3 * each for each in APP]
MISSPELT = viewed([FEW, NOBODY, APP, WEB])
HARDLY = "has none of the declared values: they hardly fit these records."
TOO_SMALL = "By “channel”, more was measured where it is “fax” (at least 830) than the declared size of 400: shares there are no parts of a whole, and may be above one hundred percent."


def sentences(plan, *claims):
    language = Language(Facts(plan, SHOP), Mode.DISPLAY)
    return [language.written(claim) for claim in holding(claims, language.facts)]


def test_values_that_hardly_anything_has_are_told_first_of_their_view():
    text = narrate(MISSPELT, SHOP).text
    first = next(part for part in text.split("\n\n") if part.startswith("By “channel”"))
    assert first.startswith("By “channel”, at least 97.7% of what was filed")
    assert HARDLY in first
    assert HARDLY not in narrate(BY_CHANNEL, SHOP).text


def test_who_speaks_of_such_a_view_must_say_it():
    language = Language(Facts(MISSPELT, SHOP), Mode.DISPLAY)
    sure = next(each.text for each in language.read(narrate(MISSPELT, SHOP).text) if "All that is said by" in each.text)
    assert HARDLY in str(check_text(sure, language))


def test_half_of_it_is_not_hardly_any():
    assert sentences(viewed([APP, [0.0] * 8, APP, NOBODY]), HardlyFits("channel")) == []
    assert len(sentences(viewed([APP, [0.0] * 8, MORE, NOBODY]), HardlyFits("channel"))) == 1


def test_a_size_that_is_certainly_too_small_is_told_and_must_be():
    text = narrate(SIZED_THREE, SHOP).text
    assert TOO_SMALL in text
    language = Language(Facts(SIZED_THREE, SHOP), Mode.DISPLAY)
    assert not check_text(text.replace(f" {TOO_SMALL}", ""), language).accepted
    assert not check_text(text.replace("at least 830", "at least 840"), language).accepted
    assert "more was measured" not in narrate(SIZED, SHOP).text


@pytest.mark.parametrize(("size", "told"), [(600, True), (700, False)])
def test_a_size_within_the_noise_is_not_accused(size, told):
    plan = sized(BY_CHANNEL, app=size, web=20000)  # 650 were measured
    assert bool(sentences(plan, AboveSize("channel", "app"))) is told


def test_counts_of_units_have_no_total_but_one_theme_may_exceed_a_size():
    counts = stated(BY_CHANNEL, quantity=Prevalence(), unit=UserUnit())
    facts = Facts(counts.model_copy(update={"sizes": sized(BY_CHANNEL, app=250, web=300).sizes}), SHOP)
    assert AboveSize("channel", "app").filled(facts).holds(facts)  # 300 users crashed
    assert not AboveSize("channel", "web").filled(facts).holds(facts)
    assert not PartHere("channel", "app").filled(facts).holds(facts)
    assert not HardlyFits("channel").filled(facts).holds(facts)


def test_one_value_has_a_share_and_a_part_of_its_own():
    (share,) = sentences(BY_CHANNEL, ShareHere("channel", "app", 1))
    assert share.startswith("Where “channel” is “app”, “app crashes” has a share of 46")
    (part,) = sentences(BY_CHANNEL, PartHere("channel", "app"))
    assert part.startswith("By “channel”, 43.3% of what was filed is where it is “app” (4")
    assert sentences(BY_CHANNEL, ShareHere("channel", "missing", 1), ShareHere("channel", "app", 7)) == []
    assert sentences(BY_CHANNEL, PartHere("channel", "missing"), PartHere("channel", "fax")) == []


def test_parts_of_all_add_up_to_no_less_than_all():
    [table] = tables_of(BY_CHANNEL)
    parts = [table.part_of_all([place]) for place in range(4)]
    assert sum(part.low for part in parts) < 1 < sum(part.high for part in parts)
    assert table.part_of_all([0, 1]).low > 0.97


def test_a_view_of_noise_alone_has_no_parts():
    [table] = tables_of(viewed([[-9.0] * 8] * 4))
    assert table.part_of_all([0]) is None


def test_what_a_declared_total_leaves_is_told():
    assert "Of the declared total, 26.5% was not filed at all (2" in narrate(FITS_NONE, SHOP).text


@pytest.mark.parametrize(
    "plan",
    [
        shop(none=830.0),  # all of 2,000 are filed
        shop(),  # nobody knows what fits no theme
        OF_TOTAL,
        stated(FITS_NONE, sampling=PoissonSample(rate=0.25)),
        stated(FITS_NONE, unit=UserUnit(bound=2)),
        stated(FITS_NONE, quantity=Prevalence(), unit=UserUnit()),
    ],
)
def test_where_nothing_is_left_or_nobody_knows_nothing_is_said(plan):
    facts = Facts(plan, SHOP)
    assert not NotFiled().filled(facts).holds(facts)
