"""Yelp Open Dataset, reviews of restaurants: Yelp's terms forbid redistribution, so only aggregates may leave."""

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Final

from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.gather import NOBODY, Published, gathered, rating_bin
from dpspin_lab.datasets.public_files import Columns, found, rows_of

REVIEWS: Final = ("yelp_academic_dataset_review.json", "yelp_academic_dataset_review.parquet", "review.parquet")
BUSINESSES: Final = (
    "yelp_academic_dataset_business.json",
    "yelp_academic_dataset_business.parquet",
    "business.parquet",
)
WHERE: Final = (
    "Fetch the Yelp Open Dataset (https://business.yelp.com/data/resources/open-dataset/), unpack it and put the "
    "files of reviews and businesses there"
)
SUBSET: Final = "Restaurants"
COLUMNS: Final[Columns] = {
    "review_id": str,
    "user_id": str,
    "business_id": str,
    "stars": (int, float),
    "text": str,
    "date": (str, date),
}
OF_BUSINESSES: Final[Columns] = {"business_id": str, "categories": (list, str)}


def read_restaurants(folder: Path) -> Corpus:
    """Read the reviews of ``yelp/`` whose business is a restaurant; ``paths`` are the business's categories."""
    reviews, businesses = (found(folder / "yelp", names, WHERE) for names in (REVIEWS, BUSINESSES))
    return gathered("yelp", _published(reviews, _restaurants(businesses)), with_users=True)


def _restaurants(file: Path) -> Mapping[str, str]:
    """Return the categories of each business whose category string contains ``Restaurants``; null is none."""
    pairs = ((row["business_id"], _joined(row["categories"])) for row in rows_of(file, OF_BUSINESSES))
    return {business: categories for business, categories in pairs if SUBSET in categories}


def _joined(categories: str | list[str] | None) -> str:
    """Return one string, as releases since 2018 have it; earlier ones have a list."""
    return ", ".join(categories) if isinstance(categories, list) else categories or ""


def _published(file: Path, restaurants: Mapping[str, str]) -> Iterator[Published]:
    for row in rows_of(file, COLUMNS):
        if (categories := restaurants.get(row["business_id"])) is not None:
            user, day = row["user_id"] or NOBODY, str(row["date"] or "")[:10]
            yield Published(row["review_id"], row["text"] or "", user, day, rating_bin(row["stars"]), categories)
