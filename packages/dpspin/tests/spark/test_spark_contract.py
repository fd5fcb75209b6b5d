"""The sketch that Spark makes is the local engine's, bit for bit, and so is what the ledger knows records by."""

from itertools import combinations, count, product

import pytest

from dpspin.curator.aggregate.spark_tasks import CHUNK
from spark_corpora import Case, numbers_of, on_spark, require_equal, source_of

SEEDS = range(200)
FEW, MANY = SEEDS[:24], SEEDS[24:]
KEY = bytes(range(16))
KINDS = {
    "size": {0, 1, 30, 300, 1000},
    "parts": {1, 2, 5},
    "shards": {0, 1, 2, 5},  # 0 where there is a window
    "unit": {"record", "user"},
    "adjacency": {"add_drop", "replace"},
    "quantity": {"mass", "prevalence"},
    "map": {"paper", "hybrid"},
    "views": {"none", "channel", "channel+day", "language"},
    "examples": {True, False},
    "candidates": {True, False},
    "window": {True, False},
}
NEVER = {
    ("quantity", "candidates"): {("prevalence", True)},
    ("shards", "window"): {(0, False), (1, True), (2, True), (5, True)},
}
COMBINED = [*combinations(KINDS, 2), ("unit", "quantity", "views"), ("unit", "quantity", "size")]


def large(unit, quantity):
    """Find a case of this kind whose map is fast, with so many copies that one task has more than two chunks."""
    asked = {"unit": unit, "quantity": quantity, "views": "channel", "size": 1000, "map": "paper"}
    return next(Case(seed, copies=270) for seed in count() if asked.items() <= Case(seed).kinds().items())


@pytest.mark.parametrize("seed", FEW)
def test_spark_and_the_local_engine_measure_the_same(spark, tmp_path, seed):
    here, there = require_equal(spark, tmp_path, Case(seed))
    assert there.likeness(KEY).to_bytes() == here.likeness(KEY).to_bytes()


@pytest.mark.parametrize("seed", MANY)
def test_spark_and_the_local_engine_measure_the_same_of_many_corpora(spark, tmp_path, seed):
    require_equal(spark, tmp_path, Case(seed))


@pytest.mark.parametrize(("unit", "quantity"), [("record", "prevalence"), ("user", "mass")])
def test_tasks_of_several_chunks_measure_the_same(spark, tmp_path, unit, quantity):
    case = large(unit, quantity)
    assert case.size * case.copies > 2 * CHUNK
    here, there = require_equal(spark, tmp_path, case)
    assert there.likeness(KEY).to_bytes() == here.likeness(KEY).to_bytes()


@pytest.mark.parametrize("several", COMBINED, ids=" x ".join)
def test_everything_is_tried_with_everything_else(several):
    """Else equality of all corpora would say less than it seems to."""
    tried = [tuple(Case(seed).kinds()[kind] for kind in several) for seed in SEEDS]
    assert set(tried) == set(product(*(KINDS[kind] for kind in several))) - NEVER.get(several, set())


def test_the_sketches_are_different_so_that_equality_means_something():
    cases = [case for case in map(Case, SEEDS[:24]) if case.size >= 30]
    sketches = [str(numbers_of(source_of(case.table(), case.fields()).measure())) for case in cases]
    assert len(set(sketches)) == len(sketches) > 12


def test_each_file_is_a_partition_of_its_own(spark, tmp_path):
    frame = on_spark(spark, Case(4).table(), tmp_path / "data", 5)
    assert frame.selectExpr("spark_partition_id() AS part").distinct().count() == 5
