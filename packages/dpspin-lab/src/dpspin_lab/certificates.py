"""Do certified statements hold as often as they promise? Simulated coverage, over shapes, mechanisms and epsilons."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.certify import Certificates, certificates
from dpspin.boundary.mechanisms import Accounting, AnyMechanism, Gaussian, Laplace, PrivateTopL, SetSelection
from dpspin_lab.shapes import SHARES, Floats
from dpspin_lab.simulated import Releases, seeded, simulate

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
    for name in MECHANISMS:
        for shape in SHARES:
            for epsilon in EPSILONS:
                yield coverage(name, shape, epsilon, draws=draws, seed=seed, beta=beta)


def coverage(mechanism: str, shape: str, epsilon: float, *, draws: int, seed: int = 0, beta: float = BETA) -> Coverage:
    """Simulate one cell."""
    cell = list(MECHANISMS).index(mechanism), list(SHARES).index(shape), round(1000 * epsilon)
    masses, rng = RECORDS * SHARES[shape], seeded(seed, *cell)
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


def _pairs(values: Floats, margin: float) -> Flags:
    stated: Flags = values[:, :, None] - values[:, None, :] > margin
    return stated


def _anywhere(flags: Flags) -> Flags:
    rows: Flags = np.asarray(flags.reshape(len(flags), -1).any(axis=1))
    return rows


def _held(failed: Flags) -> float:
    return float(1 - failed.mean())
