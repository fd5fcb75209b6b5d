"""What a read sample says of the whole collection: shares as the reader would give them, with their uncertainty.

Pure post-processing of released numbers; anyone can recompute it. With C the noisy sketch, R the noisy corrections and
q the rate, T = C + R/q estimates the reader's masses without bias, whatever the map is. Three things move it: the noise
on C, the noise on R, and which units were drawn. The last has variance Σ (y - x)²·(1-q)/q, where Σ (y - x)² is
c·((T + C)/2 + S/q) with S the noisy squares. Its law is taken as normal: an approximation, whose coverage is measured
(`dpspin lab grounding`) and not proven.
"""

import math
from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import Field

from dpspin.boundary.atoms import AtomId
from dpspin.boundary.certify import BELOW_SHARE, OneLine
from dpspin.boundary.denominator import PART_OF_BETA, AnyDenominator, PublicNumber, free_total, share_interval
from dpspin.boundary.grounding import sample_noise
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.privacy import MASS, TICKS_PER_MASS, sensitivity_of
from dpspin.boundary.statement import PrivacyStatement

FEWEST_SQUARES: Final = 3.0  # in the sample: where fewer differ, the next sample might still differ so much
BESIDES: Final = 1  # "none of these" is always told beside what is listed
OF_SKETCH: Final = 0.1  # of each interval's error is for the noise on the sketch, which is small beside the rest


class NoisyReadings(FrozenModel):
    """The noisy sums over the sample, in units of mass: one for each coordinate of the sketch, in its order."""

    corrections: tuple[float, ...]
    squares: tuple[float, ...]
    moved: float


class GroundedValue(FrozenModel):
    """A mass as the reader would give it. ``low`` and ``high`` hold together with those of all that is listed.

    ``best_guess`` is a share: it trusts map and sample by how much each has to say, and nothing is certified of it.
    """

    noisy_mass: float
    mass: float = Field(ge=0)
    low: float = Field(ge=0)
    high: float = Field(ge=0)
    support: float = Field(ge=0)
    support_low: float = Field(ge=0)
    support_high: float = Field(ge=0)
    best_guess: float = Field(ge=0)


class GroundedTheme(GroundedValue):
    """A theme by rank of its grounded mass."""

    atom_id: Annotated[AtomId, Field(ge=0)]
    label: OneLine
    rank: int = Field(ge=1)


class SortedAlike(FrozenModel):
    """The share of all mass that the map put where the reader put it, on these very records."""

    share: float = Field(ge=0, le=1)
    low: float = Field(ge=0, le=1)
    high: float = Field(ge=0, le=1)


class GroundedPart(FrozenModel):
    """What a plan says by the reading of a sample."""

    readings: NoisyReadings
    themes: tuple[GroundedTheme, ...]
    none: GroundedValue | None
    sorted_alike: SortedAlike | None  # of masses only


def ground(
    masses: Sequence[float],
    readings: NoisyReadings,
    statement: PrivacyStatement,
    names: Sequence[tuple[int, str]],
    denominator: AnyDenominator,
    *,
    size: int,
    beta: float,
) -> GroundedPart:
    """Read the noisy sums: the themes with the largest grounded masses, "none of these", and the map's own card.

    ``masses`` are those of the sketch: the atoms, then what is measured besides; ``names`` the atoms' ids and labels.
    """
    law = _law_of(statement, denominator, beta)
    values = law.values(masses, readings, denominator, size)
    by_size = sorted(range(len(names)), key=lambda place: (-values[place].noisy_mass, place))[:size]
    themes = tuple(
        GroundedTheme(atom_id=names[place][0], label=names[place][1], rank=rank, **dict(values[place]))
        for rank, place in enumerate(by_size, start=1)
    )
    none = values[len(names)] if statement.contribution_map.answers_none else None
    alike = law.sorted_alike(readings.moved, masses) if statement.quantity == MASS else None
    return GroundedPart(readings=readings, themes=themes, none=none, sorted_alike=alike)


def ground_all(
    masses: Sequence[float],
    readings: NoisyReadings,
    statement: PrivacyStatement,
    denominator: AnyDenominator,
    *,
    beta: float,
) -> list[GroundedValue]:
    """Return what the reading says of every coordinate: intervals that hold for all of them together are wider."""
    return _law_of(statement, denominator, beta).values(masses, readings, denominator, len(masses) - BESIDES)


def _law_of(statement: PrivacyStatement, denominator: AnyDenominator, beta: float) -> "_SamplingLaw":
    """Leave a noisy denominator its part of the error."""
    exact = isinstance(denominator, PublicNumber)
    return _SamplingLaw(statement, beta=beta if exact else (1 - PART_OF_BETA) * beta)


class _SamplingLaw:
    """How far noise and sampling may move a grounded mass, all in units of mass."""

    def __init__(self, statement: PrivacyStatement, *, beta: float) -> None:
        grounding = statement.grounding
        if grounding is None:
            raise ValueError("no sample was read for this release")
        sensitivity = sensitivity_of(statement.unit, statement.adjacency, statement.quantity)
        noise = sample_noise(statement.loss, grounding, sensitivity)
        self.rate, self.beta, self.of_sketch = grounding.rate, beta, statement.noise
        self.most, self.coordinate = sensitivity.l1 / TICKS_PER_MASS, sensitivity.coordinate / TICKS_PER_MASS
        self.scale = noise.corrections.scale / TICKS_PER_MASS / self.rate
        self.scale_of_moved = noise.moved.scale / TICKS_PER_MASS / self.rate

    def values(
        self, masses: Sequence[float], readings: NoisyReadings, denominator: AnyDenominator, size: int
    ) -> list[GroundedValue]:
        corrections = [each / self.rate for each in readings.corrections]
        stds = [
            self.sampling_std((max(0.0, mass + correction) + max(0.0, mass)) / 2 + squares / self.rate)
            for mass, correction, squares in zip(masses, corrections, readings.squares, strict=True)
        ]
        trust = trust_in_corrections(
            corrections, [math.hypot(std, math.sqrt(2) * self.scale, self.of_sketch.std) for std in stds]
        )
        below, above = BELOW_SHARE * self.beta / len(masses), (1 - BELOW_SHARE) * self.beta / (size + BESIDES)
        return [
            self._value(mass, correction, (self.reach(std, below), self.reach(std, above)), trust, denominator)
            for mass, correction, std in zip(masses, corrections, stds, strict=True)
        ]

    def sampling_std(self, squares: float) -> float:
        """Return the standard deviation that the draw of the sample gives, from Σ (y - x)²/c."""
        at_least = max(squares, FEWEST_SQUARES * self.coordinate / self.rate)
        return math.sqrt(self.coordinate * at_least * (1 - self.rate) / self.rate)

    def reach(self, std: float, tail: float) -> float:
        """Return how far a grounded mass may lie off in one direction, with probability ``tail`` at most."""
        of_sketch = self.of_sketch.upper_quantile(OF_SKETCH * tail)
        return of_sketch + normal_laplace_quantile(std, self.scale, (1 - OF_SKETCH) * tail)

    def _value(
        self, mass: float, correction: float, reach: tuple[float, float], trust: float, denominator: AnyDenominator
    ) -> GroundedValue:
        noisy = mass + correction
        low, high = max(0.0, noisy - reach[0]), max(0.0, noisy) + reach[1]  # below zero it may be as much as at zero
        support_low, support_high = share_interval(low, high, denominator)
        return GroundedValue(
            noisy_mass=noisy,
            mass=max(0.0, noisy),
            low=low,
            high=high,
            support=max(0.0, noisy) / denominator.value,
            support_low=support_low,
            support_high=support_high,
            best_guess=max(0.0, mass + trust * correction) / denominator.value,
        )

    def sorted_alike(self, moved: float, masses: Sequence[float]) -> SortedAlike | None:
        """Return the share of all mass that stayed: a half, less what ``moved`` says; None where there may be no mass.

        Of a unit no more than half its mass is summed, so the variance is at most a quarter of D times all mass.
        """
        whole = free_total(masses, self.of_sketch, self.beta)
        if not whole.is_known:
            return None
        std = math.sqrt(self.most * whole.high / 4 * (1 - self.rate) / self.rate)
        reach = normal_laplace_quantile(std, self.scale_of_moved, (1 - PART_OF_BETA) * self.beta / 2)

        def stayed(moved: float, of: float) -> float:
            return min(1.0, max(0.0, 0.5 - moved / of))

        off = moved / self.rate
        ends = [stayed(off + side, of) for side in (reach, -reach) for of in (whole.low, whole.high)]
        return SortedAlike(share=stayed(off, whole.value), low=min(ends), high=max(ends))


def trust_in_corrections(corrections: Sequence[float], stds: Sequence[float]) -> float:
    """Return the part of all corrections that is no chance: one where the map is far off, zero where it may be right.

    Positive-part James-Stein: 1 - Σ s / Σ (b²/s). Weights of 1/s lie between those that look at large themes only and
    those that count every small one; they had the least error on most of the labelled collections (`lab grounding`).

    >>> trust_in_corrections([1.0, -1.0], [2.0, 2.0]), trust_in_corrections([10.0, -10.0], [1.0, 1.0])
    (0.0, 0.99)
    """
    seen = math.fsum(correction**2 / std for correction, std in zip(corrections, stds, strict=True))
    by_chance = math.fsum(stds)
    return max(0.0, 1 - by_chance / seen) if seen > 0 else 0.0


def normal_laplace_quantile(std: float, scale: float, tail: float) -> float:
    """Return t with P(N + Z > t) = tail for normal N and Laplace Z, by bisection.

    >>> round(normal_laplace_quantile(1.0, 1e-9, 0.025), 3), round(normal_laplace_quantile(1e-9, 1.0, 0.025), 3)
    (1.96, 2.996)
    """
    low, high = 0.0, 40 * (std + scale)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if normal_laplace_tail(std, scale, middle) > tail else (low, middle)
    return high


def normal_laplace_tail(std: float, scale: float, distance: float) -> float:
    """Return P(N + Z > t) = Phi(-t/s) + (e^(s²/2b² - t/b)·Phi(t/s - s/b) - e^(s²/2b² + t/b)·Phi(-t/s - s/b))/2.

    >>> round(normal_laplace_tail(1.0, 1.0, 2.0), 4)
    0.1084
    """
    if std > 25 * scale:  # the exponentials would overflow, and the noise is next to nothing
        return _beyond(distance / math.hypot(std, math.sqrt(2) * scale))
    far, ratio = distance / std, std / scale
    lift = ratio * ratio / 2
    right = math.exp(lift - distance / scale) * _beyond(ratio - far)
    left = math.exp(min(700.0, lift + distance / scale)) * _beyond(far + ratio)
    return _beyond(far) + (right - left) / 2


def _beyond(z: float) -> float:
    return math.erfc(z / math.sqrt(2)) / 2


def half_width(
    statement: PrivacyStatement,
    share: float,
    agreement: float,
    units: float,
    *,
    listed: int,
    coordinates: int,
    beta: float,
) -> float:
    """Forecast the half-width of a grounded share, for a theme of that share which the map sorts that well."""
    law = _SamplingLaw(statement, beta=beta)
    std = law.sampling_std(2 * share * (1 - agreement) * units)
    below, above = BELOW_SHARE * beta / coordinates, (1 - BELOW_SHARE) * beta / (listed + BESIDES)
    return (law.reach(std, below) + law.reach(std, above)) / 2 / units
