"""How a table's rows are chosen and its columns are made is part of a request: by the same words in every session."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpspin as package
from dpspin.curator.records.spark_selection import rests_on_the_clock, selection_of
from dpspin.errors import RequestError
from spark_corpora import ASKED

HERE = Path(__file__).parents[1]
ROWS = pa.table(
    {
        "who": ["a", "b", "c"] * 20,
        "body": ["late parcel", "refund please", "app crash"] * 20,
        "country": ["DE", "FR", "DE"] * 20,
        "paid": [True, False, True] * 20,
        "closed": [True, True, False] * 20,
    }
)
LIKE_NUMBERS = [f"team#{number}" for number in range(1500)]
PLAIN = {
    "as it lies": lambda rows: rows,
    "in another order": lambda rows: rows.orderBy("who").repartition(3).hint("broadcast"),
    "fewer columns": lambda rows: rows.select("who", "body", "country").drop("country"),
    "by another name": lambda rows: rows.alias("t"),
    "kept in memory": lambda rows: rows.cache(),
}


def shouted(rows):
    """A function of the caller's own, to which Spark gives a new number each time."""
    from pyspark.sql.functions import udf

    return rows.withColumn("body", udf(str.upper)("body"))


TWO_NAMED = (
    "WITH a AS (SELECT * FROM tickets), b AS (SELECT who, lower(body) AS body, country FROM tickets) SELECT * FROM"
)


def twice(rows, side):
    """A join of two tables that both have a body: which of them is read."""
    other = rows.sparkSession.read.parquet(rows.inputFiles()[0])
    return rows.join(other, rows.who == other.who).select((rows, other)[side].body)


def two_made(rows, which):
    """Two made columns, of which one is called body in the end."""
    made = rows.selectExpr("concat(who, '1') AS x", "concat(who, '2') AS y")
    return made.toDF("body", "y").select("body") if which == 0 else made.toDF("x", "body").select("body")


def in_sql(words):
    return lambda rows: rows.sparkSession.sql(words)


def in_a_function(rows):
    """A function of the session's own, which is made anew in each."""
    rows.sparkSession.sql("DROP TEMPORARY FUNCTION IF EXISTS shout")
    rows.sparkSession.sql("CREATE TEMPORARY FUNCTION shout(x STRING) RETURNS STRING RETURN upper(x) || '!'")
    return rows.selectExpr("shout(body) AS body")


def with_field(rows, name):
    """A field that is put into a structure in the place of another."""
    from pyspark.sql.functions import col, struct

    return rows.select(struct("body", "country").withField(name, col("who")).body.alias("body"))


def counted(rows):
    """A group by a number as short as one of Spark's own."""
    from pyspark.sql.functions import lit

    return rows.groupBy(lit(1), "who", "body").count()


def joined_by_many(rows):
    """A join on a long list of cells that look like Spark's numbers."""
    from pyspark.sql.functions import col

    return rows.join(rows.selectExpr("who AS other"), col("other").isin([f"_{each}" for each in LIKE_NUMBERS]))


CHOSEN = {
    "Germany": lambda rows: rows.filter("country = 'DE'"),
    "France": lambda rows: rows.filter("country = 'FR'"),
    "a made column": lambda rows: rows.selectExpr("who", "upper(body) AS body"),
    "another made column": lambda rows: rows.selectExpr("who", "lower(body) AS body"),
    "another column's cells": lambda rows: rows.selectExpr("who", "country AS body"),
    "a function": shouted,
    "a function, and one number": lambda rows: shouted(rows.filter("who = 'a#12'")),
    "a function, and another number": lambda rows: shouted(rows.filter("who = 'a#13'")),
    "numbers beside a function": lambda rows: shouted(rows).filter("concat(body, '#12') <> who"),
    "other numbers beside a function": lambda rows: shouted(rows).filter("concat(body, '#13') <> who"),
    "many": lambda rows: rows.filter(rows.who.isin([f"u{number}" for number in range(500)])),
    "one more": lambda rows: rows.filter(rows.who.isin([f"u{number}" for number in range(501)])),
    "a part of a list": lambda rows: rows.selectExpr(
        "element_at(transform(split(body, ' '), w -> upper(w)), 1) AS body"
    ),
    "a join": lambda rows: rows.join(rows.select("who").alias("other"), "who"),
    "a left join": lambda rows: rows.join(rows.select("who").alias("other"), "who", "left"),
    "Germany joined": lambda rows: rows.filter("country = 'DE'").join(rows.select("who").alias("other"), "who"),
    "joined with Germany": lambda rows: rows.join(rows.filter("country = 'DE'").select("who").alias("other"), "who"),
    "a subquery": in_sql("SELECT * FROM tickets WHERE who IN (SELECT max(who) FROM tickets)"),
    "another subquery": in_sql("SELECT * FROM tickets WHERE who IN (SELECT min(who) FROM tickets)"),
    "named in SQL": lambda rows: rows.sparkSession.sql("SELECT * FROM {t} WHERE who = 'a'", t=rows),
    "the first by name": lambda rows: rows.orderBy("who").limit(20),
    "the last by name": lambda rows: rows.orderBy(rows.who.desc()).limit(20),
    "some of the first": lambda rows: rows.orderBy("who").filter("who <> 'b'").limit(20),
    "one of each, the first": lambda rows: rows.orderBy("body").dropDuplicates(["country"]),
    "one of each, the last": lambda rows: rows.orderBy(rows.body.desc()).dropDuplicates(["country"]),
    "counted by a number": counted,
    "cells like Spark's numbers": lambda rows: rows.filter(rows.who.isin(LIKE_NUMBERS)),
    "such cells in a join": joined_by_many,
    "paid ones": lambda rows: rows.filter("paid"),
    "closed ones": lambda rows: rows.filter("closed"),
    "words like an address": lambda rows: rows.filter("body LIKE ANY ('%@abc')"),
    "other words like an address": lambda rows: rows.filter("body LIKE ANY ('%@def')"),
    "between": lambda rows: rows.filter("length(body) BETWEEN 2 AND 4"),
    "not empty": lambda rows: rows.selectExpr("nullif(body, '') AS body"),
    "two cells": in_sql("SELECT * FROM tickets WHERE EXISTS (SELECT 1 FROM VALUES ('a,b', 'c') v(p, q) WHERE q = 'c')"),
    "two others": in_sql(
        "SELECT * FROM tickets WHERE EXISTS (SELECT 1 FROM VALUES ('a', 'b,c') v(p, q) WHERE q = 'c')"
    ),
    "nothing in a list": in_sql("SELECT * FROM tickets WHERE who IN (SELECT coalesce(p, 'a') FROM VALUES (NULL) v(p))"),
    "a word in a list": in_sql(
        "SELECT * FROM tickets WHERE who IN (SELECT coalesce(p, 'a') FROM VALUES ('null') v(p))"
    ),
    "bytes in a list": in_sql("SELECT * FROM tickets WHERE body IN (SELECT string(p) FROM VALUES (X'01') v(p))"),
    "a script": in_sql("BEGIN SELECT who, body FROM tickets WHERE country = 'DE'; END"),
    "another script": in_sql("BEGIN SELECT who, body FROM tickets WHERE country = 'FR'; END"),
    "numbered, the first": lambda rows: rows.orderBy("who").filter("monotonically_increasing_id() < 2"),
    "numbered, the last": lambda rows: rows.orderBy(rows.who.desc()).filter("monotonically_increasing_id() < 2"),
    "deep": lambda rows: rows.selectExpr("nvl(" * 20 + "body" + ", country)" * 20 + " AS body"),
    "a function of SQL": in_a_function,
    "like any": lambda rows: rows.filter("body LIKE ANY ('%parcel%')"),
    "like any other": lambda rows: rows.filter("body LIKE ANY ('%crash%', '%refund%')"),
    "like all": lambda rows: rows.filter("body LIKE ALL ('%crash%', '%refund%')"),
    "without empty ones": lambda rows: rows.dropna("any", subset=["body", "country"]),
    "without quite empty ones": lambda rows: rows.dropna("all", subset=["body", "country"]),
    "a schema": lambda rows: rows.selectExpr("from_csv(body, 'a STRING, b STRING', map('sep', ' ')).b AS body"),
    "another schema": lambda rows: rows.selectExpr("from_csv(body, 'b STRING, a STRING', map('sep', ' ')).b AS body"),
    "another separator": lambda rows: rows.selectExpr(
        "from_csv(body, 'a STRING, b STRING', map('sep', ',')).b AS body"
    ),
    "a field": lambda rows: with_field(rows, "body"),
    "another field": lambda rows: with_field(rows, "country"),
    "a day": lambda rows: rows.filter("cast(body AS timestamp) < TIMESTAMP '2026-01-01 05:00:00'"),
    "another day": lambda rows: rows.filter("cast(body AS timestamp) < TIMESTAMP '2026-01-02 05:00:00'"),
    "one after another": lambda rows: rows.select("who", "body").union(rows.select("who", "body")),
    "another one after it": lambda rows: rows.select("who", "body").union(rows.select("who", "country")),
    "each body": in_sql("SELECT body FROM (SELECT DISTINCT body FROM tickets)"),
    "each body of each": in_sql("SELECT body FROM (SELECT DISTINCT body, who FROM tickets)"),
    "in this column": in_sql("SELECT * FROM tickets WHERE who IN (SELECT who FROM tickets)"),
    "in that column": in_sql("SELECT * FROM tickets WHERE who IN (SELECT country FROM tickets)"),
    "a first one": in_sql("SELECT who, first(body) AS body FROM tickets GROUP BY who"),
    "a first one that is there": in_sql("SELECT who, first(body) IGNORE NULLS AS body FROM tickets GROUP BY who"),
    "a list": in_sql("SELECT * FROM tickets WHERE country IN (SELECT country FROM VALUES ('DE') AS v(country))"),
    "another list": in_sql("SELECT * FROM tickets WHERE country IN (SELECT country FROM VALUES ('FR') AS v(country))"),
    "a range": in_sql("SELECT * FROM tickets WHERE length(who) IN (SELECT id FROM range(5))"),
    "a longer range": in_sql("SELECT * FROM tickets WHERE length(who) IN (SELECT id FROM range(50))"),
    "by itself": in_sql(
        "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 3) "
        "SELECT * FROM tickets WHERE length(who) IN (SELECT n FROM a)"
    ),
    "this of two": in_sql(f"{TWO_NAMED} a"),
    "the other of two": in_sql(f"{TWO_NAMED} b"),
    "one of two joined": in_sql(f"{TWO_NAMED} a JOIN a AS c USING (who)"),
    "both of two joined": in_sql(f"{TWO_NAMED} a JOIN b AS c USING (who)"),
    "this body": lambda rows: twice(rows, 0),
    "the other body": lambda rows: twice(rows, 1),
    "this of two made columns": lambda rows: two_made(rows, 0),
    "the other of two made columns": lambda rows: two_made(rows, 1),
}


def selections(spark, folder):
    pq.write_table(ROWS, folder / "tickets.parquet")
    rows = spark.read.parquet(str(folder / "tickets.parquet"))
    rows.createOrReplaceTempView("tickets")
    told = {how: selection_of(made(rows)) for how, made in {**PLAIN, **CHOSEN}.items()}
    return json.loads(json.dumps(told))


def test_selections_are_told_apart_and_are_the_same_in_every_session(spark, tmp_path):
    spark.range(5).filter("id > 2").collect()  # so that numbers have been given away
    (tmp_path / "other").mkdir()
    here = selections(spark, tmp_path)
    program = (
        f"import sys; sys.path[:0] = {[str(HERE), str(HERE / 'spark')]}; import test_spark_selection as t; t.main()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "other")], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    there = json.loads(ran.stdout.splitlines()[-1])
    assert [how for how in here if here[how] != there[how]] == []
    assert [how for how in PLAIN if here[how]] == []
    told = {how: json.dumps(here[how]) for how in CHOSEN}
    assert len({*told.values()} - {"[]"}) == len(CHOSEN)
    again = selections(spark, tmp_path)
    assert [how for how in here if here[how] != again[how]] == []


def main():
    from spark_sessions import spark_session

    with spark_session(Path(sys.argv[1]), "local[1]") as spark:
        sys.stdout.write(json.dumps(selections(spark, Path(sys.argv[1]))) + "\n")


ZONE, ANSI = "spark.sql.session.timeZone", "spark.sql.ansi.enabled"
PARSER = "spark.sql.legacy.timeParserPolicy"
VALUES = {ZONE: ("UTC", "America/New_York"), ANSI: ("true", "false"), PARSER: ("LEGACY", "CORRECTED")}
WITH_TIMES = pa.table({"body": ["late"], "at": pa.array([1_767_243_600_000_000], pa.timestamp("us", "UTC"))})


def under(spark, setting, values, made):
    """Tell the same selection under each value of a setting."""
    for value in values:
        spark.conf.set(setting, value)
        try:
            yield selection_of(made())
        finally:
            spark.conf.unset(setting)


@pytest.mark.parametrize(
    ("setting", "condition", "depends"),
    [
        (ZONE, "at < '2026-01-01 05:00:00'", True),
        (ZONE, "hour(at) < 10", True),
        (ZONE, "cast(body AS int) < 3", False),
        (ANSI, "size(split(body, ' ')) = -1", True),
        (ANSI, "body LIKE '%late%'", False),
        (PARSER, "try_to_timestamp(body, 'yyyy-MM-dd') IS NOT NULL", True),
    ],
)
def test_a_setting_of_the_session_is_part_of_what_depends_on_it(spark, tmp_path, setting, condition, depends):
    pq.write_table(WITH_TIMES, tmp_path / "times.parquet")
    one, other = under(
        spark, setting, VALUES[setting], lambda: spark.read.parquet(str(tmp_path / "times.parquet")).filter(condition)
    )
    assert (one != other) is depends


def test_an_instant_is_the_same_in_every_zone(spark, tmp_path):
    """A job that compares with it is the same request on machines of two zones."""
    pq.write_table(WITH_TIMES, tmp_path / "times.parquet")
    rows = spark.read.parquet(str(tmp_path / "times.parquet"))
    instant = datetime(2026, 1, 1, 5, tzinfo=UTC)
    one, other = under(spark, ZONE, VALUES[ZONE], lambda: rows.filter(rows["at"] < instant))
    assert one == other != []


@pytest.mark.parametrize(
    "condition",
    [
        *("current_date() > '2020-01-01'", "who <> current_user()", "now() IS NOT NULL"),
        *("at > 'now'", "date(at) IN ('today')", "at BETWEEN 'yesterday' AND '2030-01-01'", "at > '00:01:00'"),
        *("date(at) <> to_date('tomorrow')", "reflect('java.lang.System', 'currentTimeMillis') > '1'"),
    ],
)
def test_what_depends_on_when_or_by_whom_it_is_asked_is_refused(spark, tmp_path, condition):
    pq.write_table(WITH_TIMES.append_column("who", pa.array(["a"])), tmp_path / "tickets.parquet")
    rows = spark.read.parquet(str(tmp_path / "tickets.parquet"))
    assert not rests_on_the_clock(rows.filter("at > '2026-01-01 05:00:00' AND date(at) IN ('2026-01-01', '2026')"))
    asked = {**ASKED, "unit": "record", "map": "paper", "ledger": tmp_path / "ledger.db"}
    for declared in (None, "row_by_row"):
        with pytest.raises(RequestError, match="depends on when, or by whom"):
            package.release(rows.filter(condition), **asked, rows=declared)
    assert not (tmp_path / "ledger.db").exists()


def test_another_selection_is_another_request(spark, tmp_path):
    """Under the same name of the same state; and what tells them apart quotes no cell."""
    pq.write_table(ROWS, tmp_path / "tickets.parquet")
    rows = spark.read.parquet(str(tmp_path / "tickets.parquet"))
    asked = {**ASKED, "unit": "record", "map": "paper", "ledger": tmp_path / "ledger.db", "budget": 20}
    germany = package.release(rows.filter("country = 'DE'"), **asked)
    france = package.release(rows.filter("country = 'FR'"), **asked)
    assert germany.entries != france.entries
    assert package.release(rows.filter("country = 'DE'"), **asked) == germany
    assert france.account.balances[0].spent_epsilon == 8
    assert b"'DE'" not in (tmp_path / "ledger.db").read_bytes()
