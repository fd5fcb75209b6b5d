"""Plain files of a lake's table are refused on Spark too; the check asks Java a few questions, however many files."""

import pyarrow.parquet as pq
import pytest
from py4j.java_gateway import GatewayClient

import dpspin as package
from dpspin.curator.aggregate import spark_records
from dpspin.curator.records.hadoop_store import HadoopStore, addresses
from dpspin.curator.records.spark_lineage import steps_that_mix_rows
from dpspin.curator.records.spark_places import FilesRead, plainly_read
from dpspin.errors import InputError
from lake_tables import FIRST, LAKES, NAMES, SECOND, TEXTS, parquet
from source_tables import arrow_table
from spark_corpora import ASKED

RECORDS = {**ASKED, "unit": "record", "map": "paper"}


@pytest.fixture(scope="module", params=LAKES)
def lake(request, tmp_path_factory):
    """A table that was written anew in parts, and the folder in it that holds files."""
    return LAKES[request.param](tmp_path_factory.mktemp("lake") / "tickets")


@pytest.fixture(scope="module")
def mounted(spark, tmp_path_factory):
    """A folder that is reached by a file system of Hadoop's which is not that of the disk."""
    folder = tmp_path_factory.mktemp("mounted")
    spark.sparkContext._jsc.hadoopConfiguration().set("fs.viewfs.mounttable.far.link./in", f"file://{folder}")
    return folder


@pytest.fixture(params=["", "parquet"], ids=["tables", "files"])
def reader(spark, request):
    def fresh(**options):
        return spark.read.options(**options)

    spark.conf.set("spark.sql.sources.useV1SourceList", request.param)
    yield fresh
    spark.conf.unset("spark.sql.sources.useV1SourceList")


def refusal(frame, tmp_path, **more):
    with pytest.raises(InputError) as refused:
        package.release(frame, **RECORDS, **more, ledger=tmp_path / "ledger.db")
    assert not (tmp_path / "ledger.db").exists()
    return refused.value.code


def test_files_of_a_table_are_refused_however_they_are_named(reader, lake, tmp_path):
    table, inner = lake
    some = sorted(map(str, inner.rglob("*.parquet")))
    (tmp_path / "linked").symlink_to(inner)
    deep = {"recursiveFileLookup": "true", "pathGlobFilter": "*.parquet"}
    frames = {
        "a folder in it": reader(**deep).parquet(str(inner)),
        "all below it": reader(**deep).parquet(str(table)),
        "all below a folder above it": reader(**deep).parquet(str(table.parent)),
        "one file": reader().parquet(some[0]),
        "some files": reader().parquet(*some),
        "a linked folder": reader(**deep).parquet(str(tmp_path / "linked")),
    }
    codes = {how: refusal(frame.select("body"), tmp_path) for how, frame in frames.items()}
    assert set(codes.values()) == {"source.lake-files"}, codes
    plain = reader().parquet(str(parquet(tmp_path / "plain")))
    joined = plain.join(frames["one file"], "body").select(plain.body)
    assert refusal(joined, tmp_path, rows="row_by_row") == "source.lake-files"  # whatever is declared of rows


def test_what_it_prevents_and_what_is_taken(spark, tmp_path):
    """Two appends and a compaction: Spark would read each record twice."""
    table, _ = LAKES["Delta"](tmp_path / "lake" / "tickets")
    read = spark.read.parquet(str(table))
    assert sorted(row.body for row in read.select("body").collect()) == sorted(2 * TEXTS)
    assert refusal(read, tmp_path) == "source.lake-files"
    beside = spark.read.parquet(str(parquet(tmp_path / "lake" / "exports", (FIRST + SECOND) * 10)))
    assert package.release(beside, **RECORDS, ledger=tmp_path / "ledger.db").account.state == "v1"


def test_files_of_a_table_are_refused_on_every_file_system(reader, lake, mounted, spark, tmp_path):
    table, inner = lake
    name = f"{tmp_path.name}-{table.parent.name}"
    (mounted / name).symlink_to(table.parent)
    there = f"viewfs://far/in/{name}/tickets/{inner.relative_to(table)}"
    deep = {"recursiveFileLookup": "true", "pathGlobFilter": "*.parquet"}
    one = next(inner.rglob("*.parquet")).relative_to(inner)
    for place in (there, f"{there}/{one}", f"viewfs://far/in/{name}", f"viewfs://far/in/{name}/tickets"):
        assert refusal(reader(**deep).parquet(place).select("body"), tmp_path) == "source.lake-files", place
    parquet(mounted / name / f"plain {tmp_path.name}" / "day=[mon]%20", (FIRST + SECOND) * 10)
    plain = reader(**deep).parquet(f"viewfs://far/in/{name}/plain {tmp_path.name}").select("body")
    assert package.release(plain, **RECORDS, ledger=tmp_path / "ledger.db").account.state == "v1"


def test_a_table_of_a_catalog_over_them_is_refused(spark, tmp_path):
    table, _ = LAKES["Delta"](tmp_path / "tickets")
    spark.sql("DROP TABLE IF EXISTS over_delta")
    spark.sql(
        f"CREATE TABLE over_delta (body string, day string) USING parquet PARTITIONED BY (day) LOCATION '{table}'"
    )
    spark.sql("ALTER TABLE over_delta RECOVER PARTITIONS")
    try:
        assert spark.table("over_delta").count() == 2 * len(TEXTS)
        assert refusal(spark.table("over_delta"), tmp_path) == "source.lake-files"
    finally:
        spark.sql("DROP TABLE over_delta")


@pytest.mark.parametrize("place", ["tickets", "tickets/day=mon"])
def test_the_command_refuses_them(spark, dpspin, tmp_path, place):
    LAKES["Delta"](tmp_path / "tickets")
    about = ("--atoms", "support-tickets", "--text", "body", "--map", "paper", "--unit", "record", "--epsilon", "1")
    named = ("--denominator", "9", "--dataset", "tickets", "--snapshot", "v1", "--ledger", str(tmp_path / "ledger.db"))
    ran = dpspin(
        *("release", str(tmp_path / place), "--engine", "spark", *about, *named, "--out", str(tmp_path / "out"))
    )
    assert (ran.code, "is a table of Delta" in ran.err, (tmp_path / "ledger.db").exists()) == (2, True, False), ran.err


def test_a_release_asks_once_how_the_rows_are_made(spark, tmp_path, monkeypatch):
    asked = []
    told = spark_records.steps_that_mix_rows
    monkeypatch.setattr(spark_records, "steps_that_mix_rows", lambda frame: asked.append(frame) or told(frame))
    plain = spark.read.parquet(str(parquet(tmp_path / "plain", FIRST * 50)))
    package.release(plain, **RECORDS, ledger=tmp_path / "ledger.db")
    assert len(asked) == 1


def questions(frame, monkeypatch):
    """Count what is asked of Java in order to check a table, without what Python throws away at the end."""
    commands, send = [], GatewayClient.send_command

    def counted(client, command, *more, **others):
        commands.append(command)
        return send(client, command, *more, **others)

    with monkeypatch.context() as patch:
        patch.setattr(GatewayClient, "send_command", counted)
        assert steps_that_mix_rows(frame) == ()
        for files in plainly_read(frame):
            files.require_no_lake()
    return sum(not command.startswith("m\nd\n") for command in commands)


@pytest.mark.parametrize("where", ["file://", "viewfs://far/in"])
def test_many_files_are_not_many_questions(reader, mounted, monkeypatch, where):
    def written(many):
        folder = mounted / f"of {many}"
        for number in range(many):
            folder.mkdir(exist_ok=True)
            pq.write_table(arrow_table(NAMES, FIRST), folder / f"{number}.parquet")
        return reader().parquet(f"{where}{folder if where == 'file://' else '/' + folder.name}")

    _, one, many = (questions(written(count), monkeypatch) for count in (2, 1, 40))  # the first looks up more names
    assert 0 < one == many


def test_one_file_by_two_ways_is_told(reader, mounted):
    parquet(mounted / "two ways")
    both = reader().parquet(f"{mounted}/two ways/part.parquet", "viewfs://far/in/two ways/part.parquet")
    assert both.count() == 2 * len(FIRST)
    assert [told.rpartition(" of ")[2] for told in steps_that_mix_rows(both)] == ["files under two schemes"]


def test_a_store_has_one_name_whatever_it_is_called(spark):
    """Nobody listens there: Hadoop knows the usual port, and asks nobody."""
    names = {HadoopStore(spark, f"hdfs://{host}").name for host in ("localhost", "localhost:8020", "127.0.0.1")}
    assert len(names) == 1
    assert HadoopStore(spark, "hdfs://localhost:8021").name not in names


def test_one_file_in_two_spellings_of_a_store_is_told(spark):
    def told(*files):
        return [
            *FilesRead(spark, tuple(addresses("\0".join(files))), (), by_partition=False).read_otherwise_than_once()
        ]

    assert told("hdfs://localhost/a.parquet", "hdfs://localhost:8020/a.parquet") == [" of a file that is read twice"]
    assert told("hdfs://localhost/a.parquet", "hdfs://localhost:8021/a.parquet") == []
    assert told("hdfs://localhost/a.parquet", "hdfs://localhost:8020/b.parquet") == []
