"""On invented reviews in the format of the Yelp Open Dataset; nothing of Yelp's is here."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpspin.errors import SourceError
from dpspin_lab.datasets.reviews import read_restaurants


def review(identity: str, business: str = "trattoria", **changed: Any) -> dict[str, Any]:
    return {
        "review_id": identity,
        "user_id": "ann",
        "business_id": business,
        "stars": 3.0,
        "useful": 0,
        "funny": 0,
        "cool": 0,
        "text": "We waited.\n\nThen we ate.",
        "date": "2018-07-07 22:09:11",
    } | changed


def business(identity: str, categories: Any) -> dict[str, Any]:
    return {
        "business_id": identity,
        "name": "An invented place",
        "address": "1 Nowhere St",
        "city": "Nowhere",
        "state": "XX",
        "postal_code": "00000",
        "latitude": 0.5,
        "longitude": -0.5,
        "stars": 4.5,
        "review_count": 3,
        "is_open": 1,
        "attributes": {"BusinessParking": "{'garage': False}", "WiFi": "u'free'"},
        "categories": categories,
        "hours": {"Monday": "0:0-0:0"},
    }


PLACES = (business("trattoria", "Nightlife, Restaurants, Italian"), business("garage", "Automotive"))


def published(folder: Path, reviews: list[dict[str, Any]], businesses: Any = PLACES) -> Path:
    (folder / "yelp").mkdir()
    for name, rows in (("review", reviews), ("business", businesses)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / "yelp" / f"yelp_academic_dataset_{name}.json").write_text(lines, encoding="utf-8")
    return folder


def test_each_field_is_where_the_corpus_has_it(tmp_path):
    read = read_restaurants(published(tmp_path, [review("r1"), review("r2", user_id="bob", stars=5.0)]))
    assert (read.name, read.ids, read.users) == ("yelp", ("r1", "r2"), ("ann", "bob"))
    assert read.texts[0] == "We waited.\n\nThen we ate."
    assert (read.days[0], read.categories) == ("2018-07-07", ("medium", "high"))
    assert read.paths[0] == "Nightlife, Restaurants, Italian"


def test_only_reviews_of_restaurants_are_kept(tmp_path):
    places = (*PLACES, business("unlabelled", None), business("old", ["Food", "Restaurants"]))
    reviews = [review(place, place) for place in ("garage", "trattoria", "unlabelled", "old", "unlisted")]
    read = read_restaurants(published(tmp_path, reviews, places))
    assert read.ids == ("trattoria", "old")
    assert read.paths[1] == "Food, Restaurants"  # releases before 2018 have a list


def test_parquet_of_both_files_reads_like_the_json(tmp_path):
    places = [business("trattoria", "Restaurants"), business("unlabelled", None)]
    reviews = [review("r1"), review("r2", "unlabelled"), review("r3", date="2012-01-31")]
    from_json = read_restaurants(published(tmp_path, reviews, places))
    for file in (tmp_path / "yelp").iterdir():
        file.unlink()
    pq.write_table(pa.Table.from_pylist(reviews), tmp_path / "yelp" / "review.parquet")
    pq.write_table(pa.Table.from_pylist(places), tmp_path / "yelp" / "business.parquet")
    assert read_restaurants(tmp_path) == from_json
    assert from_json.days == ("2018-07-07", "2012-01-31")


@pytest.mark.parametrize("nobody", [None, ""])
def test_a_review_without_a_user_is_kept_with_nobody(tmp_path, nobody):
    assert read_restaurants(published(tmp_path, [review("r1", user_id=nobody)])).users == ("",)


def test_reviews_without_words_and_repeated_ones_are_left_out(tmp_path):
    reviews = [review("r1"), review("r2", text=" "), review("r1", text="again"), review("r3", text=None)]
    read = read_restaurants(published(tmp_path, reviews))
    assert (read.ids, read.texts) == (("r1",), ("We waited.\n\nThen we ate.",))


@pytest.mark.parametrize("missing", ["review", "business"])
def test_each_of_the_two_files_is_asked_for(tmp_path, missing):
    published(tmp_path, [review("r1")])
    (tmp_path / "yelp" / f"yelp_academic_dataset_{missing}.json").unlink()
    with pytest.raises(SourceError, match=rf"dataset_{missing}\.json is missing .*business\.yelp\.com"):
        read_restaurants(tmp_path)
