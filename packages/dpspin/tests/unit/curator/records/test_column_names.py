"""A wrong column lists the columns; the first line of a file without a header is never shown."""

import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpspin.curator.records.columns import Columns, look_like_names, no_such_column
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.dialect import Dialect
from dpspin.errors import SourceError

LISTED = r"no column 'bodi'. Did you mean 'body'\? Its columns: 'user_id', 'body'"


def refusal(source):
    with pytest.raises(SourceError) as refused:
        open_corpus(source, Columns("bodi"))
    return str(refused.value)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_csv_header_is_listed(tmp_path, delimiter):
    (tmp_path / "t.csv").write_text(delimiter.join(["user_id", "body"]) + "\n" + delimiter.join(["a", "SECRET"]))
    with pytest.raises(SourceError, match=LISTED):
        open_corpus(tmp_path / "t.csv", Columns("bodi"))


@pytest.mark.parametrize("make", [pa.table, pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_the_columns_of_a_table_are_listed(make):
    with pytest.raises(SourceError, match=LISTED):
        open_corpus(make({"user_id": ["a"], "body": ["SECRET"]}), Columns("bodi"))


def test_the_columns_of_parquet_and_jsonl_are_listed(tmp_path):
    pq.write_table(pa.table({"user_id": ["a"], "body": ["SECRET"]}), tmp_path / "t.parquet")
    lines = [json.dumps({"user_id": "a", "body": "b", **({"SECRET": 1} if n == 3 else {})}) for n in range(20)]
    (tmp_path / "t.jsonl").write_text("\n".join(lines) + "\n")
    for name in ("t.parquet", "t.jsonl"):
        with pytest.raises(SourceError, match=LISTED):
            open_corpus(tmp_path / name, Columns("bodi"))
    assert "SECRET" not in refusal(tmp_path / "t.jsonl")


@pytest.mark.parametrize(
    "first",
    [
        "SECRET@example.org,parcel",
        "u17,SECRET",
        "4711,SECRET",
        "SECRET,my parcel is very late",
        'SECRET,"It never came!"',
        "SECRET,SECRET",
        "SECRET;17;2024-01-01",
        "SECRET" * 10,
        ",SECRET",
    ],
)
def test_a_first_record_is_not_shown(tmp_path, first):
    (tmp_path / "t.csv").write_text(f"{first}\n")
    assert "SECRET" not in refusal(tmp_path / "t.csv")
    assert "does not look like names" in refusal(tmp_path / "t.csv")


def test_headers_as_they_are_found_look_like_names():
    assert look_like_names(["user_id", "Date received", "Sub-product", "text", "q1", "Timely response?", "Größe"])
    assert not look_like_names(["text", "text"])
    assert not look_like_names(["", "text"])
    assert not look_like_names([])


def test_very_wide_tables_are_cut():
    assert str(no_such_column("the table", "x", [f"c{n}" for n in range(100)])).endswith("'c39' and 60 more")


def test_a_wrong_pack_lists_the_packs_in_both_interfaces(tmp_path, dpspin):
    import dpspin as package
    from dpspin.errors import DictionaryError

    with pytest.raises(DictionaryError, match="support-tickets") as refused:
        package.packs.load("suport-tickets")
    (tmp_path / "t.csv").write_text("text\na\n")
    words = ("--text", "text", "--unit", "record", "--epsilon", "1", "--denominator", "5", "--out", tmp_path / "out")
    ran = dpspin("release", tmp_path / "t.csv", "--atoms", "suport-tickets", *words)
    assert ran.code == 2
    assert ran.err == f"dpspin: {refused.value}\n"
    assert all(name in ran.err for name in package.packs.names())


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.csv", b"", "is empty"),
        ("t.csv", b"\n\n", "is empty"),
        ("t.csv", b"PK\x03\x04 and more", "but an Excel workbook"),
        ("t.tsv", b"PAR1 and more", "but a Parquet file"),
        ("t.jsonl", b'[{"body": "a"}]\n', "none of the first lines of 't.jsonl' is a JSON object"),
        ("t.jsonl", b"", "none of the first lines of 't.jsonl' is a JSON object"),
    ],
)
def test_a_file_that_is_not_what_its_suffix_says_is_told_so(name, content, said, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=said):
        open_corpus(tmp_path / name, Columns("body"))


def test_a_wrongly_declared_delimiter_is_named(tmp_path):
    (tmp_path / "t.csv").write_text("who,body\na,b\n")
    with pytest.raises(SourceError, match=r"if it is written as declared \(`records.dialect.delimiter`\)"):
        open_corpus(tmp_path / "t.csv", Columns("body"), dialect=Dialect(delimiter=";"))


@pytest.mark.parametrize(
    ("name", "asked", "message"),
    [
        ("t.csv", "text", "but one that is called ' text ': name it exactly so"),
        ("t.csv", "WHO", "but one that is called 'who'"),
        ("t.jsonl", "body.words", "what is inside of a field cannot be named"),
    ],
)
def test_a_name_that_is_nearly_there_is_told(tmp_path, name, asked, message):
    rows = {"t.csv": "who, text \na,late again, 17 times\n", "t.jsonl": '{"body": {"words": "late"}}\n' * 20}
    (tmp_path / name).write_text(rows[name])
    with pytest.raises(SourceError, match=message):
        open_corpus(tmp_path / name, Columns(asked))


def test_a_text_file_is_to_be_called_what_it_is(tmp_path):
    (tmp_path / "t.txt").write_text("who\tbody\n")
    with pytest.raises(SourceError, match=r"call a text file \.csv or \.tsv"):
        open_corpus(tmp_path / "t.txt", Columns("body"))
    with pytest.raises(SourceError, match="no data is named"):
        open_corpus("", Columns("body"))


def test_one_file_under_two_names_is_refused_and_named(tmp_path):
    (tmp_path / "a.csv").write_text("body\nlate\n")
    (tmp_path / "b.csv").hardlink_to(tmp_path / "a.csv")
    with pytest.raises(SourceError, match=r"'a.csv' is there twice"):
        open_corpus(tmp_path, Columns("body"))
