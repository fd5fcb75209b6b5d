"""Prices in rho, and what a rho means as an epsilon."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin.boundary.accounting import Cost, Rho, cost_of, rho_of
from dpspin.boundary.calibration import epsilon_of, gaussian_rho, pure_rho, rho_for
from dpspin.boundary.denominator import CountShare
from dpspin.boundary.mechanisms import Accounting, Gaussian, Laplace, PrivateTopL, SetSelection, noise_of
from dpspin.boundary.mechanisms.laplace import laplace_rho
from dpspin.boundary.privacy import (
    EVERYONE,
    Adjacency,
    PoissonSample,
    PrivacyLoss,
    RecordUnit,
    UserUnit,
    sensitivity_of,
)
from dpspin.errors import RequestError
from factories import OF_RECORDS, PAPER_PLAN

UNITS = (RecordUnit(), UserUnit(bound=3.0))


def statement_of(mechanism, loss, unit=UNITS[0], adjacency=Adjacency.ADD_DROP, *, size=10, sampling=EVERYONE):
    noise = noise_of(mechanism, loss, sensitivity_of(unit, adjacency), atoms=50, size=size, sampling=sampling)
    changes = {"mechanism": mechanism, "loss": loss, "noise": noise, "unit": unit, "adjacency": adjacency}
    return PAPER_PLAN.statement.model_copy(update={**changes, "sampling": sampling})


def priced(mechanism, loss, unit=UNITS[0], adjacency=Adjacency.ADD_DROP, *, size=10, sampling=EVERYONE):
    return rho_of(statement_of(mechanism, loss, unit, adjacency, size=size, sampling=sampling), size)


@given(st.floats(1e-6, 100.0))
def test_laplace_costs_less_than_what_every_pure_mechanism_costs(epsilon):
    assert 0 < laplace_rho(epsilon) <= pure_rho(epsilon)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("mechanism", [Laplace(), Gaussian(), PrivateTopL()])
def test_the_price_depends_on_the_loss_alone_since_noise_is_calibrated_to_the_unit(unit, adjacency, mechanism):
    loss = PrivacyLoss(1.0, 0.0 if isinstance(mechanism, Laplace) else 1e-6)
    assert priced(mechanism, loss, unit, adjacency) == pytest.approx(priced(mechanism, loss), rel=1e-6)


def test_gaussian_noise_costs_what_its_definition_says_and_means_nearly_its_epsilon():
    rho = priced(Gaussian(), PrivacyLoss(1.0, 1e-6))
    assert rho == pytest.approx(1 / (2 * 4.2247**2), rel=1e-4)
    assert 1.0 < epsilon_of(rho, 1e-6) < 1.09  # analytic calibration is tighter than zCDP, by 6 to 9 per cent


def test_private_top_l_pays_for_each_round_and_for_the_values():
    loss, sensitivity = PrivacyLoss(2.0, 1e-6), sensitivity_of(RecordUnit(), Adjacency.ADD_DROP)
    noise = noise_of(PrivateTopL(), loss, sensitivity, atoms=50, size=5)
    expected = 5 * (1.0 / 5) ** 2 / 8 + gaussian_rho(noise, sensitivity)
    assert priced(PrivateTopL(), loss, size=5) == pytest.approx(expected)


def test_joint_accounting_costs_the_rho_that_it_was_given():
    loss = PrivacyLoss(2.0, 1e-6)
    assert priced(PrivateTopL(accounting=Accounting.ZCDP), loss) == rho_for(2.0, 1e-6)


def test_a_pure_mechanism_without_a_bound_of_its_own_costs_what_every_pure_one_costs():
    assert priced(SetSelection(), PrivacyLoss(0.5)) == pure_rho(0.5)
    assert priced(Laplace(), PrivacyLoss(0.5), sampling=PoissonSample(rate=0.1)) == pure_rho(0.5)


def test_noise_of_a_few_ticks_costs_what_every_pure_mechanism_costs():
    """On a coarse grid the KL of discrete Laplace noise is above eps + e^-eps - 1."""
    few_ticks = UserUnit(bound=2.0**-28)
    assert priced(Laplace(), PrivacyLoss(0.5), few_ticks) == pure_rho(0.5)
    assert priced(Laplace(), PrivacyLoss(0.5)) == laplace_rho(0.5)


def test_a_sample_with_a_delta_costs_what_its_own_noise_costs():
    sample, loss = PoissonSample(rate=0.1), PrivacyLoss(0.5, 1e-7)
    stated = statement_of(Gaussian(), loss, sampling=sample)
    on_sample = stated.noise.scaled(0.1)
    assert rho_of(stated, 10) == gaussian_rho(on_sample, sensitivity_of(RecordUnit(), Adjacency.ADD_DROP))
    assert rho_of(stated, 10) > priced(Gaussian(), loss)


def test_a_plan_tells_its_own_price():
    paid = cost_of(PAPER_PLAN.statement, PAPER_PLAN.rules.size, PAPER_PLAN.denominator)
    assert paid == Cost(PrivacyLoss(1.0), laplace_rho(1.0), OF_RECORDS)


def test_a_bought_count_is_paid_for_beside_the_themes():
    loss, themes = PrivacyLoss(1.0, 1e-6), PrivacyLoss(0.75, 1e-6)
    noise = noise_of(Gaussian(), themes, sensitivity_of(RecordUnit(), Adjacency.ADD_DROP), atoms=50, size=10)
    stated = statement_of(Gaussian(), loss).model_copy(update={"noise": noise})
    paid = cost_of(stated, 10, CountShare(share=0.25))
    assert paid.loss == loss
    assert paid.rho == pytest.approx(priced(Gaussian(), themes) + pure_rho(0.25))


@given(st.floats(1e-8, 50.0), st.floats(1e-12, 0.1))
def test_the_conversion_is_never_worse_than_the_plain_one_and_never_better_than_a_fine_grid(rho, delta):
    plain = rho + 2 * math.sqrt(rho * math.log(1 / delta))
    alphas = (1 + 10 ** (k / 200) for k in range(-1000, 1400))
    grid = min(a * rho + math.log1p(-1 / a) - math.log(a * delta) / (a - 1) for a in alphas)
    assert max(0.0, grid) * (1 - 1e-3) - 1e-9 <= epsilon_of(rho, delta) <= plain + 1e-9


def test_nothing_spent_means_nothing():
    assert epsilon_of(0.0, 1e-6) == 0.0


@pytest.mark.parametrize("delta", [0.0, 1.0, -1.0])
def test_rho_has_no_epsilon_without_a_delta(delta):
    with pytest.raises(RequestError, match="delta"):
        epsilon_of(0.5, delta)


@pytest.mark.parametrize("rho", [0.0, -1.0, math.inf, math.nan])
def test_a_cap_in_rho_is_a_positive_number(rho):
    with pytest.raises(RequestError, match="rho"):
        Rho(rho)
