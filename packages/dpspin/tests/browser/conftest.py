import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from browsing import DESK, SEEN, NoBrowser, chromium
from report_pages import page as made

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """A browser takes minutes to draw every page at every size."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests of a worker. Left out where there is none, and never in CI."""
    with ExitStack() as stack:
        try:
            started = stack.enter_context(chromium())
        except NoBrowser as missing:
            if os.environ.get("CI"):
                raise
            pytest.skip(str(missing))
        yield started


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture
def show(browser, folder):
    """Open a page by its name, as a file. Whatever a test does, the page asks for nothing and complains of nothing."""
    with ExitStack() as stack:
        heard = []

        def opened(name, screen=DESK, **options):
            file = folder / f"{name.replace(' ', '-')}.html"
            if not file.exists():
                file.write_text(made(name), encoding="utf-8")
            size = {"viewport": {"width": screen.width, "height": screen.height}, "device_scale_factor": screen.zoom}
            context = browser.new_context(**size, reduced_motion=options.pop("reduced_motion", "reduce"), **options)
            stack.callback(context.close)
            page = context.new_page()
            page.on("console", lambda message: heard.append(f"console: {message.text}"))
            page.on("pageerror", lambda error: heard.append(f"error: {error}"))
            page.on("dialog", lambda dialog: heard.append(f"dialog: {dialog.message}"))
            page.on("request", lambda request: request.url == file.as_uri() or heard.append(f"asks for {request.url}"))
            page.on("requestfailed", lambda request: heard.append(f"failed: {request.url}"))
            page.goto(file.as_uri())
            page.evaluate(SEEN)
            return page

        yield opened
        assert heard == []
