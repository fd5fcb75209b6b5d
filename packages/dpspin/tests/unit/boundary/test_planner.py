import math

import pytest

from dpspin.boundary.calibration import epsilon_of, loss_on_sample, rho_for
from dpspin.boundary.mechanisms import Accounting, Gaussian, Laplace, PrivateTopL, SetSelection, noise_of
from dpspin.boundary.planner import median_gap, needed_gaps, planned
from dpspin.boundary.privacy import (
    Adjacency,
    Mass,
    PoissonSample,
    Prevalence,
    PrivacyLoss,
    RecordUnit,
    UserUnit,
    require_fitting_quantity,
    sensitivity_of,
)
from dpspin.errors import RequestError

LOSS = PrivacyLoss(1.0, 1e-6)


def of_mentions(most, adjacency=Adjacency.ADD_DROP):
    return sensitivity_of(RecordUnit(), adjacency, Prevalence(most_atoms=most))


@pytest.mark.parametrize(
    ("most", "kind"),
    [(1, "laplace"), (3, "laplace"), (6, "laplace"), (10, "gaussian"), (20, "private_topL"), (200, "private_topL")],
)
def test_the_planner_goes_from_laplace_to_gaussian_to_selection_as_units_touch_more_atoms(most, kind):
    found = planned(LOSS, of_mentions(most), atoms=200, size=10)
    assert found.mechanism.kind == kind
    assert found.loss.delta == (0 if kind == "laplace" else LOSS.delta)


def test_without_a_delta_only_laplace_is_considered():
    assert isinstance(planned(PrivacyLoss(1.0), of_mentions(200), atoms=200, size=10).mechanism, Laplace)


def test_needed_gaps_are_those_of_the_reference_tables():
    gaps = {mechanism.kind: gap for mechanism, gap in needed_gaps(LOSS, of_mentions(30), atoms=200, size=10).items()}
    known = {"laplace": 213, "gaussian": 98, "private_topL": 67}
    assert {kind: gaps[kind] for kind in known} == pytest.approx(known, rel=0.02)


def test_under_replacement_the_planner_keeps_the_factor_two():
    found = planned(LOSS, of_mentions(200, Adjacency.REPLACE), atoms=200, size=10).mechanism
    assert found == PrivateTopL(monotone=False, accounting=Accounting.ZCDP)


def test_a_plan_of_all_atoms_needs_no_gap_and_a_larger_one_is_refused():
    assert median_gap(lambda z: z, 5, 5) == 0
    with pytest.raises(RequestError, match="plan size"):
        planned(LOSS, of_mentions(1), atoms=5, size=6)


@pytest.mark.parametrize("rho", [1e-4, 1e-3, 0.02436, 0.5, 5.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-6, 1e-3])
def test_zcdp_converts_there_and_back_on_the_private_side(rho, delta):
    epsilon = epsilon_of(rho, delta)
    assert rho_for(epsilon, delta) == pytest.approx(rho, rel=1e-3)
    assert epsilon <= rho + 2 * (rho * -math.log(delta)) ** 0.5 + 1e-12


def test_joint_accounting_is_tighter_than_splitting_epsilon():
    record = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    split, joint = (noise_of(PrivateTopL(accounting=how), LOSS, record, atoms=46, size=10).std for how in Accounting)
    assert joint < 0.8 * split


@pytest.mark.parametrize(
    ("rate", "epsilon", "amplified"), [(0.02, 0.1, 1.83), (0.02, 1.0, 4.46), (0.05, 0.5, 2.64), (0.1, 0.25, 1.35)]
)
def test_a_secret_sample_may_spend_what_the_reference_table_says(rate, epsilon, amplified):
    record = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    paid = loss_on_sample(PrivacyLoss(epsilon, 1e-9), PoissonSample(rate=rate), record)
    assert paid.epsilon == pytest.approx(amplified, abs=0.005)
    assert paid.delta == pytest.approx(1e-9 / rate)


def test_the_noise_on_a_sample_is_scaled_up_to_the_collection():
    record = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    noise = noise_of(Laplace(), PrivacyLoss(1.0), record, atoms=46, size=10, sampling=PoissonSample(rate=0.02))
    assert noise.scale == pytest.approx(1 / 4.46 / 0.02, rel=2e-3)


def test_a_secret_sample_is_refused_where_its_proof_fails():
    replaced = sensitivity_of(RecordUnit(), Adjacency.REPLACE)
    with pytest.raises(RequestError, match="add_drop"):
        loss_on_sample(PrivacyLoss(1.0), PoissonSample(rate=0.1), replaced)
    with pytest.raises(RequestError, match="delta"):
        loss_on_sample(PrivacyLoss(1.0, 0.2), PoissonSample(rate=0.1), of_mentions(1))


def test_set_selection_is_pure_and_gaussian_needs_a_delta():
    record = sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    with pytest.raises(RequestError, match="leave delta out"):
        noise_of(SetSelection(), LOSS, record, atoms=46, size=10)
    with pytest.raises(RequestError, match="needs a delta"):
        noise_of(Gaussian(), PrivacyLoss(1.0), record, atoms=46, size=10)


def test_a_user_bound_goes_with_mass_alone():
    require_fitting_quantity(Mass(), UserUnit(bound=3.0))
    require_fitting_quantity(Prevalence(), UserUnit(bound=1.0))
    with pytest.raises(RequestError, match="bound"):
        require_fitting_quantity(Prevalence(), UserUnit(bound=3.0))
