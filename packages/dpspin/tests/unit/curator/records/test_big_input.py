"""Input that is far too large: memory stays bounded, and a row that is too long concerns itself alone."""

import gzip
import io
import json
import tracemalloc
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpspin.curator.records.columns import BadRows, Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.formats import bytes_in, whole_rows
from dpspin.errors import RecordsRefused, SourceError
from xlsx_files import write_workbook

LIMIT = 1000


@pytest.fixture
def _small(monkeypatch):
    monkeypatch.setattr(whole_rows, "LONGEST_ROW", LIMIT)
    monkeypatch.setattr(whole_rows, "PIECE", 64)
    monkeypatch.setattr(bytes_in, "MOST_UNPACKED", 100_000)
    monkeypatch.setattr("dpspin.curator.records.formats.delimited.LONGEST_HEADER", 100)


def texts(path, policy=None):
    corpus = open_corpus(path, Columns("body"), policy)
    return [text for batch in corpus.batches() for text in batch.column("text").to_pylist()]


LONG = {
    "t.csv": ("who,body\na,one\n{}\nb,two\n", ["a," + "x" * 5000, 'a,"' + 'x""\n,' * 900 + '"', "a" + ",x" * 4000]),
    "t.tsv": ("who\tbody\na\tone\n{}\nb\ttwo\n", ["a\t" + 'x"' * 4000, "\t" * 5000]),
    "t.jsonl": (
        '{{"body": "one"}}\n{}\n{{"body": "two"}}\n',
        [json.dumps({"body": "x" * 5000}), "{" * 5000, '{"body": "' + "x" * 5000],
    ),
}


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("packed", [False, True])
def test_a_row_that_is_too_long_is_a_bad_row_and_no_other(tmp_path, name, packed):
    frame, longs = LONG[name]
    path = tmp_path / (f"{name}.gz" if packed else name)
    for row in longs:
        content = frame.format(row).encode()
        path.write_bytes(gzip.compress(content) if packed else content)
        assert texts(path) == ["one", "two"]
        with pytest.raises(RecordsRefused, match="strict rows"):
            texts(path, RowPolicy(BadRows.REFUSE))


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize("size", range(LIMIT - 12, LIMIT + 4))
def test_whether_a_row_is_too_long_depends_on_its_own_length(tmp_path, size):
    row = "x" * (size - 2) + ",y"
    found = set()
    for before in range(0, 70, 7):
        path = tmp_path / "t.csv"
        path.write_text("body,who\n" + "a,b\n" * before + row + "\nc,d\n")
        read = texts(path)
        assert read[:before] == ["a"] * before
        assert read[-1] == "c"
        found.add(len(read) - before)
    assert found == ({2} if size < LIMIT else {1})


def test_a_line_without_end_is_read_in_bounded_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(whole_rows, "LONGEST_ROW", 2**20)
    monkeypatch.setattr(whole_rows, "PIECE", 2**18)
    for name, head in (("t.jsonl.gz", b'{"body": "one"}\n'), ("t.csv.gz", b"body,who\none,a\n")):
        path = tmp_path / name
        with gzip.open(path, "wb", compresslevel=1) as sink:
            sink.write(head)
            for _ in range(256):
                sink.write(b"x" * 2**20)
        tracemalloc.start()
        before = pa.total_allocated_bytes()
        assert texts(path) == ["one"]
        held = tracemalloc.get_traced_memory()[1] + pa.total_allocated_bytes() - before
        tracemalloc.stop()
        assert held < 24 * 2**20, name  # of 256 MiB


@pytest.mark.usefixtures("_small")
def test_what_has_to_be_unpacked_as_a_whole_is_bounded(tmp_path):
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"body": ["x" * 50] * 10_000}), sink, compression="none", use_dictionary=False)
    (tmp_path / "t.parquet.gz").write_bytes(gzip.compress(sink.getvalue().to_pybytes()))
    with pytest.raises(SourceError, match="unpacks to more than"):
        texts(tmp_path / "t.parquet.gz")


@pytest.mark.usefixtures("_small")
def test_a_workbook_that_unpacks_to_far_more_is_refused(tmp_path):
    content = io.BytesIO()
    write_workbook(content, {"S": [["body"], *[["x" * 500]] * 400]})
    (tmp_path / "t.xlsx").write_bytes(content.getvalue())
    with pytest.raises(SourceError, match="unpacks to more than"):
        texts(tmp_path / "t.xlsx")
    assert zipfile.is_zipfile(tmp_path / "t.xlsx")


def test_a_first_line_without_end_is_no_header(tmp_path, monkeypatch):
    monkeypatch.setattr("dpspin.curator.records.formats.delimited.LONGEST_HEADER", 1000)
    (tmp_path / "t.csv").write_text("body," + "x" * 2000 + "\na,b\n")
    with pytest.raises(SourceError, match="does not end"):
        texts(tmp_path / "t.csv")


def test_a_pipe_is_not_opened(tmp_path):
    import os

    os.mkfifo(tmp_path / "t.csv")
    with pytest.raises(SourceError, match="no file"):
        texts(tmp_path / "t.csv")


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
def test_no_expression_repeats_cells_possessively(ends):
    """Python before 3.11.5 does not go back where the last repetition fails: a comma in a quoted cell ended its row."""
    grammar = whole_rows.Grammar(",", quoted=True, ends=ends)
    for expression in (grammar._row, grammar._rows, grammar._cells):
        assert b")*+" not in expression.pattern.replace(rb'(?:""[^"]*+)*+', b"")
    assert grammar.end_of_rows(b'1,"x, y"\n2,"z"\n') == 15
