"""Losses and value errors stay inside the paper's certificates at the stated probability, and exact recovery holds."""

import math
from itertools import pairwise

import numpy as np
import pytest

from dpspin.boundary.mechanisms import PrivateTopL, ValueNoise
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.errors import RequestError
from dpspin_lab.metrics.plan import mass_retained, support_mass_loss
from dpspin_lab.metrics.utility_bounds import (
    promised,
    promised_by,
    retained_non_private_mass,
    sequential_admission_regret,
)
from dpspin_lab.studies.promise_coverage import MECHANISMS, SIZE, inside, measure, utility_table
from dpspin_lab.studies.simulated_releases import RECORD, SHARES, loss_of, seeded, simulate
from factories import PAPER_UNIVERSE, plan_of

DRAWS, BETA = 2000, 0.2
FLOOR = 1 - BETA - 4 * math.sqrt(BETA * (1 - BETA) / DRAWS)


@pytest.mark.statistical
@pytest.mark.parametrize("shape", SHARES)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_bounds_hold_as_often_as_they_promise(mechanism, shape):
    found = inside(mechanism, shape, 1.0, draws=DRAWS, beta=BETA)
    assert found.loss_held >= FLOOR
    assert found.value_held >= FLOOR
    assert found.recovered is None or found.recovered >= FLOOR


UNEQUAL = tuple(share / 55 for share in range(10, 0, -1))
ASKED_FOR = {
    "laplace values": PrivateTopL(value_noise=ValueNoise.LAPLACE),
    "unequal rounds": PrivateTopL(value_noise=ValueNoise.LAPLACE, selection_shares=UNEQUAL),
}


@pytest.mark.statistical
@pytest.mark.parametrize("shape", SHARES)
@pytest.mark.parametrize("asked", ASKED_FOR)
def test_bounds_hold_for_laplace_values_and_unequal_rounds(asked, shape):
    """The paper's propositions on selected Laplace values and on sequential admission with a budget for each round."""
    masses, mechanism = 2000 * SHARES[shape], ASKED_FOR[asked]
    bound = promised(mechanism, PrivacyLoss(1.0), RECORD, atoms=len(masses), size=SIZE, beta=BETA)
    found = measure(masses, mechanism, 1.0, draws=DRAWS, rng=seeded(3))
    assert np.mean(found.losses <= bound.loss) >= FLOOR
    assert np.mean(found.errors <= bound.value_error) >= FLOOR
    assert np.mean(found.errors <= bound.value_error / 2) < FLOOR


def test_the_certificate_of_unequal_rounds_is_the_papers_sum():
    regret = sequential_admission_regret(46, [0.5 * share for share in UNEQUAL], coordinate=1.0, beta=0.05)
    found = promised(ASKED_FOR["unequal rounds"], PrivacyLoss(1.0), RECORD, atoms=46, size=10, beta=0.05)
    assert found.loss == pytest.approx(regret.loss)
    assert found.value_error == pytest.approx(2 * math.log(10 / 0.05))  # b_val = Δ1/eps_val = 1/0.5


@pytest.mark.statistical
def test_the_laplace_bound_on_values_is_nearly_tight_and_can_therefore_fail():
    """P(‖Z‖∞ > b ln(m/β)) is 1 - (1 - β/m)^m = 0.18 for β = 0.2; four standard errors of 2,000 draws are 0.035."""
    assert 1 - inside("laplace", "zipf", 1.0, draws=DRAWS, beta=BETA).value_held == pytest.approx(0.18, abs=0.035)


def test_where_the_margin_is_certified_the_top_is_found():
    assert inside("laplace", "two levels", 1.0, draws=50).recovered == 1.0
    assert inside("laplace", "flat", 1.0, draws=50).recovered is None  # no margin, no promise


def test_the_losses_are_those_of_the_metric():
    masses, mechanism = 2000 * SHARES["yelp"], MECHANISMS["private_topL"]
    losses = measure(masses, mechanism, 1.0, draws=20, rng=seeded(5)).losses
    releases = simulate(masses, mechanism, 1.0, size=SIZE, draws=20, rng=seeded(5))
    by_metric = [support_mass_loss(row.tolist(), masses.tolist(), SIZE) for row in releases.positions]
    assert losses == pytest.approx(by_metric)


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_bounds_loosen_as_epsilon_and_beta_shrink(mechanism):
    def at(epsilon, beta):
        chosen = MECHANISMS[mechanism]
        return promised(chosen, loss_of(chosen, epsilon), RECORD, atoms=50, size=10, beta=beta)

    for looser, tighter in pairwise([at(0.1, 0.05), at(1.0, 0.05), at(1.0, 0.2)]):
        assert looser.loss > tighter.loss > 0
        assert looser.value_error > tighter.value_error > 0


def test_the_least_retained_mass_is_the_corollarys():
    found = promised(MECHANISMS["laplace"], PrivacyLoss(1.0), RECORD, atoms=46, size=10, beta=0.05)
    assert found.retained(1000.0) == pytest.approx(retained_non_private_mass(found.value_error, 10, 1000.0))


def test_every_measured_retained_mass_of_a_held_loss_is_above_the_floor():
    masses = (2000 * SHARES["amazon"]).tolist()
    bound = promised(MECHANISMS["laplace"], PrivacyLoss(1.0), RECORD, atoms=len(masses), size=SIZE, beta=0.05)
    noisy = np.add(masses, seeded(1).uniform(-1, 1, len(masses)) * bound.value_error)  # any error within the bound
    admitted = np.argsort(-noisy)[:SIZE].tolist()
    assert mass_retained(admitted, masses, SIZE).value >= bound.retained(sum(sorted(masses)[-SIZE:]))


def test_a_plan_states_all_that_its_certificate_needs():
    plan = plan_of(PAPER_UNIVERSE, [300.0, 200.0, 100.0, 1.0], admission="fixed", size=2)
    direct = promised(MECHANISMS["laplace"], PrivacyLoss(1.0), RECORD, atoms=4, size=2, beta=0.1)
    assert promised_by(plan, 0.1) == direct
    assert promised_by(plan_of(PAPER_UNIVERSE, [3.0] * 4, admission="fixed", size=2, none=9.0), 0.1) == direct


def test_a_plan_that_may_admit_fewer_atoms_has_no_certificate():
    with pytest.raises(RequestError, match="exactly L"):
        promised_by(plan_of(PAPER_UNIVERSE, [300.0, 200.0, 100.0, 1.0], size=2), 0.1)


def test_the_table_has_every_cell():
    rows = list(utility_table(draws=2))
    assert len({(row.mechanism, row.shape, row.epsilon) for row in rows}) == len(rows) == len(MECHANISMS) * 3 * 8
