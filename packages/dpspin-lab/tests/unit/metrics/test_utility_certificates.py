"""The appendix's bounds against simulated noise: each would fail here if its constant were too small.

Every test draws 20,000 releases with a fixed seed and allows three standard errors above beta. Where a bound is nearly
tight, a bound with beta ten times larger is shown to fail, so that the test can tell.
"""

import math

import numpy as np
import pytest

import drawing
from dpspin.boundary.noise_laws import GaussianNoise, LaplaceNoise
from dpspin_lab.metrics.utility_bounds import (
    gaussian_uniform_coordinate_error,
    high_probability_plan_recovery,
    laplace_uniform_coordinate_error,
    plan_recovery_from_uniform_sketch_error,
    retained_non_private_mass,
    selected_coordinate_gaussian_value_error,
    selected_coordinate_laplace_value_error,
    sequential_admission_regret,
    uniform_coordinate_error,
)

DRAWS, ATOMS, SIZE, BETA = 20_000, 30, 5, 0.05
MASSES = 200.0 / np.arange(1, ATOMS + 1)
NOISES = [LaplaceNoise(scale=2.0), GaussianNoise(sigma=3.0)]


def allowed(beta=BETA):
    return beta + 3 * math.sqrt(beta * (1 - beta) / DRAWS)


def drawn(noise, shape):
    return drawing.drawn(noise, shape, drawing.seeded(0))


@pytest.mark.parametrize("noise", NOISES)
def test_uniform_coordinate_error(noise):
    largest = np.abs(drawn(noise, (DRAWS, ATOMS))).max(axis=1)
    assert (largest > uniform_coordinate_error(noise, ATOMS, BETA)).mean() <= allowed()
    assert (largest > uniform_coordinate_error(noise, ATOMS, 10 * BETA)).mean() > BETA


def test_each_noise_has_its_own_proposition():
    laplace, gaussian = NOISES
    assert uniform_coordinate_error(laplace, 46, 0.05) == laplace_uniform_coordinate_error(laplace, 46, 0.05)
    assert uniform_coordinate_error(gaussian, 46, 0.05) == gaussian_uniform_coordinate_error(gaussian, 46, 0.05)


def losses(masses, noisy):
    listed = np.argsort(-noisy, axis=1)[:, :SIZE]
    return np.sort(masses)[-SIZE:].sum() - masses[listed].sum(axis=1)


def test_plan_recovery_from_uniform_sketch_error_is_reached():
    """Two levels 2·tau apart, and an error of tau against each: the whole loss happens, and not a bit more."""
    tau = 1.0
    masses = np.repeat([2 * tau, 0.0], [SIZE, SIZE])
    worst = masses + np.repeat([-tau, tau * (1 + 1e-9)], [SIZE, SIZE])
    bound = plan_recovery_from_uniform_sketch_error(tau, SIZE)
    assert losses(masses, worst[None, :])[0] == pytest.approx(bound.loss)
    wider = masses + np.repeat([1e-6, 0.0], [SIZE, SIZE])  # a margin above 2·tau: the exact top L
    assert losses(wider, worst[None, :] + (wider - masses))[0] == 0


@pytest.mark.parametrize("noise", NOISES)
def test_high_probability_plan_recovery(noise):
    bound = high_probability_plan_recovery(noise, ATOMS, SIZE, BETA)
    assert (losses(MASSES, MASSES + drawn(noise, (DRAWS, ATOMS))) > bound.loss).mean() <= allowed()
    apart = np.repeat([bound.margin * (1 + 1e-9), 0.0], [SIZE, ATOMS - SIZE])
    assert (losses(apart, apart + drawn(noise, (DRAWS, ATOMS))) > 0).mean() <= allowed()
    close = apart / 3
    assert (losses(close, close + drawn(noise, (DRAWS, ATOMS))) > 0).mean() > BETA


@pytest.mark.parametrize("noise", NOISES)
def test_retained_non_private_mass(noise):
    top_mass = MASSES[:SIZE].sum()
    kept = 1 - losses(MASSES, MASSES + drawn(noise, (DRAWS, ATOMS))) / top_mass
    promised = retained_non_private_mass(uniform_coordinate_error(noise, ATOMS, BETA), SIZE, top_mass)
    assert 0 < promised < 1
    assert (kept < promised).mean() <= allowed()


def peeled(masses, epsilons):
    """Peel by the exponential mechanism; return each round's regret."""
    rng, left = drawing.seeded(0), np.ones((DRAWS, len(masses)), bool)
    for epsilon in epsilons:
        best = np.where(left, masses, -np.inf).max(axis=1)
        scores = np.where(left, masses * epsilon / 2 + rng.gumbel(size=left.shape), -np.inf)
        chosen = scores.argmax(axis=1)
        left[np.arange(DRAWS), chosen] = False
        yield best - masses[chosen]


@pytest.mark.parametrize("epsilons", [[0.5] * SIZE, [0.2, 0.4, 0.6, 0.8, 1.0]])
@pytest.mark.parametrize("masses", [MASSES, np.repeat([40.0, 0.0], [SIZE, ATOMS - SIZE])])
def test_sequential_admission_regret(masses, epsilons):
    bound = sequential_admission_regret(ATOMS, epsilons, coordinate=1.0, beta=BETA)
    regrets = np.column_stack(list(peeled(masses, epsilons)))
    assert (regrets > bound.rounds).any(axis=1).mean() <= allowed()
    assert (regrets.sum(axis=1) > bound.loss).mean() <= allowed()


def test_sequential_admission_regret_is_not_idle():
    """One large atom among many empty ones, at the largest mass that the bound lets a round miss."""
    atoms, epsilon = 1000, 1.0
    (limit,) = sequential_admission_regret(atoms, [epsilon], coordinate=1.0, beta=BETA).rounds
    assert limit == pytest.approx(2 * math.log(atoms / BETA))
    missed = next(peeled(np.repeat([limit * 1.001, 0.0], [1, atoms - 1]), [epsilon])) > limit
    assert 0.5 * BETA < missed.mean() <= allowed()


@pytest.mark.parametrize(
    ("bound", "noise"),
    [(selected_coordinate_laplace_value_error, NOISES[0]), (selected_coordinate_gaussian_value_error, NOISES[1])],
)
def test_selected_coordinate_value_error(bound, noise):
    error = np.abs(drawn(noise, (DRAWS, SIZE))).max(axis=1)
    assert (error > bound(noise, SIZE, BETA)).mean() <= allowed()
    assert (error > bound(noise, SIZE, 10 * BETA)).mean() > BETA
