"""The groups of tests that share a worker name tests that exist: a renamed one would silently be slow again."""

from pathlib import Path

import pytest

from shared_work import SHARED, group_of

TESTS = Path(__file__).parents[1]
PARTS = [part for parts in SHARED.values() for part in parts]


@pytest.mark.parametrize("part", PARTS)
def test_a_group_names_tests_that_exist(part):
    file, _, function = part.partition("::")
    assert any(f"def {function or 'test_'}" in path.read_text() for path in TESTS.rglob(f"*{file}"))


def test_tests_of_a_group_are_given_out_together_and_all_others_alone():
    first, second = (f"tests/truth/test_truth_floor.py::test_{name}" for name in ("one", "two"))
    assert group_of(first) == group_of(second) != first
    assert group_of("tests/unit/test_docs.py::test_links") == "tests/unit/test_docs.py::test_links"
