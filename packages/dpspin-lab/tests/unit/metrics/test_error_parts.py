import numpy as np
import pytest

from dpspin.boundary.privacy import RecordUnit, UserUnit
from dpspin.errors import RequestError
from dpspin_lab.metrics.error_parts import Parts, Stages, by_atom, clipped_by_user, of_distance, of_overlap, public_only
from dpspin_lab.studies.error_tables import Measured, error_row
from dpspin_lab.studies.simulated_releases import seeded

TRUE = np.array([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
MAPPED = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]])
USERS = ("ann", "bob", "bob", "bob")


def test_a_step_that_mends_an_earlier_one_counts_below_zero():
    four = Stages(*(np.array(stage) for stage in ([4.0, 2.0], [2.0, 4.0], [2.0, 4.0], [3.0, 3.0])))
    assert of_distance(by_atom(four)) == Parts(mapping=4.0, clipping=0.0, noise=-2.0)
    assert of_overlap(four, 1) == Parts(mapping=1.0, clipping=0.0, noise=-1.0)


def test_all_of_the_public_only_plans_error_is_there_before_anything_is_clipped_or_noised():
    parts = of_distance(by_atom(public_only(np.array([4.0, 2.0]), np.array([3.0, 3.0])).as_shares()))
    assert parts.mapping == pytest.approx(1 / 3)
    assert (parts.clipping, parts.noise) == (0.0, 0.0)


def test_records_are_not_clipped_and_users_are():
    measured = Measured(TRUE, MAPPED, USERS)
    by_record, by_user = (measured.stages(unit, 1e6, seeded(0)) for unit in (RecordUnit(), UserUnit(bound=1.0)))
    assert by_record.clipped.tolist() == by_record.mapped.tolist() == [1.0, 2.5, 0.5]
    assert by_user.clipped == pytest.approx([1.0, 2.5 / 3, 0.5 / 3], abs=1e-8)
    assert by_user.noisy == pytest.approx(by_user.clipped, abs=1e-3)


def test_clipping_takes_the_integers_of_a_release():
    thirds = clipped_by_user(np.full((1, 3), 1.0), ("ann",), bound=1.0)
    assert (thirds * 2**30).tolist() == [2**30 // 3] * 3


def test_a_corpus_without_users_has_no_error_by_user():
    with pytest.raises(RequestError, match="names no users"):
        Measured(TRUE, MAPPED).stages(UserUnit(bound=1.0), 1.0, seeded(0))


def test_vectors_over_different_atoms_are_refused():
    with pytest.raises(RequestError, match="same atoms"):
        Stages(np.zeros(2), np.zeros(2), np.zeros(3), np.zeros(2))


def test_a_row_is_the_mean_over_releases_in_total_variation():
    true = np.array([1.0, 1.0])
    one, two = (Stages(true, true, true, np.array(noisy)) for noisy in ([2.0, 0.0], [1.0, 1.0]))
    row = error_row("corpus", "record", "map", 1.0, [one, two], size=1)
    assert row.distance == Parts(0.0, 0.0, 0.25) == row.alone
    assert row.overlap.total == 0.0
