"""A task that fails or is killed runs again, and nobody counts twice; records that cannot be measured are refused."""

from functools import partial

import pyarrow as pa
import pytest

from dpspin.curator.aggregate import spark_records
from dpspin.curator.aggregate.spark_tasks import ClipAndSum, MapAndSum, MergeParts
from dpspin.curator.ledger.ledger import open_ledger
from dpspin.errors import LedgerError, RecordsRefused, RequestError, SourceError
from dpspin.pipeline import release
from spark_corpora import TABLE, UNITS, numbers_of, on_spark, source_of

TASKS = {"MapAndSum": MapAndSum, "ClipAndSum": ClipAndSum, "MergeParts": MergeParts}


def failing_once(task, how):
    """Return a task that does its work, tells all of it and then fails, at its first attempt in one partition."""

    def made(*args):
        inner = task(*args)

        def work(batches):  # a function of a function travels with its code: no worker knows this module
            import os
            import signal

            from pyspark import TaskContext

            yield from inner(batches)
            context = TaskContext.get()
            if context.attemptNumber() == 0 and context.partitionId() == 0:
                if how == "killed":
                    os.kill(os.getpid(), signal.SIGKILL)
                raise RuntimeError("planted")

        return work

    return made


def faults():
    for unit, task in (("record", "MapAndSum"), ("user", "MapAndSum"), ("user", "ClipAndSum"), ("user", "MergeParts")):
        for how in ("raises", "killed"):
            yield unit, task, how


@pytest.fixture
def frame(spark, tmp_path):
    return on_spark(spark, TABLE, tmp_path / "frame", 3)


@pytest.mark.parametrize(("unit", "task", "how"), list(faults()))
def test_a_task_that_fails_once_counts_nobody_twice(frame, written, unit, task, how):
    there, failed = source_of(frame, UNITS[unit]), tasks_lost(written)
    with pytest.MonkeyPatch.context() as planted:
        planted.setattr(spark_records, task, failing_once(TASKS[task], how))
        assert numbers_of(there.measure()) == numbers_of(source_of(TABLE, UNITS[unit]).measure())
    assert tasks_lost(written) > failed  # else nothing was tried


def tasks_lost(written):
    return (written / "spark.log").read_text().count("Lost task")


def test_a_task_that_always_fails_costs_nothing(frame, tmp_path, monkeypatch):
    def broken(*_args):
        def work(_batches):
            raise RuntimeError("planted")

        return work

    monkeypatch.setattr(spark_records, "MapAndSum", broken)
    with pytest.raises(SourceError, match="Nothing was charged"):
        released(frame, tmp_path)
    assert open_ledger(str(tmp_path / "ledger.db")).overviews() == ()


@pytest.mark.parametrize("task", TASKS)
def test_workers_of_another_version_are_refused(frame, monkeypatch, task):
    there = source_of(frame, UNITS["user"])
    monkeypatch.setattr(spark_records, task, partial(TASKS[task], software="dpspin 0.0.0"))
    with pytest.raises(RequestError, match="same version"):
        there.measure()


def released(data, tmp_path, **changes):
    return release(data, **{**UNITS["user"], "ledger": str(tmp_path / "ledger.db"), **changes})


def test_a_release_says_that_the_state_was_declared_and_is_free_when_asked_again(frame, tmp_path):
    plan = released(frame, tmp_path)
    assert plan.account.state == "v1"
    assert released(frame, tmp_path) == plan
    with pytest.raises(LedgerError, match="a large part of the users"):  # known again by who is in it
        released(frame, tmp_path, dataset="the shop by another name")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"bad_rows": "refuse"}, "no readable text"),
        ({"unit": {"kind": "user", "missing": "refuse"}}, "have no user id"),
    ],
)
def test_records_are_refused_as_the_local_engine_refuses_them_and_no_task_fails(
    spark, written, tmp_path, changes, words
):
    table = pa.table({"who": ["u1", None, "u2"], "body": ["late", "slow", None]})
    failed = tasks_lost(written)
    with pytest.raises(RecordsRefused, match=words) as here:
        released(table, tmp_path, **changes)
    with pytest.raises(RecordsRefused, match=words) as there:
        released(on_spark(spark, table, tmp_path / "data", 2), tmp_path, **changes)
    assert (str(there.value), there.value.code) == (str(here.value), here.value.code)
    assert tasks_lost(written) == failed
