"""Excel files: one sheet, its first row, and cells that mean what they mean in every other format."""

import datetime as dt
import io
import sys

import pytest

from dpspin.boundary.accounting import Window
from dpspin.boundary.privacy import MissingUsers
from dpspin.curator.records.columns import BadRows, Columns, RowPolicy
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.dialect import Dialect
from dpspin.errors import MissingExtra, RecordsRefused, SourceError
from xlsx_files import Elapsed, Error, write_workbook

ROWS = [["who", "body", "when"], [17, "late", dt.date(2024, 1, 1)], ["u", "again", dt.date(2024, 1, 2)]]


def pairs(path, columns=None, **dialect):
    policy = RowPolicy(missing_users=MissingUsers.OWN_UNIT)
    corpus = open_corpus(path, columns or Columns("body", "who"), policy, Dialect(**dialect))
    return [
        pair
        for batch in corpus.batches()
        for pair in zip(batch.column("user").to_pylist(), batch.column("text").to_pylist(), strict=True)
    ]


@pytest.fixture
def book(tmp_path):
    def write(sheets, hidden=()):
        write_workbook(tmp_path / "t.xlsx", sheets, hidden)
        return tmp_path / "t.xlsx"

    return write


def test_the_only_visible_sheet_is_read(book):
    path = book({"Notes": [["nothing"]], "Tickets": ROWS}, hidden=("Notes",))
    assert pairs(path) == [("17", "late"), ("u", "again")]
    assert pairs(path, Columns("body", "who", window=Window("when", "2024-01-02"))) == [("u", "again")]


def test_several_sheets_need_a_name(book):
    path = book({"Old": [["x"]], "Tickets": ROWS})
    with pytest.raises(SourceError, match=r"say which \(`records.dialect.sheet`\). They are: 'Old', 'Tickets'"):
        pairs(path)
    with pytest.raises(SourceError, match=r"no sheet 'tickets'; its sheets: 'Old', 'Tickets'"):
        pairs(path, sheet="tickets")
    assert pairs(path, sheet="Tickets") == [("17", "late"), ("u", "again")]


def test_cells_mean_what_they_mean_elsewhere(book):
    moment = dt.datetime(2024, 1, 31, 10, 30)  # noqa: DTZ001  Excel has no time zones
    ids = [17, 17.0, 1.5, True, "u", dt.date(2024, 1, 31), moment, Error("#DIV/0!"), None, "  "]
    path = book({"S": [["who", "body"], *[[cell, "x"] for cell in ids], [None, None], ["u", 17]]})
    spelt = ["17", "17", "1.5", "true", "u", "2024-01-31", "2024-01-31 10:30:00", None, None, None]
    assert pairs(path) == [*((cell, "x") for cell in spelt), ("u", None)]


def test_a_cell_that_cannot_be_read_spoils_its_own_row_and_no_other(book):
    rows = [["late", "a"], ["lost", Elapsed(1e9)], ["again", "b"]]
    path = book({"S": [["body", "who"], *rows]})
    assert pairs(path) == [("a", "late"), ("b", "again")]
    strict = open_corpus(path, Columns("body", "who"), RowPolicy(BadRows.REFUSE, MissingUsers.OWN_UNIT))
    with pytest.raises(RecordsRefused, match=r"leave `records.bad_rows`"):
        list(strict.batches())


def test_a_wrong_or_repeated_column_is_named(book):
    with pytest.raises(SourceError, match=r"no column 'words'. Its columns: 'who', 'body', 'when'"):
        pairs(book({"S": ROWS}), Columns("words", "who"))
    with pytest.raises(SourceError, match="more than once"):
        pairs(book({"S": [["body", "body", "who"]]}))
    with pytest.raises(SourceError, match="not look like names") as refused:
        pairs(book({"S": [["SECRET@example.org", "my parcel is late, again"]]}))
    assert "SECRET" not in str(refused.value)


def test_locked_and_broken_files_say_so(tmp_path):
    locked = tmp_path / "t.xlsx"
    locked.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + b"SECRET" * 100)
    with pytest.raises(SourceError, match="protected by a password"):
        pairs(locked)
    content = io.BytesIO()
    write_workbook(content, {"S": ROWS})
    for broken in (b"SECRET", content.getvalue()[:-200], b"PK" + b"SECRET" * 50):
        locked.write_bytes(broken)
        with pytest.raises(SourceError, match="cannot be read as xlsx"):
            pairs(locked)


def test_without_the_extra_the_install_line_is_told(book, monkeypatch):
    path = book({"S": ROWS})
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(MissingExtra, match=r"dpspin\[excel\]"):
        pairs(path)
