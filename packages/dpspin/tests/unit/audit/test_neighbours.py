import numpy as np
import pytest

from dpspin.audit.corpora import HEAVY, RECORD, USERS, dictionary, neighbours, paper_map
from dpspin.audit.mutants import as_if_added, without_clipping, without_user_ids
from dpspin.audit.trial import measured
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency
from dpspin.curator.aggregate.sketch import SketchOrigin

CROWD = (1, 2, 0)


def sketches(unit, adjacency, measure=measured):
    origin = SketchOrigin.of(dictionary(3), paper_map(3).statement, unit, adjacency)
    pair = neighbours(unit, adjacency, CROWD)
    return [next(measure(table, paper_map(3), origin)) for table in (pair.before, pair.after)]


@pytest.mark.parametrize("unit", [RECORD, USERS])
@pytest.mark.parametrize("adjacency", Adjacency)
def test_neighbours_are_as_far_apart_as_one_unit_can_move_a_sketch(unit, adjacency):
    before, after = sketches(unit, adjacency)
    change = (after.ticks - before.ticks).astype(np.float64)
    assert np.abs(change).sum() == before.sensitivity.l1
    assert np.sqrt((change**2).sum()) == pytest.approx(before.sensitivity.l2)
    assert np.abs(change).max() == before.sensitivity.coordinate


def test_the_crowd_has_the_bound_each():
    before, _ = sketches(USERS, Adjacency.ADD_DROP)
    assert (before.ticks / TICKS_PER_MASS).tolist() == [2.0, 4.0, 0.0]


@pytest.mark.parametrize("broken", [without_clipping, without_user_ids])
def test_a_broken_aggregation_lets_the_heavy_user_count_in_full(broken):
    before, after = sketches(USERS, Adjacency.ADD_DROP, broken)
    assert (after.ticks - before.ticks).sum() / TICKS_PER_MASS == HEAVY


def test_the_other_adjacency_has_too_small_a_sensitivity():
    honest, _ = sketches(USERS, Adjacency.REPLACE)
    broken, _ = sketches(USERS, Adjacency.REPLACE, as_if_added)
    assert honest.sensitivity.l1 == 2 * broken.sensitivity.l1
    assert honest.ticks.tolist() == broken.ticks.tolist()
