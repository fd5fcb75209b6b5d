"""Files in an object store: which ones an address means, and what happens to one that changes. S3 is a real server.

Google's and Azure's stores have no server here: of them only the address is tested, and the rest is the same code.
"""

import gzip
import os
from datetime import timedelta
from pathlib import PurePosixPath

import pyarrow.parquet as pq
import pytest
from pyarrow import fs

import dpspin as package
from dpspin.curator.records import stores
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.find_files import locate
from dpspin.curator.records.places import StoredFiles
from dpspin.curator.records.stores import _store_of
from dpspin.errors import InputError, RecordsRefused, SourceAway
from dpspin.pipeline import UNATTENDED, run
from dpspin.request import ReleaseRequest
from source_tables import arrow_table, in_s3
from spark_corpora import ATOMS

CSV = b"body,who\nmy parcel is late,ann\nrude staff,bob\n"
ASKED = {"atoms": ATOMS, "text": "body", "unit": "record", "epsilon": 1, "denominator": 10, "map": "paper"}


@pytest.fixture(autouse=True)
def _servers(every_place):
    pass


@pytest.fixture
def bucket():
    return f"b{os.urandom(8).hex()}"


def texts(source):
    return [
        text for batch in open_corpus(source, Columns("body")).batches() for text in batch.column("text").to_pylist()
    ]


def refusal(source):
    with pytest.raises(InputError) as refused:
        texts(source)
    return refused.value


def test_a_file_a_folder_and_a_glob_mean_what_they_mean_on_a_disk(bucket):
    for path in ("in/a.csv", "in/deep/b.csv", "in/_hidden/c.csv", "in/.d.csv", "in/notes.txt", "out/e.csv"):
        in_s3(path, CSV, bucket)
    in_s3("in/deep/f.csv.gz", gzip.compress(CSV), bucket)
    names = {
        "in/a.csv": ["a.csv"],
        "in": ["a.csv", "b.csv", "f.csv.gz"],
        "in/": ["a.csv", "b.csv", "f.csv.gz"],
        "in/*.csv": [".d.csv", "a.csv"],
        "in/**/b.*": ["b.csv"],
        "*/e.csv": ["e.csv"],
    }
    for path, expected in names.items():
        assert [file.name for file in locate(f"s3://{bucket}/{path}")] == expected, path
    assert texts(f"s3://{bucket}/in/deep") == ["my parcel is late", "rude staff"] * 2


def test_what_is_not_there_or_no_data_is_refused(bucket):
    in_s3("in/notes.txt", b"x", bucket)
    assert "no data found" in str(refusal(f"s3://{bucket}/out"))
    assert "no data found" in str(refusal(f"s3://{bucket}/in"))
    assert "no data found" in str(refusal(f"s3://{bucket}/in/*.csv"))
    assert refusal(f"s3://{bucket}/in/notes.txt").code == "source.unknown-format"
    assert refusal(f"s3://{bucket}/in/*").code == "source.unknown-format"


def test_a_file_beside_its_compressed_copy_is_refused(bucket):
    in_s3("a.csv", CSV, bucket)
    in_s3("a.csv.gz", gzip.compress(CSV), bucket)
    assert "twice" in str(refusal(f"s3://{bucket}"))


def test_every_format_is_read_from_a_store(tmp_path, bucket):
    table = arrow_table(("body", "who"), [("late", "ann"), ("rude", "bob")])
    pq.write_table(table, tmp_path / "t.parquet")
    in_s3("a.parquet", (tmp_path / "t.parquet").read_bytes(), bucket)
    in_s3("b.csv", b"body\nlate\nrude\n", bucket)
    in_s3("c.jsonl.zst", b"", bucket)
    assert texts(f"s3://{bucket}/a.parquet") == texts(f"s3://{bucket}/b.csv") == ["late", "rude"]
    assert refusal(f"s3://{bucket}/c.jsonl.zst").code.startswith("source")


def test_content_is_that_of_the_bytes_wherever_they_lie(tmp_path, bucket):
    (tmp_path / "x.csv").write_bytes(CSV)
    here, there = (open_corpus(place, Columns("body")) for place in (tmp_path / "x.csv", in_s3("a.csv", CSV, bucket)))
    assert here.content_digest() == there.content_digest()
    uri = open_corpus(f"file://{tmp_path}/x.csv", Columns("body"))
    assert uri.content_digest() == here.content_digest()


def test_an_object_that_changes_during_a_run_is_refused_before_the_charge(tmp_path, bucket):
    source = in_s3("a.csv", CSV, bucket)

    class ChangesIt(type(UNATTENDED)):
        def reading(self):
            changes = super().reading()
            changes.enter_result = lambda _records: in_s3("a.csv", CSV + b"late again,carl\n", bucket)
            return changes

    request = ReleaseRequest.of(source, **ASKED, ledger=tmp_path / "ledger.db")
    with pytest.raises(RecordsRefused, match="changed while they were being read"):
        run(request, attendant=ChangesIt())
    plan = package.release(source, **ASKED, ledger=tmp_path / "ledger.db")
    assert plan.account.balances[0].spent_epsilon == 1


def test_a_store_that_does_not_answer_is_told_without_its_words(monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    refused = refusal("s3://lake/tickets.csv")
    assert refused.code == "source.unreadable"
    assert refused.__cause__ is refused.__context__ is None


def test_other_stores_are_opened_by_their_own_file_system():
    assert isinstance(_store_of(StoredFiles("gs", "lake/a.csv"))[0], fs.GcsFileSystem)
    store, path = _store_of(StoredFiles("abfs", "lake@crm.dfs.core.windows.net/in/a.csv"))
    assert (type(store), PurePosixPath(path)) == (fs.AzureFileSystem, PurePosixPath("lake/in/a.csv"))
    assert refusal("abfs://lake/in/a.csv").code == "source.address"


def test_a_name_that_looks_like_an_address_is_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tickets:2026.csv").write_bytes(CSV)
    assert texts("tickets:2026.csv") == ["my parcel is late", "rude staff"]


def test_googles_store_is_not_asked_for_ever(monkeypatch):
    monkeypatch.setattr(stores, "PATIENCE", timedelta(seconds=1))
    monkeypatch.setenv("CLOUD_STORAGE_EMULATOR_ENDPOINT", "http://127.0.0.1:1")  # where nobody answers
    with pytest.raises(SourceAway):
        texts("gs://lake/tickets.csv")
