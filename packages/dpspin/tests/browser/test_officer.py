"""The officer's way through the app in a real browser: by keyboard alone, at both widths, and what is refused."""

import os

import pytest
from axe_playwright_python.sync_playwright import Axe

from browsing import DESK, PHONE
from dpspin import pipeline
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.boundary.signing import make_key, write_key
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.request import ReleaseRequest
from running_app import PATIENCE, running_app

ANNA, OLGA = make_key("Anna <b>Analyst</b>"), make_key("Olga Officer")
PASSPHRASE = "a long secret of Olga"
SERIOUS = ("serious", "critical")
ROWS = "body,who\n" + "".join(f"late parcel,u{place}\n" for place in range(40))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with keys and a ledger in which two requests wait."""
    folder = tmp_path_factory.mktemp("officer")
    (folder / "atoms.txt").write_text("late parcel\nrefund\napp crash\n")
    (folder / "records.csv").write_text(ROWS)
    write_key(folder / "olga.key", OLGA, PASSPHRASE)
    write_key(folder / "anna.key", ANNA, None)
    book = open_ledger(folder / "ledger.db")
    book.set_budget("tickets", PrivacyLoss(3.0))
    book.name_officers("tickets", [OLGA.public, ANNA.public], "four eyes")
    told = {"text": "body", "unit": "user", "user": "who", "map": "paper", "denominator": 400, "dataset": "tickets"}
    for epsilon in (0.5, 2.0):
        request = ReleaseRequest.of(
            str(folder / "records.csv"), atoms=str(folder / "atoms.txt"), epsilon=epsilon, **told,
            ledger=str(folder / "ledger.db"),
        )  # fmt: skip
        pipeline.ask(request, ANNA, f"for the board <script>alert({epsilon})</script>")
    return folder


@pytest.fixture(scope="module")
def app(place):
    before = os.environ.get("DPSPIN_LEDGER")
    os.environ["DPSPIN_LEDGER"] = str(place / "ledger.db")
    with running_app(place, place.parent / "officer.log") as started:
        yield started
    os.environ.pop("DPSPIN_LEDGER") if before is None else os.environ.update(DPSPIN_LEDGER=before)


@pytest.fixture(scope="module")
def page(browser, app):
    with browser.new_context(reduced_motion="reduce") as known:
        known.set_default_timeout(PATIENCE)
        opened = known.new_page()
        heard = []
        opened.on("console", lambda message: heard.append(message.text))
        opened.on("dialog", lambda dialog: heard.append(dialog.message))
        opened.set_viewport_size({"width": DESK.width, "height": DESK.height})
        opened.goto(app.link)
        yield opened
        assert [each for each in heard if "400" not in each] == []  # a refusal is a page of its own status


def focus(page, selector):
    """Go to an element by the Tab key alone."""
    for _ in range(60):
        if page.evaluate("chosen => document.activeElement.matches(chosen)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key never comes to {selector}")


def fill(page, **fields):
    for name, words in fields.items():
        focus(page, f"input[name={name}]")
        page.keyboard.press("Control+A")
        page.keyboard.type(words)


def press(page, selector):
    focus(page, selector)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def standings(place):
    book = open_ledger(place / "ledger.db")
    return {each.terms.epsilon: [given.decision for given in each.verdicts] for each in book.filings()}


def test_an_officer_decides_by_keyboard_alone(page, app, place):
    page.goto(app.origin)
    press(page, "nav a[href='/approvals']")
    assert page.locator("tbody tr").count() == 2
    short = {each.terms.epsilon: each.short for each in open_ledger(place / "ledger.db").filings()}
    press(page, f"a[href='/approvals/{short[0.5]}']")
    seen = page.locator("main").inner_text()
    for words in ("Anna <b>Analyst</b>", "<script>alert(0.5)</script>", "What it promises", "What it does not protect",
                  "spent epsilon 0 of epsilon 3", "Nothing yet"):  # fmt: skip
        assert words in seen
    fill(page, reason="as agreed", days="14", key="olga.key", passphrase="not her passphrase")
    press(page, "button[value=approved]")
    assert "does not open" in page.locator("[role=alert]").inner_text()
    assert page.locator("input[name=passphrase]").input_value() == ""
    fill(page, reason="as agreed", days="14", key="anna.key", passphrase="x")
    press(page, "button[value=approved]")
    assert "nobody decides about what they ask for" in page.locator("[role=alert]").inner_text()
    assert standings(place) == {0.5: [], 2.0: []}
    fill(page, reason="as agreed", days="14", key="olga.key", passphrase=PASSPHRASE)
    press(page, "button[value=approved]")
    assert "approved" in page.locator("h1").inner_text()
    page.goto(f"{app.origin}/approvals/{short[2.0]}")
    fill(page, reason="too much", days="1", key="olga.key", passphrase=PASSPHRASE)
    press(page, "button[value=declined]")
    assert "declined by Olga Officer" in page.locator("main").inner_text()
    assert page.locator("form").count() == 0
    assert standings(place) == {0.5: ["approved"], 2.0: ["declined"]}
    assert open_ledger(place / "ledger.db").verify().holds


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=str)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_officers_pages_are_sound_at_every_width(page, app, place, screen, dark):
    page.set_viewport_size({"width": screen.width, "height": screen.height})
    page.emulate_media(color_scheme="dark" if dark else "light")
    first = open_ledger(place / "ledger.db").filings()[0].short
    for address in ("/approvals", f"/approvals/{first}"):
        page.goto(f"{app.origin}{address}")
        found = Axe().run(page).response["violations"]
        assert [each["id"] for each in found if each["impact"] in SERIOUS] == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_passphrase_is_kept_nowhere(page, app, place):
    kept = [file for file in place.rglob("*") if file.is_file()] + [app.log]
    assert all(PASSPHRASE.encode() not in file.read_bytes() for file in kept)
    assert PASSPHRASE not in page.content()
