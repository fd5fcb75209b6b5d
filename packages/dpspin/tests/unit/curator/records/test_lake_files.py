"""The files of a lake's table are not read by themselves: some hold rows that were written anew, or deleted."""

import gzip
import shutil
from pathlib import Path

import pytest

import dpspin as package
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.find_files import locate
from dpspin.errors import InputError
from lake_tables import FIRST, LAKES, TEXTS, delta, in_files, parquet
from source_tables import in_s3
from spark_corpora import ATOMS

ASKED = {"atoms": ATOMS, "text": "body", "unit": "record", "epsilon": 1, "denominator": 10, "map": "paper"}


def texts(source):
    batches = open_corpus(source, Columns("body")).batches()
    return sorted(text for batch in batches for text in batch.column("text").to_pylist())


def refusal(source):
    with pytest.raises(InputError) as refused:
        locate(source)
    return refused.value


@pytest.mark.parametrize("kind", LAKES)
def test_files_of_a_table_are_refused_however_they_are_named(tmp_path, kind):
    table, inner = LAKES[kind](tmp_path / "lake" / "tickets")
    assert set(in_files(table)) <= set(TEXTS)
    assert len(in_files(table)) > len(set(in_files(table))), "some records are there twice"
    one = next(inner.rglob("*.parquet"))
    (tmp_path / "linked").symlink_to(inner)
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "part.parquet").symlink_to(one)
    named = {
        "the table": table,
        "a folder in it": inner,
        "a folder above it": tmp_path / "lake",
        "one file": one,
        "a glob": f"{inner}/**/*.parquet",
        "an address": f"file://{inner}",
        "a linked folder": tmp_path / "linked",
        "a folder with a linked file": tmp_path / "links",
        "a linked file": tmp_path / "links" / "part.parquet",
        "the long way round": inner / ".." / inner.name,
    }
    codes = {how: refusal(source).code for how, source in named.items()}
    assert set(codes.values()) == {"source.lake-files"}, codes
    told = str(refusal(one))
    assert f"{table.name!r} is a table of {kind}" in told
    assert ("://" in told) == (kind != "Hudi"), "the address of a state is the remedy, where there is one"


def test_the_table_itself_is_read_in_its_states(tmp_path):
    table, _ = delta(tmp_path / "tickets")
    assert texts(f"delta:///{table}?version=2") == TEXTS
    assert in_files(table) == sorted(2 * TEXTS)


def test_nothing_is_charged_and_no_other_command_reads_them(tmp_path, dpspin):
    table, inner = delta(tmp_path / "tickets")
    with pytest.raises(InputError) as refused:
        package.release(inner, **ASKED, ledger=tmp_path / "ledger.db")
    assert refused.value.code == "source.lake-files"
    assert not (tmp_path / "ledger.db").exists()
    on_records = ("--text", "body", "--unit", "record", "--atoms", "support-tickets", "--map", "paper")
    for command in (
        ("check", table, "--text", "body"),
        ("sketch", table, *on_records, "--out", tmp_path / "a.sketch"),
    ):
        ran = dpspin(*map(str, command))
        assert (ran.code, "is a table of Delta" in ran.err) == (2, True), ran.err


def test_files_that_are_nobodys_are_read(tmp_path):
    """Neighbours of a table, copies of its files, other formats in it, and folders that are only called so."""
    _, inner = delta(tmp_path / "lake" / "tickets")
    assert texts(parquet(tmp_path / "lake" / "exports")) == [text for text, _ in FIRST]
    shutil.copytree(inner, tmp_path / "copied")
    assert texts(tmp_path / "copied") == in_files(inner)
    (inner / "notes.csv").write_text("body\nmy parcel is late\n")
    assert texts(inner / "notes.csv") == ["my parcel is late"]
    plain = parquet(tmp_path / "plain" / "data").parent
    for name, holds in {"metadata": "tickets.json", "_delta_log": None, ".hoodie": None}.items():
        (plain / name).mkdir()
        if holds:
            (plain / name / holds).write_text("{}")
    (plain / "data" / "metadata").write_text("no folder")
    assert texts(plain) == [text for text, _ in FIRST]


def put(folder, above, bucket):
    for file in filter(Path.is_file, folder.rglob("*")):
        in_s3(f"{above}/{file.relative_to(folder)}", file.read_bytes(), bucket)


@pytest.mark.parametrize("kind", LAKES)
def test_files_of_a_table_in_a_store_are_refused_however_they_are_named(tmp_path, every_place, kind):
    table, inner = LAKES[kind](tmp_path / "tickets")
    bucket = f"lake-{kind.lower()}"
    put(table, "crm/tickets", bucket)
    put(parquet(tmp_path / "plain"), "crm/plain", bucket)
    there = f"s3://{bucket}/crm/tickets/{inner.relative_to(table)}"
    one = next(inner.rglob("*.parquet")).relative_to(inner)
    for source in (
        *(f"s3://{bucket}", f"s3://{bucket}/crm", f"s3://{bucket}/crm/tickets", there, f"{there}/{one}"),
        *(f"s3://{bucket}/crm/**/*.parquet", f"{there}/**/*.parquet", f"s3://{bucket}/*/tickets/**/*.parquet"),
    ):
        assert refusal(source).code == "source.lake-files", source
    for source in (f"s3://{bucket}/crm/plain", f"s3://{bucket}/*/plain/*", f"s3://{bucket}/crm/plain/part.parquet"):
        assert texts(source) == [text for text, _ in FIRST], source


def test_in_a_store_folders_that_are_only_called_so_are_no_table(tmp_path, every_place):
    put(parquet(tmp_path / "plain"), "plain/data", "nobodys")
    in_s3("plain/metadata/tickets.json", b"{}", "nobodys")
    in_s3("plain/data/notes.csv.gz", gzip.compress(b"body\n"), "nobodys")
    assert texts("s3://nobodys/plain/data/part.parquet") == texts("s3://nobodys/plain") == [text for text, _ in FIRST]


def test_folders_that_cannot_be_looked_at_are_told(tmp_path, monkeypatch):
    """As root one may look everywhere, so the disk is made to refuse."""
    (tmp_path / "metadata").mkdir()
    plain, every = parquet(tmp_path / "data"), Path.iterdir

    def denied(folder):
        if folder.name == "metadata":
            raise PermissionError(13, "Permission denied: zebrafinch")
        return every(folder)

    monkeypatch.setattr(Path, "iterdir", denied)
    refused = refusal(plain)
    assert (refused.code, "permission denied" in str(refused), "zebrafinch" in str(refused)) == (
        *("source.unreadable", True),
        False,
    )
