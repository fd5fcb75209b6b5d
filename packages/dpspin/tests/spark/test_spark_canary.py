"""A token in every cell comes out nowhere: in no error, log, event or temporary file of Spark; nor of failing tasks.

The last two tests leave the token in what Spark writes: they come last.
"""

import logging
import traceback
from contextlib import contextmanager, suppress
from io import StringIO
from threading import Thread

import numpy as np
import pyarrow as pa
import pytest

from dpspin.curator.aggregate import spark_records
from dpspin.curator.aggregate.pseudonyms import KEY_BYTES, Pseudonyms
from dpspin.curator.aggregate.spark_tasks import ClipAndSum, MapAndSum
from dpspin.errors import SourceAway, SourceError
from dpspin.pipeline import release
from spark_corpora import ASKED, numbers_of, on_spark, source_of

OF_A_BLOCK = 2**18
CANARY = "zqxvcanary"
TABLE = pa.table(
    {
        "who": [f"{CANARY}user{number % 30}" for number in range(300)],
        "body": [f"the parcel {CANARY}{number} is late" for number in range(300)],
        "other": [f"{CANARY}other" for _ in range(300)],
    }
)


def released(data, tmp_path, **changes):
    fields = {**ASKED, "map": "paper", "unit": "user", "user": "who", "ledger": str(tmp_path / "ledger.db")}
    return release(data, **{**fields, **changes})


def found_in(folder):
    """Name the files in which the token stands; what Spark wrote in two bytes per character counts too."""
    tokens = (CANARY.encode(), CANARY.encode("utf-16-le"), CANARY.encode("utf-16-be"))
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if any(token in path.read_bytes() for token in tokens)]


def test_neither_records_nor_the_key_of_pseudonyms_leave_through_a_release(spark, written, tmp_path, caplog, capfd):
    frame = on_spark(spark, TABLE, tmp_path / "data", 3)
    telling = Pseudonyms((CANARY * 4).encode()[:KEY_BYTES])
    with caplog.at_level(logging.DEBUG), pytest.MonkeyPatch.context() as known:
        known.setattr(spark_records, "Pseudonyms", lambda _random: telling)
        plan = released(frame, tmp_path)
    assert CANARY not in plan.to_json() + caplog.text + "".join(capfd.readouterr())
    assert CANARY.encode() not in (tmp_path / "ledger.db").read_bytes()
    assert list((written / "local").rglob("shuffle_*.data"))  # there was an exchange, and it is among the files
    assert found_in(written) == []


def test_a_failing_task_tells_nothing(spark, written, tmp_path, monkeypatch, capfd):
    def broken(*args):
        class Broken(MapAndSum):
            def _work(self, batches):
                raise ValueError(f"this record is odd: {next(batches).to_pylist()}")

        return Broken(*args)

    monkeypatch.setattr(spark_records, "MapAndSum", broken)
    with pytest.raises(SourceError) as failed:
        released(on_spark(spark, TABLE, tmp_path / "data", 2), tmp_path)
    said = "".join(traceback.format_exception(failed.value)) + "".join(capfd.readouterr())
    assert CANARY not in said
    assert "TaskFailed" in (written / "spark.log").read_text()
    assert found_in(written) == []


def little_room(folder):
    """Return a task that clips with little memory, and keeps a copy of what lies on the disk when it ends."""

    def made(origin):
        inner = ClipAndSum(origin)

        def work(batches):  # travels with its code: no worker knows this module
            import shutil
            from pathlib import Path

            from dpspin.curator.aggregate import spark_tasks
            from dpspin.curator.aggregate.storage import Spilling, SpillingSums

            class Kept(SpillingSums):
                def close(self):
                    shutil.copytree(folder, f"{folder}-kept", dirs_exist_ok=True)
                    super().close()

            usual = spark_tasks.user_sums
            spark_tasks.user_sums = lambda _storage: Kept(Spilling(10_000, memory_mib=24, folder=Path(folder)))
            try:
                yield from inner(batches)
            finally:
                spark_tasks.user_sums = usual

        return work

    return made


@contextmanager
def one_partition(spark):
    """Bring all users to one task of the second stage."""
    usual = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", "1")
    try:
        yield
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", usual)


def numbers_in(data):
    """Yield all numbers of eight bytes, wherever they begin."""
    for begin in range(8):
        yield np.frombuffer(data, np.int64, (len(data) - begin) // 8, begin)


def unpacked(kept):
    """Yield the blocks that DuckDB has packed; it does so by how busy the machine is."""
    place = -1
    while (place := kept.find(b"\x28\xb5\x2f\xfd", place + 1)) >= 0:
        block = pa.input_stream(pa.py_buffer(kept[place : place + OF_A_BLOCK]), compression="zstd")
        with suppress(OSError):  # no block of it, or the end of one
            for _ in range(64):
                yield block.read(OF_A_BLOCK // 64)


def test_a_worker_that_clips_with_little_memory_spills_pseudonyms_and_nothing_else(spark, tmp_path, monkeypatch):
    many = 250_000  # so many that a good part of their rows lies on the disk until the end
    users = [f"{CANARY}user{number}" for number in range(many)]
    table = pa.table({"who": users, "body": [f"late parcel, rude staff, app crash {CANARY}"] * many})
    fields, known = {**ASKED, "map": "paper", "unit": "user", "user": "who"}, Pseudonyms(bytes(KEY_BYTES))
    (room := tmp_path / "room").mkdir()
    monkeypatch.setattr(spark_records, "Pseudonyms", lambda _random: known)
    monkeypatch.setattr(spark_records, "ClipAndSum", little_room(str(room)))
    frame = on_spark(spark, table, tmp_path / "data", 2)
    with one_partition(spark):
        measured = source_of(frame, fields).measure()
    assert numbers_of(measured) == numbers_of(source_of(table, fields).measure())
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("room-kept/**/*") if file.is_file())
    spilled = kept + b"".join(unpacked(kept))
    there = known(pa.array(users))[:, 0]  # a part of the rows is spilled: now these, now those
    assert sum(np.isin(each, there).sum() for each in numbers_in(spilled)) > 100
    assert CANARY.encode() not in spilled
    assert not list(room.iterdir())  # gone when the task ended


def test_what_spark_itself_says_of_a_record_is_not_passed_on(spark, tmp_path):
    """A column of the caller's own that fails to compute quotes the record in Spark's error, and in PySpark's log."""
    from pyspark.logger import PySparkLogger  # not there on every machine

    logger, logged = PySparkLogger.getLogger("SQLQueryContextLogger"), StringIO()  # it writes to stderr
    logger.addHandler(logging.StreamHandler(logged))
    spark.conf.set("spark.sql.ansi.enabled", "true")
    frame = on_spark(spark, TABLE, tmp_path / "data", 2).selectExpr("who", "cast(body as int) as body")
    with pytest.raises(Exception, match=CANARY):
        frame.collect()
    assert CANARY in logged.getvalue()
    logged.truncate(0)
    with pytest.raises(SourceError, match="not shown") as failed:
        released(frame, tmp_path)
    assert CANARY not in logged.getvalue()
    for locals_too in (False, True):  # error reporters send along what local variables hold
        told = traceback.TracebackException.from_exception(failed.value, capture_locals=locals_too)
        assert CANARY not in "".join(told.format())


def test_another_threads_log_stays_as_it_is(spark, tmp_path):
    """A release silences what its own thread would log; work beside it logs as before."""
    from pyspark.logger import PySparkLogger

    logger, logged = PySparkLogger.getLogger("SQLQueryContextLogger"), StringIO()
    logger.addHandler(logging.StreamHandler(logged))

    def fail():
        beside = Thread(target=logger.error, args=("of another thread",))
        beside.start()
        beside.join()
        logger.error("of this thread")
        raise ValueError

    with pytest.raises(SourceError):
        spark_records._asked(fail)
    logger.error("afterwards")
    told = [line in logged.getvalue() for line in ("of another thread", "of this thread", "afterwards")]
    assert told == [True, False, True]


@pytest.mark.parametrize("how", ["a function that fails", "a type that Python cannot be handed"])
def test_what_no_second_try_would_mend_says_so(spark, tmp_path, how):
    from pyspark.sql.functions import udf

    def fail(text):
        raise ValueError(text)

    frame = on_spark(spark, TABLE, tmp_path / "data", 2)
    made = {
        "a function that fails": lambda: frame.withColumn("body", udf(fail)("body")),
        "a type that Python cannot be handed": lambda: frame.selectExpr("body", "INTERVAL '3' MONTH AS who"),
    }
    with pytest.raises(SourceError, match=r"one of your own, if the table has one|cast it to a string") as refused:
        released(made[how](), tmp_path)
    assert not isinstance(refused.value, SourceAway)
    assert CANARY not in str(refused.value)


def test_the_search_finds_what_is_there(spark, written, tmp_path):
    """An exchange of the records themselves leaves them in the files that are searched."""
    on_spark(spark, TABLE, tmp_path / "data", 2).repartition(3, "who").collect()
    assert any(name.startswith("shuffle_") for name in found_in(written))
