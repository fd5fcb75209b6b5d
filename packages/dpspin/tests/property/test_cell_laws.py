"""A column read at once means what its cells mean one by one; and a cell means the same wherever it stands."""

import io

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv as pa_csv
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.records.arrays import ids_in, labels_in, texts_in
from dpspin.curator.records.cells import UNREADABLE, label_in, text_in, user_in
from dpspin.curator.records.columns import Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.dialect import Encoding
from dpspin.curator.records.formats import bytes_in, whole_rows
from dpspin.curator.records.formats.whole_rows import Broken
from dpspin.curator.records.frames import table_of
from readers_under_test import (
    ANYTHING,
    ID_TYPES,
    LABEL_TYPES,
    PANDAS_IDS,
    POLARS_IDS,
    TEXT_TYPES,
    arrow_column,
    pandas_column,
    polars_column,
)

few = settings(max_examples=20, suppress_health_check=list(HealthCheck), database=None, derandomize=True)


def cells_of(kinds, name):
    cell = kinds[name][1]
    return st.lists(cell if name in {"float64", "sparse"} else st.one_of(cell, cell, st.none()), min_size=1, max_size=8)


def known_to_python(column):
    """Return the cells as Python has them, where it has them: not dates of the year 20,000."""
    for place, cell in enumerate(column):
        try:
            yield place, cell.as_py()
        except (ValueError, OverflowError, pa.ArrowException):
            continue


def agree(whole, column, read):
    cells = whole.to_pylist()
    assert len(cells) == len(column)
    return all(cells[place] == read(value) for place, value in known_to_python(column))


@pytest.mark.parametrize("name", TEXT_TYPES)
@few
@given(data=st.data())
def test_arrow_texts_at_once_are_texts_one_by_one(name, data):
    column = arrow_column(TEXT_TYPES[name][0], data.draw(cells_of(TEXT_TYPES, name)))
    assert agree(texts_in(column, "body"), column, text_in)


@pytest.mark.parametrize("name", [name for name in ID_TYPES if name != "time"])
@few
@given(data=st.data())
def test_arrow_ids_at_once_are_ids_one_by_one(name, data):
    column = arrow_column(ID_TYPES[name][0], data.draw(cells_of(ID_TYPES, name)))
    assert agree(ids_in(column, "who"), column, user_in)


@few
@given(numbers=st.lists(st.integers(0, 86_399_999_999_999), max_size=8))
def test_times_of_the_day_do_too(numbers):
    column = pa.array([number // 1000 for number in numbers], pa.int64()).view(pa.time64("us"))
    assert agree(ids_in(column, "who"), column, user_in)  # Arrow takes a time of more than a day for a shorter one


@pytest.mark.parametrize("name", [name for name in LABEL_TYPES if name != "time"])
@few
@given(data=st.data())
def test_arrow_labels_at_once_are_labels_one_by_one(name, data):
    column = arrow_column(LABEL_TYPES[name][0], data.draw(cells_of(LABEL_TYPES, name)))
    assert agree(labels_in(column, "label"), column, label_in)


def ids_of_frame(series):
    body = ["x"] * len(series)
    frame = pd.DataFrame({"who": series, "body": body}) if isinstance(series, pd.Series) else None
    held = frame if frame is not None else pl.DataFrame([series, pl.Series("body", body, dtype=pl.String)])
    corpus = open_corpus(held, Columns("body", "who"), RowPolicy(missing_users=MissingUsers.OWN_UNIT))
    return [user for batch in corpus.batches() for user in batch.column("user").to_pylist()]


@pytest.mark.parametrize("name", PANDAS_IDS)
@few
@given(data=st.data())
def test_pandas_ids_at_once_are_ids_one_by_one(name, data):
    series = pandas_column(name, data.draw(cells_of(PANDAS_IDS, name)))
    named = [user_in(series.iloc[place]) for place in range(len(series))]
    assert ids_of_frame(series) == [name for name in named if name != UNREADABLE]


@few
@given(data=st.data())
def test_categories_of_anything_are_read_one_by_one(data):
    some = ["u1", "17", b"u1", b"\xff", 17, 1.5, True, 2**60 + 1]
    cells = data.draw(st.lists(st.sampled_from(some), min_size=1, max_size=8))
    series = pd.Series(pd.Categorical(cells))
    named = [user_in(series.cat.categories[code]) for code in series.cat.codes]
    assert ids_of_frame(series) == named


@pytest.mark.parametrize("name", [name for name in POLARS_IDS if name not in {"Date", "Datetime", "Duration"}])
@few
@given(data=st.data())
def test_polars_ids_at_once_are_ids_one_by_one(name, data):
    series = polars_column("who", name, data.draw(cells_of(POLARS_IDS, name)))
    assert ids_of_frame(series) == [user_in(cell) for cell in series.to_list()]


@few
@given(data=st.data())
def test_a_cell_means_the_same_in_any_company(data):
    cells = data.draw(st.lists(st.sampled_from(ANYTHING), min_size=1, max_size=8))
    series = pandas_column("object", cells)
    alone = [name for cell in cells for name in ids_of_frame(pandas_column("object", [cell]))]
    assert ids_of_frame(series) == alone
    assert ids_of_frame(series.iloc[::-1]) == ids_of_frame(series)[::-1]


def test_every_value_has_a_meaning_and_raises_nothing():
    for value in ANYTHING:
        assert all(read(value) is None or isinstance(read(value), str) for read in (text_in, user_in, label_in))
        assert user_in(value) == user_in(value)


# Rows of delimited text end where Arrow's own reader ends them.

PIECES = st.lists(st.sampled_from(['"', '""', "a", ",", "\n", "\r\n", "\r", "\r\n\n", "x y"]), max_size=30).map("".join)


def as_arrow_reads(text, block):
    table = pa_csv.read_csv(
        io.BytesIO(b"\n" + text),
        read_options=pa_csv.ReadOptions(column_names=["a", "b"], block_size=block),
        parse_options=pa_csv.ParseOptions(newlines_in_values=True, invalid_row_handler=lambda _row: "skip"),
        convert_options=pa_csv.ConvertOptions(column_types={"a": pa.binary(), "b": pa.binary()}),
    )
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


@settings(max_examples=300, suppress_health_check=list(HealthCheck), database=None, derandomize=True)
@given(text=PIECES, piece=st.integers(1, 9))
def test_rows_are_cut_where_arrow_ends_them(text, piece):
    grammar, whole = whole_rows.Grammar(",", quoted=True), text.encode() + b"\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole_rows, "PIECE", piece)
        blocks = list(whole_rows.blocks(b"", io.BufferedReader(io.BytesIO(whole)), grammar))
    if Broken.UNCLOSED not in blocks:
        assert b"".join(blocks) == whole
        once = as_arrow_reads(whole, 10_000) if whole.strip() else []
        parts = [row for block in blocks if block.strip(b"\r\n") for row in as_arrow_reads(block, 10_000)]
        assert parts == once


@few
@given(text=PIECES, behind=PIECES, piece=st.integers(1, 40), longest=st.sampled_from([16, 10_000]))
def test_a_text_that_ends_inside_a_quotation_mark_is_told_in_any_pieces(text, behind, piece, longest):
    grammar, cell = whole_rows.Grammar(",", quoted=True), behind.replace('"', '""')
    whole = f'a,b\nc,"{text.replace(chr(34), chr(34) * 2)}"\nd,"{cell}'.encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole_rows, "PIECE", piece)
        patch.setattr(whole_rows, "LONGEST_ROW", longest)
        *_, last = whole_rows.blocks(b"", io.BufferedReader(io.BytesIO(whole)), grammar)
        *_, closed = whole_rows.blocks(b"", io.BufferedReader(io.BytesIO(whole + b'"')), grammar)
    assert (last, closed == Broken.UNCLOSED) == (Broken.UNCLOSED, False)


@settings(max_examples=150, suppress_health_check=list(HealthCheck), database=None, derandomize=True)
@given(before=st.lists(st.sampled_from(["a,b", '"a,\n",b', ""]), max_size=4), long=PIECES, piece=st.integers(1, 40))
def test_a_row_that_is_too_long_is_left_out_alone(before, long, piece):
    """Whatever the long row holds, if it is one row: what stands before and behind it is read as without it."""
    grammar = whole_rows.Grammar(",", quoted=True)
    cell = long.replace('"', '""')
    row = f'"{cell}{"y" * 64}",z\n'.encode()
    head = "".join(f"{each}\n" for each in before).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole_rows, "PIECE", piece)
        patch.setattr(whole_rows, "LONGEST_ROW", 64)
        blocks = list(whole_rows.blocks(b"", io.BufferedReader(io.BytesIO(head + row + b"c,d\n")), grammar))
    assert [block for block in blocks if isinstance(block, Broken)] == [Broken.TOO_LONG]
    assert b"".join(block for block in blocks if isinstance(block, bytes)).replace(b"\r", b"") == head + b"c,d\n"


@few
@given(text=st.text(max_size=30), piece=st.integers(1, 7), tail=st.sampled_from([b"", b"\x00\xd8", b"\x41"]))
def test_utf_16_is_transcoded_alike_in_any_pieces(text, piece, tail):
    raw = text.encode("utf-16-le", "surrogatepass") + tail

    def transcoded(size):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(bytes_in, "PIECE", size)
            return io.BufferedReader(bytes_in._AsUtf8(io.BufferedReader(io.BytesIO(raw)), Encoding.UTF_16_LE)).read()

    assert transcoded(piece) == transcoded(10_000)
    assert transcoded(10_000).startswith(text.encode())


def test_every_blank_character_is_blank_both_ways():
    letters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    assert ids_in(pa.array(letters), "who").to_pylist() == [letter if letter.strip() else None for letter in letters]


def test_table_of_holds_only_what_is_named():
    table = table_of(pa.table({"body": ["a"], "who": ["b"], "other": [1]}), Columns("body"))
    assert table.schema.names == ["body"]
