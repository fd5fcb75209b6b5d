# ruff: noqa: E501  sentences stand in one line
"""Sentences about a series that are false, mislead, or say what no plans can say: none is accepted."""

import pytest

from dpspin.errors import RequestError
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.verify import Status, check_text
from dpspin.public.series.picture import Picture
from dpspin.public.series.series import Series
from series_plans import SHOP_SERIES, facts_of
from shop_plans import SHOP

TOLD = Series(Picture(facts_of(SHOP_SERIES, SHOP), SHOP_SERIES))  # slow refund rose in April, lost data fell in August
FALL = "“Lost data” has a smaller share in 2026-08 (12.39%) than in 2026-07 (18.23%) as filed, by 5.28 to 6.40 points without the privacy noise."
RISE = "As filed, the share of “slow refund” is larger in 2026-04 (16.90%) than in 2026-03 (10.39%), by 5.97 to 7.05 points without the privacy noise."
SINCE = "In every released period from 2026-04 to 2026-09, “slow refund” has a larger share than in 2026-01 as filed, by 6.02 points or more without the privacy noise."
QUIET = "None of the 7 themes in the dictionary has shares in 2026-08 and 2026-09 that are told apart as filed, and none differs by more than 0.95 points."
STEPS = (
    "From one released period to the next, 7 steps were compared, and some theme is told apart in 2 of them as filed."
)
BESIDE = "The shares of what was filed under none of the themes are not told apart (19.35% in 2026-08 and 19.62% in 2026-09)."
COUNTED = "Of what the users of 2026-09 would have added with full allowances, 50% to 55% was counted."
SKIPPED = "Of the 9 periods of the calendar up to 2026-09, 1 was not released."
LIFE = "With 2026-08 a new life of the series began, and all allowances were full again."
LOSS = "For each user, all periods of this series up to 2026-09 together cost epsilon 4 and delta 0, in 2 lives."
SURE = "All differences between periods, those that this calendar has still to come included, hold together with 95% confidence, which covers the privacy noise of all plans, but neither errors of the map nor chance in who wrote."
TRUE = (FALL, RISE, SINCE, QUIET, STEPS, BESIDE, COUNTED, SKIPPED, LIFE, LOSS, SURE)
TRUE_TOO = (  # what the template leaves out
    "“Slow refund” has a larger share in 2026-09 (18.12%) than in 2026-01 (10.32%) as filed, by 7.23 to 8.37 points without the privacy noise.",
    "From 2026-07 to 2026-08, “lost data” differs by more than chance in who wrote would explain, if the users are independent of each other; of no other theme can that be told.",
    "The shares of “app crashes” and “slow refund” in 2026-08 and 2026-09 are not told apart as filed.",
    "Of the 7 themes in the dictionary, 5 have shares in 2026-07 and 2026-08 that are told apart as filed, and no other one differs by more than 0.76 points.",
)
FALSE = (
    # the wrong period, the wrong pair, the wrong order
    FALL.replace("2026-08", "2026-09"),
    FALL.replace("2026-07", "2026-05"),
    FALL.replace("2026-07", "2026-01"),
    FALL.replace("2026-07", "2026-06"),
    FALL.replace("2026-08", "2026-12"),
    FALL.replace("2026-07", "2025-07"),
    FALL.replace("2026-07", "July 2026"),
    FALL.replace("2026-07", "“2026-07”"),
    FALL.replace("2026-07", "the period before"),
    FALL.replace("2026-08 (12.39%) than in 2026-07 (18.23%)", "2026-07 (12.39%) than in 2026-08 (18.23%)"),
    FALL.replace("2026-08 (12.39%) than in 2026-07 (18.23%)", "2026-07 (18.23%) than in 2026-08 (12.39%)"),
    FALL.replace("2026-08 (12.39%) than in 2026-07 (18.23%)", "2026-08 (18.23%) than in 2026-07 (12.39%)"),
    FALL.replace("in 2026-08 (12.39%) than in 2026-07", "in 2026-08 (12.39%) than in 2026-08"),
    RISE.replace("2026-04", "2026-05"),
    RISE.replace("2026-03", "2026-02"),
    # the other way round, other figures, other units, other themes
    FALL.replace("smaller", "larger"),
    RISE.replace("larger", "smaller"),
    FALL.replace("5.28 to 6.40", "5.50 to 6.10"),
    FALL.replace("5.28 to 6.40", "5.84 to 5.84"),
    FALL.replace("5.28", "5.3"),
    FALL.replace("12.39%", "12.4%"),
    FALL.replace("5.28 to 6.40 points", "5.28% to 6.40%"),
    FALL.replace("points", "percent"),
    FALL.replace("“Lost data”", "“Slow refund”"),
    FALL.replace("“Lost data”", "“Broken zip”"),
    FALL.replace("“Lost data”", "The area “software”"),
    FALL.replace(" as filed", ""),
    FALL.replace(" without the privacy noise", ""),
    "“Lost data” has a smaller share in B (12.39%) than in A (18.23%) as filed, by 5.28 to 6.40 points without the privacy noise.",
    "By the reading, the share of “lost data” is smaller in 2026-08 than in 2026-07, by 5.28 to 6.40 points.",
    # since when: too early, too late, up to another period, against another one, by more
    SINCE.replace("2026-04", "2026-03"),
    SINCE.replace("2026-04", "2026-05"),
    SINCE.replace("2026-04", "2026-01"),
    SINCE.replace("2026-09", "2026-08"),
    SINCE.replace("2026-09", "2026-12"),
    SINCE.replace("2026-01", "2026-03"),
    SINCE.replace("6.02", "6.50"),
    SINCE.replace("6.02", "6.0"),
    SINCE.replace("larger", "smaller"),
    SINCE.replace("“slow refund”", "“app crashes”"),
    SINCE.replace("In every released period", "In every period"),
    SINCE.replace("In every released period from 2026-04 to 2026-09", "Since 2026-04"),
    SINCE.replace("than in 2026-01", "than in any earlier period"),
    "“Slow refund” has been rising since 2026-04.",
    "The rise of “slow refund” will go on.",
    # what is not told apart, told as apart, as equal, as unchanged; how many
    "“App crashes” has a larger share in 2026-09 (28.84%) than in 2026-08 (28.65%) as filed, by 0.01 to 0.95 points without the privacy noise.",
    "The shares of “lost data” in 2026-07 and 2026-08 are not told apart as filed.",
    "The shares of “app crashes” in 2026-02 and 2026-09 are not told apart as filed.",
    "The shares of “app crashes” in 2026-09 and 2026-08 are not told apart as filed.",
    "The shares of “app crashes” and “app crashes” in 2026-08 and 2026-09 are not told apart as filed.",
    "“App crashes” has not changed in 2026.",
    QUIET.replace("0.95", "0.10"),
    QUIET.replace("2026-08 and 2026-09", "2026-07 and 2026-08"),
    QUIET.replace("2026-08 and 2026-09", "2026-09 and 2026-08"),
    QUIET.replace("2026-08 and 2026-09", "2026-01 and 2026-09"),
    QUIET.replace("7 themes", "8 themes"),
    TRUE_TOO[3].replace("5 have", "4 have"),
    STEPS.replace("2 of them", "3 of them"),
    STEPS.replace("7 steps", "8 steps"),
    "From one released period to the next, 7 steps were compared, and no theme is told apart in any of them as filed.",
    "No period of this series can be compared with the one before it so far.",
    # what chance would explain
    TRUE_TOO[1].replace("“lost data” differs", "“slow refund” differs"),
    TRUE_TOO[1].replace("users", "records"),
    TRUE_TOO[1].replace(", if the users are independent of each other;", ";"),
    "From 2026-07 to 2026-08, of no theme can it be told that it differs by more than chance in who wrote would explain, even if the users are independent of each other.",
    "From 2026-08 to 2026-09, of no theme can it be told that it differs by more than chance in who wrote would explain, even if the users are independent of each other.",
    "The change of “lost data” is statistically significant.",
    # what is beside the themes, counted, skipped, renewed, paid
    BESIDE.replace("19.62%", "19.35%"),
    BESIDE.replace("in 2026-09", "in 2026-07"),
    BESIDE.replace("not told apart", "equal"),
    COUNTED.replace("50%", "51%"),
    COUNTED.replace("50% to 55%", "52%"),
    COUNTED.replace("2026-09", "2026-01"),
    COUNTED.replace("2026-09", "2026-06"),
    COUNTED.replace("users", "records"),
    "The noise leaves open how much was counted of what the users of 2026-09 would have added with full allowances.",
    SKIPPED.replace("1 was", "2 were"),
    SKIPPED.replace("9 periods", "12 periods"),
    SKIPPED.replace("2026-09", "2026-08"),
    LIFE.replace("2026-08", "2026-09"),
    LIFE.replace("2026-08", "2026-01"),
    LOSS.replace("epsilon 4", "epsilon 2"),
    LOSS.replace("2 lives", "1 lives"),
    LOSS.replace(", in 2 lives", ""),
    LOSS.replace("2026-09", "2026-08"),
    LOSS.replace("epsilon 4", "epsilon 0.4"),
    "For each user, all periods of this life of the series together cost epsilon 2 and delta 0.",
    "For each user, this release costs epsilon 2 and delta 0.",
    # what it rests on
    SURE.replace("95%", "99%"),
    SURE.replace("but neither errors of the map nor chance in who wrote", "and errors of the map"),
    "All differences between A and B hold together with 95% confidence, which covers the privacy noise of both plans, but neither errors of the map nor chance in who wrote.",
    "The numbers of some of these periods are simulated and not private.",
    "In 1 released period what shares refer to is too noisy, and nothing there is compared.",
    "Every share is relative to its own period, in 2026-08 to the total of all masses, about 6,116.0.",
    "The same users are in all periods.",
    # one plan alone
    "“App crashes” has a share of 28.8%.",
    "“App crashes” has the largest share of all themes, as filed (28.8%).",
    "“App crashes”: 28.8% (28.6% to 29.1% without the privacy noise).",
    "The area “software” holds 41.1% (40.6% to 41.6% without the privacy noise).",
    "This summary is based on a differentially private plan.",
    # signs and names
    FALL.replace("2026-08", "2026\u201108"),
    FALL.replace("2026-08", "2026-\u200b08"),
    FALL.replace("2026-08", "02026-08"),
    FALL.replace("2026-08", "2026-08-01"),
    FALL.replace("2026-08", "-2026-08"),
    FALL.replace("“Lost data”", "Lost data"),
    "- " + FALL,
)


def test_what_the_false_sentences_change_is_true():
    assert TOLD.verify(TOLD.text).accepted
    assert all(sentence in TOLD.text for sentence in TRUE)
    assert all(each.status is Status.VERIFIED for each in TOLD.verify(" ".join((*TRUE, *TRUE_TOO))).sentences)


@pytest.mark.parametrize("sentence", FALSE)
def test_a_false_sentence_about_a_series_is_not_verified(sentence):
    assert sentence not in TRUE
    verdict = TOLD.verify(sentence)
    assert not verdict.accepted
    assert all(each.status is not Status.VERIFIED for each in verdict.sentences)


def test_a_text_that_leaves_out_what_a_series_rests_on_is_not_accepted():
    for sentence in (QUIET, COUNTED, LIFE, LOSS, SURE):
        verdict = TOLD.verify(TOLD.text.replace(sentence, "").replace("  ", " ").replace("\n\n ", "\n\n").strip())
        assert not verdict.refused
        assert verdict.rules() == ("left-unsaid",)


def test_nothing_of_a_series_is_said_of_one_of_its_plans_or_of_two():
    first, last = SHOP_SERIES.released[0], SHOP_SERIES.released[-1]
    for facts in (Facts(last, SHOP), Facts(last, SHOP, first)):
        read = check_text(" ".join(TRUE), Language(facts, Mode.DISPLAY)).sentences
        assert not [each.text for each in read if each.status is Status.VERIFIED]


@pytest.mark.parametrize("others", [{"before": SHOP_SERIES.released[0]}, {"plan": SHOP_SERIES.released[0]}])
def test_a_text_tells_a_series_up_to_its_last_plan_and_compares_nothing_else(others):
    with pytest.raises(RequestError):
        Facts(**{"plan": SHOP_SERIES.released[-1], "atoms": SHOP, "time": SHOP_SERIES, **others})
