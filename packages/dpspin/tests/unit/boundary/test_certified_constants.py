"""The constants behind certified statements: their golden values, and that no plan may promise more."""

import json
import math

import pytest
from scipy.special import lambertw, ndtri

from dpspin.boundary.certify import (
    certificates,
    comparison_margin,
    superlative_margin,
)
from dpspin.boundary.mechanisms import Gaussian, Laplace, PrivateTopL
from dpspin.boundary.noise_laws import GaussianNoise, LaplaceNoise, solve_exp_linear
from dpspin.boundary.plan import SemanticPlan
from dpspin.errors import PlanError
from factories import COVERED_PLAN, PAPER_PLAN

UNIT = LaplaceNoise(scale=1.0)
NORMAL = GaussianNoise(sigma=1.0)


@pytest.mark.parametrize(("atoms", "threshold"), [(46, 6.11), (50, 6.19), (100, 6.88), (200, 7.58), (1000, 9.18)])
def test_admission_threshold_of_laplace_noise(atoms, threshold):
    known = certificates(Laplace(), UNIT, atoms=atoms, size=10, beta=0.05)
    assert known.admission_threshold == pytest.approx(threshold, abs=0.005)


def test_intervals_after_selection():
    known = certificates(Laplace(), UNIT, atoms=200, size=10, beta=0.05)
    assert (known.interval_below, known.interval_above) == pytest.approx((7.82, 6.21), abs=0.005)


@pytest.mark.parametrize(("size", "margin"), [(2, 4.11), (3, 5.40), (5, 6.78), (10, 8.46), (20, 10.04)])
def test_comparison_margin_counts_either_order_of_two_equal_masses(size, margin):
    found = comparison_margin(UNIT, size, 0.05)
    assert found == pytest.approx(margin, abs=0.005)
    assert math.comb(size, 2) * math.exp(-found) * (1 + found / 2) == pytest.approx(0.05)


def test_comparison_margin_of_gaussian_noise():
    found = comparison_margin(NORMAL, 10, 0.05)
    assert found / math.sqrt(2) == pytest.approx(NORMAL.upper_quantile(0.05 / 90))


def test_one_theme_has_nothing_to_be_compared_with():
    assert comparison_margin(UNIT, 1, 0.05) == superlative_margin(UNIT, 1, 0.05) == 0.0


@pytest.mark.parametrize(("beta", "margin"), [(0.1, 3.35), (0.05, 4.18), (0.01, 6.04)])
def test_superlative_margin_solves_its_equation(beta, margin):
    found = superlative_margin(UNIT, 200, beta)
    assert found == pytest.approx(margin, abs=0.005)
    assert math.exp(-found) * (7 / 6 + found / 2) == pytest.approx(beta)


def test_superlative_margin_of_gaussian_noise_counts_every_contender():
    assert superlative_margin(NORMAL, 2, 0.05) == pytest.approx(comparison_margin(NORMAL, 2, 0.05))


def test_after_a_private_selection_only_the_chosen_compete():
    chosen = certificates(PrivateTopL(), NORMAL, atoms=200, size=10, beta=0.05)
    assert chosen == certificates(Gaussian(), NORMAL, atoms=10, size=10, beta=0.05)


@pytest.mark.parametrize("plan", [PAPER_PLAN, COVERED_PLAN])
@pytest.mark.parametrize(
    "constant", ["admission_threshold", "interval_below", "comparison_margin", "superlative_margin"]
)
def test_a_plan_may_not_promise_more_than_its_noise_allows(plan, constant):
    forged = json.loads(plan.to_json())
    forged["rules"]["certificates"][constant] *= 0.9
    with pytest.raises(PlanError, match=r"certificate|interval"):
        SemanticPlan.from_json(json.dumps(forged))


TARGETS = [10.0**-power for power in range(1, 31)] + [0.2, 0.4, 0.6, 0.8, 0.99]


@pytest.mark.parametrize("offset", [1.5, 2.0, 7 / 3, 5.0, 20.0])
@pytest.mark.parametrize("target", TARGETS)
def test_newtons_steps_agree_with_lamberts_function(target, offset):
    closed_form = -lambertw(-target * offset * math.exp(-offset), k=-1).real - offset
    assert solve_exp_linear(target, offset) == pytest.approx(closed_form, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("tail", [*TARGETS[:17], 0.2, 0.4])
def test_the_gaussian_quantile_agrees_with_the_inverse_of_its_law(tail):
    assert NORMAL.upper_quantile(tail) == pytest.approx(-ndtri(tail), rel=1e-12)
