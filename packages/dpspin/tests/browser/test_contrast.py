"""Every text can be read: WCAG's 4.5 (3 where it is large), as the browser paints it."""

import pytest

from browsing import DESK, PHONE, open_details, seen
from report_pages import MAKERS

MEDIA = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "print": {"media": "print", "color_scheme": "dark"},  # paper is white whatever the screen is
}
STROKE = "it => getComputedStyle(it).stroke"
POINTED_AT = ("h1", ".claims .claim", ".bar-row[data-atom]", ".plan tr[data-atom]", "[data-none]:not(.claim)")


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=str)
@pytest.mark.parametrize("name", MAKERS)
def test_every_text_can_be_read(show, name, screen):
    page = show(name, screen)
    open_details(page)
    for media, options in MEDIA.items():
        page.emulate_media(**options)
        assert seen(page, "howManyTexts") > 30
        assert (media, seen(page, "faint")) == (media, [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("selector", POINTED_AT)
def test_what_is_pointed_at_can_still_be_read(show, selector, scheme):
    page = show("rich", color_scheme=scheme)
    page.locator(selector).first.hover()
    assert seen(page, "faint") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_has_the_focus_or_was_jumped_to_can_still_be_read(show, scheme):
    page = show("rich", color_scheme=scheme)
    page.locator(".bar-row a").first.click()
    page.locator(".claims .claim").first.focus()
    assert page.locator("tr:target").count() == 1
    assert seen(page, "faint") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("contrast", ["none", "active"])
def test_bars_and_whiskers_can_be_seen_in_forced_colours_too(show, scheme, contrast):
    page = show("rich", color_scheme=scheme, forced_colors=contrast)
    for selector, paint in ((".area .bar", "fill"), (".theme-row .bar", "fill"), (".whisker", "stroke")):
        shape = page.locator(f".bars {selector}").first
        assert shape.evaluate(f"it => seen.contrastOfShape(it, '{paint}')") >= 3, selector


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_whisker_is_seen_on_every_bar_because_a_halo_parts_them(show, scheme):
    page = show("rich", color_scheme=scheme)
    for row in (".area", ".theme-row", ".beside"):
        lane = page.locator(f"{row} .lane").first
        whisker, halo, bar = (lane.locator(shape).first for shape in (".whisker", ".halo", ".bar"))
        paints = [whisker.evaluate(STROKE), halo.evaluate(STROKE), bar.evaluate("it => getComputedStyle(it).fill")]
        assert page.evaluate("([line, halo]) => seen.contrastOfPaints(line, halo)", paints[:2]) >= 3, row
        assert page.evaluate("([halo, bar]) => seen.contrastOfPaints(halo, bar)", paints[1:]) >= 3, row
