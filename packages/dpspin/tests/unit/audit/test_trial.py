"""Trials on paths of which the loss is known, with repeatable noise."""

from typing import get_args

import numpy as np
import pytest

from dpspin.audit.cases import Case, Finding, findings, mutant_cases, shipped_cases
from dpspin.audit.corpora import AUDITED, NAMED, RECORD, USERS
from dpspin.audit.epsilon_bound import Witness, released_masses
from dpspin.audit.mutants import MUTANTS, HalvedNoise, NotForRelease
from dpspin.audit.trial import Effort, Event, Outcome, ReleasePath, trial
from dpspin.boundary.calibration import laplace_scale
from dpspin.boundary.mechanisms import Mechanism
from dpspin.boundary.noise_laws import LaplaceNoise
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.privacy import Adjacency, sensitivity_of
from dpspin.curator.release.seeded_noise import SimulatedNoise
from dpspin.errors import BoundViolation
from factories import PAPER_PLAN, PAPER_UNIVERSE

EFFORT = Effort(pilot=300, releases=800)


class NoNoise(SimulatedNoise):
    def laplace(self, values, scale, sensitivity, epsilon):
        return values.tolist()


@pytest.mark.parametrize("audited", AUDITED, ids=lambda audited: audited.name)
def test_an_honest_path_stands(audited):
    outcome = trial(audited, RECORD, audited.adjacencies[-1], ReleasePath(noise=SimulatedNoise(5)), EFFORT)
    assert 0 <= outcome.bound <= audited.loss.epsilon
    assert outcome.releases == EFFORT.releases


def test_the_bound_of_a_pure_loss_comes_near_it():
    outcome = trial(
        NAMED["laplace"], USERS, Adjacency.ADD_DROP, ReleasePath(noise=SimulatedNoise(6)), Effort(500, 4000)
    )
    assert 0.7 * NAMED["laplace"].loss.epsilon < outcome.bound <= NAMED["laplace"].loss.epsilon


def test_a_leak_ends_the_trial_at_the_first_look():
    outcome = trial(NAMED["laplace"], RECORD, Adjacency.REPLACE, ReleasePath(noise=NoNoise(1)), Effort(200, 8000))
    assert outcome.releases == 500
    assert outcome.bound > NAMED["laplace"].loss.epsilon


def test_an_event_counts_for_the_neighbour_that_it_speaks_for():
    before, after = np.array([0.0, 1.0, 2.0]), np.array([2.0, 3.0, 3.0])
    assert Event(2.0, speaks_for_after=True).counts(before, after) == (3, 1)
    assert Event(1.0, speaks_for_after=False).counts(before, after) == (2, 0)


def test_a_witness_weighs_masses_and_admitted_sets():
    pilots = np.array([[1.0, np.nan]] * 9 + [[np.nan, 1.0]]), np.array([[np.nan, 1.0]] * 10)
    witness = Witness.trained((np.zeros(2), np.array([0.0, 2.0])), LaplaceNoise(scale=1.0), pilots)
    first, second, beyond = witness(np.array([[0.0, np.nan], [np.nan, 1.0], [np.nan, 9.0]]))
    assert first == pytest.approx(np.log(0.5 / 9.5))
    assert second == pytest.approx(np.log(10.5 / 1.5))  # half way between the two sketches: only the set speaks
    assert beyond == pytest.approx(second + 2.0)


def test_every_mechanism_is_audited_and_has_a_mutant():
    assert {type(audited.mechanism) for audited in AUDITED} == set(get_args(get_args(Mechanism)[0]))
    assert {audited for mutant in MUTANTS for audited, _, _ in mutant.cells} == set(AUDITED)


def test_every_unit_and_adjacency_is_tried():
    assert {(case.audited.name, case.unit.kind, case.adjacency) for case in shipped_cases()} == {
        (audited.name, unit, adjacency)
        for audited in AUDITED
        for unit in ("record", "user")
        for adjacency in audited.adjacencies
    }


def test_only_what_is_proven_for_add_drop_alone_is_tried_there_alone():
    assert {audited.name for audited in AUDITED if len(audited.adjacencies) == 1} == {
        "private_topL, monotone, zcdp",
        "private_topL, unequal rounds",
        "random sample, laplace",
    }


def test_a_mutants_plan_says_that_it_is_not_private():
    assert {mutant.path.noise.randomness for mutant in MUTANTS} == {"SIMULATED-NOT-PRIVATE"}
    assert NotForRelease.randomness != ReleasePath().noise.randomness


def test_honest_noise_refuses_the_scale_of_a_mutant():
    sketch = np.zeros(2, np.int64)
    sensitivity = sensitivity_of(RECORD, Adjacency.ADD_DROP)
    scale = laplace_scale(sensitivity.l1, 1.0)
    assert len(HalvedNoise().laplace(sketch, scale, sensitivity, 1.0)) == 2
    with pytest.raises(BoundViolation):
        ReleasePath().noise.laplace(sketch, scale / 2, sensitivity, 1.0)


def test_published_masses_are_read_off_a_plan():
    whole = PAPER_PLAN
    chosen = SemanticPlan.model_construct(noisy_sketch=None, entries=whole.entries[:2])
    assert released_masses([whole], PAPER_UNIVERSE.ids).tolist() == [[318.4, 271.9, 244.7, 1.3]]
    assert np.isnan(released_masses([chosen], PAPER_UNIVERSE.ids)).tolist() == [[False, False, True, True]]


@pytest.mark.parametrize(
    ("bound", "mutant", "verdict", "fine"),
    [
        (1.0, None, "stands", True),
        (1.6, None, "REFUTED", False),
        (1.6, MUTANTS[0], "flagged", True),
        (1.5, MUTANTS[0], "MISSED", False),
    ],
)
def test_what_should_be_is_told_from_what_should_not(bound, mutant, verdict, fine):
    finding = Finding(Case(NAMED["laplace"], RECORD, Adjacency.ADD_DROP, mutant), Outcome(bound, 100))
    assert (finding.verdict, finding.as_it_should_be) == (verdict, fine)


@pytest.mark.slow
def test_trials_at_the_same_time_come_back_in_order():
    cases = [mutant_cases()[0], shipped_cases()[0]]
    together = [finding.case for finding in findings(cases, Effort(100, 160), jobs=2)]
    assert [case.mutant is None for case in together] == [False, True]
