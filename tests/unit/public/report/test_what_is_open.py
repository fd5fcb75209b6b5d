"""A page says what is open: what the sorting may change, shares of nothing that is known, and words of others."""

import re

import pytest

from dpspin.boundary.baseline import baseline_of
from dpspin.boundary.denominator import TotalMass
from dpspin.boundary.reading import WholeSketch, read_noise
from dpspin.public.report.folder import report
from factories import PAPER_PLAN, PAPER_UNIVERSE
from pages import page_of, words
from report_cards import MASSES, NONE, PAPER_CARD, READING, card_of, identity, mapped_plan, stated_with

FLAWLESS = card_of(
    identity(5),
    atoms=[{"atom_id": atom, "expressed": 40.0, "precision": 1.0, "recall": 1.0} for atom in PAPER_UNIVERSE.ids],
)
UNTESTED = "This release holds no test of how well the map sorts."
OPEN = "Sorting errors as on labelled test text may hide that another theme is the largest."
DOUBTS = {
    "no card": (PAPER_PLAN, [UNTESTED]),
    "a card that leaves it open": (mapped_plan(PAPER_CARD), [OPEN]),
    "a card without errors": (mapped_plan(FLAWLESS), []),
}


def doubts_of(page):
    return re.findall(r'</h1>\s*<p class="doubt"><bdi>(.*?)</bdi></p>', page)


def tiles(plan):
    return [words(tile) for tile in re.findall(r'<li class="tile">.*?</li>', page_of(plan), flags=re.DOTALL)]


@pytest.mark.parametrize("name", DOUBTS)
def test_what_the_sorting_leaves_open_stands_beneath_the_headline(name):
    plan, doubts = DOUBTS[name]
    assert doubts_of(page_of(plan)) == doubts
    assert [text for text in (OPEN, UNTESTED) if text in words(report(plan, PAPER_UNIVERSE))] == doubts


@pytest.mark.parametrize("name", DOUBTS)
def test_a_doubt_is_not_repeated_among_the_sentences(name):
    plan, doubts = DOUBTS[name]
    page = report(plan, PAPER_UNIVERSE)
    claims = [words(claim) for claim in re.findall(r'<li class="claim".*?</li>', page, flags=re.DOTALL)]
    assert claims
    assert not {OPEN, UNTESTED} & set(claims)
    (evidence,) = re.findall(r'<ol class="evidence">.*?</ol>', page, flags=re.DOTALL)
    assert [evidence.count(text) for text in doubts] == [1] * len(doubts)


def unknown_total(card=None, masses=(30.0, -20.0, -9.0, 1.3)):
    """Return a plan that lists a theme, and whose total may be noise alone."""
    total = READING.model_copy(update={"denominator": TotalMass()})
    noisy = WholeSketch(masses, None)
    return read_noise(noisy, stated_with(card, none=False), PAPER_UNIVERSE, total, software="dpspin test")


@pytest.mark.parametrize("card", [None, PAPER_CARD])
def test_without_a_known_denominator_shares_are_unknown_and_nothing_is_drawn(card):
    plan = unknown_total(card)
    page = report(plan, PAPER_UNIVERSE)
    assert plan.entries
    assert 'id="h-chart"' not in page
    assert "in the chart" not in words(page)
    (row,) = re.findall(r'<tr role="row" id="row-17".*?</tr>', page, flags=re.DOTALL)
    (other,) = re.findall(r'<tr id="row-99">.*?</tr>', page, flags=re.DOTALL)
    about = "–" if card is None else "unknown"
    assert f"– unknown unknown {about} " in words(row)
    assert "unknown unknown" in words(other)
    (summary,) = re.findall(r'<section aria-labelledby="h-summary".*?</section>', page, flags=re.DOTALL)
    assert "No share is given, because what shares would refer to does not stand clear of the noise." in words(summary)
    told = words(f"{page.partition('<main')[0]}{summary}")
    assert set(re.findall(r"[\d.,]+%", told)) == (set() if card is None else {"83%", "64%", "90%"})  # of the card


def test_without_a_known_denominator_no_tile_says_what_the_noise_leaves_open():
    sorting, privacy = tiles(unknown_total())
    assert sorting.startswith("Sorted right")
    assert privacy.startswith("Privacy of each record")


def test_a_total_that_stands_clear_is_a_denominator():
    page = report(unknown_total(masses=(318.4, 271.9, 244.7, 1.3)), PAPER_UNIVERSE)
    assert 'id="h-chart"' in page
    assert "No share is given" not in words(page)
    assert tiles(unknown_total(masses=(318.4, 271.9, 244.7, 1.3)))[0].startswith("Largest theme as filed 38.1%")


def test_words_that_somebody_declared_stand_in_quotation_marks():
    card = PAPER_CARD.model_copy(update={"measured_on": "all of it is right"})
    survey = baseline_of(PAPER_UNIVERSE, dict.fromkeys(PAPER_UNIVERSE.ids, 1), source="a survey of everybody")
    reading = READING.model_copy(update={"baseline": survey})
    plan = read_noise(WholeSketch(MASSES, NONE), stated_with(card), PAPER_UNIVERSE, reading, software="dpspin test")
    page = page_of(plan)
    for declared in ("all of it is right", "a survey of everybody", "How good the food is."):
        shown = page.partition('id="plan"')[0].count(declared)
        assert shown == page.count(f"“<bdi>{declared}</bdi>”") > 0
