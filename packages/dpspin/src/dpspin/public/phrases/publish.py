"""The published files of phrases that a person has looked at: data, table and page."""

import csv
import io
from pathlib import Path
from typing import Final

from dpspin.boundary.folders import require_no_lab
from dpspin.boundary.percentages import confidence
from dpspin.boundary.phrases import BETA, PhraseRelease
from dpspin.boundary.safe_files import date_folder_to_the_day, write_published
from dpspin.public.phrases.statements import promises_of, sentences_of
from dpspin.public.report.page import embedded_json, environment

HEADER: Final = ("phrase", "at_least", "noisy_count", "counted_at_most")
SAID: Final = 10  # sentences; the table has all phrases


def publish_phrases(folder: Path, release: PhraseRelease) -> tuple[Path, ...]:
    """Write ``phrases.json``, ``phrases.csv`` and ``phrases.html``, each whole or not at all."""
    require_no_lab(folder)
    contents = phrase_files(release)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for name, content in contents.items():
            write_published(folder / name, content)
    finally:
        date_folder_to_the_day(folder)
    return tuple(folder / name for name in contents)


def phrase_files(release: PhraseRelease) -> dict[str, bytes]:
    """Return every published file of the phrases, by name; equal releases give equal files."""
    contents = {"json": release.to_json(), "csv": phrases_csv(release), "html": phrases_page(release)}
    return {f"phrases.{kind}": content.encode() for kind, content in contents.items()}


def phrases_csv(release: PhraseRelease) -> str:
    """Return a table: how many units certainly have each phrase, and how many at most were counted for it."""
    written = io.StringIO(newline="")
    rows = ((each.phrase, release.low(each), each.count, release.high(each)) for each in release.most_telling_first)
    csv.writer(written, lineterminator="\n").writerows([HEADER, *rows])
    return written.getvalue()


def phrases_page(release: PhraseRelease) -> str:
    """Return one HTML file without scripts or network; every sentence about a phrase is a verified one."""
    return (
        environment()
        .get_template("phrases.html.j2")
        .render(
            release=release,
            rows=[(each, release.low(each), release.high(each)) for each in release.most_telling_first],
            sentences=sentences_of(release)[:SAID],
            promises=promises_of(release),
            confidence=confidence(BETA),
            release_json=embedded_json(release.to_json()),
        )
    )
