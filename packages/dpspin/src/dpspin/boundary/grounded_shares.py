"""What a read sample says of the whole collection: shares as the reader would give them, with their uncertainty.

Pure post-processing of released numbers; anyone can recompute it. With C the noisy sketch, R the noisy corrections and
q the rate, T = C + R/q estimates the reader's masses without bias, whatever the map is. How far off it may be: see
`boundary.sampling_law`, which needs Σ (y - x)². That is c·((T + C)/2 + S/q), with S the noisy squares.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated

from pydantic import Field

from dpspin.boundary.atoms import AtomId
from dpspin.boundary.certify import OneLine
from dpspin.boundary.denominator import PART_OF_BETA, AnyDenominator, PublicNumber, free_total, share_interval
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.privacy import MASS
from dpspin.boundary.sampling_law import BESIDES, SamplingLaw
from dpspin.boundary.statement import PrivacyStatement


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
    sorted_alike: SortedAlike | None  # of masses, by a map that can answer none

    def follows(self, read: "GroundedPart") -> bool:
        """Compare up to the rounding of long sums, which differs between processors; labels are not read of them."""
        pairs = zip_longest(_numbers(self), _numbers(read), fillvalue=math.inf)
        return all(math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6) for one, other in pairs)


def _numbers(grounded: GroundedPart) -> Iterator[float]:
    for part in (*grounded.themes, grounded.none, grounded.sorted_alike):
        yield from (math.inf,) if part is None else (value for name, value in part if name != "label")


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
    law = _law_of(statement, denominator, coordinates=len(masses), size=size, beta=beta)
    found = corrected(masses, readings, law)
    by_size = sorted(range(len(names)), key=lambda place: (-found.noisy(place), place))[:size]
    themes = tuple(
        GroundedTheme(
            atom_id=names[place][0], label=names[place][1], rank=rank, **dict(_value(found, place, law, denominator))
        )
        for rank, place in enumerate(by_size, start=1)
    )
    answers_none = statement.contribution_map.answers_none
    none = _value(found, len(names), law, denominator) if answers_none else None
    deal_out_alike = answers_none and statement.quantity == MASS  # else what the reader files nowhere would seem alike
    alike = _sorted_alike(readings.moved, masses, law) if deal_out_alike else None
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
    law = _law_of(statement, denominator, coordinates=len(masses), size=len(masses) - BESIDES, beta=beta)
    found = corrected(masses, readings, law)
    return [_value(found, place, law, denominator) for place in range(len(masses))]


def _law_of(
    statement: PrivacyStatement, denominator: AnyDenominator, *, coordinates: int, size: int, beta: float
) -> SamplingLaw:
    """Leave a noisy denominator its part of the error."""
    exact = isinstance(denominator, PublicNumber)
    rest = beta if exact else (1 - PART_OF_BETA) * beta
    return SamplingLaw.of(statement, coordinates=coordinates, size=size, beta=rest)


@dataclass(frozen=True, slots=True)
class Corrected:
    """Masses as the map gave them and what the sample corrects, one for each coordinate of the sketch."""

    masses: Sequence[float]
    corrections: Sequence[float]
    stds: Sequence[float]  # of the draw of the sample
    trust: float  # the part of all corrections that is no chance

    def noisy(self, place: int) -> float:
        """Return the reader's mass: without bias, and perhaps below zero."""
        return self.masses[place] + self.corrections[place]

    def best_guess(self, place: int) -> float:
        """Return the mass that trusts map and sample by how much each has to say."""
        return max(0.0, self.masses[place] + self.trust * self.corrections[place])


def corrected(masses: Sequence[float], readings: NoisyReadings, law: SamplingLaw) -> Corrected:
    """Scale what was read up to the collection."""
    corrections = [each / law.rate for each in readings.corrections]
    stds = [
        law.drawn_std((max(0.0, mass + correction) + max(0.0, mass)) / 2 + squares / law.rate)
        for mass, correction, squares in zip(masses, corrections, readings.squares, strict=True)
    ]
    return Corrected(masses, corrections, stds, trust_in_corrections(corrections, [law.std(each) for each in stds]))


def _value(found: Corrected, place: int, law: SamplingLaw, denominator: AnyDenominator) -> GroundedValue:
    noisy, (below, above) = found.noisy(place), law.reach(found.stds[place])
    low, high = max(0.0, noisy - below), max(0.0, noisy) + above  # below zero it may be as much as at zero
    support_low, support_high = share_interval(low, high, denominator)
    return GroundedValue(
        noisy_mass=noisy,
        mass=max(0.0, noisy),
        low=low,
        high=high,
        support=max(0.0, noisy) / denominator.value,
        support_low=support_low,
        support_high=support_high,
        best_guess=found.best_guess(place) / denominator.value,
    )


def _sorted_alike(moved: float, masses: Sequence[float], law: SamplingLaw) -> SortedAlike | None:
    """Return the share of all mass that stayed: a half, less what ``moved`` says; None where there may be no mass."""
    whole = free_total(masses, law.of_sketch, law.beta)
    if not whole.is_known:
        return None
    reach = law.moved_reach(whole.high)

    def stayed(moved: float, of: float) -> float:
        return min(1.0, max(0.0, 0.5 - moved / of))

    off = moved / law.rate
    ends = [stayed(off + side, of) for side in (reach, -reach) for of in (whole.low, whole.high)]
    return SortedAlike(share=stayed(off, whole.value), low=min(ends), high=max(ends))


def trust_in_corrections(corrections: Sequence[float], stds: Sequence[float]) -> float:
    """Return the part of all corrections that is no chance: one where the map is far off, zero where it may be right.

    Positive-part James-Stein: 1 - Σ s / Σ (b²/s). Weights of 1/s lie between those that look at large themes only and
    those that count every small one.

    >>> trust_in_corrections([1.0, -1.0], [2.0, 2.0]), trust_in_corrections([10.0, -10.0], [1.0, 1.0])
    (0.0, 0.99)
    """
    seen = math.fsum(correction**2 / std for correction, std in zip(corrections, stds, strict=True))
    by_chance = math.fsum(stds)
    return max(0.0, 1 - by_chance / seen) if seen > 0 else 0.0
