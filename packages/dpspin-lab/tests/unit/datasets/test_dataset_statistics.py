import json
import os
from pathlib import Path

import pytest

from dpspin.public.report.folder import write_release
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.registry import AMAZON, CFPB, DATASETS, YELP
from dpspin_lab.datasets.statistics import report_of, statistics_of
from factories import PAPER_PLAN, PAPER_UNIVERSE

DATA = os.environ.get("DPSPIN_DATA")  # a folder with the public files; they are not ours to distribute

REVIEWS = Corpus(
    name="yelp",
    ids=("1", "2", "3", "4", "5"),
    texts=("one", "two words", "and three words", "x" * 10, "last"),
    users=("ann", "bob", "ann", "", "ann"),
    days=("2020-02-02", "", "2019-01-01", "2021-03-03", "2020-01-01"),
    categories=("high", "low", "high", "", "high"),
    paths=("Restaurants, Bars", "Restaurants", "Bars, Restaurants", "Restaurants", ""),
)


def test_users_are_counted_where_they_are_named():
    users = statistics_of(REVIEWS).users
    assert (users.records_with_user, users.users, users.users_with_several_records) == (4, 2, 1)
    assert users.contribution_sizes == ((1, 1), (3, 1))
    assert (users.records_per_user.mean, users.records_per_user.max) == (2.0, 3)


def test_lengths_are_counted_in_characters_and_words():
    found = statistics_of(REVIEWS)
    assert (found.records, found.characters.min, found.characters.max) == (5, 3, 15)
    assert (found.characters.median, found.words.mean, found.words.max) == (9, 8 / 5, 3)


def test_days_and_categories_tell_what_is_unknown():
    found = statistics_of(REVIEWS)
    assert found.days.model_dump() == {"first": "2019-01-01", "last": "2021-03-03", "unknown": 1}
    assert found.categories == (("high", 3), ("", 1), ("low", 1))


def test_a_business_has_several_labels_and_a_complaint_one():
    assert statistics_of(REVIEWS, ", ").most_frequent_labels == (("Restaurants", 4), ("Bars", 2))
    assert ("Restaurants, Bars", 1) in statistics_of(REVIEWS).most_frequent_labels


def test_a_corpus_without_users_has_no_figures_of_users():
    nameless = Corpus("cfpb", ("1",), ("text",), None, ("",), ("Closing",), ("Mortgage / Closing",))
    assert statistics_of(nameless).users is None


def test_a_report_has_a_split_for_each_unit():
    users = tuple(f"user {place}" for place in range(40))
    many = Corpus("yelp", users, users, users, users, users, users)
    report = report_of(YELP, many)
    assert set(report.splits) == {"record", "user"}
    for split in report.splits.values():
        assert split.auxiliary.records + split.target.records == 40
    assert report.private is False


def test_the_paper_protocols():
    assert list(DATASETS) == ["cfpb", "amazon", "yelp"]
    assert (CFPB.units, CFPB.m, CFPB.bounds) == (("record",), (50, 100, 200), ())
    assert (AMAZON.units, AMAZON.m, AMAZON.bounds, AMAZON.bounds_ablation) == (("record", "user"), (46,), (1, 2), (5,))
    assert (YELP.m, YELP.m_ablation, YELP.bounds, YELP.bounds_ablation) == ((50, 100), (200,), (1, 2), (5,))


@pytest.fixture
def complaints(tmp_path) -> Path:
    (tmp_path / "data" / "cfpb").mkdir(parents=True)
    head = "Date received,Product,Issue,Sub-issue,Consumer complaint narrative,Complaint ID\n"
    rows = "".join(f"2024-01-{day:02},Mortgage,Closing,,secret words {day},{day}\n" for day in range(1, 31))
    (tmp_path / "data" / "cfpb" / "complaints.csv").write_text(head + rows)
    return tmp_path / "data"


def test_the_command_prints_and_writes_marked_aggregates(tmp_path, complaints, dpspin):
    ran = dpspin("lab", "stats", "cfpb", "--data", complaints, "--out", tmp_path / "outputs")
    assert ran.code == 0, ran.err
    assert "records           30, 2024-01-01 to 2024-01-30" in ran.out
    written = (tmp_path / "outputs" / "cfpb" / "stats" / "NOT-PRIVATE-statistics.json").read_text()
    assert json.loads(written)["private"] is False
    assert json.loads(written)["whole"]["categories"] == [["Closing", 30]]
    assert "secret" not in written


def test_the_command_prints_json(complaints, dpspin):
    ran = dpspin("lab", "stats", "cfpb", "--data", complaints, "--json")
    assert json.loads(ran.out)["splits"].keys() == {"record"}


def test_nothing_is_written_beside_a_release(tmp_path, complaints, dpspin):
    write_release(tmp_path / "out" / "release", PAPER_PLAN, PAPER_UNIVERSE)
    ran = dpspin("lab", "stats", "cfpb", "--data", complaints, "--out", tmp_path / "out")
    assert (ran.code, sorted(path.name for path in (tmp_path / "out").iterdir())) == (2, ["release"])


def test_an_unknown_data_set_is_answered_with_the_known_ones(tmp_path, dpspin):
    ran = dpspin("lab", "stats", "imdb", "--data", tmp_path)
    assert ran.code == 2
    assert "there are cfpb, amazon, yelp" in ran.err


@pytest.mark.skipif(DATA is None, reason="DPSPIN_DATA names no folder with the public files")
@pytest.mark.parametrize("name", DATASETS)
def test_the_public_files_read_and_split(name):
    kind = DATASETS[name]
    corpus = kind.read(Path(DATA))
    report = report_of(kind, corpus)
    assert len(set(corpus.ids)) == report.whole.records > 1000
    assert all(text.strip() for text in corpus.texts)
    assert (report.whole.users is None) == (kind.units == ("record",))
    assert report.whole.days.unknown == 0
    for split in report.splits.values():
        assert split.auxiliary.records == pytest.approx(report.whole.records / 2, rel=0.1)
