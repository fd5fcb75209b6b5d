"""Only records of the declared window count, whatever the format, and no record is in two windows."""

import datetime

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpspin.boundary.accounting import Window
from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import RequestError, SourceError

ROWS = {"text": ["a", "b", "c", "d"], "week": ["W1", "W2", "W1", None]}


def texts(source, window, column="week"):
    corpus = open_corpus(source, Columns("text", window=Window(column, window)))
    return [text for batch in corpus.batches() for text in batch.column("text").to_pylist()]


def csv_file(folder):
    (folder / "t.csv").write_text("text,week\na,W1\nb,W2\nc,W1\nd,\n")
    return folder / "t.csv"


def jsonl_file(folder):
    lines = ['{"text":"a","week":"W1"}', '{"text":"b","week":"W2"}', '{"text":"c","week":"W1"}', '{"text":"d"}']
    (folder / "t.jsonl").write_text("\n".join(lines))
    return folder / "t.jsonl"


def parquet_file(folder):
    pq.write_table(pa.table(ROWS), folder / "t.parquet")
    return folder / "t.parquet"


SOURCES = {
    "csv": csv_file,
    "jsonl": jsonl_file,
    "parquet": parquet_file,
    "arrow": lambda _: pa.table(ROWS),
    "pandas": lambda _: pd.DataFrame(ROWS),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_windows_divide_the_records_and_a_record_without_one_is_in_none(tmp_path, kind):
    source = SOURCES[kind](tmp_path)
    assert [texts(source, window) for window in ("W1", "W2", "W3")] == [["a", "c"], ["b"], []]


def test_numbers_and_days_have_one_spelling():
    table = pa.table({"text": ["a", "b"], "number": [5, 6], "day": [datetime.date(2024, 5, 1), None]})
    assert texts(table, "5", "number") == ["a"]
    assert texts(table, "5.0", "number") == []
    assert texts(table, "2024-05-01", "day") == ["a"]


def test_the_column_of_the_partition_must_be_there_and_be_another_one():
    with pytest.raises(SourceError, match="no column 'month'"):
        texts(pa.table(ROWS), "W1", "month")
    with pytest.raises(RequestError, match="two purposes"):
        Columns("text", window=Window("text", "W1"))
