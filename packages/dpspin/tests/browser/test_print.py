"""The page on paper: one sheet where it can, two at most, and nothing is cut off."""

import re

import pytest

from browsing import Screen, seen
from report_pages import MAKERS

PAPER = {"A4": Screen(703, 1032), "Letter": Screen(725, 965)}  # inside margins of 12 mm, the page's own or wider
THREE_SHEETS = ("hostile", "hostile as read")  # labels of 300 letters, each of them printed in full several times
ONE_SHEET = ("rich", "nothing clear", "prevalence", "simulated", "private choice", "as read", "prevalence as read")


def sheets(page, paper):
    """Count the pages of a PDF, which Chromium writes with one plain object for each."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))


@pytest.mark.parametrize("paper", PAPER)
@pytest.mark.parametrize("name", MAKERS)
def test_it_prints_on_two_sheets_at_most(show, name, paper):
    assert sheets(show(name), paper) <= (1 if name in ONE_SHEET else 3 if name in THREE_SHEETS else 2)


def test_the_sheets_are_counted(show):
    page = show("rich")
    page.evaluate("document.body.style.height = '300cm'")
    assert sheets(page, "A4") > 5


@pytest.mark.parametrize("paper", PAPER)
@pytest.mark.parametrize("name", MAKERS)
def test_nothing_is_cut_off_on_paper(show, name, paper):
    page = show(name, PAPER[paper])
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert seen(page, "cutOff") == []
    assert seen(page, "overlapping") == []


def test_paper_has_the_finding_the_chart_the_sentences_and_who_is_protected(show):
    page = show("rich")
    page.emulate_media(media="print")
    for selector in ("h1", ".about", ".tiles", "figure .axis", ".claims", "#h-sure", ".label .headline"):
        assert page.locator(selector).first.is_visible(), selector
    assert not page.locator("#h-technical").is_visible()


@pytest.mark.parametrize("paper", PAPER)
def test_paper_is_not_laid_out_as_a_phone_though_it_is_as_narrow(show, paper):
    page = show("rich", PAPER[paper])
    page.emulate_media(media="print")
    name, lane = (page.locator(f".bar-row {part}").first.bounding_box() for part in (".name", ".lane"))
    assert name["x"] + name["width"] <= lane["x"]
