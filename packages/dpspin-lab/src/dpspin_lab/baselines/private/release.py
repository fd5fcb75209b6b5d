"""What a private rival releases: noise on integer vectors, each draw with its cost, and what is said about privacy.

A vector of counts or of sums is integer before noise is added, so its sensitivity is exact. Gaussian draws lie on a
fine grid, because the analytic calibration is for the continuous law: on whole counts its delta would be too small by
some percent.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dpspin.boundary.calibration import PAD, gaussian_sigma, laplace_scale
from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.privacy import Adjacency, PrivacyLoss, Randomness, RecordUnit, Sensitivity, UserUnit
from dpspin.curator.assign.contribution import Ints
from dpspin.curator.release.secure_noise import SecureNoise
from dpspin.curator.release.seeded_noise import SimulatedNoise

GRID = 2**20  # ticks for one, where noise is Gaussian
DELTA = 1e-6
RECORD = RecordUnit()
HistogramMethod = Literal["keyword_histogram", "category_histogram"]
UraniaMethod = Literal["urania", "urania_joint", "urania_public"]
FullMethod = Literal["urania_full_own", "urania_full_public", "urania_full_atoms", "urania_full_model"]
RivalMethod = HistogramMethod | UraniaMethod
Method = RivalMethod | FullMethod


def noise_from(seed: int | None) -> NoiseSource:
    """Return repeatable noise for a seed, which voids the guarantee and is said in the release; else OpenDP's.

    >>> noise_from(7).randomness, noise_from(None).randomness
    ('SIMULATED-NOT-PRIVATE', 'os-csprng')
    """
    return SecureNoise() if seed is None else SimulatedNoise(seed)


@dataclass(frozen=True, slots=True)
class LaplaceDraw:
    """Discrete Laplace noise on whole counts: (epsilon, 0)-DP."""

    what: str
    sensitivity: Sensitivity
    epsilon: float

    @property
    def loss(self) -> PrivacyLoss:
        """What one draw costs."""
        return PrivacyLoss(self.epsilon)

    @property
    def scale(self) -> float:
        """The scale b of P(z) ∝ exp(-|z|/b): sensitivity over epsilon."""
        return laplace_scale(self.sensitivity.l1, self.epsilon)

    @property
    def std(self) -> float:
        """Standard deviation in counts, to within the difference between this law and the continuous one."""
        return math.sqrt(2) * self.scale

    def of_counts(self, counts: Ints, noise: NoiseSource) -> Ints:
        """Return the counts with noise, in the same shape."""
        drawn = noise.laplace(counts.ravel(), self.scale, self.sensitivity, self.epsilon)
        return np.array(drawn, dtype=np.int64).reshape(counts.shape)


@dataclass(frozen=True, slots=True)
class GaussianDraw:
    """Discrete Gaussian noise on ticks; the cost is (epsilon, delta), or rho where draws are accounted together."""

    what: str
    sensitivity: Sensitivity  # ticks
    sigma: float  # ticks
    cost: PrivacyLoss | float

    @property
    def rho(self) -> float:
        """The zCDP of one draw, Δ²/2sigma²; the loss of several draws is a function of the sum of theirs."""
        return (self.sensitivity.l2 / self.sigma) ** 2 / 2

    @property
    def std(self) -> float:
        """Standard deviation in ones."""
        return self.sigma / GRID

    def of_ticks(self, ticks: Ints, noise: NoiseSource) -> Ints:
        """Return the ticks with noise, in the same shape."""
        drawn = noise.gaussian(ticks.ravel(), self.sigma, self.sensitivity, self.cost)
        return np.array(drawn, dtype=np.int64).reshape(ticks.shape)

    def of_counts(self, counts: Ints, noise: NoiseSource) -> Ints:
        """Return the counts with noise, rounded to whole ones after the noise."""
        return np.rint(self.of_ticks(counts * GRID, noise) / GRID).astype(np.int64)


CountDraw = LaplaceDraw | GaussianDraw


def analytic(what: str, sensitivity: Sensitivity, loss: PrivacyLoss, coordinates: int) -> GaussianDraw:
    """Calibrate a draw on its own to (epsilon, delta), analytically."""
    return GaussianDraw(what, sensitivity, gaussian_sigma(sensitivity.l2, loss, coordinates), loss)


def concentrated(what: str, sensitivity: Sensitivity, rho: float) -> GaussianDraw:
    """Calibrate a draw to its part of a joint budget."""
    return GaussianDraw(what, sensitivity, sensitivity.l2 / math.sqrt(2 * rho) * (1 + PAD), rho)


def of_indicators(most: int, ticks: int = 1) -> Sensitivity:
    """Bound what one unit adds to a table of counts: one in each of at most ``most`` cells.

    Adding a unit raises ``most`` cells by one: Δ1 = most, Δ2 = √most. With ``most`` = 1 the cells are disjoint groups
    of units, and the table costs what one cell costs: parallel composition.

    >>> of_indicators(1).l1, of_indicators(4).l1, of_indicators(4).l2
    (1, 4, 2.0)
    """
    root = math.sqrt(most) * ticks
    exact = root.is_integer() and int(root) ** 2 == most * ticks**2
    return Sensitivity(most * ticks, root if exact else math.nextafter(root, math.inf), ticks, monotone=True)


def of_unit_vectors(dimension: int) -> Sensitivity:
    """Bound what one unit adds to a table of sums: a vector of ``dimension`` cells, of length one at most, in ticks."""
    return Sensitivity(l1=math.isqrt(dimension * GRID**2) + 1, l2=float(GRID), coordinate=GRID)


@dataclass(frozen=True, slots=True)
class Entry:
    """A public keyword or category with its noisy count."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """The entries with the largest positive noisy counts, the largest first."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A group that passed the noisy size test: its noisy size, and its keywords by noisy count."""

    size: int
    keywords: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Clusters:
    """The groups that passed, the largest noisy size first."""

    clusters: tuple[Cluster, ...]


Released = Histogram | Clusters


@dataclass(frozen=True, slots=True)
class Charge:
    """One kind of noisy vector, drawn ``times`` times."""

    draw: LaplaceDraw | GaussianDraw
    times: int = 1

    def described(self) -> dict[str, object]:
        """Return what anyone needs to recompute the cost: law, sensitivity and noise, in ones."""
        draw = self.draw
        head: dict[str, object] = {"what": draw.what, "times": self.times}
        if isinstance(draw, LaplaceDraw):
            return head | {"law": "discrete_laplace", "l1": draw.sensitivity.l1, "scale": draw.scale}
        return head | {"law": "discrete_gaussian", "l2": draw.sensitivity.l2 / GRID, "sigma": draw.std}


@dataclass(frozen=True, slots=True)
class LossStatement:
    """The total privacy loss, computed from the draws by the named composition."""

    total: PrivacyLoss
    composition: Literal["basic", "gaussian"]
    charges: tuple[Charge, ...]

    def described(self) -> dict[str, object]:
        """Return it for a file."""
        return {
            "epsilon": self.total.epsilon,
            "delta": self.total.delta,
            "composition": self.composition,
            "draws": [charge.described() for charge in self.charges],
        }


@dataclass(frozen=True, slots=True)
class BaselineRelease:
    """A released object with its promise. Text about it is post-processing of ``released`` alone.

    The paper defines these rivals for records only; the bounds for users are ours (``urania_users``).
    """

    method: Method
    released: Released
    loss: LossStatement
    randomness: Randomness
    unit: RecordUnit | UserUnit = RECORD
    adjacency: Adjacency = Adjacency.ADD_DROP
