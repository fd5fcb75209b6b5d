"""The reading room in a real browser: by keyboard, at a desk and on a phone, in light and dark, for everyone."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from browsing import DESK, PHONE
from reading_rooms import put, put_series, titled
from running_room import running_room
from shop_plans import MASSES, shop

PAGES = ("", "release/march", "release/march?question=how+common+is+late+delivery", "release/months", "release/nothing")
SERIOUS = {"serious", "critical"}
PATIENCE = 60_000  # milliseconds: a busy machine is no finding


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    shelf = tmp_path_factory.mktemp("published")
    put(shelf / "march", titled("What customers wrote in March"))
    put(shelf / "april", titled("What customers wrote in April", shop([*MASSES[:2], 400.0, *MASSES[3:]])))
    put(shelf / "stranger", titled("<script>document.title = 1</script>"))
    put_series(shelf / "months")
    (shelf / "broken").mkdir()
    (shelf / "broken" / "plan.json").write_text("{}")
    with running_room(shelf) as address:
        yield address


@pytest.fixture
def visit(browser, room):
    """Open a page; nothing that a page does may complain, or ask anybody else for anything."""
    heard, contexts = [], []

    def opened(path, screen=DESK, scheme="light"):
        size = {"viewport": {"width": screen.width, "height": screen.height}}
        context = browser.new_context(**size, color_scheme=scheme, reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: heard.append(f"error: {error}"))
        page.on("dialog", lambda dialog: heard.append(f"dialog: {dialog.message}"))
        page.on("request", lambda request: request.url.startswith(room) or heard.append(f"asks for {request.url}"))
        page.on("console", lambda message: "404" in message.text or heard.append(f"console: {message.text}"))
        page.goto(room + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert heard == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [DESK, PHONE], ids=str)
def test_every_page_fits_its_window_and_bars_nobody(visit, screen, scheme):
    for path in PAGES:
        page = visit(path, screen, scheme)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
        found = Axe().run(page).response["violations"]
        assert [(path, each["id"]) for each in found if each["impact"] in SERIOUS] == []


def test_a_question_is_asked_and_answered_by_keyboard_alone(visit):
    page = visit("")
    seen = []
    for _ in range(12):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.textContent.trim()"))
        if seen[-1] == "What customers wrote in March":
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/release/march")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "question":
            break
    page.keyboard.type("how common is late delivery?")
    page.keyboard.press("Enter")
    page.wait_for_url("**question=**")
    assert "“Late delivery”" in page.get_by_role("status").inner_text()


def test_from_the_shelf_to_a_report_a_series_and_a_comparison(visit):
    page = visit("")
    page.get_by_label("Before").fill("march")
    page.get_by_label("After").fill("april")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url("**/compare**")
    assert "late delivery" in page.locator("h1").inner_text().lower()
    page.go_back()
    page.get_by_role("link", name="What customers wrote in March").click()
    page.get_by_role("link", name="Read the report").click()
    assert page.locator("h1").inner_text()
    page = visit("release/months")
    page.get_by_role("link", name="See the series").click()
    assert page.locator("h1").inner_text()


def test_a_hostile_title_is_only_text(visit):
    page = visit("release/stranger")
    assert page.title().startswith("<script>")
    page.get_by_role("link", name="Read the report").click()
    assert page.title() != "1"
