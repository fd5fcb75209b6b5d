"""Everything can be reached and worked with the keyboard alone, and one always sees where one is."""

import pytest

from browsing import DESK, PHONE, open_details, seen

FOCUSED = """() => {
  const it = document.activeElement, style = getComputedStyle(it), box = it.getBoundingClientRect();
  if (it === document.body) return null;
  return {
    name: seen.nameOf(it), style: style.outlineStyle, width: parseFloat(style.outlineWidth),
    contrast: seen.contrastOfOutline(it), inside: box.bottom > 0 && box.top < innerHeight,
  };
}"""


def walked(page):
    """Press Tab until the page is left; return where the focus was."""
    stops = []
    for _ in range(500):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUSED)
        if stop is None or (stops and stop["name"] == stops[0]["name"]):
            return stops
        stops.append(stop)
    raise AssertionError("the focus never leaves the page")


@pytest.mark.parametrize(("screen", "scheme"), [(DESK, "dark"), (PHONE, "light")], ids=str)
@pytest.mark.parametrize("unfold", [False, True], ids=["folded", "unfolded"])
def test_tab_goes_everywhere_in_the_order_of_the_page_and_is_seen(show, screen, scheme, unfold):
    page = show("rich", screen, color_scheme=scheme)
    if unfold:
        open_details(page)
    stops = walked(page)
    assert [stop["name"] for stop in stops] == seen(page, "focusable")
    assert [stop for stop in stops if stop["style"] == "none" or stop["width"] < 2 or stop["contrast"] < 3] == []
    assert [stop for stop in stops if not stop["inside"]] == []


@pytest.mark.parametrize("key", ["Enter", "Space"])
@pytest.mark.parametrize("name", ["rich", "hostile"])
def test_a_key_unfolds_every_detail_and_folds_it_again(show, name, key):
    page = show(name)
    details = page.locator("details")
    assert details.count() >= 4
    for detail in details.all():
        detail.locator("summary").focus()
        page.keyboard.press(key)
        assert detail.evaluate("it => it.open")
        page.keyboard.press(key)
        assert not detail.evaluate("it => it.open")


def test_enter_follows_a_link_to_its_row(show):
    page = show("rich")
    page.locator(".mark summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    wanted = page.evaluate("document.activeElement.hash")
    page.keyboard.press("Enter")
    assert page.evaluate("'#' + document.querySelector(':target').id") == wanted


def test_a_table_that_scrolls_sideways_scrolls_with_the_arrows(show):
    page = show("rich", PHONE)
    open_details(page)
    wide = page.locator(".others .scroll")
    assert wide.evaluate("it => it.scrollWidth > it.clientWidth")
    wide.focus()
    page.keyboard.press("ArrowRight")
    for _ in range(100):  # it glides, and the page's policy forbids Playwright to wait for a condition in it
        page.wait_for_timeout(20)
        if wide.evaluate("it => it.scrollLeft"):
            return
    raise AssertionError("the table did not move")
