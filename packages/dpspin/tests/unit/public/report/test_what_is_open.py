"""A page says what is open: what the sorting may change, and what are the words of others."""

import re

import pytest

from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.postprocess import NoisyMasses
from dpspin.boundary.read_plan import read_noise
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.finding import ReportSentence
from dpspin.public.report.folder import report
from dpspin.public.report.on_terminal import terminal_page
from factories import PAPER_PLAN, PAPER_UNIVERSE
from pages import page_of, words
from report_cards import MASSES, NONE, PAPER_CARD, READING, card_of, identity, mapped_plan, stated_with

FLAWLESS = card_of(
    identity(5),
    atoms=[{"atom_id": atom, "expressed": 40.0, "precision": 1.0, "recall": 1.0} for atom in PAPER_UNIVERSE.ids],
)
UNTESTED = "The map is untested, so nobody knows how well it sorts these records."
OPEN = "Sorting errors as on labelled test text may hide that another theme is the largest."
ELSEWHERE = (
    "The map was checked on labelled test text and not on these records: 83% of what was filed under a theme belonged "
    "there, and 64% of the themes in the text were found."
)
DOUBTS = {
    "no card": (PAPER_PLAN, [UNTESTED]),
    "a card that leaves it open": (mapped_plan(PAPER_CARD), [ELSEWHERE, OPEN]),
    "a card without errors": (mapped_plan(FLAWLESS), [ELSEWHERE]),
}


def doubts_of(page):
    return re.findall(r'<p class="doubt"><bdi>(.*?)</bdi></p>', page.partition("</h1>")[2])


@pytest.mark.parametrize("name", DOUBTS)
def test_what_the_sorting_leaves_open_stands_beneath_the_headline(name):
    plan, doubts = DOUBTS[name]
    assert doubts_of(page_of(plan)) == doubts
    assert [text for text in (ELSEWHERE, OPEN, UNTESTED) if text in words(report(plan, PAPER_UNIVERSE))] == doubts


@pytest.mark.parametrize("name", DOUBTS)
def test_a_doubt_is_not_repeated_among_the_sentences(name):
    plan, doubts = DOUBTS[name]
    page = report(plan, PAPER_UNIVERSE)
    claims = [words(claim) for claim in re.findall(r'<li class="claim".*?</li>', page, flags=re.DOTALL)]
    assert claims
    assert not {ELSEWHERE, OPEN, UNTESTED} & set(claims)
    (evidence,) = re.findall(r'<ol class="evidence">.*?</ol>', page, flags=re.DOTALL)
    assert [evidence.count(text) for text in doubts] == [1] * len(doubts)


def test_words_that_somebody_declared_stand_in_quotation_marks():
    card = PAPER_CARD.model_copy(update={"measured_on": "all of it is right"})
    survey = baseline_of(PAPER_UNIVERSE, dict.fromkeys(PAPER_UNIVERSE.ids, 1), source="a survey of everybody")
    reading = READING.model_copy(update={"baseline": survey})
    stated = stated_with(card, fitted_on="texts that nobody wrote")
    plan = read_noise(NoisyMasses(MASSES, NONE), stated, PAPER_UNIVERSE, reading, software="dpspin test")
    page = page_of(plan)
    for declared in ("all of it is right", "a survey of everybody", "How good the food is.", "texts that nobody wrote"):
        shown = page.partition('id="plan"')[0].count(declared)
        assert shown == page.count(f"“<bdi>{declared}</bdi>”") > 0


OTHERWISE = [
    "Of all themes, “long wait” has the largest share as filed (15.9%).",
]


@pytest.mark.parametrize("text", OTHERWISE)
def test_what_the_headline_says_is_not_said_again_in_other_words(text):
    page = report(PAPER_PLAN, PAPER_UNIVERSE, text=f"{text} {UNTESTED} “Long wait” is listed.")
    assert "“Long wait” has the largest share of all themes, as filed (15.9%)." in page
    assert text not in page
    assert "“Long wait” is listed." in page
    assert "not shown" not in words(page)  # nothing is withheld: it is said above


@pytest.mark.parametrize("text", OTHERWISE)
def test_a_terminal_does_not_repeat_it_either(text):
    facts = Facts(PAPER_PLAN, PAPER_UNIVERSE)
    told = [ReportSentence(each, (17,), verified=True) for each in (text, "“Long wait” is listed.")]
    shown = " ".join(terminal_page(facts, told, 100).split())
    assert text not in shown
    assert "“Long wait” is listed." in shown
