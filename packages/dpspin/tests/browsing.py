"""A real browser for tests: the distribution's Chromium, driven by Playwright through pipes, without any network."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SEEN = (Path(__file__).parent / "browser" / "seen.js").read_text(encoding="utf-8")
LEFT_OUT = "no Chromium on this machine (apt-get install chromium): the tests of the page in a browser were left out"


class NoBrowser(Exception):
    """No Chromium is here."""


@dataclass(frozen=True)
class Screen:
    """The size of a window in CSS pixels; ``zoom`` is how many pixels of the screen make one of them."""

    width: int
    height: int
    zoom: int = 1

    def __str__(self) -> str:
        return f"{self.width}px"


DESK, TABLET, PHONE = Screen(1280, 800), Screen(820, 1180), Screen(390, 844)
SCREENS = (DESK, TABLET, PHONE)
ZOOMED = Screen(640, 400, zoom=2)  # a desk's window at 200 %


@contextmanager
def chromium() -> Iterator["Browser"]:
    """Start the distribution's browser and stop it; nothing is downloaded."""
    from playwright.sync_api import sync_playwright  # every run of pytest imports this module for LEFT_OUT

    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise NoBrowser(LEFT_OUT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])  # CI may run as root
        yield browser
        browser.close()


def seen(page: "Page", what: str, *arguments: object) -> object:
    """Ask one of the functions of seen.js."""
    return page.evaluate(f"arguments => seen.{what}(...arguments)", arguments)


def open_details(page: "Page") -> None:
    """Unfold everything that can be unfolded."""
    seen(page, "openAll")
