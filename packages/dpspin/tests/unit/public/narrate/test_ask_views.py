# ruff: noqa: E501  questions stand in one line
"""Where, and since when: answered by sentences about views that hold, or by why this release cannot say."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpspin import ask
from dpspin.boundary.facets import ColumnFacet, PeriodFacet
from dpspin.boundary.privacy import Prevalence
from dpspin.public.narrate.ask import asked
from dpspin.public.narrate.verify import Status, verify
from shop_plans import CLEAR, SHOP, stated
from viewed_plans import APP, BY_CHANNEL, BY_MONTH, BY_THREE, FEW, MORE_WEB, NOBODY, SIZED, VIEWED, WEB, viewed


def kinds(plan, question):
    return [
        kind
        for found in asked(plan, SHOP, question).answers[0].found
        for each in found.sentences
        for kind in each.claims
    ]


def notes(plan, question):
    return " ".join(found.note or "" for found in asked(plan, SHOP, question).answers[0].found)


def told(plan, question):
    return "\n".join(ask(plan, SHOP, question))


@pytest.mark.parametrize(
    ("plan", "question", "expected", "words"),
    [
        (BY_THREE, "where is late delivery larger?", {"differs_here", "times_here"}, "Where “channel” is “web”"),
        (BY_THREE, "Where are app crashes smaller", {"differs_here", "times_here"}, "a smaller share"),
        (
            BY_THREE,
            "is late delivery larger in app than in web?",
            {"differs_between", "times_between"},
            "a smaller share",
        ),
        (
            BY_THREE,
            "late delivery in fax",
            {"share_here", "differs_here", "times_here"},
            "“late delivery” has a share of 14.9%",
        ),
        (BY_THREE, "late delivery by channel", {"differs_here", "times_here"}, "“channel”"),
        (BY_THREE, "what differs in app?", {"part_here", "differs_here", "others_here"}, "of the 5 listed themes 4"),
        (
            BY_THREE,
            "what differs between app and web?",
            {"part_here", "differs_between", "others_between"},
            "“app” that are told apart",
        ),
        (BY_THREE, "where?", {"differs_here", "times_here", "told_apart"}, "shares of listed themes are told apart"),
        (BY_CHANNEL, "where?", {"differs_between", "times_between", "others_between"}, "“web”"),
        (
            BY_MONTH,
            "since when?",
            {"differs_between", "times_between", "others_between", "differs_here", "told_apart"},
            "rose",
        ),
        (
            BY_MONTH,
            "how did late delivery change between May and June?",
            {"differs_between", "times_between"},
            "rose from 4.1%",
        ),
        (
            BY_MONTH,
            "how did late delivery change from June 2026 to 2026-05",
            {"differs_between", "times_between"},
            "rose",
        ),
        (BY_MONTH, "since when does late delivery rise?", {"differs_between"}, "“2026-05” to 15.1%"),
        (BY_MONTH, "what changed in June?", {"part_here", "differs_between", "others_between"}, "no other one moved"),
        (BY_MONTH, "what changed in July?", {"part_here", "differs_here", "others_between"}, "none moved by more than"),
        (BY_MONTH, "what changed in May?", {"part_here", "differs_between", "others_here"}, "“2026-05”"),
        (
            BY_MONTH,
            "is delivery falling?",
            {"differs_between"},
            "“late delivery” rose",
        ),  # an area stands for its themes
        (
            BY_CHANNEL,
            "is double charge larger in app than in web?",
            {"share_here"},
            "Where “channel” is “web”, “double charge”",
        ),
        (
            BY_THREE,
            "which channel has the most complaints?",
            {"part_here", "differs_here", "times_here", "told_apart"},
            "where it is “web”",
        ),
        (BY_MONTH, "which month was worst for late delivery?", {"differs_here", "times_here"}, "a larger share"),
        (BY_MONTH, "is late delivery getting worse?", {"differs_between"}, "rose"),
        (
            BY_MONTH,
            "what is the trend?",
            {"differs_between", "times_between", "others_between", "differs_here", "told_apart"},
            "rose",
        ),
        (
            BY_THREE,
            "where do people complain about late delivery most?",
            {"differs_here", "times_here"},
            "a larger share",
        ),
        (
            BY_THREE,
            "what is the biggest problem in app?",
            {"part_here", "share_here", "differs_here", "others_here"},
            "“app crashes” has a share of 45.6% of what was filed there",
        ),
        (BY_THREE, "how many tickets in app?", {"part_here"}, "How many records or users there are is not told"),
        (BY_MONTH, "what changed last month?", {"part_here", "differs_here", "others_between"}, "“2026-07”"),
        (
            BY_MONTH,
            "when was late delivery worst?",
            {"differs_here", "times_here", "differs_between"},
            "“late delivery” has a larger share",
        ),
        (SIZED, "is lost data larger in app than in web?", {"differs_between", "times_between"}, "declared as 20,000"),
    ],
)
def test_a_question_about_a_view_is_answered_by_claims_about_it(plan, question, expected, words):
    assert {*kinds(plan, question)} == expected
    assert words in told(plan, question)
    assert told(plan, question).count("All that is said by") == 1


@pytest.mark.parametrize(
    "question", ["where is late delivery larger?", "Where is LATE deliveries highest", "late delivery by channel"]
)
def test_only_the_side_that_is_asked_for_is_told(question):
    sides = told(BY_THREE, question)
    assert "a larger share" in sides
    assert ("a smaller share" in sides) is question.endswith("channel")


@pytest.mark.parametrize("question", ["what differs in app?", "where?"])
def test_where_a_share_is_larger_is_told_before_where_one_is_smaller(question):
    said = told(BY_THREE, question)
    assert said.index("a larger share") < said.index("a smaller share")
    assert said.rindex("a larger share") < said.index("a smaller share")


def test_a_small_word_of_an_area_takes_nothing_from_a_longer_name():
    facet = ColumnFacet(column="channel", values=("paid software", "web"))
    plan = viewed([APP, MORE_WEB, FEW, NOBODY], facet=facet)
    assert "part_here" in kinds(plan, "what differs in paid software?")
    assert "share_here" in kinds(plan, "software in paid software")


def test_where_nothing_is_on_the_side_that_is_asked_for_the_other_one_is_told():
    facet = ColumnFacet(column="channel", values=("app", "web", "fax", "phone", "shop", "desk"))
    less = [*WEB[:2], 30.0, *WEB[3:7], WEB[7] + 98.0]
    plan = viewed([less, *[WEB] * 5, FEW, NOBODY], facet=facet, epsilon=1.0)
    assert "Where “channel” is “app”, “late delivery” has a smaller share" in told(plan, "where is late delivery most?")


@pytest.mark.parametrize(
    ("plan", "question", "why"),
    [
        (BY_CHANNEL, "is late delivery larger in app than in fax?", "No view of this release knows “fax”. Its views are by “channel”: “app”, “web”, “other” and “missing”."),
        (BY_CHANNEL, "what differs in fax?", "“fax”"),
        (BY_CHANNEL, "app crashes by region", "“region”"),
        (BY_CHANNEL, "where is double charge larger?", "does not tell “double charge” apart"),
        (BY_CHANNEL, "is double charge larger in app than in web?", "does not tell “app” from “web” in their shares of “double charge”"),
        (BY_CHANNEL, "what differs in missing?", "too little was filed in “missing”"),
        (BY_CHANNEL, "is late delivery larger in app than in other?", "only declared values"),
        (BY_CHANNEL, "where is rude driver larger?", "Views speak of the listed themes only"),
        (BY_CHANNEL, "where are goods larger?", "Views speak of the listed themes only"),  # an area with none
        (BY_CHANNEL, "since when does late delivery rise?", "none of its views is by a date"),
        (BY_THREE, "double charge in app, web and fax?", "Ask for one value, or for two."),
        (BY_MONTH, "how did late delivery change between May and July?", "only neighbouring periods"),
        (CLEAR, "where?", "it has no views"),
        (CLEAR, "where is late delivery larger?", "it has no views"),
        (CLEAR, "what differs in app?", "Declare the values of a column"),
        (stated(BY_CHANNEL, quantity=Prevalence()), "where is late delivery larger?", "only declared sizes would make shares"),
    ],
)  # fmt: skip
def test_what_this_release_cannot_say_is_said_with_the_reason(plan, question, why):
    assert why in notes(plan, question)
    assert not {*kinds(plan, question)} & {"differs_here", "differs_between", "others_here", "others_between"}


def test_who_asks_where_of_a_release_without_views_is_told_what_is_known_without_them():
    assert kinds(CLEAR, "where is late delivery larger?")[0] == "interval_of"


@pytest.mark.parametrize("question", ["app crashes", "where is zebra?", "late", "banana in app", "why is it so?"])
def test_other_questions_are_answered_as_before(question):
    assert not {*kinds(BY_THREE, question)} & {"differs_here", "differs_between"}


def test_a_month_of_two_years_names_neither():
    facet = PeriodFacet(column="date", every="month", first="2025-05", last="2026-05")
    plan = viewed([APP, *[WEB] * 11, MORE_WEB, FEW, NOBODY], facet=facet)
    assert "“may”" in notes(plan, "how did late delivery change between May and June?")
    assert "rose" in told(plan, "how did late delivery change between May 2025 and June 2025?")
    assert "and 3 more" in notes(plan, "what changed in 1999?")


def test_values_of_two_facets_are_not_compared():
    both = BY_CHANNEL.model_copy(
        update={
            "statement": BY_CHANNEL.statement.model_copy(
                update={"views": (*BY_CHANNEL.statement.views, *BY_MONTH.statement.views)}
            ),
            "views": (*BY_CHANNEL.views, *BY_MONTH.views),
        }
    )
    assert "a view is by one facet" in notes(both, "is late delivery larger in app than in June?")
    assert {*kinds(both, "since when does late delivery rise?")} == {"differs_between"}
    assert "“channel”" not in told(both, "how did late delivery change in June by date?")


def test_a_theme_whose_name_is_a_value_is_found_where_the_value_is_not_meant():
    plan = viewed([APP, WEB, FEW, NOBODY], facet=ColumnFacet(column="kind", values=("app crashes", "web")))
    assert kinds(plan, "app crashes")[0] == "interval_of"
    assert "others_here" in kinds(plan, "what differs in app crashes?")


PHRASES = (
    *("where is", "since when", "what differs", "did", "is", "?", "late delivery", "app crashes", "money", "zebra"),
    *(
        "larger",
        "smaller",
        "change",
        "in app",
        "than in web",
        "in fax",
        "in other",
        "in missing",
        "by channel",
        "by date",
    ),
    *("between May and June", "from June", "2026-05", "and"),
)


@settings(max_examples=80)
@given(st.sampled_from(VIEWED), st.lists(st.sampled_from(PHRASES), min_size=1, max_size=6).map(" ".join))
def test_whatever_is_asked_every_sentence_of_the_answer_is_verified(plan, question):
    answered = asked(plan, SHOP, question)
    sentences = [each for answer in answered.answers for found in answer.found for each in found.sentences]
    for sentence in (*answered.before, *sentences, *answered.after):
        (again,) = verify(plan, sentence.text, "display", SHOP).sentences
        assert again.status is Status.VERIFIED
    assert all("\n" not in line for line in answered.lines())
