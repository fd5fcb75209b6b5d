"""Do measured losses stay inside the paper's utility certificates as often as these promise? Simulated."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from dpspin.boundary.mechanisms import AnyMechanism, noise_of
from dpspin.boundary.postprocess import top
from dpspin_lab.certificates import BETA, DRAWS, EPSILONS, MECHANISMS, RECORDS, SIZE
from dpspin_lab.shapes import SHARES, Floats, Positions
from dpspin_lab.simulated import RECORD, drawn, loss_of, seeded, simulate
from dpspin_lab.utility_bounds import promised


@dataclass(frozen=True, slots=True)
class Inside:
    """How often each bound held, beside the bound and the largest figure measured.

    ``recovered`` is how often the top L was found exactly, where its margin is above the certified one; else None.
    """

    mechanism: str
    shape: str
    epsilon: float
    draws: int
    beta: float
    loss_bound: float
    loss_worst: float
    loss_held: float
    value_bound: float
    value_worst: float
    value_held: float
    recovered: float | None


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure per draw: Loss_L, the largest value error, and the number of atoms outside the true top L."""

    losses: Floats
    errors: Floats
    wrong: Positions


def utility_table(draws: int = DRAWS, seed: int = 0, beta: float = BETA) -> Iterator[Inside]:
    """Simulate every mechanism on every shape at every epsilon."""
    for name in MECHANISMS:
        for shape in SHARES:
            for epsilon in EPSILONS:
                yield inside(name, shape, epsilon, draws=draws, seed=seed, beta=beta)


def inside(mechanism: str, shape: str, epsilon: float, *, draws: int, seed: int = 0, beta: float = BETA) -> Inside:
    """Simulate one cell."""
    masses, chosen = RECORDS * SHARES[shape], MECHANISMS[mechanism]
    cell = list(MECHANISMS).index(mechanism), list(SHARES).index(shape), round(1000 * epsilon)
    found = measure(masses, chosen, epsilon, draws=draws, rng=seeded(seed, *cell))
    bound = promised(chosen, loss_of(chosen, epsilon), RECORD, atoms=len(masses), size=SIZE, beta=beta)
    certain = bound.recovery_margin is not None and top_margin(masses, SIZE) > bound.recovery_margin
    return Inside(
        mechanism,
        shape,
        epsilon,
        draws,
        beta,
        loss_bound=bound.loss,
        loss_worst=float(found.losses.max()),
        loss_held=float((found.losses <= bound.loss).mean()),
        value_bound=bound.value_error,
        value_worst=float(found.errors.max()),
        value_held=float((found.errors <= bound.value_error).mean()),
        recovered=float((found.wrong == 0).mean()) if certain else None,
    )


def measure(masses: Floats, mechanism: AnyMechanism, epsilon: float, *, draws: int, rng: Generator) -> Measured:
    """Release a sketch many times and take the metrics of each release."""
    positions, errors = _released(masses, mechanism, epsilon, draws, rng)
    best = top(masses.tolist(), SIZE)
    return Measured(
        losses=masses[best].sum() - masses[positions].sum(axis=1),
        errors=errors,
        wrong=(~np.isin(positions, best)).sum(axis=1),
    )


def top_margin(masses: Floats, size: int) -> float:
    """Return Γ_L, how far the L-th largest mass is above the next; infinite if there is no next.

    >>> top_margin(np.array([1.0, 7.0, 4.0]), 2), top_margin(np.array([1.0, 7.0]), 2)
    (3.0, inf)
    """
    ordered = np.append(-np.sort(-masses), -np.inf)
    return float(ordered[size - 1] - ordered[size])


def _released(
    masses: Floats, mechanism: AnyMechanism, epsilon: float, draws: int, rng: Generator
) -> tuple[Positions, Floats]:
    """Return what was admitted and the largest error of all that was released, listed or not."""
    if mechanism.selects:
        chosen = simulate(masses, mechanism, epsilon, size=SIZE, draws=draws, rng=rng)
        return chosen.positions, np.abs(chosen.values - masses[chosen.positions]).max(axis=1)
    noise = noise_of(mechanism, loss_of(mechanism, epsilon), RECORD, atoms=len(masses), size=SIZE)
    noisy = masses + (errors := drawn(noise, (draws, len(masses)), rng))
    return np.argsort(-noisy, axis=1, kind="stable")[:, :SIZE], np.abs(errors).max(axis=1)
