"""Grounding: somebody reads a secret sample of the records, and how far the map was off on it is released as well.

Each unit is drawn with probability q by a secret coin of its own. Of a drawn unit, x is what the map made of it and y
what the reader did: both nonnegative, both with ‖·‖₁ <= D and no coordinate above c. Three sums over the sample get
Laplace noise, at 8, 2 and 1 elevenths of eps_0:

    corrections   Σ (y - x)                    ‖y - x‖₁ <= ‖y‖₁ + ‖x‖₁ <= 2D
    squares       Σ ((y - x)²/c - (y + x)/2)   ‖·‖₁ <= D (below)
    moved         Σ (‖y - x‖₁ - ‖x‖₁)/2        between -‖x‖₁/2 and ‖y‖₁/2, so its size is at most D/2

Theorem (grounding, add/drop): the three sums together are (eps_0, 0)-DP on the sample (sequential composition) and
(ln(1 + q(e^eps_0 - 1)), 0)-DP for the collection (Poisson sampling), if nobody outside the curator learns who was drawn
or how many were. With the sketch, at the rest of epsilon, this is sequential composition again.

Why the squares move by D at most: |y - x| is at most c and at most y + x, so 0 <= (y - x)²/c <= y + x, and each term
lies within (y + x)/2 of zero. Without that half subtracted the sum of squares could move by 2D.

Why divide by q and not by the size of the sample: that size is secret. E[Σ_S (y - x)] = q·Σ (y - x), whatever the map.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Final

from pydantic import Field

from dpspin.boundary.calibration import laplace_scale, loss_on_sample
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.privacy import (
    EVERYONE,
    TICKS_PER_MASS,
    Adjacency,
    AnySampling,
    PoissonSample,
    PrivacyLoss,
    Sensitivity,
)
from dpspin.errors import RequestError

PARTS: Final = (8 / 11, 2 / 11, 1 / 11)  # of eps_0: then squares and moved have twice the noise of corrections
SHARES: Final = tuple(part / 100 for part in range(5, 100, 5))


class Grounding(FrozenModel):
    """What was chosen about the sample, all of it public: how likely a unit is read, what pays for it, who reads."""

    rate: float = Field(gt=2.0**-30, lt=1)
    share: float = Field(gt=0, lt=1)  # of epsilon
    reader: str = Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")

    @property
    def sampling(self) -> PoissonSample:
        """The law by which units are drawn."""
        return PoissonSample(rate=self.rate)


@dataclass(frozen=True, slots=True)
class SumNoise:
    """The noise on one of the three sums, in ticks: how far a unit moves it, what pays for it, and the scale."""

    reach: int
    epsilon: float
    scale: float

    @property
    def sensitivity(self) -> Sensitivity:
        """How far one drawn unit can move the sum."""
        return Sensitivity(self.reach, float(self.reach), self.reach, monotone=True)


@dataclass(frozen=True, slots=True)
class SampleNoise:
    """The noise on what is released of a sample."""

    corrections: SumNoise
    squares: SumNoise
    moved: SumNoise


def loss_of_reading(loss: PrivacyLoss, grounding: Grounding | None) -> float:
    """Return the part of epsilon that pays for the sample."""
    return 0.0 if grounding is None else grounding.share * loss.epsilon


def loss_of_sketch(loss: PrivacyLoss, grounding: Grounding | None) -> PrivacyLoss:
    """Return what is left of a release's loss for the sketch; delta is the sketch's.

    >>> loss_of_sketch(PrivacyLoss(1.0, 1e-6), Grounding(rate=0.1, share=0.25, reader="a person"))
    PrivacyLoss(epsilon=0.75, delta=1e-06)
    """
    if grounding is None:
        return loss
    return PrivacyLoss(loss.epsilon - loss_of_reading(loss, grounding), loss.delta)


def require_groundable(adjacency: Adjacency, sampling: AnySampling, selecting: str | None) -> None:
    """Refuse to read a sample where nothing is proven of it; ``selecting`` names a mechanism that chooses its themes.

    >>> require_groundable(Adjacency.ADD_DROP, EVERYONE, None)
    """
    if adjacency is not Adjacency.ADD_DROP:
        raise _only_add_drop()
    if sampling != EVERYONE:
        raise RequestError(
            "a sample is read of everyone who is measured: leave `records.sampling` out", code="request.read-sampled"
        )
    if selecting is not None:
        raise RequestError(
            f"{selecting} measures only the themes that it chooses, and a reading corrects all of them: use laplace or "
            "gaussian",
            code="request.read-selected",
        )


def _only_add_drop() -> RequestError:
    return RequestError(
        "a sample is read under add/drop only, where its proof holds: ask for `records.adjacency: add_drop`",
        code="request.read-replaced",
    )


@cache  # of public parameters only; one release asks several times, a simulation thousands of times
def sample_noise(loss: PrivacyLoss, grounding: Grounding, sensitivity: Sensitivity) -> SampleNoise:
    """Calibrate the three sums. ``sensitivity`` is the sketch's, whose l1 is D under add/drop; replacement is refused.

    >>> from dpspin.boundary.privacy import Adjacency, RecordUnit, sensitivity_of
    >>> read = Grounding(rate=0.015, share=0.5, reader="a person")
    >>> noise = sample_noise(PrivacyLoss(1.0), read, sensitivity_of(RecordUnit(), Adjacency.ADD_DROP))
    >>> [round(each.scale / TICKS_PER_MASS, 3) for each in (noise.corrections, noise.squares, noise.moved)]
    [0.726, 1.451, 1.451]
    """
    if not sensitivity.monotone:
        raise _only_add_drop()
    paid = loss_on_sample(PrivacyLoss(loss_of_reading(loss, grounding)), grounding.sampling, sensitivity).epsilon
    most = sensitivity.l1
    reaches = (2 * most, most, (most + 1) // 2)
    sums = [
        SumNoise(reach, part * paid, laplace_scale(reach, part * paid))
        for reach, part in zip(reaches, PARTS, strict=True)
    ]
    return SampleNoise(*sums)


def correction_std(loss: PrivacyLoss, grounding: Grounding, sensitivity: Sensitivity) -> float:
    """Return the standard deviation of the noise on a correction of the whole collection, in units of mass."""
    scale = sample_noise(loss, grounding, sensitivity).corrections.scale
    return math.sqrt(2) * scale / (TICKS_PER_MASS * grounding.rate)


def best_share(loss: PrivacyLoss, rate: float, sensitivity: Sensitivity) -> float:
    """Return the part of epsilon that, spent on the sample, leaves the least noise on a grounded mass.

    It is a matter of public numbers alone. The sketch needs little: its noise is not divided by q.

    >>> from dpspin.boundary.privacy import Adjacency, RecordUnit, sensitivity_of
    >>> best_share(PrivacyLoss(1.0), 0.015, sensitivity_of(RecordUnit(), Adjacency.ADD_DROP))
    0.9
    """

    def noise(share: float) -> float:
        chosen = Grounding(rate=rate, share=share, reader="anybody")
        of_sketch = math.sqrt(2) * sensitivity.l1 / (TICKS_PER_MASS * loss_of_sketch(loss, chosen).epsilon)
        return math.hypot(of_sketch, correction_std(loss, chosen, sensitivity))

    return min(SHARES, key=noise)
