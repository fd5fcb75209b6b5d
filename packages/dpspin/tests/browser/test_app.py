"""The app in a real browser: from a file to the report, by mouse and by keyboard, at every width, and under attack."""

import os
import re
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browsing import DESK, PHONE
from reading_desk import write_records
from running_app import PATIENCE, running_app, through_the_app

MOST_INTERACTIONS, MOST_SECONDS = 12, 180
HOSTILE = "<img src=x onerror=alert(1)>\"'.csv"
STEPS = ("data", "look", "question", "protection", "request")
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("app")
    write_records(folder)
    (folder / HOSTILE).write_text(
        '"<script>alert(1)</script>","=cmd|calc","user\u202e{{7*7}}"\n' + '"a late parcel, and again",x,7\n' * 20
    )
    return folder


@pytest.fixture(scope="module")
def app(place, tmp_path_factory):
    before = os.environ.get("DPSPIN_LEDGER")
    os.environ["DPSPIN_LEDGER"] = str(tmp_path_factory.mktemp("ledger") / "ledger.db")
    with running_app(place, place.parent / "app.log") as started:
        yield started
    os.environ.pop("DPSPIN_LEDGER") if before is None else os.environ.update(DPSPIN_LEDGER=before)


@pytest.fixture(scope="module")
def context(browser, app):
    """The one browser that is let in; its pages complain of nothing."""
    with browser.new_context(reduced_motion="reduce") as known:
        known.set_default_timeout(PATIENCE)
        known.heard = []
        known.on("console", lambda message: known.heard.append(message.text))
        known.on("weberror", lambda error: known.heard.append(str(error.error)))
        known.on("dialog", lambda dialog: known.heard.append(f"dialog: {dialog.message}"))
        known.on("request", lambda asked: asked.url.startswith((app.origin, "data:")) or known.heard.append(asked.url))
        page = known.new_page()
        page.goto(app.link)
        page.close()
        yield known


@pytest.fixture
def page(context):
    context.heard.clear()
    opened = context.new_page()
    opened.set_viewport_size({"width": DESK.width, "height": DESK.height})
    yield opened
    opened.close()
    assert context.heard == []


@pytest.fixture(scope="module")
def report(context, app):
    """A report that a first-time user made."""
    page = context.new_page()
    page.goto(app.origin)
    begun = time.monotonic()
    done = through_the_app(page, "records.csv", "400", "file:atoms.txt")
    took, address = time.monotonic() - begun, page.url.rpartition("/")[0]
    frame = page.frame_locator("iframe")
    headline = frame.locator("h1").inner_text()
    page.close()
    return done, took, address, headline


def test_a_first_time_user_gets_from_a_file_to_the_published_report(report):
    done, took, _, headline = report
    assert done <= MOST_INTERACTIONS
    assert took < MOST_SECONDS
    assert "share" in headline  # of which theme, the noise may decide


def focus(page, selector):
    """Go to an element by the Tab key alone, from wherever the focus is."""
    for _ in range(60):
        if page.evaluate("chosen => document.activeElement.matches(chosen)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key never comes to {selector}")


def test_the_whole_way_by_keyboard_alone(page, app, report):
    page.goto(app.origin)
    for wanted, key, there in (
        ("button[value='records.csv']", "Enter", "**/data"),
        ("form.card button", "Enter", "**/look"),
    ):
        focus(page, wanted)
        page.keyboard.press(key)
        page.wait_for_url(there)
    page.wait_for_selector("dl.facts")
    focus(page, ".actions a.button:not(.quiet)")
    page.keyboard.press("Enter")
    page.wait_for_url("**/question")
    focus(page, "input[name=atoms]")
    for _ in range(20):
        if page.evaluate("document.activeElement.value") == "file:atoms.txt":
            break
        page.keyboard.press("ArrowDown")
    focus(page, "form > .actions button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/protection")
    focus(page, "input[name=unit]")
    page.keyboard.press("Space")
    focus(page, "#denominator")
    page.keyboard.type("400")
    focus(page, "#epsilon")
    before = page.locator("#forecast").inner_text()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("before => document.getElementById('forecast').innerText !== before", arg=before)
    page.keyboard.press("ArrowRight")
    focus(page, "form > .actions button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/request")
    focus(page, "form[action$='/release'] button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/report")
    assert "on 1 release" in page.locator("main").inner_text()  # the same request as before: no second charge


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=str)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_and_axe_finds_nothing_serious(page, app, report, screen, scheme):
    page.set_viewport_size({"width": screen.width, "height": screen.height})
    page.emulate_media(color_scheme=scheme)
    page.goto(app.origin)
    page.get_by_role("button", name="records.csv").click()
    page.wait_for_url("**/data")
    _look_at(page)
    page.get_by_role("button", name="Look at the records").click()
    page.wait_for_selector("dl.facts")
    _look_at(page)
    page.get_by_role("link", name="Go on").click()
    page.locator("input[name=atoms][value='support-tickets']").check()
    page.locator("summary").click()
    _look_at(page)
    page.get_by_role("button", name="Go on").click()
    page.locator("input[name=unit][value=record]").check()
    page.get_by_label("About how many there are").fill("400")
    page.wait_for_selector("#forecast dl")
    _look_at(page)
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url("**/request")
    _look_at(page)
    for address in (app.origin, f"{app.origin}/nowhere", f"{report[2]}/report"):
        page.goto(address)
        _look_at(page)
    page.context.heard[:] = [line for line in page.context.heard if "404" not in line]


FIRST_TEXT_LATE = """
const text = Response.prototype.text;
let answers = 0;
Response.prototype.text = async function () {
  const mine = ++answers, read = await text.call(this);
  if (mine === 1) {
    await new Promise((go) => { window.letGo = go; });
    setTimeout(() => { window.lateIsRead = true; });
  }
  return read;
};
"""


def test_an_answer_that_comes_late_does_not_take_the_place_of_a_newer_forecast(page, app):
    page.add_init_script(FIRST_TEXT_LATE)
    _go_to_protection(page, app)
    page.wait_for_function("() => window.letGo")  # the forecast of the page as it was opened: nothing is told yet
    page.locator("input[name=unit][value=record]").check()
    page.get_by_label("About how many there are").fill("400")
    page.wait_for_selector("#forecast dl")
    page.evaluate("letGo()")
    page.wait_for_function("() => window.lateIsRead")
    assert page.locator("#forecast dl").is_visible()


def _go_to_protection(page, app):
    page.goto(app.origin)
    page.get_by_role("button", name="records.csv").click()
    page.get_by_role("button", name="Look at the records").click()
    page.get_by_role("link", name="Go on").click()
    page.locator("input[name=atoms][value='file:atoms.txt']").check()
    page.get_by_role("button", name="Go on").click()


def _look_at(page):
    page.wait_for_load_state()  # a click returns when the address has changed, which may be before there is a document
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, page.url
    found = Axe().run(page, options={"iframes": False}).response["violations"]
    assert [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in SERIOUS] == [], page.url


def test_without_a_script_everything_works_but_the_slider(browser, context, app, place):
    with browser.new_context(java_script_enabled=False) as plain:
        plain.set_default_timeout(PATIENCE)
        plain.add_cookies(context.cookies())
        page = plain.new_page()
        _go_to_protection(page, app)
        page.locator("input[name=unit][value=record]").check()
        page.get_by_label("About how many there are").fill("400")
        page.get_by_role("button", name="Show the forecast").click()
        assert "You will see" in page.locator("#forecast").inner_text()
        page.get_by_role("button", name="Go on").click()
        page.wait_for_url("**/request")
        page.get_by_role("button", name="Release the report").wait_for(timeout=5000)


def test_hostile_names_are_words_and_nothing_runs(page, app):
    page.goto(app.origin)
    page.get_by_role("button", name=HOSTILE).click()
    options = page.locator("#text option").all_inner_texts()
    assert any("<script>alert(1)</script>" in each for each in options)
    page.locator("#text").select_option(index=0)
    page.locator("#user").select_option(index=3)
    page.get_by_role("button", name="Look at the records").click()
    page.wait_for_selector("dl.facts")
    page.goto(page.url.replace("/look", "/question"))
    page.locator("input[name=atoms][value='support-tickets']").check()
    page.get_by_label(re.compile("^Title")).fill("<script>alert(2)</script>")
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url("**/protection")
    page.locator("input[name=unit][value=user]").check()
    assert "\\u202e{{7*7}}" in page.locator("form").inner_text()
    page.goto(app.origin)
    assert "<script>alert(2)</script>" in page.locator("main").inner_text()


def test_the_desk_takes_twenty_records_a_minute_by_keyboard(page, app, place, report):
    _go_to_protection(page, app)
    page.locator("input[name=unit][value=record]").check()
    page.get_by_label("About how many there are").fill("400")
    page.get_by_role("button", name="Go on").click()
    page.get_by_text("Check the numbers by reading").click()
    page.get_by_label("About how many to read").fill("60")
    page.get_by_role("button", name="Draw a sample").click()
    page.wait_for_url("**/reading/1*")
    _look_at(page)
    begun = time.monotonic()
    for _ in range(20):
        text, at = page.locator("#record").inner_text(), page.url
        number = next((str(at) for at, word in enumerate(("late", "money", "crash")) if word in text), "n")
        page.keyboard.type(_number_of(page, number))
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url, at=at: url != at)
        page.wait_for_selector("#words:focus")
    assert time.monotonic() - begun < 60
    assert page.locator("#count").inner_text().startswith("20 of ")
    page.keyboard.type("u")
    page.keyboard.press("Enter")
    page.get_by_text("Taken back.").wait_for()
    assert page.locator("#count").inner_text().startswith("19 of ")
    page.wait_for_selector("#words:focus")
    page.keyboard.type("parc")
    expect(page.locator("[data-theme]:visible")).to_have_count(1)
    page.goto(page.url.replace("/reading/1", "/reading/2").partition("?")[0])
    assert page.locator("#count").inner_text().startswith("0 of ")  # and sees nothing of the first reader's
    written = next((place / "dpspin-app").glob("*/curator/reading/reading.csv")).read_text(encoding="utf-8-sig")
    assert sum(line.endswith(("late parcel", "refund", "app crash", "none")) for line in written.splitlines()) == 19


def _number_of(page, place):
    """Return the number that the desk shows for a theme, by its place in the dictionary; words of the desk stay."""
    return place if place == "n" else page.locator("[data-theme] b").nth(int(place)).inner_text()
