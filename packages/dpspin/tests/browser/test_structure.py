"""What a machine that reads the page aloud is given, and what the page does without: scripts."""

from itertools import pairwise

import pytest

from browsing import SCREENS, open_details, seen
from report_pages import MAKERS

HEADINGS = "[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(it => +it.tagName[1])"
REPEATED_IDS = """() => {
  const ids = [...document.querySelectorAll('[id]')].map(it => it.id);
  return ids.filter((id, place) => ids.indexOf(id) !== place);
}"""
UNNAMED_PICTURES = """() => [...document.querySelectorAll('svg, img')].filter(it =>
  !it.closest('[aria-hidden=true]') && !(it.getAttribute('role') === 'img' && it.getAttribute('aria-label')))
  .map(it => it.outerHTML)"""
UNNAMED_TABLES = """() => [...document.querySelectorAll('table')].filter(it =>
  !it.hasAttribute('aria-labelledby') && !it.closest('[role=region][aria-label]')).map(it => it.outerHTML)"""
LOOSE_CELLS = """() => [...document.querySelectorAll('table')].flatMap(table => {
  const heads = table.querySelectorAll('thead th[scope=col]').length;
  const rows = [...table.querySelectorAll('tbody tr, tfoot tr')];
  const bad = rows.filter(row => row.cells.length !== heads || row.querySelectorAll('th[scope=row]').length !== 1);
  return heads ? bad.map(row => row.outerHTML) : [table.outerHTML];
})"""


@pytest.mark.parametrize("name", MAKERS)
def test_headings_go_down_one_by_one_ids_are_unique_pictures_named_and_cells_headed(show, name):
    page = show(name)
    levels = page.evaluate(HEADINGS)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.evaluate(REPEATED_IDS) == []
    assert page.evaluate(UNNAMED_PICTURES) == []
    assert page.evaluate(LOOSE_CELLS) == []
    assert page.locator("main").count() == 1
    assert page.locator("html").get_attribute("lang") == "en"


@pytest.mark.parametrize("name", MAKERS)
def test_every_link_section_and_table_has_a_name(show, name):
    page = show(name)
    open_details(page)
    spoken = [line.strip() for line in page.locator("body").aria_snapshot().splitlines()]
    named = [line for line in spoken if line.startswith(("- link", "- region", "- figure"))]
    assert len(named) > (2 if name == "phrases" else 10)  # a short page, without links
    assert [line for line in named if '"' not in line and "/" not in line] == []  # long names are written as /name/
    regions = [line for line in named if line.startswith("- region")]
    assert len(regions) == len(set(regions))
    assert page.evaluate(UNNAMED_TABLES) == []


def test_a_table_stays_a_table_where_it_is_shown_as_cards(show):
    for screen in SCREENS:
        page = show("rich", screen)
        table = page.get_by_role("table", name="The listed themes")
        assert table.get_by_role("rowheader").count() == 12, screen
        assert table.get_by_role("columnheader").count() == 6, screen
        assert table.get_by_role("cell").count() == 12 * 5, screen


@pytest.mark.parametrize("screen", SCREENS, ids=str)
def test_it_is_the_same_page_without_scripts(show, screen):
    with_scripts, without = show("rich", screen), show("rich", screen, java_script_enabled=False)
    assert with_scripts.screenshot(full_page=True) == without.screenshot(full_page=True)
    assert with_scripts.locator("script").all_text_contents() == [with_scripts.locator("#plan").text_content()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colours_and_no_motion_change_no_word(show, scheme):
    usual = show("rich", color_scheme=scheme, reduced_motion="no-preference")
    forced = show("rich", color_scheme=scheme, forced_colors="active")
    assert seen(usual, "words") == seen(forced, "words")
    assert forced.evaluate("matchMedia('(forced-colors: active) and (prefers-reduced-motion: reduce)').matches")


def test_hostile_words_are_text_and_nothing_else(show):
    page = show("hostile")
    assert page.locator("img, main style, main script, iframe").count() == 0
    assert page.locator("body").is_visible()
    words = seen(page, "words")
    assert any("onerror=alert(1)" in text for text in words)
    assert any("&lt;script&gt; alert(1)" in text for text in words)  # letter by letter, and not as what it stands for


@pytest.mark.parametrize("name", MAKERS)
def test_no_sentence_carries_the_mark_of_a_list_that_the_page_has_already(show, name):
    sentences = show(name).locator(".claim, .evidence > li").all_text_contents()
    assert sentences
    assert [text for text in sentences if text.strip().startswith(("-", "*", "•"))] == []
