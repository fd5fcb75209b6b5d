"""Do certified statements and utility bounds hold as often as they promise? Simulated, over shapes and mechanisms."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpspin.boundary.certify import Certificates, certificates
from dpspin.boundary.mechanisms import AnyMechanism
from dpspin.boundary.mechanisms.base import noise_of
from dpspin.boundary.mechanisms.gaussian import Gaussian
from dpspin.boundary.mechanisms.laplace import Laplace
from dpspin.boundary.mechanisms.private_top_l import Accounting, PrivateTopL
from dpspin.boundary.mechanisms.set_em import SetSelection
from dpspin.boundary.postprocess import top
from dpspin.curator.assign.contribution import Floats
from dpspin_lab.markdown import table_lines
from dpspin_lab.metrics.utility_bounds import promised
from dpspin_lab.studies.simulated_releases import (
    RECORD,
    SHARES,
    Positions,
    Releases,
    drawn,
    loss_of,
    seeded,
    simulate,
)

Flags = NDArray[np.bool_]

MECHANISMS: Mapping[str, AnyMechanism] = {
    "laplace": Laplace(),
    "gaussian": Gaussian(),
    "private_topL": PrivateTopL(),
    "private_topL, monotone, zcdp": PrivateTopL(monotone=True, accounting=Accounting.ZCDP),
    "set_em": SetSelection(),
}
EPSILONS = (0.1, 0.25, 1.0)
RECORDS, SIZE, BETA, DRAWS = 2000, 10, 0.05, 10_000
_COVERAGE = (
    *("mechanism", "shape", "eps", "admission", "intervals", "comparisons", "superlative", "leading sets"),
    *("pairs told apart", "margin 0: some order false", "margin 0: some order reversed"),
)
_INSIDE = (
    *("mechanism", "shape", "eps", "Loss: bound", "worst", "held", "value error: bound", "worst", "held"),
    "certified top L found",
)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often each kind of statement held in all its instances; beside it, orders read with no margin.

    ``told_apart`` is the part of the L(L-1)/2 pairs that the certified margin decides. ``zero_margin`` is the part of
    plans with a false order somewhere if every difference is believed; ``zero_margin_reversed`` does not count ties.
    """

    mechanism: str
    shape: str
    epsilon: float
    draws: int
    beta: float
    admission: float
    intervals: float
    comparisons: float
    superlative: float
    leading_sets: float
    told_apart: float
    zero_margin: float
    zero_margin_reversed: float


def coverage_table(draws: int = DRAWS, seed: int = 0, beta: float = BETA) -> Iterator[Coverage]:
    """Simulate every mechanism on every shape at every epsilon."""
    for cell in product(MECHANISMS, SHARES, EPSILONS):
        yield coverage(*cell, draws=draws, seed=seed, beta=beta)


def coverage(mechanism: str, shape: str, epsilon: float, *, draws: int, seed: int = 0, beta: float = BETA) -> Coverage:
    """Simulate one cell."""
    masses, rng = RECORDS * SHARES[shape], _randomness(mechanism, shape, epsilon, seed)
    releases = simulate(masses, MECHANISMS[mechanism], epsilon, size=SIZE, draws=draws, rng=rng)
    known = certificates(MECHANISMS[mechanism], releases.noise, atoms=len(masses), size=SIZE, beta=beta)
    truth = masses[releases.positions]
    rivals = truth if MECHANISMS[mechanism].selects else np.broadcast_to(masses, (draws, len(masses)))
    return Coverage(
        mechanism,
        shape,
        epsilon,
        draws,
        beta,
        admission=_held(noise_admitted(truth, releases, known)),
        intervals=_held(interval_missed(truth, releases, known)),
        comparisons=_held(misordered(truth, releases.values, known.comparison_margin)),
        superlative=_held(false_leaders(truth, rivals, releases, known.superlative_margin)[:, 0]),
        leading_sets=_held(_anywhere(false_leaders(truth, rivals, releases, known.comparison_margin))),
        told_apart=float(_pairs(releases.values, known.comparison_margin).sum() / (draws * SIZE * (SIZE - 1) / 2)),
        zero_margin=1 - _held(misordered(truth, releases.values, 0.0)),
        zero_margin_reversed=1 - _held(reversed_somewhere(truth)),
    )


def noise_admitted(truth: Floats, releases: Releases, known: Certificates) -> Flags:
    """Tell where an atom of no mass at all stands above the admission threshold."""
    return _anywhere((releases.values > known.admission_threshold) & (truth == 0))


def interval_missed(truth: Floats, releases: Releases, known: Certificates) -> Flags:
    """Tell where one of the listed intervals does not contain its mass."""
    error = releases.values - truth
    return _anywhere((error > known.interval_below) | (error < -known.interval_above))


def misordered(truth: Floats, values: Floats, margin: float) -> Flags:
    """Tell where a listed pair is set in an order that is not strictly true."""
    return _anywhere(_pairs(values, margin) & (truth[:, :, None] <= truth[:, None, :]))


def reversed_somewhere(truth: Floats) -> Flags:
    """Tell where a listed atom has less mass than one that is ranked below it."""
    return _anywhere(truth[:, :-1] < truth[:, 1:])


def false_leaders(truth: Floats, rivals: Floats, releases: Releases, margin: float) -> Flags:
    """Tell for k = 1, …, L where the first k are set above all others by the margin but are not strictly above."""
    values = np.column_stack([releases.values, releases.next_best])
    stated = values[:, :-1] - values[:, 1:] > margin
    ordered = -np.sort(-rivals, axis=1)
    outside = np.column_stack([ordered, np.full(len(ordered), -np.inf)])[:, 1 : truth.shape[1] + 1]
    failed: Flags = stated & (np.minimum.accumulate(truth, axis=1) <= outside)
    return failed


def _randomness(mechanism: str, shape: str, epsilon: float, seed: int) -> Generator:
    return seeded(seed, list(MECHANISMS).index(mechanism), list(SHARES).index(shape), round(1000 * epsilon))


def _pairs(values: Floats, margin: float) -> Flags:
    stated: Flags = values[:, :, None] - values[:, None, :] > margin
    return stated


def _anywhere(flags: Flags) -> Flags:
    rows: Flags = np.asarray(flags.reshape(len(flags), -1).any(axis=1))
    return rows


def _held(failed: Flags) -> float:
    return float(1 - failed.mean())


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
class LossesAndErrors:
    """One figure per draw: Loss_L, the largest value error, and the number of atoms outside the true top L."""

    losses: Floats
    errors: Floats
    wrong: Positions


def utility_table(draws: int = DRAWS, seed: int = 0, beta: float = BETA) -> Iterator[Inside]:
    """Simulate every mechanism on every shape at every epsilon."""
    for cell in product(MECHANISMS, SHARES, EPSILONS):
        yield inside(*cell, draws=draws, seed=seed, beta=beta)


def inside(mechanism: str, shape: str, epsilon: float, *, draws: int, seed: int = 0, beta: float = BETA) -> Inside:
    """Simulate one cell."""
    masses, chosen = RECORDS * SHARES[shape], MECHANISMS[mechanism]
    rng = _randomness(mechanism, shape, epsilon, seed)
    found = measure(masses, chosen, epsilon, draws=draws, rng=rng)
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


def measure(masses: Floats, mechanism: AnyMechanism, epsilon: float, *, draws: int, rng: Generator) -> LossesAndErrors:
    """Release a sketch many times and take the metrics of each release."""
    positions, errors = _released(masses, mechanism, epsilon, draws, rng)
    best = top(masses.tolist(), SIZE)
    return LossesAndErrors(
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


def coverage_lines(rows: Iterable[Coverage]) -> Iterator[str]:
    """Write coverages in percent."""
    yield from table_lines(_COVERAGE, map(_coverage_cells, rows), words=2)


def utility_lines(rows: Iterable[Inside]) -> Iterator[str]:
    """Write bounds and the worst figures in units of mass, and how often they held in percent."""
    yield from table_lines(_INSIDE, map(_utility_cells, rows), words=2)


def _coverage_cells(row: Coverage) -> tuple[str, ...]:
    held = (row.admission, row.intervals, row.comparisons, row.superlative, row.leading_sets)
    beside = (row.told_apart, row.zero_margin, row.zero_margin_reversed)
    cells = (*(f"{100 * part:.2f}" for part in held), *(f"{100 * part:.1f}" for part in beside))
    return row.mechanism, row.shape, f"{row.epsilon:g}", *cells


def _utility_cells(row: Inside) -> tuple[str, ...]:
    loss = (f"{row.loss_bound:.0f}", f"{row.loss_worst:.1f}", f"{100 * row.loss_held:.2f}")
    value = (f"{row.value_bound:.1f}", f"{row.value_worst:.1f}", f"{100 * row.value_held:.2f}")
    recovered = "" if row.recovered is None else f"{100 * row.recovered:.2f}"
    return row.mechanism, row.shape, f"{row.epsilon:g}", *loss, *value, recovered
