"""The sketch that Spark makes is the local engine's, bit for bit, and so is what the ledger knows records by."""

import pytest

from spark_corpora import Case, numbers_of, require_equal, source_of

FEW, MANY = range(16), range(16, 200)
KEY = bytes(range(16))


@pytest.mark.parametrize("seed", FEW)
def test_spark_and_the_local_engine_measure_the_same(spark, tmp_path, seed):
    here, there = require_equal(spark, tmp_path, Case(seed))
    assert there.likeness(KEY).to_bytes() == here.likeness(KEY).to_bytes()


@pytest.mark.parametrize("seed", MANY)
def test_spark_and_the_local_engine_measure_the_same_of_many_corpora(spark, tmp_path, seed):
    require_equal(spark, tmp_path, Case(seed))


def test_the_cases_are_different_so_that_equality_means_something():
    """Among the few there is every kind of request, and sketches of many different sums."""
    fields = [Case(seed).fields() for seed in FEW]
    for name in ("unit", "adjacency", "quantity", "map"):
        assert len({str(each[name]) for each in fields}) > 1, name
    assert {len(each["views"]) for each in fields} == {0, 1, 2}
    for name in ("examples", "candidates", "window"):
        assert {name in each for each in fields} == {True, False}, name
    assert len({Case(seed).parts for seed in FEW}) == 3
    sketches = [numbers_of(source_of(Case(seed).table(), Case(seed).fields()).measure()) for seed in FEW[:8]]
    assert len({str(each) for each in sketches}) >= 6
