# ruff: noqa: E501  sentences stand in one line
"""Sentences about views: what the cells support is written and read back, and nothing else is accepted."""

import csv

import pytest

from claims_under_test import subjects
from dpspin.boundary.facets import ColumnFacet
from dpspin.errors import RequestError
from dpspin.public.compare.compare import compare
from dpspin.public.narrate.claims.by_facet import OfView
from dpspin.public.narrate.claims.claim import holding
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.forms import CLAIM_KINDS
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.verify import Status, check_text
from dpspin.public.report.folder import report
from dpspin.public.report.pair_rows import pairs_csv
from dpspin.public.report.view_rows import views_csv
from shop_plans import SHOP, shop
from viewed_plans import APP, BY_CHANNEL, BY_MONTH, BY_THREE, FEW, NOBODY, VIEWED, WEB, viewed

ENDS = ("difference_low_percent", "difference_high_percent")
LANGUAGE = Language(Facts(BY_THREE, SHOP), Mode.DISPLAY)
TEXT = narrate(BY_THREE, SHOP).text
TRUE = next(
    each.text for each in LANGUAGE.read(TEXT) if each.text.startswith("Where “channel” is “app”, “app crashes”")
)
SMALLER = next(each.text for each in LANGUAGE.read(TEXT) if "smaller share of what was filed there" in each.text)
COUNTED = next(each.text for each in LANGUAGE.read(TEXT) if "told apart from elsewhere" in each.text)
SURE = next(each.text for each in LANGUAGE.read(TEXT) if each.text.startswith("All that is said by"))


def test_the_text_of_a_plan_with_views_is_verified_and_says_where():
    assert check_text(TEXT, LANGUAGE).accepted
    assert "than elsewhere (" in TRUE
    assert SURE in TEXT


def test_the_page_and_the_table_show_the_view():
    page = report(BY_THREE, SHOP)
    assert '<h2 id="h-view-1">By <bdi>channel</bdi></h2>' in page
    assert "higher than elsewhere" in page
    assert "too little was filed there to tell: <bdi>other</bdi>, <bdi>missing</bdi>." in page
    rows = views_csv(BY_THREE, SHOP).splitlines()
    assert len(rows) == 1 + 5 * 8
    assert rows[1].startswith("channel,app,app crashes,yes,")


def test_two_values_stand_beside_each_other_in_a_table_of_their_own():
    rows = [*csv.DictReader(pairs_csv(Facts(BY_THREE, SHOP)).splitlines())]
    assert len(rows) == 5 * 3  # themes, and pairs of three values
    first = rows[0]
    assert (first["value"], first["other_value"], first["theme"]) == ("app", "web", "app crashes")
    assert (first["told_apart"], first["share_percent"][:2], first["other_share_percent"][:2]) == ("yes", "45", "16")
    low, high, few, many = (float(first[name]) for name in (*ENDS, "times_low", "times_high"))
    assert low < 100 * (APP[0] / sum(APP) - WEB[0] / sum(WEB)) < high
    assert few < APP[0] / sum(APP) * sum(WEB) / WEB[0] < many


def test_of_periods_neighbours_stand_there_the_later_one_first():
    rows = [*csv.DictReader(pairs_csv(Facts(BY_MONTH, SHOP)).splitlines())]
    assert {(row["value"], row["other_value"]) for row in rows} == {("2026-06", "2026-05"), ("2026-07", "2026-06")}


def test_a_share_that_may_be_zero_is_no_end_of_a_ratio():
    none = [0.0, *WEB[1:]]
    rows = [*csv.DictReader(pairs_csv(Facts(viewed([APP, none, FEW, NOBODY]), SHOP)).splitlines())]
    assert next(row for row in rows if row["theme"] == "app crashes")["times_high"] == ""


def test_who_speaks_of_a_view_must_say_how_sure_it_is():
    alone = check_text(TRUE, LANGUAGE)
    assert not alone.accepted
    assert SURE in str(alone)


FALSE = (
    TRUE.replace("“app”", "“web”"),
    TRUE.replace("“app”", "“other”"),
    TRUE.replace("“app”", "“fax”"),
    TRUE.replace("“app”", "app"),
    TRUE.replace("“channel”", "“region”"),
    TRUE.replace("Where “channel” is “app”", "Where “app” is “channel”"),
    TRUE.replace("larger", "smaller"),
    TRUE.replace("larger", "the largest"),
    TRUE.replace("“app crashes”", "“lost data”"),
    TRUE.replace("“app crashes”", "“broken zip”"),
    TRUE.replace("“app crashes”", "the area “software”"),
    TRUE.replace("than elsewhere", "than where “channel” is “web”"),
    TRUE.replace(" of what was filed there", ""),
    TRUE.replace("of what was filed there", "of all records"),
    TRUE.replace(" without the privacy noise", ""),
    TRUE.replace("points", "percent"),
    TRUE.replace("has a larger share", "is mentioned by more users"),
    TRUE.replace("has a larger share", "causes a larger share"),
    SMALLER.replace("smaller", "larger"),
    SMALLER.replace("smaller", "equal"),
    COUNTED.replace("of the others no direction is told", "no other differs"),
    COUNTED.replace("of the others no direction is told", "all others are the same"),
    COUNTED.replace("By “channel”, ", "By “channel”, 1"),
    COUNTED.replace("listed themes", "themes"),
    SURE.replace("95%", "99%"),
    SURE.replace("at least ", ""),
    "By “channel”, no share of a listed theme is told apart from elsewhere: no direction is told of any.",
    "Users of the app crash more often.",
    "“App crashes” is most frequent where “channel” is “app”.",
    "Where “channel” is “app”, “app crashes” is the largest theme.",
    "Where “channel” is “missing”, “app crashes” has a smaller share of what was filed there (0.0%) than elsewhere (33.0%), by 20.0 to 40.0 points without the privacy noise.",
)


@pytest.mark.parametrize("sentence", FALSE)
def test_what_the_view_does_not_support_is_not_accepted(sentence):
    verdict = check_text(f"{sentence} {SURE}", LANGUAGE)
    assert verdict.sentences[0].status is not Status.VERIFIED


def test_a_theme_and_a_value_may_have_one_name():
    plan = viewed([APP, WEB, FEW, NOBODY], facet=ColumnFacet(column="lost data", values=("app crashes", "web")))
    told = narrate(plan, SHOP)
    assert told.verdict.accepted
    assert "“app crashes” has a larger share of what was filed where “lost data” is “app crashes” (" in told.text


@pytest.mark.parametrize("plan", VIEWED)
def test_every_claim_about_a_view_that_holds_is_read_back_as_itself(plan):
    language = Language(Facts(plan, SHOP), Mode.DISPLAY)
    kinds = [kind for kind in CLAIM_KINDS.values() if issubclass(kind, OfView)]
    every = [claim for kind in kinds for claim in holding(subjects(kind, language.facts), language.facts)]
    assert {claim.kind for claim in every} >= {"differs_between", "times_between", "others_between", "others_here"}
    for claim in every:
        (read,) = language.read(language.written(claim))
        assert read.claims == (claim,)


@pytest.mark.parametrize("value", ["app” is larger", "a\u202eb", "dat\u0430"])
def test_names_that_no_text_can_speak_of_are_refused(value):
    with pytest.raises(RequestError, match="no text can speak of"):
        Facts(viewed([APP, WEB, FEW, NOBODY], facet=ColumnFacet(column="channel", values=(value, "web"))), SHOP)


NOT_COMPARED = (
    "A or B has views, and these are not compared: nothing here says in which of their values a share differs."
)


def test_a_comparison_says_that_views_are_not_compared():
    plain = shop([500.0, 280.0, 160.0, 158.0, 90.0, 60.0, -40.0], none=310.0)
    one, both = compare(BY_CHANNEL, plain, SHOP), compare(shop(none=300.0), plain, SHOP)
    assert (NOT_COMPARED in one.text, NOT_COMPARED in both.text) == (True, False)
    assert not one.verify(one.text.replace(f"{NOT_COMPARED} ", "")).accepted
    assert not both.verify(f"{both.text.rstrip()} {NOT_COMPARED}").accepted
