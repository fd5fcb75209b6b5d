"""The page fits its window: nothing scrolls sideways, is cut off, or is printed over something else."""

import pytest
from hypothesis import HealthCheck, given, settings

from browsing import DESK, PHONE, SCREENS, SEEN, TABLET, ZOOMED, open_details, seen
from dpspin.public.report.folder import report
from random_plans import plans
from report_pages import MAKERS

OF_SERIES = [name for name in MAKERS if "series" in name]
NOT_DRAWN = {"no shares", "phrases", *OF_SERIES}  # no bars
DRAWN = [name for name in MAKERS if not name.startswith("hostile") and name not in NOT_DRAWN]
FEW_PLANS = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
LONGEST_ORDINARY_WORD = 13


def sideways(page):
    return page.evaluate("document.documentElement.scrollWidth - innerWidth")


def bottom(page, selector):
    return page.evaluate("it => document.querySelector(it).getBoundingClientRect().bottom", selector)


@pytest.mark.parametrize("screen", [*SCREENS, ZOOMED], ids=str)
@pytest.mark.parametrize("name", MAKERS)
def test_everything_fits_folded_and_unfolded(show, name, screen):
    page = show(name, screen)
    for unfold in (lambda page: None, open_details):
        unfold(page)
        assert sideways(page) <= 0
        assert seen(page, "cutOff") == []
        assert seen(page, "overlapping") == []
        assert name.startswith("hostile") or seen(page, "brokenWords", LONGEST_ORDINARY_WORD) == []


def test_only_a_tile_is_cut_short_and_its_words_stand_in_full_elsewhere(show):
    page = show("hostile")
    short = page.evaluate("""() => [...document.querySelectorAll('body *')]
      .filter(it => getComputedStyle(it).webkitLineClamp !== 'none' && it.scrollHeight > it.clientHeight + 2)
      .map(it => [it.closest('.tile') !== null, it.textContent.toLowerCase()])""")
    elsewhere = page.locator("main > :not(.tiles)").all_inner_texts()
    assert len(short) == 3  # an area, a theme, and what the theme means
    for in_tile, words in short:
        assert in_tile
        assert any(words.removeprefix("in the dictionary: ") in text.lower() for text in elsewhere)


def test_a_name_from_right_to_left_does_not_turn_the_number_after_it_round(show):
    page = show("our sentences")
    places = page.evaluate("""() => {
      const claim = [...document.querySelectorAll('.claims .claim')].find(it => it.textContent.includes('לקוחות'));
      const walker = document.createTreeWalker(claim, NodeFilter.SHOW_TEXT), found = {};
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        for (const part of ['שירות', '6.1', '%', 'and more']) {
          if (!node.data.includes(part)) continue;
          const range = document.createRange(), at = node.data.indexOf(part);
          range.setStart(node, at), range.setEnd(node, at + part.length);
          found[part] = range.getBoundingClientRect().left;
        }
      return found;
    }""")
    assert sorted(places, key=places.get) == ["שירות", "6.1", "%", "and more"]


@FEW_PLANS
@given(released=plans())
def test_the_page_of_any_plan_fits(show_text, released):
    page = show_text(report(released.plan, released.universe))
    for screen in SCREENS:
        page.set_viewport_size({"width": screen.width, "height": screen.height})
        open_details(page)
        assert sideways(page) <= 0
        assert seen(page, "cutOff") == []


@pytest.mark.parametrize("name", DRAWN)
def test_the_finding_and_the_first_bars_are_seen_without_scrolling(show, name):
    page = show(name, DESK)
    assert bottom(page, "h1") < DESK.height
    bars = page.evaluate("[...document.querySelectorAll('.bar-row')].map(row => row.getBoundingClientRect().bottom)")
    assert max(bars[:5]) <= DESK.height


@pytest.mark.parametrize("name", OF_SERIES)
def test_what_changed_is_seen_without_scrolling_and_wider_than_the_rest(show, name):
    page = show(name, DESK)
    if name.startswith("hostile"):  # names of 300 letters
        return
    assert bottom(page, "h1") < bottom(page, ".changed .panel") < DESK.height
    assert bottom(page, ".areas .drawn") < 1.5 * DESK.height
    changed, other = (page.locator(f"{where} .plot").first.bounding_box() for where in (".changed", ".areas"))
    assert changed["width"] > other["width"]


def test_the_whole_chart_with_its_axis_is_seen_without_scrolling(show):
    page = show("rich", DESK)
    assert page.locator(".bar-row").count() == 22  # ten areas, ten themes, and what is beside them
    assert bottom(page, ".axis") <= DESK.height


@pytest.mark.parametrize("screen", [PHONE, TABLET], ids=str)
def test_on_a_small_screen_the_chart_comes_before_the_sentences(show, screen):
    page = show("rich", screen)
    first_sentence = page.evaluate("document.querySelector('.claims').getBoundingClientRect().top")
    assert bottom(page, "figure") <= first_sentence


def test_on_a_phone_the_finding_and_the_first_bar_are_seen_without_scrolling(show):
    page = show("rich", PHONE)
    assert max(bottom(page, "h1"), bottom(page, ".bar-row")) <= PHONE.height


def test_nothing_is_lost_at_twice_the_size(show):
    usual, zoomed = (show("rich", screen) for screen in (DESK, ZOOMED))
    for page in (usual, zoomed):
        open_details(page)
    column_heads = set(usual.locator(".plan thead th").all_inner_texts())  # they stand in each cell instead
    assert set(seen(usual, "words")) - set(seen(zoomed, "words")) <= column_heads
    labels = zoomed.evaluate("[...document.querySelectorAll('.plan td[data-label]')].map(td => td.dataset.label)")
    assert column_heads - set(labels) == {"Theme"}


@pytest.fixture
def show_text(browser):
    """Open a page from its text, always in the same tab."""
    page = browser.new_page()

    def shown(text):
        page.set_content(text)
        page.evaluate(SEEN)
        return page

    yield shown
    page.context.close()
