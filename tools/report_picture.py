"""Take the picture of the report that the README shows: ``make picture``, with the browser that the tests use.

Noise is fresh in every new folder, so the picture is renewed by hand when the page has changed, and not by a test.
"""

import argparse
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "packages" / "dpspin" / "tests"))

from browsing import chromium  # noqa: E402  it lies with the tests

PICTURE = ROOT / "docs" / "report.png"
WIDTH, HEIGHT, COLOURS = 1100, 900, 128


def take(page: Path, picture: Path) -> None:
    """Show the top of the page in a light theme, and keep what is seen, in few colours."""
    with chromium() as browser:
        shown = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce"
        )
        shown.goto(page.resolve().as_uri())
        taken = shown.screenshot()
    Image.open(BytesIO(taken)).quantize(COLOURS).save(picture, optimize=True)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("page", type=Path, nargs="?", default=ROOT / "demo" / "release" / "report.html")
    take(asked.parse_args().page, PICTURE)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
