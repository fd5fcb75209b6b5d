"""Reviews with stars, of which nothing is ours to distribute: Amazon Reviews 2023 (All_Beauty) and Yelp's restaurants.

Yelp's terms forbid redistribution, so only aggregates may leave.
"""

import hashlib
import html
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from dpspin.errors import SourceError
from dpspin_lab.datasets.corpus import NOBODY, Corpus, Published, gathered
from dpspin_lab.datasets.public_files import Columns, Row, found, rows_of

BEAUTY: Final = ("All_Beauty.jsonl", "All_Beauty.jsonl.gz", "All_Beauty.parquet", "All_Beauty_2023_sample.parquet")
WHERE_BEAUTY: Final = (
    "Fetch the reviews of the category All_Beauty from Amazon Reviews 2023 (https://amazon-reviews-2023.github.io/) "
    "and put the file there"
)
_OF_BEAUTY: Final[Columns] = {"rating": (int, float), "text": str, "user_id": str, "timestamp": int}
RATING_BINS = ("low", "medium", "high")
MIDDLE = 3  # of five stars
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
REVIEWS: Final = ("yelp_academic_dataset_review.json", "yelp_academic_dataset_review.parquet", "review.parquet")
BUSINESSES: Final = (
    "yelp_academic_dataset_business.json",
    "yelp_academic_dataset_business.parquet",
    "business.parquet",
)
WHERE_YELP: Final = (
    "Fetch the Yelp Open Dataset (https://business.yelp.com/data/resources/open-dataset/), unpack it and put the "
    "files of reviews and businesses there"
)
SUBSET: Final = "Restaurants"
_OF_REVIEWS: Final[Columns] = {
    "review_id": str,
    "user_id": str,
    "business_id": str,
    "stars": (int, float),
    "text": str,
    "date": (str, date),
}
_OF_BUSINESSES: Final[Columns] = {"business_id": str, "categories": (list, str)}


def read_beauty(folder: Path) -> Corpus:
    """Read the reviews of ``amazon/``. The paper protects and maps the text alone: titles are not read."""
    file = found(folder / "amazon", BEAUTY, WHERE_BEAUTY)
    return gathered("amazon", _beauty(file), with_users=True)


def review_id(row: Row) -> str:
    """Make an id of writer, time and text, for these reviews have none.

    The same words listed again under other variants of a product are one review.
    """
    content = f"{row['user_id']}|{row['timestamp']}|{row['text']}"
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def _beauty(file: Path) -> Iterator[Published]:
    for row in rows_of(file, _OF_BEAUTY):
        text, user = plain(row["text"] or ""), row["user_id"] or NOBODY
        yield Published(review_id(row), text, user, _day(file, row["timestamp"]), rating_bin(row["rating"]), "")


def _day(file: Path, milliseconds: int | None) -> str:
    try:
        return "" if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        raise SourceError(
            f"'timestamp' of a row in {file} is no time in milliseconds; keep the file as published"
        ) from None


def read_restaurants(folder: Path) -> Corpus:
    """Read the reviews of ``yelp/`` whose business is a restaurant; ``paths`` are the business's categories."""
    reviews, businesses = (found(folder / "yelp", names, WHERE_YELP) for names in (REVIEWS, BUSINESSES))
    return gathered("yelp", _reviews(reviews, _restaurants(businesses)), with_users=True)


def _restaurants(file: Path) -> Mapping[str, str]:
    """Return the categories of each business whose category string contains ``Restaurants``; null is none."""
    pairs = ((row["business_id"], _joined(row["categories"])) for row in rows_of(file, _OF_BUSINESSES))
    return {business: categories for business, categories in pairs if SUBSET in categories}


def _joined(categories: str | list[str] | None) -> str:
    """Return one string, as releases since 2018 have it; earlier ones have a list."""
    return ", ".join(categories) if isinstance(categories, list) else categories or ""


def _reviews(file: Path, restaurants: Mapping[str, str]) -> Iterator[Published]:
    for row in rows_of(file, _OF_REVIEWS):
        if (categories := restaurants.get(row["business_id"])) is not None:
            user, day = row["user_id"] or NOBODY, str(row["date"] or "")[:10]
            yield Published(row["review_id"], row["text"] or "", user, day, rating_bin(row["stars"]), categories)


def rating_bin(rating: float | None) -> str:
    """Return the paper's ``rating_bin``: its names are the paper's, its edges are ours, for the paper states none.

    >>> [rating_bin(stars) for stars in (1, 2, 3, 4, 5, None)]
    ['low', 'low', 'medium', 'high', 'high', '']
    """
    low, medium, high = RATING_BINS
    if rating is None:
        return ""
    return low if rating < MIDDLE else high if rating >= MIDDLE + 1 else medium


def plain(text: str) -> str:
    r"""Undo what web pages do to text.

    >>> plain("Nice.<br /><br>Really &#34;nice&#34;.")
    'Nice.\n\nReally "nice".'
    """
    return html.unescape(_BREAK.sub("\n", text))
