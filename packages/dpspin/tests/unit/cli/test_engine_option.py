"""``--engine`` and ``--master``: what is refused before Spark is started."""

from contextlib import nullcontext

import pytest

from dpspin.cli.release import read_by
from dpspin.curator.records import spark_files
from dpspin.errors import RequestError
from dpspin.request import ReleaseRequest

RELEASE = ("--atoms", "support-tickets", "--epsilon", "1", "--denominator", "9", "--out", "out", "--dataset", "d")
OF_RECORDS = ("--text", "body", "--unit", "record", *RELEASE)


class FrameOfSpark:
    """A table that Spark holds, as a request sees it."""

    __module__ = "pyspark.sql.classic.dataframe"

    def mapInArrow(self, *_args):  # noqa: N802  Spark's name
        raise AssertionError("Spark was asked")


def test_a_master_goes_with_spark(dpspin):
    ran = dpspin("release", "tickets.parquet", *OF_RECORDS, "--master", "local[2]")
    assert (ran.code, "--engine spark" in ran.err) == (2, True)


def test_sketch_files_are_not_read_by_spark(dpspin):
    ran = dpspin("release", "--sketch", "a.sketch", *RELEASE, "--engine", "spark")
    assert (ran.code, "leave --engine out" in ran.err) == (2, True)


def test_what_spark_measures_cannot_be_filed_for_approval(dpspin):
    ran = dpspin("release", "t.parquet", *OF_RECORDS, "--engine", "spark", "--ask-approval", "a.key", "--note", "why")
    assert (ran.code, "cannot be filed" in ran.err) == (2, True)


def test_a_request_that_spark_reads_is_checked_like_any_other(monkeypatch):
    """It is as it was asked, but for the table, and what Spark refuses is refused with it."""
    monkeypatch.setattr(spark_files, "read_by_spark", lambda *_place: nullcontext(FrameOfSpark()))
    asked = {"atoms": "support-tickets", "text": "body", "unit": "record", "epsilon": 1, "denominator": 9}
    asked |= {"views": ["channel=app,web"], "sizes": {"channel": {"app": 5, "web": 20}}, "dataset": "d"}
    request = ReleaseRequest.of("tickets.parquet", **asked)
    with read_by("spark", None, request) as read:
        assert isinstance(read.records.data, FrameOfSpark)
        assert read.model_copy(update={"records": request.records}) == request
        assert read.records.model_copy(update={"data": "tickets.parquet"}) == request.records
    with pytest.raises(RequestError) as refused, read_by("spark", None, ReleaseRequest.of("t", **asked, reading="r")):
        pass
    assert refused.value.code == "request.read-spark"


@pytest.mark.parametrize("name", ["tickets.csv", "tickets.JSONL", "tickets.csv.gz"])
def test_files_without_types_are_not_read_by_spark(dpspin, monkeypatch, name):
    monkeypatch.setattr(spark_files, "find_spec", lambda _module: True)
    ran = dpspin("release", name, *OF_RECORDS, "--engine", "spark")
    assert (ran.code, "write the records as Parquet" in ran.err) == (2, True)


def test_spark_that_is_not_installed_is_named(dpspin, monkeypatch):
    monkeypatch.setattr(spark_files, "find_spec", lambda _module: None)
    ran = dpspin("release", "tickets.parquet", *OF_RECORDS, "--engine", "spark")
    assert (ran.code, "dpspin[spark]" in ran.err) == (2, True)
