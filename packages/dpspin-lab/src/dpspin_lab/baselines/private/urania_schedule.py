"""How the budget is divided: as in the paper, by accounting for all draws together, and without private clustering.

The first two release the same vectors: three times sums and counts, once sizes, once the keyword table. A record lies
in exactly one cluster, so the rows of each table are about disjoint groups of records, and by parallel composition all
rows together move by no more than one row does; what a user gives is bounded to the same (``urania_users``). What
differs is how the loss of the draws is added up.

*Basic* (the paper): each draw is calibrated on its own, and epsilons and deltas add.

*Gaussian*: all draws are Gaussian. Theorem (composition of Gaussian DP; Dong, Roth and Su 2022): Gaussian draws of
sensitivities Δ_i and noise sigma_i, each made after the earlier ones were seen, lose together no more than one draw
with (Δ/sigma)² = Σ (Δ_i/sigma_i)² loses, and no smaller bound holds. So one budget is divided in shares of the square,
and turned into (epsilon, delta) once, by the analytic formula. Sums and counts of one record form one vector of length
√(1 + 1/9), where counts are taken in thirds: together they need 5 % more noise than the sums alone, not a quarter of
the budget.

The draws are discrete on a fine grid. The comparison with the rounded continuous law (``gaussian_sigma``) is pointwise
in each coordinate, given all earlier outputs, and its slack is a sum over coordinates: calibrated for the number of
coordinates of all draws and the finest noise among them, it covers the whole sequence.

*Public centres*: at a few thousand records the noise of the sums moves the public centres away from the records rather
than towards them. Leaving them where they are costs nothing; sizes and keywords have the whole budget, and no delta.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from dpspin.boundary.calibration import gaussian_sigma
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.errors import BoundViolation, RequestError
from dpspin_lab.baselines.private.histograms import PER_RECORD
from dpspin_lab.baselines.private.release import (
    GRID,
    Charge,
    CountDraw,
    GaussianDraw,
    LaplaceDraw,
    LossStatement,
    Method,
    analytic,
    concentrated,
    of_indicators,
    of_unit_vectors,
)

ROUNDS = 3
CLUSTERING, SIZES = 0.45, 0.15  # of epsilon; the keywords have the other 0.40
SUMS = 0.75  # of a round, in the paper; the counts have the rest
_KEYWORDS = "keywords by cluster"
SUMS_JOINTLY = 0.9  # of a round's square: counts in thirds, (1/3)² beside 1²


@dataclass(frozen=True, slots=True)
class Shape:
    """The public lengths of what is released."""

    clusters: int
    dimension: int
    words: int

    @property
    def cells(self) -> int:
        """How many sums there are in one round: a user's vector may lie in several clusters, a record's in one."""
        return self.clusters * self.dimension

    @property
    def coordinates(self) -> int:
        """How many noisy values there are in all."""
        return self.clusters * (ROUNDS * (self.dimension + 1) + 1 + self.words)


@dataclass(frozen=True, slots=True)
class Lloyd:
    """The two draws of one round of clustering."""

    sums: GaussianDraw
    counts: GaussianDraw


@dataclass(frozen=True, slots=True)
class Schedule:
    """The draws of one release, and their total loss."""

    method: Method
    rounds: tuple[Lloyd, ...]
    sizes: CountDraw
    keywords: CountDraw
    statement: LossStatement


Scheduler = Callable[[PrivacyLoss, Shape], Schedule]


def paper_schedule(loss: PrivacyLoss, shape: Shape) -> Schedule:
    """Divide as the paper does: .45 in three rounds (three quarters to the sums), .15 and .40.

    >>> schedule = paper_schedule(PrivacyLoss(1.0, 1e-6), Shape(clusters=10, dimension=64, words=200))
    >>> [round(charge.draw.std, 1) for charge in schedule.statement.charges]
    [35.2, 105.5, 9.4, 17.7]
    """
    _require_delta(loss)
    clustering, sizes = CLUSTERING * loss.epsilon, SIZES * loss.epsilon
    of_sums = PrivacyLoss(SUMS * clustering / ROUNDS, SUMS * loss.delta / ROUNDS)
    of_counts = PrivacyLoss((1 - SUMS) * clustering / ROUNDS, (1 - SUMS) * loss.delta / ROUNDS)
    lloyd = Lloyd(
        analytic("cluster sums", of_unit_vectors(shape.cells), of_sums, shape.cells),
        analytic("cluster counts", of_indicators(1, GRID), of_counts, shape.clusters),
    )
    tables = _laplace_tables(sizes, loss.epsilon - clustering - sizes)
    total = _sum((*(of_sums, of_counts) * ROUNDS, *(draw.loss for draw in tables)))
    statement = LossStatement(total, "basic", (*_of_rounds(lloyd), *map(Charge, tables)))
    return Schedule("urania", (lloyd,) * ROUNDS, *tables, statement)


def joint_schedule(loss: PrivacyLoss, shape: Shape) -> Schedule:
    """Divide one Gaussian budget in the paper's shares, now of the square.

    >>> schedule = joint_schedule(PrivacyLoss(1.0, 1e-6), Shape(clusters=10, dimension=64, words=200))
    >>> [round(charge.draw.std, 1) for charge in schedule.statement.charges]
    [11.5, 34.5, 10.9, 14.9]
    """
    _require_delta(loss)
    multiplier = gaussian_sigma(float(GRID), loss, shape.coordinates) / GRID
    rho = 1 / (2 * multiplier**2)
    in_a_round, one = CLUSTERING * rho / ROUNDS, of_indicators(1, GRID)
    lloyd = Lloyd(
        concentrated("cluster sums", of_unit_vectors(shape.cells), SUMS_JOINTLY * in_a_round),
        concentrated("cluster counts", one, (1 - SUMS_JOINTLY) * in_a_round),
    )
    sizes = concentrated("cluster sizes", one, SIZES * rho)
    keywords = concentrated(_KEYWORDS, of_indicators(PER_RECORD, GRID), (1 - CLUSTERING - SIZES) * rho)
    charges = (*_of_rounds(lloyd), Charge(sizes), Charge(keywords))
    if _together(charges) < multiplier:
        raise BoundViolation("the draws together lose more than the budget")
    return Schedule("urania_joint", (lloyd,) * ROUNDS, sizes, keywords, LossStatement(loss, "gaussian", charges))


def public_schedule(loss: PrivacyLoss, shape: Shape) -> Schedule:
    """Leave the centres where public text put them; divide epsilon as .15 to .40.

    >>> schedule = public_schedule(PrivacyLoss(1.0), Shape(clusters=10, dimension=64, words=200))
    >>> [round(charge.draw.std, 1) for charge in schedule.statement.charges]
    [5.2, 9.7]
    """
    del shape
    if loss.delta != 0:
        raise RequestError("with public centres all noise is Laplace, and the release (epsilon, 0)-DP: leave delta out")
    sizes = loss.epsilon * SIZES / (1 - CLUSTERING)
    tables = _laplace_tables(sizes, loss.epsilon - sizes)
    total = _sum(tuple(draw.loss for draw in tables))
    return Schedule("urania_public", (), *tables, LossStatement(total, "basic", tuple(map(Charge, tables))))


def _laplace_tables(sizes: float, keywords: float) -> tuple[LaplaceDraw, LaplaceDraw]:
    return (
        LaplaceDraw("cluster sizes", of_indicators(1), sizes),
        LaplaceDraw(_KEYWORDS, of_indicators(PER_RECORD), keywords),
    )


def _of_rounds(lloyd: Lloyd) -> tuple[Charge, Charge]:
    return Charge(lloyd.sums, ROUNDS), Charge(lloyd.counts, ROUNDS)


def _sum(losses: tuple[PrivacyLoss, ...]) -> PrivacyLoss:
    """Add up epsilons and deltas: basic adaptive composition."""
    return PrivacyLoss(math.fsum(loss.epsilon for loss in losses), math.fsum(loss.delta for loss in losses))


def _together(charges: tuple[Charge, ...]) -> float:
    """Return the noise multiplier of the one draw that loses what all of these lose."""
    draws = ((charge.draw, charge.times) for charge in charges)
    rho = math.fsum(times * draw.rho for draw, times in draws if isinstance(draw, GaussianDraw))
    return 1 / math.sqrt(2 * rho)


def _require_delta(loss: PrivacyLoss) -> None:
    if loss.delta == 0:
        raise RequestError("the clusters have Gaussian noise, which needs a delta above 0, for example 1e-6")
