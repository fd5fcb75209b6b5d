"""A table is taken as it is where each of its rows is one row of one table; else somebody must say that it is so."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dpspin as package
from dpspin.curator.records.spark_lineage import INFERENCE, is_typed, steps_that_mix_rows
from dpspin.errors import RequestError
from dpspin.public.wording.promise import promises
from spark_corpora import ASKED

ROWS = pa.table({"who": ["a", "b", "a"], "body": ["late parcel", "refund please", "app crash"]})
IN_SQL = "SELECT * FROM tickets WHERE "


def named_twice(rows):
    """One file by its own name and by a glob: Spark reads it twice."""
    folder = rows.folder.rpartition("/")[0]
    return rows.sparkSession.read.parquet(rows.folder + ".parquet", folder + "/ticket*.parquet")


def two_months_at_one_place(rows):
    """A catalog that has the same folder for two partitions: Spark reads it for each."""
    sql = rows.sparkSession.sql
    sql("DROP TABLE IF EXISTS months")
    sql("CREATE TABLE months (who string, body string, m string) USING parquet PARTITIONED BY (m)")
    for month in ("1", "2"):
        sql(f"ALTER TABLE months ADD PARTITION (m='{month}') LOCATION '{rows.folder}_by_month/month=01'")
    return rows.sparkSession.table("months").select("who", "body")


TWICE = {
    "by a glob": named_twice,
    "by a link": lambda rows: rows.sparkSession.read.parquet(rows.folder + "_linked"),
    "by a linked folder": lambda rows: rows.sparkSession.read.parquet(rows.folder + "_linked", rows.folder + "_again"),
    "by a hard link": lambda rows: rows.sparkSession.read.parquet(rows.folder + "_hard"),
}


def by_month(rows):
    return rows.sparkSession.read.parquet(rows.folder + "_by_month")


def row_by_row(rows):
    """A function of Python, which sees one cell."""
    from pyspark.sql.functions import udf

    return rows.withColumn("body", udf(str.upper)("body"))


ROW_BY_ROW = {
    "as it is": lambda rows: rows,
    "columns and conditions": lambda rows: rows.filter("who = 'a'").selectExpr("upper(body) AS body", "who"),
    "in another order": lambda rows: rows.orderBy("who").repartition(3, "who").coalesce(1),
    "kept in memory": lambda rows: rows.cache(),
    "a view": lambda rows: rows.sparkSession.sql("SELECT body, who FROM tickets WHERE length(body) > 3"),
    "two files": lambda rows: rows.sparkSession.read.parquet(rows.folder + ".parquet", rows.folder + "1.parquet"),
    "a file beside its folder, which is read once": lambda rows: rows.sparkSession.read.option(
        "recursiveFileLookup", "true"
    ).parquet(rows.folder + "_by_month", rows.folder + "_by_month/month=01"),
    "folders that are not asked": lambda rows: by_month(rows).select("who", "body"),
    "a function of one cell": row_by_row,
    "orc": lambda rows: rows.sparkSession.read.orc(rows.folder + ".orc"),
}


def of_batches(rows):
    """A function of pandas, which sees several records at once: here one cell tells how many."""
    from pyspark.sql.functions import pandas_udf

    return rows.withColumn("body", pandas_udf(lambda texts: texts + str(len(texts)), "string")("body"))


MIXING = {
    "Project with a function of many rows at a time": of_batches,
    "LocalRelation": lambda rows: rows.sparkSession.sql(
        "BEGIN SELECT a.who, b.body FROM tickets a JOIN tickets b USING (who); END"  # whose steps are gone
    ),
    "Join": lambda rows: rows.join(rows.alias("other"), "who"),
    "Deduplicate": lambda rows: rows.distinct(),
    "GlobalLimit": lambda rows: rows.limit(1),
    "Sample": lambda rows: rows.sample(0.5, seed=1),
    "Union": lambda rows: rows.union(rows),
    "Generate": lambda rows: rows.selectExpr("who", "explode(split(body, ' ')) AS body"),
    "Aggregate": lambda rows: rows.groupBy("who").agg({"body": "max"}),
    "Window": lambda rows: rows.selectExpr("who", "first(body) OVER (PARTITION BY who ORDER BY body) AS body"),
    "MapInArrow": lambda rows: rows.mapInArrow(lambda batches: batches, rows.schema),
    "LogicalRDD": lambda rows: rows.localCheckpoint(),  # nobody knows what came before
    "LogicalRelation of a file that is read twice": two_months_at_one_place,
    "LogicalRelation with types inferred from the names of all folders": lambda rows: by_month(rows).filter(
        "month > 0"
    ),
    "LogicalRelation with the place of a row among others": lambda rows: rows.selectExpr("_metadata.row_index AS who"),
    "LogicalRelation": lambda rows: rows.sparkSession.read.json(rows.folder + ".json"),  # types are inferred
    "Filter with a subquery": lambda rows: rows.sparkSession.sql(IN_SQL + "who IN (SELECT max(who) FROM tickets)"),
    "Project with a subquery": lambda rows: rows.selectExpr("who", "(SELECT max(body) FROM tickets) AS body"),
    "Filter with what is drawn or numbered anew": lambda rows: rows.filter("rand() < 0.5"),
    "Project with what is drawn or numbered anew": lambda rows: rows.selectExpr("monotonically_increasing_id()"),
}


@pytest.fixture(scope="module")
def rows(spark, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lineage")
    pq.write_table(ROWS, folder / "tickets.parquet")
    pq.write_table(ROWS, folder / "tickets1.parquet")
    for month in ("01", "02"):
        (folder / "tickets_by_month" / f"month={month}").mkdir(parents=True)
        pq.write_table(ROWS, folder / "tickets_by_month" / f"month={month}" / "part.parquet")
    for name, link in (("tickets_linked", Path.symlink_to), ("tickets_hard", Path.hardlink_to)):
        (folder / name).mkdir()
        pq.write_table(ROWS, folder / name / "part.parquet")
        link(folder / name / "again.parquet", folder / name / "part.parquet")
    (folder / "tickets_again").symlink_to(folder / "tickets_linked")
    (folder / "tickets_streamed").mkdir()
    with_months = ROWS.append_column("month", pa.array(["01", "02", "1"]))
    pq.write_table(with_months, folder / "tickets_streamed" / "part.parquet")
    read = spark.read.parquet(str(folder / "tickets.parquet"))
    read.folder = str(folder / "tickets")
    read.write.orc(read.folder + ".orc")
    read.write.json(read.folder + ".json")
    read.createOrReplaceTempView("tickets")
    return read


@pytest.mark.parametrize("how", ROW_BY_ROW)
def test_rows_that_stay_apart_are_taken(rows, how):
    assert steps_that_mix_rows(ROW_BY_ROW[how](rows)) == ()


@pytest.mark.parametrize("step", MIXING)
def test_a_step_that_mixes_rows_is_named(rows, step):
    assert step in steps_that_mix_rows(MIXING[step](rows))


@pytest.mark.parametrize("how", TWICE)
@pytest.mark.parametrize("version", ["", "parquet"], ids=["tables", "files"])
def test_a_file_that_is_read_twice_is_told(rows, how, version):
    spark = rows.sparkSession
    spark.conf.set("spark.sql.sources.useV1SourceList", version)
    try:
        frame = TWICE[how](rows)
        files = {Path(path.removeprefix("file://")).stat().st_ino for path in frame.inputFiles()}
        assert frame.count() > len(files) * ROWS.num_rows
        assert [step.rpartition(" of ")[2] for step in steps_that_mix_rows(frame)] == ["a file that is read twice"]
    finally:
        spark.conf.unset("spark.sql.sources.useV1SourceList")


@pytest.mark.parametrize("version", ["", "parquet"], ids=["tables", "files"])
def test_names_of_folders_are_told_however_spark_reads_them(rows, version):
    spark = rows.sparkSession
    spark.conf.set("spark.sql.sources.useV1SourceList", version)
    try:
        (inferred,) = steps_that_mix_rows(by_month(rows))
        assert inferred.endswith("names of all folders")
        assert steps_that_mix_rows(rows.sparkSession.read.parquet(rows.folder + ".parquet")) == ()
    finally:
        spark.conf.unset("spark.sql.sources.useV1SourceList")


def test_folders_decide_over_each_other_unless_their_names_are_taken_as_they_are(rows):
    """One record in a folder month=unknown turns all others' 1 into 01."""
    spark = rows.sparkSession
    assert dict(by_month(rows).dtypes)["month"] == "int"
    spark.conf.set(INFERENCE, "false")
    try:
        assert dict(by_month(rows).dtypes)["month"] == "string"
        assert steps_that_mix_rows(by_month(rows)) == ()
    finally:
        spark.conf.unset(INFERENCE)


def test_folders_of_a_stream_decide_over_each_other_too(rows, tmp_path):
    """A folder that a stream has written is found by its log, and the types of its parts are inferred all the same."""
    spark, folder = rows.sparkSession, str(tmp_path / "streamed")
    parts = spark.readStream.schema("who string, body string, month string").parquet(rows.folder + "_streamed")
    written = (
        parts.writeStream.format("parquet").partitionBy("month").option("checkpointLocation", str(tmp_path / "at"))
    )
    written.trigger(availableNow=True).start(folder).awaitTermination()
    streamed = spark.read.parquet(folder)
    assert (tmp_path / "streamed" / "_spark_metadata").is_dir()
    assert dict(streamed.dtypes)["month"] == "int"
    assert [step.endswith("names of all folders") for step in steps_that_mix_rows(streamed)] == [True]
    assert steps_that_mix_rows(streamed.select("who", "body")) == ()


def test_a_feed_of_changes_is_no_table():
    """There a record stands once for each change of it."""
    assert is_typed("org.apache.iceberg.spark.source.SparkTable")
    for feed in ("iceberg.spark.source.SparkChangelogTable", "spark.sql.delta.commands.cdc.CDCReader$DeltaCDFRelation"):
        assert not is_typed(f"org.apache.{feed}")


def test_a_step_is_found_beneath_others(rows):
    deep = rows.distinct().filter("who = 'a'").orderBy("body").select("body")
    assert steps_that_mix_rows(deep) == ("Deduplicate",)


def test_rows_that_may_be_mixed_are_refused_unless_somebody_declares_them(rows, tmp_path):
    joined = rows.join(rows.sparkSession.createDataFrame([("a", "north")], "who string, region string"), "who", "left")
    asked = {**ASKED, "unit": "record", "map": "paper", "ledger": tmp_path / "ledger.db"}
    with pytest.raises(RequestError, match=r"\(Join, LogicalRDD\)") as refused:
        package.release(joined, **asked)
    assert (refused.value.code, refused.value.field) == ("request.spark-rows", "records.rows")
    assert not (tmp_path / "ledger.db").exists()
    plan = package.release(joined, **asked, rows="row_by_row")
    assert plan.account.view == "row_by_row"
    assert any("takes the declaration on trust" in each for each in promises(plan))
    with pytest.raises(RequestError, match="about tables of a Spark session"):
        package.release(ROWS, **asked, rows="row_by_row")
