"""Amazon Reviews 2023, category All_Beauty (McAuley Lab): reviews with a reviewer id, not ours to distribute."""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from dpspin.errors import SourceError
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.gather import NOBODY, Published, gathered, plain, rating_bin
from dpspin_lab.datasets.public_files import Columns, Row, found, rows_of

FILES: Final = ("All_Beauty.jsonl", "All_Beauty.jsonl.gz", "All_Beauty.parquet", "All_Beauty_2023_sample.parquet")
WHERE: Final = (
    "Fetch the reviews of the category All_Beauty from Amazon Reviews 2023 (https://amazon-reviews-2023.github.io/) "
    "and put the file there"
)
COLUMNS: Final[Columns] = {"rating": (int, float), "text": str, "user_id": str, "timestamp": int}


def read_beauty(folder: Path) -> Corpus:
    """Read the reviews of ``amazon/``. The paper protects and maps the text alone: titles are not read."""
    file = found(folder / "amazon", FILES, WHERE)
    return gathered("amazon", _published(file), with_users=True)


def review_id(row: Row) -> str:
    """Make an id of writer, time and text, for these reviews have none.

    The same words listed again under other variants of a product are one review.
    """
    content = f"{row['user_id']}|{row['timestamp']}|{row['text']}"
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def _published(file: Path) -> Iterator[Published]:
    for row in rows_of(file, COLUMNS):
        text, user = plain(row["text"] or ""), row["user_id"] or NOBODY
        yield Published(review_id(row), text, user, _day(file, row["timestamp"]), rating_bin(row["rating"]), "")


def _day(file: Path, milliseconds: int | None) -> str:
    try:
        return "" if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        raise SourceError(
            f"'timestamp' of a row in {file} is no time in milliseconds; keep the file as published"
        ) from None
