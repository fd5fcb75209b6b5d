"""From releases to a lower bound on epsilon that is wrong with a stated probability at most.

An attacker looks at one number per plan, large where the plan speaks for the second of two neighbours, and counts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import beta

from dpspin.boundary.noise_laws import AnyNoise
from dpspin.boundary.plan import SemanticPlan

Floats = NDArray[np.float64]


def at_least(hits: ArrayLike, trials: int, failure: float) -> Floats:
    """Return Clopper and Pearson's lower limit of a probability; it lies above the truth with chance <= ``failure``.

    >>> round(float(at_least(0, 10, 0.05)), 3), round(float(at_least(10, 10, 0.05)), 3)
    (0.0, 0.741)
    """
    hits = np.asarray(hits, np.float64)
    limit = beta.ppf(failure, np.maximum(hits, 1e-12), trials - hits + 1)
    return np.asarray(np.where(hits > 0, limit, 0.0))


def at_most(hits: ArrayLike, trials: int, failure: float) -> Floats:
    """Return Clopper and Pearson's upper limit of a probability; it lies below the truth with chance <= ``failure``.

    >>> round(float(at_most(0, 10, 0.05)), 3), round(float(at_most(10, 10, 0.05)), 3)
    (0.259, 1.0)
    """
    return 1 - at_least(trials - np.asarray(hits, np.float64), trials, failure)


def epsilon_at_least(here: ArrayLike, there: ArrayLike, trials: int, delta: float, failure: float) -> Floats:
    """Return a lower bound on epsilon from how often one event happened in ``trials`` releases of each neighbour.

    (eps, delta)-DP says P(here) <= e^eps P(there) + delta, so eps >= ln((P(here) - delta) / P(there)). With both
    probabilities replaced by their limits, each failing with half of ``failure``, the bound holds with chance
    1 - ``failure``. The event must not depend on the counted releases.

    >>> round(float(epsilon_at_least(500, 100, 1000, 0.0, 1e-6)), 2)  # the ratio of the counts is e^1.61
    1.01
    """
    seen = at_least(here, trials, failure / 2) - delta
    ratio = seen / at_most(there, trials, failure / 2)
    return np.log(np.maximum(ratio, 1.0))  # a bound below zero says nothing


def released_masses(plans: Iterable[SemanticPlan], ids: Sequence[int]) -> Floats:
    """Return the noisy masses that plans publish, one row per plan; an atom that was not admitted has none (NaN)."""
    return np.array([_row(plan, ids) for plan in plans], np.float64).reshape(-1, len(ids))


def _row(plan: SemanticPlan, ids: Sequence[int]) -> list[float]:
    published = plan.entries if plan.noisy_sketch is None else plan.noisy_sketch
    masses = {int(item.atom_id): item.noisy_mass for item in published}
    return [masses.get(atom_id, np.nan) for atom_id in ids]


@dataclass(frozen=True, slots=True)
class Witness:
    """The log-likelihood ratio of a plan under two neighbours: by Neyman and Pearson the most telling number.

    The ratio of the masses follows from the stated noise and the two exact sketches. The ratio of the admitted sets is
    learned from a pilot, so that any selection can be audited without its law. Any number would give a valid bound.
    """

    before: Floats
    after: Floats
    noise: AnyNoise
    sets: dict[int, float]

    @classmethod
    def trained(
        cls,
        centres: tuple[Floats, Floats],
        noise: AnyNoise,
        pilots: tuple[Floats, Floats],
    ) -> "Witness":
        """Learn from pilot releases of both neighbours."""
        before, after = (_admitted(pilot).tolist() for pilot in pilots)
        sets = {name: np.log((after.count(name) + 0.5) / (before.count(name) + 0.5)) for name in {*before, *after}}
        return cls(*centres, noise, sets)

    def __call__(self, masses: Floats) -> Floats:
        """Return one number per row of masses."""
        by_set = np.array([self.sets.get(name, 0.0) for name in _admitted(masses).tolist()])
        ratios: Floats = by_set + np.nansum(self._by_mass(masses), axis=1)
        return np.round(ratios, 9)  # equal ratios stay equal

    def _by_mass(self, masses: Floats) -> Floats:
        return self.noise.log_density(masses - self.after) - self.noise.log_density(masses - self.before)


def _admitted(masses: Floats) -> NDArray[np.int64]:
    """Name each row's set of admitted atoms by a number."""
    return np.asarray(~np.isnan(masses) @ (1 << np.arange(masses.shape[1])), np.int64)
