# ruff: noqa: E501  sentences stand in one line
"""Sentences about our own examples and about candidates: what the noise supports is written, and nothing else passes."""

import pytest

from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.narrate import narrate
from dpspin.public.narrate.outline_of_views import candidate_claims, example_claims
from dpspin.public.narrate.verify import Status, check_text
from dpspin.public.report.finding import shown_sentences
from dpspin.public.report.folder import report
from dpspin.public.report.on_terminal import terminal_page
from dpspin.public.report.view_rows import views_csv
from text_viewed_plans import BY_CANDIDATE, BY_EXAMPLE, CAFE, LACKING, NEAREST, text_viewed

LANGUAGE = Language(Facts(NEAREST, CAFE), Mode.DISPLAY)
TEXT = narrate(NEAREST, CAFE).text
ONE = "An example of “long wait” that we wrote ourselves, and nobody in the records did, is nearest to more of what was filed there than our others: [We waited an hour for a table.]."
FEW = "One of these examples of “good coffee”, which we wrote ourselves and nobody in the records did, is nearest to more of what was filed there than our others: [The espresso is superb.] and [Best flat white in town!]."
SURE = "All that is said of our examples holds together with at least 95% confidence as to the noise; shared words alone decided what is nearest."


def test_the_text_of_a_plan_with_examples_is_verified_and_names_them_as_ours():
    assert check_text(TEXT, LANGUAGE).accepted
    assert f"{ONE} {FEW} {SURE}" in TEXT
    assert check_text(narrate(NEAREST, CAFE, mode=Mode.AUDIT).text, Language(Facts(NEAREST, CAFE), Mode.AUDIT)).accepted


def test_who_speaks_of_an_example_must_say_how_sure_it_is():
    for sentence in (ONE, FEW):
        alone = check_text(sentence, LANGUAGE)
        assert not alone.accepted
        assert SURE in str(alone)


FALSE = (
    ONE.replace("We waited an hour for a table.", "The queue was endless."),
    ONE.replace("We waited an hour for a table.", "The espresso is superb."),
    ONE.replace("We waited an hour for a table.", "We waited two hours for a table."),
    ONE.replace("We waited an hour for a table.", "we waited an hour for a table."),
    ONE.replace("[We waited an hour for a table.]", "“We waited an hour for a table.”"),
    ONE.replace("[We waited an hour for a table.]", "We waited an hour for a table"),
    ONE.replace("[We waited an hour for a table.]", "[We waited an hour for a table.] and [The queue was endless.]"),
    ONE.replace(" that we wrote ourselves, and nobody in the records did,", ""),
    ONE.replace("we wrote ourselves, and nobody in the records did,", "a guest wrote"),
    ONE.replace("nobody in the records did", "many in the records did"),
    ONE.replace("An example", "A quotation"),
    ONE.replace("nearest to more of what was filed there than our others", "what most people wrote"),
    ONE.replace("nearest to more", "nearest to most"),
    ONE.replace("nearest to more of what was filed there", "nearest to all that was filed there"),
    ONE.replace("“long wait”", "“rude staff”"),
    ONE.replace("“long wait”", "“cold food”"),
    ONE.replace("“long wait”", "“fair price”"),
    ONE.replace("“long wait”", "“good coffee”").replace("We waited an hour for a table.", "The espresso is superb."),
    FEW.replace(" and [Best flat white in town!]", ""),
    FEW.replace("[Best flat white in town!]", "[Lovely beans.]"),
    FEW.replace(
        "[The espresso is superb.] and [Best flat white in town!]",
        "[Best flat white in town!] and [The espresso is superb.]",
    ),
    FEW.replace("One of these", "Each of these"),
    FEW.replace("“good coffee”", "“long wait”"),
    FEW.replace("and [Best", ", [Lovely beans.] and [Best"),
    "One of these examples of “rude staff”, which we wrote ourselves and nobody in the records did, is nearest to more of what was filed there than our others: [The waiter rolled his eyes.] and [She shouted at us.].",
    "An example of “cold food” that we wrote ourselves, and nobody in the records did, is nearest to more of what was filed there than our others: [My soup was cold.].",
    "Guests wrote: [We waited an hour for a table.].",
    "Most guests waited an hour for a table.",
    SURE.replace("95%", "99%"),
    SURE.replace(" as to the noise", ""),
    SURE.replace("shared words alone decided", "people decided"),
)


@pytest.mark.parametrize("sentence", FALSE)
def test_what_the_examples_do_not_support_is_not_accepted(sentence):
    verdict = check_text(f"{sentence} {SURE}", LANGUAGE)
    assert verdict.sentences[0].status is not Status.VERIFIED


def test_where_the_noise_leaves_all_open_nothing_is_said():
    plan = text_viewed(BY_EXAMPLE, [[1.0] * 7] * 5)
    assert not [*example_claims(Facts(plan, CAFE))]
    assert "Left open by the noise: <bdi>long wait</bdi>" in report(plan, CAFE)


def test_the_page_the_terminal_and_the_table_show_them_as_ours():
    page = report(NEAREST, CAFE)
    assert '<span class="tag">our example</span> <bdi>We waited an hour for a table.</bdi>' in page
    assert "not anyone's words in the records" in page
    assert "“We waited" not in page
    shown = terminal_page(Facts(NEAREST, CAFE), shown_sentences(check_text(TEXT, LANGUAGE)), 100)
    assert "[We waited an hour for a table.]" in " ".join(shown.split())
    rows = views_csv(NEAREST, CAFE).splitlines()
    assert rows[1].startswith("nearest of our own examples,our example: We waited an hour for a table.,long wait,yes,")
    assert len(rows) == 1 + 4 + 3 + 4 + 2 + 4  # of each theme its examples, and none of them


OF_CANDIDATES = Language(Facts(LACKING, CAFE), Mode.DISPLAY)
LACKS = next(each.text for each in OF_CANDIDATES.read(narrate(LACKING, CAFE).text) if "“gift cards”" in each.text)
COUNTED = "Of 4 candidates for themes that the dictionary may lack, 2 stand clear of the noise; of the others nothing is told."
CERTAIN = "All that is said of candidates holds together with at least 95% confidence as to the noise; whether anyone wrote of them, only a reader can tell."


def test_the_text_of_a_plan_with_candidates_is_verified_and_says_how_sure_it_is():
    told = narrate(LACKING, CAFE)
    assert told.verdict.accepted
    assert LACKS.startswith("A theme that the dictionary may lack: about ")
    assert " lies nearest to the candidate “gift cards”, as a map sees it (" in LACKS
    assert f"{COUNTED} {CERTAIN}" in told.text
    alone = check_text(LACKS, OF_CANDIDATES)
    assert not alone.accepted
    assert CERTAIN in str(alone)


FALSE_CANDIDATES = (
    LACKS.replace("“gift cards”", "“dog friendly”"),
    LACKS.replace("“gift cards”", "“loud music”"),
    LACKS.replace("“gift cards”", "“slow wifi”"),
    LACKS.replace("“gift cards”", "“none of the candidates”"),
    LACKS.replace("“gift cards”", "“long wait”"),
    LACKS.replace("“gift cards”", "“parking”"),
    LACKS.replace("“gift cards”", "gift cards"),
    LACKS.replace("may lack", "lacks"),
    LACKS.replace("A theme that the dictionary may lack", "The largest theme of all"),
    LACKS.replace(", as a map sees it", ""),
    LACKS.replace("lies nearest to the candidate", "is about"),
    LACKS.replace("lies nearest to", "was written by users about"),
    LACKS.replace(" without the privacy noise", ""),
    LACKS.replace("about 3.0", "about 4.0"),
    LACKS.replace("about", "at least"),
    LACKS.replace("%", " records"),
    COUNTED.replace("2 stand", "3 stand"),
    COUNTED.replace("Of 4", "Of 40"),
    COUNTED.replace("of the others nothing is told", "the others are not there"),
    "Of 4 candidates for themes that the dictionary may lack, not one stands clear of the noise.",
    CERTAIN.replace("95%", "99%"),
    CERTAIN.replace(" as to the noise", ""),
    CERTAIN.replace("only a reader can tell", "is certain"),
    "“Gift cards” is listed.",
    "People ask for gift cards.",
)


@pytest.mark.parametrize("sentence", FALSE_CANDIDATES)
def test_what_the_candidates_do_not_support_is_not_accepted(sentence):
    assert sentence not in {LACKS, COUNTED, CERTAIN}
    verdict = check_text(f"{sentence} {CERTAIN}", OF_CANDIDATES)
    assert verdict.sentences[0].status is not Status.VERIFIED


def test_where_no_candidate_stands_clear_that_is_said():
    plan = text_viewed(BY_CANDIDATE, [[1.0, 0.0, -1.0, 0.5, 290.0]])
    told = narrate(plan, CAFE)
    assert told.verdict.accepted
    assert "not one stands clear of the noise." in told.text
    assert len([*candidate_claims(Facts(plan, CAFE))]) == 1
    assert "None of the 4 candidates stands clear" in report(plan, CAFE)


def test_the_page_and_the_table_show_the_candidates():
    page = report(LACKING, CAFE)
    assert "What the dictionary may lack" in page
    assert '<th scope="row"><bdi>gift cards</bdi></th>' in page
    assert '<th scope="row"><bdi>slow wifi</bdi></th>' not in page
    rows = views_csv(LACKING, CAFE).splitlines()
    assert len(rows) == 1 + 5
    assert rows[1].startswith("nearest candidate,gift cards,none of these,no,")
    assert ",yes," in rows[1]
    assert ",no," in rows[5]
    shown = terminal_page(
        Facts(LACKING, CAFE), shown_sentences(check_text(narrate(LACKING, CAFE).text, OF_CANDIDATES)), 100
    )
    assert "the candidate “gift cards”" in " ".join(shown.split())
