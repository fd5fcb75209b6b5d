import csv
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpspin.errors import SourceError
from dpspin_lab.datasets.phrase_labels import AMAZON, YELP, PhraseCorpus, dictionary, labelled, published_labels

# The paper's tables of fixed atoms, in the order of their ids.
PAPERS_PHRASES = {
    AMAZON.name: """
    waste money, sensitive skin, easy application, curly hair, dry skin, product quality, long hair, skin feel, fast
    shipping, customer service, human hair, hair quality, natural hair, dry hair, fast delivery, short hair, skin
    care, oily skin, strong smell, dead skin, straight hair, hair length, wavy hair, reasonable price, skin
    irritation, wet hair, battery life, low price, synthetic hair, low quality, soft hair, absorbs quickly, chemical
    smell, hair growth, hair loss, soft skin, smooth skin, high price, natural scent, pump dispenser, smooth
    application, oily hair, smooth hair, skin cream, customer support, skin rash
    """,
    YELP.name: """
    friendly staff, customer service, long wait, service speed, delicious food, food quality, mexican food, outdoor
    seating, fast service, chinese food, fresh food, high quality, portion size, indian food, mexican restaurant,
    thai food, italian food, coffee shop, pizza place, lunch special, seating, slow service, reasonable price,
    italian restaurant, terrible service, lunch menu, breakfast sandwich, food truck, sushi place, drink menu,
    price, chinese restaurant, quick lunch, sushi bar, breakfast burrito, breakfast place, dinner menu, large
    portion, food menu, small portion, vietnamese food, brunch menu, korean food, food place, greek food, thai
    restaurant, sushi restaurant, indian restaurant, breakfast food, hot food
    """,
}
both = pytest.mark.parametrize("corpus", [AMAZON, YELP], ids=lambda corpus: corpus.name)


def label_rows(corpus: PhraseCorpus) -> list[dict[str, str]]:
    text = (files("dpspin_lab.datasets") / "phrases" / f"{corpus.name}.labels.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def rows_of_part(corpus: PhraseCorpus, part: str) -> list[dict[str, str]]:
    return [row for row in label_rows(corpus) if row["part"] == part]


def expected_atoms(rows: list[dict[str, str]]) -> tuple[frozenset[int], ...]:
    return tuple(frozenset(map(int, row["atoms"].split())) for row in rows)


def by_its_digest(file: Path) -> Iterator[tuple[str, str]]:
    """Read reviews that have a digest for an id: of the labelled ones nothing else is known here."""
    yield from ((row["review_id"], row["text"]) for row in pq.read_table(file).to_pylist())


JOINED = replace(YELP, read=by_its_digest)


def yelp_file(folder: Path, ids: list[str]) -> Path:
    table = pa.table({"review_id": ids, "stars": [5] * len(ids), "text": [f"invented {one}" for one in ids]})
    (folder / "yelp").mkdir()
    pq.write_table(table, folder / YELP.file)
    return folder


@both
def test_a_dictionary_has_the_papers_phrases_under_the_papers_ids(corpus):
    universe = dictionary(corpus)
    assert [atom.label for atom in universe.atoms] == " ".join(PAPERS_PHRASES[corpus.name].split()).split(", ")
    assert list(universe.ids) == list(range(universe.size))
    assert universe.size == int(corpus.name.rsplit("-", 1)[1])
    assert universe.name == corpus.name


@pytest.mark.parametrize(
    ("corpus", "first", "last", "total"), [(AMAZON, 3781, 26, 32_689), (YELP, 62_502, 2666, 547_646)]
)
def test_the_papers_supports_stand_beside_its_phrases(corpus, first, last, total):
    supports = [each.auxiliary_support for each in published_labels(corpus)]
    assert (supports[0], supports[-1], sum(supports)) == (first, last, total)
    assert supports == sorted(supports, reverse=True)


@both
def test_label_files_hold_ids_and_no_text(corpus):
    rows = label_rows(corpus)
    assert {tuple(row) for row in rows} == {("record", "part", "atoms")}
    assert all(len(row["record"]) == len(bytes.fromhex(row["record"])) * 2 == 16 for row in rows)
    known = set(map(str, dictionary(corpus).ids))
    assert set().union(*(row["atoms"].split() for row in rows)) <= known
    assert all(len(row["atoms"].split()) == len(set(row["atoms"].split())) for row in rows)


@both
def test_about_half_of_at_least_three_hundred_labelled_reviews_is_held_back(corpus):
    rows = label_rows(corpus)
    parts = Counter(row["part"] for row in rows)
    assert set(parts) == {"taught", "held"}
    assert len(rows) >= 300
    assert parts["held"] / len(rows) == pytest.approx(0.5, abs=0.05)


@both
def test_no_review_is_labelled_twice(corpus):
    records = [row["record"] for row in label_rows(corpus)]
    assert len(set(records)) == len(records)


@pytest.mark.parametrize("part", ["taught", "held"])
def test_labels_of_one_half_are_joined_with_the_texts_of_the_public_file(tmp_path, part):
    everyone = [row["record"] for row in label_rows(YELP)]
    found = labelled(JOINED, yelp_file(tmp_path, ["nobody labelled this", *reversed(everyone)]), part)
    rows = rows_of_part(YELP, part)
    assert found.texts == tuple(f"invented {row['record']}" for row in rows)
    assert found.atoms == expected_atoms(rows)
    assert found.size == 50


def test_reviews_without_an_id_of_their_own_are_joined_by_what_the_reader_makes(tmp_path):
    rows = rows_of_part(AMAZON, "held")

    def invented(file: Path) -> Iterator[tuple[str, str]]:
        yield from ((row["record"], f"{file.name} {row['record']}") for row in rows)

    (tmp_path / "reviews").touch()
    found = labelled(replace(AMAZON, file="reviews", read=invented), tmp_path, "held")
    assert found.texts == tuple(f"reviews {row['record']}" for row in rows)
    assert found.atoms == expected_atoms(rows)


def test_an_amazon_id_is_a_digest_of_writer_time_and_text(tmp_path):
    reviews = {"user_id": ["ann", "ann"], "timestamp": [5, 6], "text": ["Nice soap", "Nice soap"], "rating": [4.0, 5.0]}
    pq.write_table(pa.table(reviews), tmp_path / "reviews.parquet")
    digests = [hashlib.sha256(one).hexdigest()[:16] for one in (b"ann|5|Nice soap", b"ann|6|Nice soap")]
    assert list(AMAZON.read(tmp_path / "reviews.parquet")) == [(digest, "Nice soap") for digest in digests]


def test_a_yelp_id_is_a_digest_of_the_published_one(tmp_path):
    folder = yelp_file(tmp_path, ["one", "two"])
    digests = [hashlib.sha256(one).hexdigest()[:16] for one in (b"one", b"two")]
    assert list(YELP.read(folder / YELP.file)) == [(digests[0], "invented one"), (digests[1], "invented two")]


def test_a_file_without_all_labelled_reviews_is_refused(tmp_path):
    held = [row["record"] for row in rows_of_part(YELP, "held")]
    folder = yelp_file(tmp_path, held[2:])
    with pytest.raises(SourceError, match="does not hold 2 of the labelled reviews"):
        labelled(JOINED, folder, "held")


@both
def test_a_missing_file_is_refused(tmp_path, corpus):
    with pytest.raises(SourceError, match=f"is missing; the labels of {corpus.name} need"):
        labelled(corpus, tmp_path, "taught")
