"""Taxonomy dictionaries: the paper's worked example, ties, and the size that is realised."""

import pytest

from dpspin.errors import RequestError
from dpspin.public.atoms.build.taxonomy import build_taxonomy, path_of

SUPPORTS = {"card / fee / late": 5, "loan / rate": 9, "card / fee / hidden": 5, "mortgage / escrow": 2}
PATHS = [path for path, support in SUPPORTS.items() for _ in range(support)]


def labels_of(size, **options):
    return [atom.label for atom in build_taxonomy(PATHS, size, name="t", **options).universe.atoms]


def test_paths_come_by_support_and_equal_ones_by_name():
    assert labels_of(3) == ["loan / rate", "card / fee / hidden", "card / fee / late"]


def test_a_larger_dictionary_begins_like_a_smaller_one():
    assert labels_of(4)[:2] == labels_of(2)


def test_the_realised_size_is_in_the_manifest():
    manifest = build_taxonomy([*PATHS, ""], 200, name="t").manifest
    assert (manifest.requested_size, manifest.size, manifest.documents) == (200, 4, 22)
    assert (manifest.supports[0].label, manifest.supports[0].support) == ("loan / rate", 9)
    assert manifest.rules.levels == ("Product", "Issue", "Sub-issue")


def test_rare_paths_may_be_left_out():
    assert "mortgage / escrow" not in labels_of(9, min_support=3)


def test_nothing_to_build_from_is_said():
    with pytest.raises(RequestError, match="no path"):
        build_taxonomy(["", ""], 5, name="t")


def test_a_level_without_a_value_is_passed_over():
    assert path_of([" Loan ", None, "Rate\n too high"]) == "Loan / Rate too high"


def test_the_choice_counts_as_built_from_auxiliary_records():
    assert build_taxonomy(PATHS, 1, name="t").universe.provenance.needs_comparison
