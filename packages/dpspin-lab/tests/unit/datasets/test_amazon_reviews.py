import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpspin.errors import SourceError
from dpspin_lab.datasets.reviews import read_beauty

NOON = 1588687728923  # 2020-05-05, in milliseconds


def review(**changed: Any) -> dict[str, Any]:
    """Return a row of All_Beauty.jsonl with all its fields."""
    return {
        "rating": 5.0,
        "title": "Such a lovely scent",
        "text": "This spray works.",
        "images": [{"small_image_url": "s.jpg", "medium_image_url": "m.jpg", "attachment_type": "IMAGE"}],
        "asin": "B00YQ6X8EO",
        "parent_asin": "B00YQ6X8EO",
        "user_id": "AGKHLEW2SOWHNMFQIJGBECAF7INQ",
        "timestamp": NOON,
        "helpful_vote": 0,
        "verified_purchase": True,
    } | changed


def published(folder: Path, *reviews: dict[str, Any], name: str = "All_Beauty.jsonl") -> Path:
    (folder / "amazon").mkdir(parents=True)
    content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in reviews).encode()
    (folder / "amazon" / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return folder


def test_each_field_is_where_the_corpus_has_it(tmp_path):
    read = read_beauty(published(tmp_path, review(), review(user_id="B", rating=2.0, text="Crème, déjà vu ☹")))
    assert (read.name, read.users) == ("amazon", ("AGKHLEW2SOWHNMFQIJGBECAF7INQ", "B"))
    assert read.texts == ("This spray works.", "Crème, déjà vu ☹")
    assert (read.days, read.categories, read.paths) == (("2020-05-05",) * 2, ("high", "low"), ("", ""))


def test_the_compressed_file_and_parquet_read_like_the_plain_one(tmp_path):
    rows = [review(), review(text="Broke."), review(text="Dry hair.", user_id=None)]
    plain = read_beauty(published(tmp_path / "plain", *rows))
    assert read_beauty(published(tmp_path / "gz", *rows, name="All_Beauty.jsonl.gz")) == plain
    (tmp_path / "parquet" / "amazon").mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "parquet" / "amazon" / "All_Beauty_2023_sample.parquet")
    assert read_beauty(tmp_path / "parquet") == plain


def test_the_whole_file_goes_before_a_sample(tmp_path):
    published(tmp_path, review(text="of the whole"))
    sample = tmp_path / "amazon" / "All_Beauty_2023_sample.parquet"
    pq.write_table(pa.Table.from_pylist([review(text="of the sample")]), sample)
    assert read_beauty(tmp_path).texts == ("of the whole",)


@pytest.mark.parametrize("absent", [{"user_id": None}, {"user_id": ""}])
def test_a_review_without_a_reviewer_is_kept_with_nobody(tmp_path, absent):
    assert read_beauty(published(tmp_path, review(**absent))).users == ("",)


def test_a_review_that_lacks_fields_altogether_is_kept(tmp_path):
    bare = {"text": "Only words."}
    read = read_beauty(published(tmp_path, review(), bare))
    assert (read.users[1], read.days[1], read.categories[1]) == ("", "", "")


def test_breaks_and_escapes_of_web_pages_become_plain_text(tmp_path):
    read = read_beauty(published(tmp_path, review(text="Smooth.<br /><br />My &#34;go-to&#34; &amp; more<BR>")))
    assert read.texts == ('Smooth.\n\nMy "go-to" & more\n',)


@pytest.mark.parametrize("text", ["", "  \n", "<br />", None])
def test_reviews_without_words_are_left_out(tmp_path, text):
    assert len(read_beauty(published(tmp_path, review(), review(text=text, user_id="B")))) == 1


def test_a_review_listed_again_under_another_variant_is_one_review(tmp_path):
    again = review(asin="B000000001", parent_asin="B000000001")
    assert len(read_beauty(published(tmp_path, review(), again, review(timestamp=NOON + 1)))) == 2


def test_a_missing_file_is_named_with_the_way_to_get_it(tmp_path):
    with pytest.raises(SourceError, match=r"All_Beauty\.jsonl is missing .*amazon-reviews-2023\.github\.io"):
        read_beauty(tmp_path)


def test_a_broken_line_is_named_by_its_number_alone(tmp_path):
    published(tmp_path, review())
    with (tmp_path / "amazon" / "All_Beauty.jsonl").open("a") as file:
        file.write('{"text": "cut off')
    with pytest.raises(SourceError, match=r"line 2 of .* is not a JSON object") as refused:
        read_beauty(tmp_path)
    assert "cut off" not in str(refused.value)


def test_escaped_characters_are_read_and_halves_of_them_replaced(tmp_path):
    published(tmp_path, review())
    with (tmp_path / "amazon" / "All_Beauty.jsonl").open("a") as file:
        file.write(json.dumps(review(text="WORD")).replace("WORD", r"Sm\u00efle \uD83D\uDE00, cut \ud83d") + "\n")
    assert read_beauty(tmp_path).texts[1] == "Smïle \U0001f600, cut ?"


def test_a_damaged_archive_is_refused(tmp_path):
    file = published(tmp_path, review(), name="All_Beauty.jsonl.gz") / "amazon" / "All_Beauty.jsonl.gz"
    file.write_bytes(file.read_bytes()[:40])
    with pytest.raises(SourceError, match="ends too early"):
        read_beauty(tmp_path)


def test_fields_under_other_names_are_refused(tmp_path):
    rows = [{"overall": 5.0, "reviewText": "of 2018", "reviewerID": "A", "unixReviewTime": 1}]
    with pytest.raises(SourceError, match=r"lacks 'rating', 'text', 'user_id', 'timestamp'"):
        read_beauty(published(tmp_path, *rows))
