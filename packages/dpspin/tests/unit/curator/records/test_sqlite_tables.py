"""What is special to tables of SQLite: numbers beyond its own, and locks that pass."""

import sqlite3

import pytest

from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.errors import SourceAway, SourceError


@pytest.fixture
def file(tmp_path):
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("CREATE TABLE t (body, year)")
        connection.execute("INSERT INTO t VALUES ('late', 2025)")
    connection.close()
    return tmp_path / "a.db"


@pytest.mark.parametrize("digits", [20, 5000])
def test_a_number_that_sqlite_does_not_have_is_no_damage(file, digits):
    corpus = open_corpus(f"sqlite:///{file}?table=t&where=year >= {'9' * digits}", Columns("body"))
    with pytest.raises(SourceError, match="a literal behind where="):
        list(corpus.batches())


def test_a_lock_may_be_gone_later_and_damage_is_not(file):
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(SourceAway, match="another program holds a lock on it"):
        open_corpus(f"sqlite:///{file}?table=t", Columns("body"))
    other.close()
    file.write_bytes(b"no database at all" * 100)
    with pytest.raises(SourceError, match="damaged") as refused:
        open_corpus(f"sqlite:///{file}?table=t", Columns("body"))
    assert not isinstance(refused.value, SourceAway)
