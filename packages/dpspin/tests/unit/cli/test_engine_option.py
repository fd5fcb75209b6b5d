"""``--engine`` and ``--master``: what is refused before Spark is started."""

import pytest

from dpspin.curator.records import spark_files

RELEASE = ("--atoms", "support-tickets", "--epsilon", "1", "--denominator", "9", "--out", "out", "--dataset", "d")
OF_RECORDS = ("--text", "body", "--unit", "record", *RELEASE)


def test_a_master_goes_with_spark(dpspin):
    ran = dpspin("release", "tickets.parquet", *OF_RECORDS, "--master", "local[2]")
    assert (ran.code, "--engine spark" in ran.err) == (2, True)


def test_sketch_files_are_not_read_by_spark(dpspin):
    ran = dpspin("release", "--sketch", "a.sketch", *RELEASE, "--engine", "spark")
    assert (ran.code, "leave --engine out" in ran.err) == (2, True)


@pytest.mark.parametrize("name", ["tickets.csv", "tickets.JSONL", "tickets.csv.gz"])
def test_files_without_types_are_not_read_by_spark(dpspin, monkeypatch, name):
    monkeypatch.setattr(spark_files, "find_spec", lambda _module: True)
    ran = dpspin("release", name, *OF_RECORDS, "--engine", "spark")
    assert (ran.code, "write the records as Parquet" in ran.err) == (2, True)


def test_spark_that_is_not_installed_is_named(dpspin, monkeypatch):
    monkeypatch.setattr(spark_files, "find_spec", lambda _module: None)
    ran = dpspin("release", "tickets.parquet", *OF_RECORDS, "--engine", "spark")
    assert (ran.code, "dpspin[spark]" in ran.err) == (2, True)
