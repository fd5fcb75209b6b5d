"""What is special to tables of DuckDB: macros, names of files, whole numbers of any size, locks."""

import subprocess
import sys

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpspin.curator.records.columns import Columns
from dpspin.curator.records.corpus import open_corpus
from dpspin.curator.records.dialect import FROM_THE_HEADER
from dpspin.curator.records.find_files import locate
from dpspin.errors import RequestError, SourceAway, SourceError


def made(file, *statements):
    with duckdb.connect(str(file)) as connection:
        for statement in statements:
            connection.execute(statement)
    return file


def read(source, *columns):
    batches = open_corpus(source, Columns(*columns)).batches()
    return [row for batch in batches for row in zip(*batch.to_pydict().values(), strict=True)]


def test_columns_that_a_macro_may_compute_are_read_only_if_declared(tmp_path):
    """DuckDB refuses a subquery in a generated column, and takes it from a macro that is defined later."""
    file = made(
        tmp_path / "a.duckdb",
        "CREATE TABLE others (body VARCHAR)",
        "INSERT INTO others VALUES ('of another record')",
        "CREATE TABLE t (body VARCHAR, loud VARCHAR GENERATED ALWAYS AS (upper(body)))",
        "INSERT INTO t (body) VALUES ('late')",
    )
    source = f"duckdb:///{file}?table=t"
    assert read(source, "loud") == [("LATE",)]
    made(file, "CREATE MACRO upper(text) AS (SELECT max(body) FROM others)")
    with pytest.raises(RequestError, match="a macro may compute") as refused:
        read(source, "loud")
    assert refused.value.code == "request.view"
    assert read(f"{source}&view=row_by_row", "loud") == [("of another record",)]
    assert read(f"duckdb:///{file}?table=others", "body") == [("of another record",)]


def test_a_file_may_be_called_like_a_schema_in_it(tmp_path):
    file = made(tmp_path / "a.duckdb", "CREATE SCHEMA sales", "CREATE TABLE sales.t (body VARCHAR)")
    file = made(file, "INSERT INTO sales.t VALUES ('late')").rename(tmp_path / "sales.duckdb")
    assert read(f"duckdb:///{file}?table=sales.t", "body") == [("late",)]


@pytest.mark.parametrize("kind", ["UBIGINT", "HUGEINT", "UHUGEINT", "DECIMAL(38, 0)"])
def test_no_number_keeps_others_from_being_compared(tmp_path, kind):
    largest = {"UBIGINT": 2**64 - 1, "HUGEINT": 2**127 - 1, "UHUGEINT": 2**128 - 1}.get(kind, 10**38 - 1)
    file = made(
        tmp_path / "a.duckdb",
        f"CREATE TABLE t (body VARCHAR, n {kind})",
        f"INSERT INTO t VALUES ('large', {largest}), ('small', 1)",
    )
    for least, found in {
        "-1": 2,
        "1": 2,
        "1.5": 1,
        "1000": 1,
        "99999999999999999999999": int(largest > 10**23),
    }.items():
        assert len(read(f"duckdb:///{file}?table=t&where=n >= {least}", "body")) == found


@pytest.mark.parametrize(
    ("kind", "cell", "condition"),
    [
        ("INTEGER", "1", "n = 'abc'"),
        ("INTEGER", "1", f"n >= {'9' * 44}"),
        ("DECIMAL(38, 37)", "1", "n <= 100"),
        ("ENUM ('a', 'b')", "'a'", "n = 'x'"),
        ("DATE", "'2026-01-01'", "n >= 'yesterday'"),
    ],
)
def test_a_literal_that_does_not_fit_is_no_damage(tmp_path, kind, cell, condition):
    rows = (f"CREATE TABLE t (body VARCHAR, n {kind})", f"INSERT INTO t VALUES ('late', {cell})")
    file = made(tmp_path / "a.duckdb", *rows)
    with pytest.raises(SourceError, match="a literal behind where=") as refused:
        read(f"duckdb:///{file}?table=t&where={condition}", "body")
    assert refused.value.__context__ is None


def test_a_file_that_another_program_writes_to_may_be_free_later(tmp_path):
    file = made(tmp_path / "a.duckdb", "CREATE TABLE t (body VARCHAR)")
    hold = f"import duckdb, sys; c = duckdb.connect({str(file)!r}); print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(SourceAway, match="another program has it open"):
            read(f"duckdb:///{file}?table=t", "body")


def test_a_day_that_python_does_not_know_keeps_nobody_from_looking(tmp_path):
    file = made(
        tmp_path / "a.duckdb",
        "CREATE TABLE t (body VARCHAR, day TIMESTAMP_S)",
        "INSERT INTO t VALUES ('late', TIMESTAMP_S '290000-01-01'), ('broken', TIMESTAMP_S '2026-01-01')",
    )
    (table,) = locate(f"duckdb:///{file}?table=t")
    assert [row[0] for row in table.first_rows(FROM_THE_HEADER, 2)] == ["body", "late", "broken"]
    far = tmp_path / "far.parquet"
    pq.write_table(pa.table({"body": ["late"], "day": pa.array([2**62], pa.timestamp("us"))}), far)
    (table,) = locate(far)
    assert [row[0] for row in table.first_rows(FROM_THE_HEADER, 2)] == ["body", "late"]
