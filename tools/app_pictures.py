"""Take the pictures of the app that the how-to page shows, with the browser that the tests use: ``make app-pictures``.

Records are generated, and noise is fresh, so the pictures are renewed by hand when pages have changed.
"""

import os
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "packages" / "dpspin" / "tests"))

from browsing import chromium  # noqa: E402  they lie with the tests
from dpspin.demo.synthetic import generate_tickets, write_csv  # noqa: E402
from running_app import PATIENCE, running_app, through_the_app  # noqa: E402

SHOWN = ("look", "protection", "request", "report")
PLACE = ROOT / "docs" / "how-to"
WIDTH, HEIGHT, COLOURS, TICKETS = 1000, 740, 64, 2_000
SETTLED = 1_500  # milliseconds, for the forecast


def main() -> None:
    with TemporaryDirectory() as room:
        folder = Path(room) / "surveys"
        folder.mkdir()
        write_csv(generate_tickets(TICKETS, 2024), folder / "tickets.csv")
        os.environ["DPSPIN_LEDGER"] = str(Path(room) / "ledger.db")
        with running_app(folder, Path(room) / "log") as app, chromium() as browser:
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
            page.set_default_timeout(PATIENCE)
            page.goto(app.link)
            through_the_app(page, "tickets.csv", "1000", "support-tickets", lambda: keep(page))
            keep(page)


def keep(page: Page) -> None:
    """Keep what is seen of the step that the page shows, in few colours; the last one before the next step counts."""
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(SETTLED)
    step = page.url.rpartition("/")[2]
    if step in SHOWN:
        picture = PLACE / f"app-{step}.png"
        Image.open(BytesIO(page.screenshot())).quantize(COLOURS).save(picture, optimize=True)
        print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
