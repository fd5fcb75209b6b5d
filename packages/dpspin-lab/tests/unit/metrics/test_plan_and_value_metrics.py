"""Metrics of whole plans: positions in the dictionary, raw masses, and what is refused."""

import pytest

from dpspin.boundary.plan import SemanticPlan
from dpspin.errors import RequestError
from dpspin_lab.judge.pairwise import mean_preference
from dpspin_lab.metrics.plan import (
    Coordinates,
    admitted_by,
    overlap,
    probe_admission,
    probe_mention,
    recovery,
    value_errors,
)
from factories import PAPER_PLAN, PAPER_UNIVERSE, plan_of


def test_a_plans_entries_are_positions_of_its_dictionary():
    assert admitted_by(PAPER_PLAN, PAPER_UNIVERSE) == {0, 1, 2}


def test_a_plan_that_admits_less_than_it_may_is_still_measured_against_l():
    plan = plan_of(PAPER_UNIVERSE, [300.0, 200.0, 1.0, 0.0], size=3)
    found = recovery(admitted_by(plan, PAPER_UNIVERSE), [300.0, 200.0, 100.0, 0.0], plan.rules.size)
    assert (found.overlap, found.mass_retained.value, found.loss) == (pytest.approx(2 / 3), pytest.approx(5 / 6), 100.0)


def test_errors_are_those_of_the_raw_masses_and_not_of_the_clipped_ones():
    plan = plan_of(PAPER_UNIVERSE, [-8.0, 3.0, 0.0, 0.0], admission="fixed", size=4)
    assert min(entry.mass for entry in plan.entries) == 0
    assert value_errors(plan, PAPER_UNIVERSE, [0.0, 3.0, 0.0, 0.0]).maximum == 8.0


def test_without_a_full_sketch_only_admitted_atoms_are_compared():
    selected = SemanticPlan.model_construct(noisy_sketch=None, entries=PAPER_PLAN.entries)
    exact = [318.4, 271.9, 240.7, 5000.0]
    found = value_errors(selected, PAPER_UNIVERSE, exact)
    assert (found.coordinates, found.maximum) == (Coordinates.SELECTED, pytest.approx(4.0))
    full = value_errors(PAPER_PLAN, PAPER_UNIVERSE, exact)
    assert (full.coordinates, full.maximum) == (Coordinates.FULL, pytest.approx(4998.7))


@pytest.mark.parametrize(("admitted", "size"), [({0, 1}, 1), ({2}, 1), ({-1}, 1), ({0}, 0), ({0}, 3)])
def test_sets_and_sizes_that_cannot_be_are_refused(admitted, size):
    with pytest.raises(RequestError):
        overlap(admitted, [2.0, 1.0], size)


@pytest.mark.parametrize(
    "mean_of_nothing",
    [
        lambda: probe_admission((), {1}),
        lambda: probe_mention((), "text"),
        lambda: mean_preference(()),
    ],
)
def test_a_mean_of_nothing_is_refused(mean_of_nothing):
    with pytest.raises(RequestError, match="at least one"):
        mean_of_nothing()
