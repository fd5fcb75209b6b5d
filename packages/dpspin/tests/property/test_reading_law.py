"""The law of reading: reading D plus one row gives what reading D gives, plus one row; for every reader and type.

``DPSPIN_NEIGHBOURS=2000`` tries it on that many generated neighbours for each reader and unit.
"""

import os

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from dpspin.curator.records import frames
from dpspin.curator.records.columns import READ
from dpspin.curator.records.dialect import Encoding
from dpspin.curator.records.find_files import FORMATS
from dpspin.curator.records.formats import bytes_in, delimited
from dpspin.errors import SourceError
from readers_under_test import READERS, columns_for

NEIGHBOURS = int(os.environ.get("DPSPIN_NEIGHBOURS", "30"))
tried = settings(max_examples=NEIGHBOURS, suppress_health_check=list(HealthCheck), database=None, derandomize=True)
USER = 1  # where the id stands in a row that was read without labels


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("records")


def test_every_registered_format_is_tried_here():
    assert {each.name for each in FORMATS} <= {name.removesuffix(" file") for name in READERS}


@pytest.mark.parametrize("name", READERS)
@tried
@given(data=st.data(), labelled=st.booleans(), windowed=st.booleans())
def test_reading_one_row_more_gives_one_row_more(name, folder, data, labelled, windowed):
    reader, columns = READERS[name], columns_for(labelled, windowed)
    schema = data.draw(reader.schemas)
    rows = data.draw(st.lists(reader.row(schema), max_size=6))
    place = data.draw(st.integers(0, len(rows)))
    more = [*rows[:place], data.draw(reader.row(schema)), *rows[place:]]
    before, after = (reader.read(schema, some, folder, columns) for some in (rows, more))
    head, tail = (reader.read(schema, some, folder, columns) for some in (more[: place + 1], more[:place]))
    added = head[len(tail) :]
    assert len(added) <= 1
    assert after == [*tail, *added, *before[len(tail) :]]


@pytest.mark.parametrize("name", READERS)
@tried
@given(data=st.data())
def test_leaving_out_a_users_rows_leaves_out_what_was_read_of_them(name, folder, data):
    reader, columns = READERS[name], columns_for(labelled=False, windowed=False)
    schema = data.draw(reader.schemas)
    rows = data.draw(st.lists(reader.row(schema), min_size=1, max_size=6))
    alone = [reader.read(schema, [row], folder, columns)[-1:] for row in rows]
    nothing = reader.read(schema, [], folder, columns)
    read = reader.read(schema, rows, folder, columns)
    users = sorted({row[USER] for row in read if row[USER] is not None}) or [None]
    user = data.draw(st.sampled_from(users))
    own = [user in {row[USER] for row in of_row} for of_row in alone]
    others = [row for row, is_own in zip(rows, own, strict=True) if not is_own]
    assert reader.read(schema, others, folder, columns)[len(nothing) :] == [
        row for row in read[len(nothing) :] if row[USER] != user
    ]


# The tests have teeth: readers that were broken on purpose are caught.


def as_a_whole_else_by_cells(cells, read):
    """Convert a column as frames once were: one odd cell decides how all others are read."""
    held = list(cells)
    try:
        return pa.chunked_array([pa.array(held, from_pandas=True)]), None
    except (pa.ArrowException, ValueError, TypeError, OverflowError):
        return pa.chunked_array([pa.array([read(cell) for cell in held], pa.string())]), READ


def in_another_order(series, read, column=frames._polars_column):
    """Hand over a column in an order of its own, as a plan may that is collected again."""
    return column(series if str(series.dtype) == "Object" else series.sort(), read)


def by_a_guess(file, declared, *, has_header, opened=bytes_in.utf8_of):
    """Guess the encoding from the rows."""
    try:
        file.path.read_bytes().decode()
    except UnicodeDecodeError:
        return opened(file, declared or Encoding.LATIN_1, has_header=has_header)
    return opened(file, declared, has_header=has_header)


MUTANTS = {
    "pandas": (frames, "_cell_by_cell", as_a_whole_else_by_cells),
    "polars": (frames, "_polars_column", in_another_order),
    "polars lazy": (frames, "_polars_column", in_another_order),
    "csv": (delimited, "utf8_of", by_a_guess),
    "tsv": (delimited, "utf8_of", by_a_guess),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_reader_is_caught(name, folder, monkeypatch):
    monkeypatch.setattr(*MUTANTS[name])
    law = test_reading_one_row_more_gives_one_row_more.hypothesis.inner_test

    @settings(tried, max_examples=400, phases=[Phase.generate])
    @given(data=st.data(), labelled=st.booleans(), windowed=st.booleans())
    def tried_on_it(data, labelled, windowed):
        law(name, folder, data, labelled, windowed)

    with pytest.raises((AssertionError, SourceError, ExceptionGroup)):  # it reads otherwise, or no more at all
        tried_on_it()
