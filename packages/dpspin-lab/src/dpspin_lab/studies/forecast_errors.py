"""The forecast against simulated releases: whether the preview promises what a release does.

A sketch with known masses is released many times through the real gate. Each mass is carried by several atoms, and L is
the whole dictionary, so that being among the L largest is no condition and the forecast has to be exact.

The noise is drawn in balance: the same laws, with far less chance in what a simulation measures. A quantile far in the
tail rests on a few dozen of the draws, so that 1,000 independent releases tell it to 1.3 % only. Stratified sampling
removes that: the unit interval is cut into as many equal strata as there are draws, each stratum is used once, in
random order, and the quantile function of the noise maps it. Every value keeps its law.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse, Provenance
from dpspin.boundary.certify import BELOW_SHARE
from dpspin.boundary.mechanisms.gaussian import Gaussian
from dpspin.boundary.mechanisms.laplace import Laplace
from dpspin.boundary.privacy import TICKS_PER_MASS, Adjacency, PrivacyLoss, RecordUnit, Sensitivity, UserUnit
from dpspin.boundary.statement import MapStatement
from dpspin.curator.aggregate.sketch import Sketch, SketchOrigin
from dpspin.curator.assign.contribution import Ints
from dpspin.curator.release.seeded_noise import SimulatedNoise
from dpspin.public.preview.forecast import Forecast, forecast
from dpspin.rehearse import Floats, masses_of, simulate

RELEASES = 1000
TWINS = 10  # atoms of the same mass
DENOMINATOR = 10_000
LADDER = tuple(step / 12 for step in range(20))  # times what is reliably seen
ZIPF = tuple(2 / rank for rank in range(1, 21))
TWO_LEVELS = (*(0.75,) * 10, *(0.0,) * 10)


class BalancedNoise(SimulatedNoise):
    """Noise for ``draws`` values in all, one from each stratum of equal probability; then the strata are used again."""

    def __init__(self, seed: int, draws: int) -> None:
        super().__init__(seed)
        self._strata = self._rng.permutation(draws)
        self._used = 0

    def laplace(self, values: Ints, scale: float, sensitivity: Sensitivity, epsilon: float) -> list[int]:
        """Add rounded Laplace noise."""
        del sensitivity, epsilon
        side = 2 * self._uniform(len(values)) - 1
        return _rounded(values, -scale * np.sign(side) * np.log1p(-np.abs(side)))

    def gaussian(self, values: Ints, scale: float, sensitivity: Sensitivity, cost: PrivacyLoss | float) -> list[int]:
        """Add rounded Gaussian noise."""
        del sensitivity, cost
        return _rounded(values, scale * ndtri(self._uniform(len(values))))

    def _uniform(self, count: int) -> Floats:
        """Return the next draws from the unit interval, its ends excluded."""
        places = np.arange(self._used, self._used + count) % len(self._strata)
        self._used += count
        inside = self._rng.uniform(2**-20, 1 - 2**-20, count)
        return (self._strata[places] + inside) / len(self._strata)


def _rounded(values: Ints, noise: Floats) -> list[int]:
    return [int(value) for value in values + np.rint(noise).astype(np.int64)]


@dataclass(frozen=True, slots=True)
class Case:
    """A shape of masses, in units of what is reliably seen, and a release of it."""

    shape: str
    steps: Sequence[float]
    unit: RecordUnit | UserUnit
    adjacency: Adjacency
    mechanism: Laplace | Gaussian
    loss: PrivacyLoss


@dataclass(frozen=True, slots=True)
class ForecastError:
    """How far the forecast was from what was measured: half-widths relative, chances absolute, the largest of each.

    A half-width w is forecast as P(Z > w) = tail for each value; what is measured is the quantile at that tail of all
    noise that was drawn (both signs, the law is symmetric). ``noise`` is the standard deviation.
    """

    case: Case
    releases: int
    noise: float
    below: float
    above: float
    threshold: float
    listed: float
    right: float
    certified: float


def cases() -> Iterator[Case]:
    """Yield the shapes, each under another unit, adjacency and epsilon, for both full-sketch mechanisms."""
    settings = (
        ("ladder", LADDER, RecordUnit(), Adjacency.ADD_DROP, 1.0),
        ("zipf", ZIPF, UserUnit(3.0), Adjacency.ADD_DROP, 0.5),
        ("two levels", TWO_LEVELS, RecordUnit(), Adjacency.REPLACE, 0.1),
    )
    for shape, steps, unit, adjacency, epsilon in settings:
        yield Case(shape, steps, unit, adjacency, Laplace(), PrivacyLoss(epsilon))
        yield Case(shape, steps, unit, adjacency, Gaussian(), PrivacyLoss(epsilon, 1e-6))


def check_forecast(case: Case, releases: int = RELEASES, seed: int = 0) -> ForecastError:
    """Release a case many times, and compare everything that was forecast."""
    atoms = TWINS * len(case.steps)
    promised = forecast(
        case.unit,
        case.adjacency,
        case.loss,
        case.mechanism,
        atoms=atoms,
        size=atoms,
        denominator=DENOMINATOR,
        besides=1,
    )
    seen = _releases(case, promised, releases, seed)
    orders = list(_ordered(promised, seen))
    tail = promised.request.beta / (atoms + 1)
    surely = -np.expm1(np.log1p(-promised.request.beta) / atoms)
    return ForecastError(
        case=case,
        releases=releases,
        noise=_apart(promised.noise_std.mass, float(seen.noise.std())),
        below=_apart(promised.interval_below.mass, seen.quantile(BELOW_SHARE * tail)),
        above=_apart(promised.interval_above.mass, seen.quantile((1 - BELOW_SHARE) * tail)),
        threshold=_apart(promised.admission_threshold.mass, seen.quantile(float(surely))),
        listed=max(_listed(promised, seen)),
        right=max(right for right, _ in orders),
        certified=max(certified for _, certified in orders),
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the releases showed: one row per release; groups of atoms with the same mass."""

    masses: Floats  # of each group
    values: Floats  # release, group, twin
    listed: NDArray[np.bool_]  # the same
    noise: Floats  # of every value, "none of these" too

    def quantile(self, tail: float) -> float:
        return float(np.quantile(np.abs(self.noise), 1 - 2 * tail))


def _releases(case: Case, promised: Forecast, releases: int, seed: int) -> _Seen:
    masses = np.repeat([step * promised.reliably_seen.mass for step in case.steps], TWINS)
    universe = _universe(len(masses))
    sketch = _sketch(np.r_[masses, masses.sum()], universe, case)
    values, listed = [], []
    noise = BalancedNoise(seed, draws=releases * len(sketch.ticks))
    for plan in simulate(sketch, universe, promised.request, releases, noise):
        released = (*(plan.noisy_sketch or ()), plan.uncovered)
        values.append([item.noisy_mass for item in released if item is not None])
        shown = {entry.atom_id for entry in plan.entries}
        listed.append([atom in shown for atom in universe.ids])
    exact = masses_of(sketch)
    groups = (releases, len(case.steps), TWINS)
    noisy = np.array(values)
    return _Seen(exact[:-1:TWINS], noisy[:, :-1].reshape(groups), np.array(listed).reshape(groups), noisy - exact)


def _listed(promised: Forecast, seen: _Seen) -> Iterator[float]:
    for group, mass in enumerate(seen.masses):
        yield abs(promised.listed_at(mass / DENOMINATOR).chance - float(seen.listed[:, group].mean()))


def _ordered(promised: Forecast, seen: _Seen) -> Iterator[tuple[float, float]]:
    """Compare all groups with each other, twin by twin."""
    margin = promised.comparison_margin.mass
    by_size = np.argsort(-seen.masses, kind="stable")
    for large, small in combinations(by_size, 2):
        ahead = seen.values[:, large] - seen.values[:, small]
        told = promised.ordered_at((seen.masses[large] - seen.masses[small]) / DENOMINATOR)
        yield abs(told.right - float((ahead > 0).mean())), abs(told.certified - float((ahead > margin).mean()))


def _apart(promised: float, measured: float) -> float:
    return abs(promised - measured) / measured


def _universe(size: int) -> AtomUniverse:
    return AtomUniverse(
        name="numbered atoms",
        version="1",
        provenance=Provenance(source="handwritten", note="for experiments"),
        atoms=tuple(Atom(id=AtomId(number), label=f"atom {number}") for number in range(size)),
    )


def _sketch(masses: Floats, universe: AtomUniverse, case: Case) -> Sketch:
    statement = MapStatement(
        name="none", fitted_on="nothing", atoms_per_record=None, digest="sha256:none", answers_none=True
    )
    origin = SketchOrigin.of(universe, statement, case.unit, case.adjacency)
    return Sketch(np.rint(masses * TICKS_PER_MASS).astype(np.int64), origin)
