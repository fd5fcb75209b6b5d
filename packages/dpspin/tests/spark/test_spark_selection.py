"""How a table's rows are chosen and its columns are made is part of a request: by the same words in every session."""

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import dpspin as package
from dpspin.curator.records.spark_selection import selection_of
from spark_corpora import ASKED

HERE = Path(__file__).parents[1]
ROWS = pa.table(
    {
        "who": ["a", "b", "c"] * 20,
        "body": ["late parcel", "refund please", "app crash"] * 20,
        "country": ["DE", "FR", "DE"] * 20,
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
    "a subquery": lambda rows: rows.sparkSession.sql(
        "SELECT * FROM tickets WHERE who IN (SELECT max(who) FROM tickets)"
    ),
    "another subquery": lambda rows: rows.sparkSession.sql(
        "SELECT * FROM tickets WHERE who IN (SELECT min(who) FROM tickets)"
    ),
    "named in SQL": lambda rows: rows.sparkSession.sql("SELECT * FROM {t} WHERE who = 'a'", t=rows),
    "the first by name": lambda rows: rows.orderBy("who").limit(20),
    "the last by name": lambda rows: rows.orderBy(rows.who.desc()).limit(20),
    "some of the first": lambda rows: rows.orderBy("who").filter("who <> 'b'").limit(20),
    "one of each, the first": lambda rows: rows.orderBy("body").dropDuplicates(["country"]),
    "one of each, the last": lambda rows: rows.orderBy(rows.body.desc()).dropDuplicates(["country"]),
    "counted by a number": counted,
    "cells like Spark's numbers": lambda rows: rows.filter(rows.who.isin(LIKE_NUMBERS)),
    "such cells in a join": joined_by_many,
    "this of two": lambda rows: rows.sparkSession.sql(f"{TWO_NAMED} a"),
    "the other of two": lambda rows: rows.sparkSession.sql(f"{TWO_NAMED} b"),
    "one of two joined": lambda rows: rows.sparkSession.sql(f"{TWO_NAMED} a JOIN a AS c USING (who)"),
    "both of two joined": lambda rows: rows.sparkSession.sql(f"{TWO_NAMED} a JOIN b AS c USING (who)"),
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
