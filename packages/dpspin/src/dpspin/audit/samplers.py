"""Do the exact samplers draw from the laws on which the proofs rest? Exact tests with a stated rate of false alarms.

Draws fall into cells of known probability, and each cell's count is tested by the exact binomial test, Bonferroni over
the cells. So the false-alarm rate holds as stated, not only for many draws. A test shows that it can fail by rejecting
the same draws for a law whose scale is a tenth larger or smaller.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr
from scipy.stats import binom, dlaplace

from dpspin.audit.epsilon_bound import Floats
from dpspin.boundary.mechanisms.drawing import NoiseSource, Price
from dpspin.boundary.privacy import TICKS_PER_MASS, PrivacyLoss, Sensitivity
from dpspin.curator.release.secure_noise import SecureNoise

Ints = NDArray[np.int64]
Drawn = Callable[[NoiseSource, float, int], list[int]]  # from a scale and a count
Below = Callable[[float, float], float]  # P(Z <= k), from k and a scale

FALSE_ALARM: Final = 1e-7  # of each test
OFF: Final = (0.9, 1.1)  # factors on the scale that must be noticed
SMALL, USUAL = 3.7, 1.7 * TICKS_PER_MASS  # in ticks: where the grid shows, and as in a release
FINE: Final = (-2.5, -1.6, -1.0, -0.5, -0.2, 0.2, 0.5, 1.0, 1.6, 2.5)  # where cells end, in units of the scale
FOUR: Final = (-1.3, 0.0, 1.3)  # for pairs, which have the square of the number of cells
SCORES: Final = (3.0, 2.0, 1.0, 0.0)  # in units of the selection scale
ONE_TICK: Final = Sensitivity(1, 1.0, 1)
FREE: Final = Price(1, epsilon=100.0)
GENEROUS: Final = PrivacyLoss(100.0, 0.5)  # no privacy is at stake: these draws carry no data


@dataclass(frozen=True, slots=True)
class Fit:
    """How well draws fit a law: ``chance`` is the probability of such a misfit under the law, at most."""

    sampler: str
    draws: int
    chance: float
    notices_a_tenth: bool

    @property
    def as_it_should_be(self) -> bool:
        """Whether the law stands, and would have fallen had the scale been a tenth off."""
        return self.chance > FALSE_ALARM and self.notices_a_tenth


@dataclass(frozen=True, slots=True)
class Sampler:
    """Something that draws, told by a cell number per draw; and the law of the cells, for a factor on the scale."""

    name: str
    draw: Callable[[NoiseSource, int], Ints]
    law: Callable[[float], Floats]
    draws: int

    def fit(self, noise: NoiseSource) -> Fit:
        """Draw, and compare with the law and with laws that are a tenth off."""
        cells = self.draw(noise, self.draws)
        off = [misfit_chance(cells, self.law(factor)) for factor in OFF]
        return Fit(self.name, len(cells), misfit_chance(cells, self.law(1.0)), max(off) < FALSE_ALARM)


def misfit_chance(cells: Ints, law: ArrayLike) -> float:
    """Return an upper bound on the chance of counts as odd as these: the smallest two-sided binomial tail, corrected.

    >>> fair = np.array([0] * 52 + [1] * 48)
    >>> misfit_chance(fair, [0.5, 0.5]), misfit_chance(fair, [0.9, 0.1]) < 1e-15
    (1.0, True)
    """
    law = np.asarray(law)
    counts = np.bincount(cells, minlength=len(law))
    below, above = binom.cdf(counts, len(cells), law), binom.sf(counts - 1, len(cells), law)
    return min(1.0, 2 * len(law) * float(np.minimum(below, above).min()))


def laplace_below(k: float, scale: float) -> float:
    """Return P(Z <= k) of the discrete Laplace law P(z) ∝ exp(-|z|/scale)."""
    return float(dlaplace.cdf(k, 1 / scale))


def gaussian_below(k: float, sigma: float) -> float:
    """Return P(Z <= k) of the discrete Gaussian law P(z) ∝ exp(-z²/2sigma²); for a fine grid by the normal law.

    >>> round(gaussian_below(-1, 2.0) + gaussian_below(0, 2.0), 12)
    1.0
    """
    k = math.floor(k)
    if sigma > TICKS_PER_MASS / 2:  # midpoints: wrong by less than 1/sigma², 10^-17
        return float(ndtr((k + 0.5) / sigma))
    grid = np.arange(-math.ceil(40 * sigma), math.ceil(40 * sigma) + 1)
    mass = np.exp(-((grid / sigma) ** 2) / 2)
    return float(mass[grid <= k].sum() / mass.sum())


@dataclass(frozen=True, slots=True)
class Cells:
    """The line cut into cells; cell i ends at ``ends[i]``, which belongs to it."""

    ends: tuple[int, ...]

    @classmethod
    def cut(cls, cuts: Sequence[float], scale: float) -> "Cells":
        """Cut at multiples of a scale."""
        return cls(tuple(math.floor(cut * scale) for cut in cuts))

    def of(self, draws: Sequence[int]) -> Ints:
        """Return the cell of each draw."""
        return np.searchsorted(self.ends, np.array(draws), side="left").astype(np.int64)

    def law(self, below: Below, scale: float) -> Floats:
        """Return the probability of each cell."""
        return np.diff([0.0, *(below(end, scale) for end in self.ends), 1.0])


def _laplace_draws(noise: NoiseSource, scale: float, draws: int) -> list[int]:
    return noise.laplace(np.zeros(draws, np.int64), scale, ONE_TICK, GENEROUS.epsilon)


def _gaussian_draws(noise: NoiseSource, scale: float, draws: int) -> list[int]:
    return noise.gaussian(np.zeros(draws, np.int64), scale, ONE_TICK, GENEROUS)


def one_by_one(name: str, drawn: Drawn, below: Below, scale: float) -> Sampler:
    """Compare single draws with the law."""
    cells = Cells.cut(FINE, scale)
    return Sampler(
        name,
        lambda noise, count: cells.of(drawn(noise, scale, count)),
        lambda factor: cells.law(below, factor * scale),
        40_000,
    )


def pair_by_pair(name: str, drawn: Drawn, below: Below, scale: float) -> Sampler:
    """Compare pairs of coordinates of one vector with the product law: the proofs add up independent noise."""
    cells = Cells.cut(FOUR, scale)

    def pairs(noise: NoiseSource, count: int) -> Ints:
        first, second = cells.of(drawn(noise, scale, 2 * count)).reshape(-1, 2).T
        return first * (len(FOUR) + 1) + second

    def law(factor: float) -> Floats:
        shares = cells.law(below, factor * scale)
        return np.outer(shares, shares).ravel()

    return Sampler(name, pairs, law, 40_000)


PICKS: Final = tuple(permutations(range(len(SCORES)), 2))  # the first two, in order


def first_two(noise: NoiseSource, draws: int) -> Ints:
    """Peel two of the scores, again and again."""
    ticks = np.array(SCORES).astype(np.int64) * TICKS_PER_MASS
    peeled = (noise.peel(ticks, 2, float(TICKS_PER_MASS), FREE) for _ in range(draws))
    return np.array([PICKS.index((first, second)) for first, second in peeled])


def peeling_law(factor: float) -> Floats:
    """Return P(i, then j) = w_i/W · w_j/(W - w_i), w = exp(score): exponential-mechanism rounds (proposition 1)."""
    weights = np.exp(np.array(SCORES) / factor)
    total = weights.sum()
    return np.array([weights[i] / total * weights[j] / (total - weights[i]) for i, j in PICKS])


PAIRS: Final = tuple(combinations(range(len(SCORES)), 2))


def sets_of_two(noise: NoiseSource, draws: int) -> Ints:
    """Choose sets of two of the scores, again and again."""
    ticks = np.array(SCORES).astype(np.int64) * TICKS_PER_MASS
    chosen = (noise.choose_set(ticks, 2, float(TICKS_PER_MASS), ONE_TICK, GENEROUS.epsilon) for _ in range(draws))
    return np.array([PAIRS.index((first, second)) for first, second in chosen])


def set_law(factor: float) -> Floats:
    """Return P(S) ∝ exp(sum of scores): one exponential mechanism over all sets."""
    weights = np.array([math.exp((SCORES[i] + SCORES[j]) / factor) for i, j in PAIRS])
    return np.asarray(weights / weights.sum())


SAMPLERS: Final = (
    one_by_one("discrete Laplace, coarse grid", _laplace_draws, laplace_below, SMALL),
    one_by_one("discrete Laplace, as released", _laplace_draws, laplace_below, USUAL),
    pair_by_pair("discrete Laplace, pairs", _laplace_draws, laplace_below, USUAL),
    one_by_one("discrete Gaussian, coarse grid", _gaussian_draws, gaussian_below, SMALL),
    one_by_one("discrete Gaussian, as released", _gaussian_draws, gaussian_below, USUAL),
    pair_by_pair("discrete Gaussian, pairs", _gaussian_draws, gaussian_below, USUAL),
    Sampler("peeled exponential mechanism, two rounds", first_two, peeling_law, 20_000),
    Sampler("exponential mechanism over sets of two", sets_of_two, set_law, 20_000),
)


def fits() -> Iterator[Fit]:
    """Test every sampler of a release."""
    return (sampler.fit(SecureNoise()) for sampler in SAMPLERS)
