# ruff: noqa: E501  sentences stand in one line
"""Sentences about a change that are false, mislead, or say what no two plans can say: none is accepted."""

import pytest

from dpspin.boundary.report_card import RivalShares
from dpspin.public.compare.compare import Compared
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.verify import Status
from shop_plans import SHOP, USERS, UserUnit, shop

BEFORE = shop(none=300.0, not_read=20.0)
AFTER = shop([442.0, 250.0, 161.0, 258.0, 95.0, 60.0, -40.0], none=304.0, not_read=60.0)
CHANGED = Compared(Facts(AFTER, SHOP, BEFORE))  # slow refund rose, lost data fell
SAME = Compared(Facts(shop([441.0, 301.0, 159.0, 158.0, 90.0, 60.0, -40.0], unit=UserUnit(bound=1.0)), SHOP, USERS))
RISE = "“Slow refund” has a larger share in B (12.90%) than in A (7.90%) as filed, by 4.66 to 5.34 points without the privacy noise."
COUNTED = (
    "Of the 7 themes in the dictionary, 2 have shares in A and B that are told apart as filed, and no other one differs "
    "by more than 0.59 points."
)
BESIDE = "The shares of what was filed under none of the themes are not told apart (15.00% in A and 15.20% in B)."
CHANCE = "“Slow refund” differs by more than chance in who wrote would explain, if the records are independent of each other; of no other theme can that be told."
FALSE = (
    # the other way round, and other figures
    RISE.replace("larger", "smaller"),
    RISE.replace("in B (12.90%) than in A (7.90%)", "in A (12.90%) than in B (7.90%)"),
    RISE.replace("in B (12.90%) than in A (7.90%)", "in B (7.90%) than in A (12.90%)"),
    RISE.replace("4.66 to 5.34", "4.90 to 5.10"),
    RISE.replace("4.66 to 5.34", "5.00 to 5.00"),
    RISE.replace("4.66", "4.6"),
    RISE.replace("points", "percent"),
    RISE.replace("4.66 to 5.34 points", "4.66% to 5.34%"),
    RISE.replace("“Slow refund”", "“Late delivery”"),
    RISE.replace("“Slow refund”", "“Rude driver”"),
    RISE.replace(" as filed", ""),
    RISE.replace(" without the privacy noise", ""),
    RISE.replace("as filed, by", "as a reader would file it, by"),
    "By the reading, the share of “slow refund” is larger in B than in A, by 4.66 to 5.34 points.",
    # words of time, cause and size
    "“Slow refund” rose from 7.90% to 12.90%.",
    "“Slow refund” has become more frequent.",
    "“Slow refund” has a larger share in B because refunds are slower.",
    "Refunds have become slower.",
    "More users complain of “slow refund” in B than in A.",
    "“Slow refund” has nearly doubled.",
    "“Slow refund” has the largest change of all themes.",
    "The users of A who wrote of “lost data” now write of “slow refund”.",
    "“Slow refund” grew at the expense of “lost data”.",
    # what is not told apart, told as apart, as equal, as unchanged
    "“App crashes” has a larger share in B (22.10%) than in A (22.10%) as filed, by 0.00 to 0.45 points without the privacy noise.",
    "The shares of “slow refund” in A and B are not told apart as filed.",
    "The shares of “app crashes” and “slow refund” in A and B are not told apart as filed.",
    "The shares of “app crashes” and “app crashes” in A and B are not told apart as filed.",
    "The shares of “app crashes” in A and B are not told apart by the reading.",
    "The shares of “app crashes” in A and B are equal as filed.",
    "“App crashes” has not changed.",
    # how many
    COUNTED.replace("2 have", "1 has"),
    COUNTED.replace("2 have", "3 have"),
    COUNTED.replace("7 themes", "8 themes"),
    COUNTED.replace("0.59", "0.10"),
    COUNTED.replace("in the dictionary", "with released values in both plans"),
    COUNTED.replace("as filed", "by the reading"),
    "None of the 7 themes in the dictionary has shares in A and B that are told apart as filed, and none differs by more than 0.59 points.",
    "All of the 7 themes in the dictionary have shares in A and B that are told apart as filed.",
    "No other theme moved.",
    # what chance would explain
    CHANCE.replace("“Slow refund” differs", "“Lost data” differs"),
    CHANCE.replace("“Slow refund” differs", "“Slow refund” and “lost data” differ"),
    CHANCE.replace("records", "users"),
    CHANCE.replace(", if the records are independent of each other;", ";"),
    CHANCE.replace("; of no other theme can that be told", ""),
    CHANCE.replace("of no other theme can that be told", "no other theme does"),
    "Of no theme can it be told that it differs by more than chance in who wrote would explain, even if the records are independent of each other.",
    "The change of “slow refund” is statistically significant.",
    "“Lost data” differs by more than chance.",
    # what is beside the themes
    BESIDE.replace("15.20%", "15.00%"),
    BESIDE.replace("not told apart", "equal"),
    "The share of what was filed under none of the themes is larger in B (15.20%) than in A (15.00%), by 0.01 to 0.60 points without the privacy noise.",
    "The share of text that was not read for its language is smaller in B (1.00%) than in A (3.00%), by 1.66 to 2.34 points without the privacy noise.",
    "The share of those with text that was not read for its language is larger in B (3.00%) than in A (1.00%), by 1.66 to 2.34 points without the privacy noise.",
    "By the reading, the shares of what a reader would file under none of the themes in A and B are not told apart.",
    # one plan alone
    "“Slow refund” has a share of 12.9%.",
    "“Slow refund” is listed.",
    "“App crashes” has the largest share of all themes, as filed (22.1%).",
    "Shares refer to a declared total of 2,000.",
    "For each record, this release costs epsilon 1 and delta 0.",
    "This summary is based on a differentially private plan.",
    "The privacy noise moves a listed theme by at most 0.4 points (confidence 95%, for all of them together).",
    # what it rests on
    "All differences between A and B hold together with 99% confidence, which covers the privacy noise of both plans, but neither errors of the map nor chance in who wrote.",
    "All differences between A and B hold together with 95% confidence, which covers the privacy noise of both plans and errors of the map.",
    "All differences between A and B hold together with 95% confidence, which covers the privacy noise of both plans and chance in who wrote.",
    "All differences between A and B by the reading hold together with 95% confidence, which covers the privacy noise of both plans and the draw of both samples, but neither errors of the reader nor chance in who wrote.",
    "The samples of A and B were read by different readers, so shares are compared as the map filed them, and a map may show only a part of a change.",
    "A sample was read for one of the plans only, so shares are compared as the map filed them, and a map may show only a part of a change.",
    "The numbers of A or of B are simulated and not private.",
    "On labelled test text the map showed 90% of a theme's rise, and how much it shows on these records is not known.",
    "Every share is relative to its own plan, in A to a declared total of 2,000 and in B to a declared total of 3,000.",
    "2 themes have no released value in A, in B or in both, and nothing is said of how they differ.",
    "The map is untested, so nobody knows how well it sorts these records.",
    "The noise of A and that of B are independent, and nobody is in both.",
    "A share is a noisy count of those with text filed under a theme, and one may count for several themes.",
    # signs and names
    RISE.replace("larger", "lar\u200bger"),
    RISE.replace(".", " ↑.", 1) + " ↑",
    RISE.replace("“Slow refund”", "Slow refund"),
    RISE.replace("“Slow refund”", "“Slow refund” [atom:4]"),
    "- " + RISE,
)


def test_what_the_false_sentences_change_is_true():
    told = CHANGED.text
    assert CHANGED.verify(told).accepted
    assert all(sentence in told for sentence in (RISE, COUNTED, BESIDE, CHANCE))


@pytest.mark.parametrize("sentence", FALSE)
def test_a_false_sentence_is_refused_alone_and_inside_a_true_text(sentence):
    assert all(each.status is not Status.VERIFIED for each in CHANGED.verify(sentence).sentences), sentence
    assert not CHANGED.verify(f"{CHANGED.text} {sentence}").accepted


def test_no_sentence_of_one_change_is_taken_for_another():
    differing = {each.text for each in CHANGED.verify(CHANGED.text).sentences}
    for each in SAME.verify(CHANGED.text).sentences:
        assert each.status is not Status.VERIFIED or each.text in SAME.text or each.text in differing & {*TRUE_OF_BOTH}


TRUE_OF_BOTH = ("A share is a bounded noisy measure, not a count of records or users.",)


def test_where_nothing_is_told_apart_nothing_is_said_to_be():
    assert "None of the 7 themes" in SAME.text
    assert not SAME.verify(f"{SAME.text} {RISE}").accepted


@pytest.mark.parametrize("left_out", [each.text for each in CHANGED.verify(CHANGED.text).sentences])
def test_what_must_be_said_is_missed(left_out):
    rest = " ".join(each.text for each in CHANGED.verify(CHANGED.text).sentences if each.text != left_out)
    verdict = CHANGED.verify(rest)
    named_only = left_out == RISE
    assert verdict.accepted is named_only
    assert named_only or "left-unsaid" in verdict.rules()


def test_where_chance_may_explain_everything_that_is_the_finding_and_a_text_still_names_what_differs():
    little = Compared(Facts(shop([442.0, 285.0, 160.0, 158.0, 90.0, 60.0, -40.5]), SHOP, shop()))
    told = [each.text for each in little.verify(little.text).sentences]
    assert told[0].startswith(
        "Of no theme can it be told that it differs by more than chance in who wrote would explain"
    )
    assert [each.label for each in little.change.moved] == ["lost data"]
    silent = " ".join(each for each in told if "“lost data”" not in each.lower())
    assert little.verify(silent).rules() == ("no-theme",)


def with_card(plan, passed_on):
    stated = plan.statement.contribution_map
    rivals = RivalShares(labels=0.2, with_map=0.1, passed_on=passed_on)
    card = stated.card.model_copy(update={"rivals": rivals})
    mapped = stated.model_copy(update={"card": card})
    return plan.model_copy(update={"statement": plan.statement.model_copy(update={"contribution_map": mapped})})


def test_what_the_map_passes_on_of_a_rise_is_said_where_its_card_tells_it():
    told = Compared(Facts(with_card(AFTER, 0.47), SHOP, with_card(BEFORE, 0.47))).text
    said = "On labelled test text the map showed 47% of a theme's rise, and how much it shows on these records is not known."
    assert said in told
    assert said not in CHANGED.text
    silent = Compared(Facts(with_card(AFTER, 0.47), SHOP, with_card(BEFORE, 0.47)))
    assert "left-unsaid" in silent.verify(told.replace(f" {said}", "")).rules()
