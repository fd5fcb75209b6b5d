"""Broken public files are refused in words that say what is wrong and what to do, and never show a record."""

import csv
import gzip
import json
import re
from zipfile import ZipFile

import pytest

from dpspin.errors import SourceError
from dpspin_lab.datasets.cfpb import read_complaints
from dpspin_lab.datasets.reviews import read_beauty, read_restaurants

SECRET = "Only I know this"
HEADER = ("Date received", "Product", "Issue", "Sub-issue", "Consumer complaint narrative", "Complaint ID")
COMPLAINT = ("2022-05-01", "Mortgage", "Closing", "Fees", SECRET, "7")
REVIEW = {"rating": 5.0, "text": SECRET, "user_id": "A", "timestamp": 1588687728923}
VISIT = {"review_id": "r", "user_id": "u", "business_id": "b", "stars": 4.0, "text": SECRET, "date": "2019-01-01"}
READERS = {"cfpb": read_complaints, "amazon": read_beauty, "yelp": read_restaurants}
NAMES = {
    "cfpb": "complaints.csv",
    "amazon": "All_Beauty.jsonl",
    "yelp": "yelp_academic_dataset_review.json",
}


def refused(folder, name, content, file=None):
    """Write one broken file, and return what is said of it."""
    (folder / name).mkdir(exist_ok=True)
    (folder / name / (file or NAMES[name])).write_bytes(content)
    if name == "yelp":
        business = {"business_id": "b", "categories": "Restaurants"}
        (folder / name / "yelp_academic_dataset_business.json").write_text(json.dumps(business) + "\n")
    with pytest.raises(SourceError) as error:
        READERS[name](folder)
    assert SECRET not in str(error.value)
    return str(error.value)


def as_csv(*rows):
    return ("\n".join(",".join(row) for row in rows) + "\n").encode()


def as_lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_file_is_said_to_be_empty(tmp_path, name):
    assert refused(tmp_path, name, b"").endswith("is empty; fetch it again")


def test_an_archive_of_nothing_holds_no_rows(tmp_path):
    packed = gzip.compress(b"")
    assert "holds no rows; fetch it again" in refused(tmp_path, "amazon", packed, "All_Beauty.jsonl.gz")


def test_a_zip_without_a_file_is_refused(tmp_path):
    (tmp_path / "cfpb").mkdir()
    with ZipFile(tmp_path / "cfpb" / "complaints.csv.zip", "w"):
        pass
    with pytest.raises(SourceError, match="cannot be read as what its name says"):
        read_complaints(tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_another_encoding_is_named_as_the_reason(tmp_path, name):
    content = {
        "cfpb": as_csv(HEADER, COMPLAINT),
        "amazon": as_lines(REVIEW),
        "yelp": as_lines(VISIT),
    }[name].replace(SECRET.encode(), f"{SECRET} caf\u00e9".encode("latin-1"))
    assert "not in UTF-8" in refused(tmp_path, name, content)


@pytest.mark.parametrize(
    "content", [as_csv(HEADER, COMPLAINT, COMPLAINT[:3]), as_csv(HEADER, COMPLAINT)[:-6] + b'"and on']
)
def test_a_table_that_was_cut_off_is_said_to_end_too_early(tmp_path, content):
    assert "ends too early" in refused(tmp_path, "cfpb", content)


def test_damaged_bytes_in_an_archive_are_refused(tmp_path):
    packed = bytearray(gzip.compress(as_lines(*[{**REVIEW, "timestamp": number} for number in range(500)])))
    packed[200:220] = b"\xff" * 20
    told = refused(tmp_path, "amazon", bytes(packed), "All_Beauty.jsonl.gz")
    assert "fetch it again" in told or "fetch the file again" in told


@pytest.mark.parametrize(
    ("name", "row", "why"),
    [
        ("amazon", {**REVIEW, "rating": "five"}, "'rating' of a row in .* is no number"),
        ("amazon", {**REVIEW, "text": 5}, "'text' of a row in .* is no text"),
        ("amazon", {**REVIEW, "timestamp": "2020"}, "'timestamp' of a row in .* is no whole number"),
        ("amazon", {**REVIEW, "timestamp": 10**18}, "no time in milliseconds"),
        ("yelp", {**VISIT, "stars": "x"}, "'stars' of a row in .* is no number"),
        ("yelp", {**VISIT, "date": 20190101}, "'date' of a row in .* is no date"),
        ("yelp", {**VISIT, "user_id": 5}, "'user_id' of a row in .* is no text"),
        ("yelp", {**VISIT, "review_id": None}, "a record of yelp has no id"),
    ],
)
def test_a_field_of_another_kind_is_named(tmp_path, name, row, why):
    assert re.search(why, refused(tmp_path, name, as_lines(row)))


def test_ids_that_come_twice_count_once(tmp_path):
    (tmp_path / "cfpb").mkdir()
    with (tmp_path / "cfpb" / "complaints.csv").open("w", newline="") as file:
        csv.writer(file).writerows((HEADER, COMPLAINT, COMPLAINT))
    assert len(read_complaints(tmp_path)) == 1
