"""A release beside its public baseline: which themes differ beyond the noise, and the best guess from both.

Both are functions of released numbers and public ones, at no cost to privacy. What is certified rests on the raw masses
alone; the best guess is never certified.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from dpspin.boundary.atoms import AtomId
from dpspin.boundary.baseline import Baseline
from dpspin.boundary.certify import TICK
from dpspin.boundary.denominator import PART_OF_BETA, free_total
from dpspin.boundary.model_base import Sealed
from dpspin.boundary.noise import AnyNoise


@dataclass(frozen=True, slots=True)
class Departure:
    """One atom's released share of everything measured, with its interval, beside the baseline's share."""

    atom_id: int
    baseline: float
    share: float
    low: float
    high: float

    @property
    def differs(self) -> bool:
        """Whether the interval excludes the baseline."""
        return not self.low <= self.baseline <= self.high


class BestGuess(Sealed):
    """One theme of the denoised list: the posterior mean of its mass, and its share of the total. Not certified.

    ``novelty`` marks a theme that the baseline would have hidden: its noisy mass stands above it by more than noise.
    """

    atom_id: Annotated[AtomId, Field(ge=0)]
    label: str = Field(min_length=1)
    mass: float = Field(ge=0)
    share: float = Field(ge=0)
    novelty: bool


def departures(
    masses: Sequence[float], none: float | None, noise: AnyNoise, baseline: Baseline, beta: float
) -> tuple[Departure, ...]:
    """Compare every atom of a full sketch with the baseline; all intervals hold together, probability >= 1 - beta.

    A share is a mass over the total of what the baseline speaks of. Two-sided Bonferroni over all atoms for the
    masses, and the total's part of beta: no selection is involved, since every atom has its interval.
    """
    total = free_total(_spoken_of(masses, none, baseline), noise, beta)
    reach = noise.upper_quantile((1 - PART_OF_BETA) * beta / (2 * len(masses))) + TICK
    return tuple(
        Departure(
            atom_id=public.atom_id,
            baseline=public.share,
            share=max(0.0, mass) / total.value,
            low=max(0.0, mass - reach) / total.high,
            high=min(1.0, max(0.0, mass + reach) / total.low),
        )
        for mass, public in zip(masses, baseline.shares, strict=True)
    )


def best_guess(  # noqa: PLR0917  a pure function of a plan's parts
    masses: Sequence[float],
    none: float | None,
    noise: AnyNoise,
    baseline: Baseline,
    labels: Sequence[str],
    size: int,
) -> tuple[BestGuess, ...]:
    """Return the themes with the largest posterior means, the baseline as prior, and room for a novelty.

    Empirical Bayes as in ``posterior_means``, with the free total for N. The last place is for an emerging theme,
    which the prior would shrink away, where one stands clear of the noise.
    """
    from dpspin.boundary import empirical_bayes as bayes  # noqa: PLC0415  slow to import; needed with a baseline only

    known = _spoken_of(masses, none, baseline)
    total = max(1.0, math.fsum(known))
    means = bayes.posterior_means(known, noise, baseline.values, total)[: len(masses)]
    expected = [total * public.share for public in baseline.shares]
    listed = bayes.denoised_top(means, masses, expected, size, bayes.novelty_limit(noise, len(masses)))
    return tuple(
        BestGuess(
            atom_id=baseline.shares[place].atom_id,
            label=labels[place],
            mass=means[place],
            share=means[place] / total,
            novelty=place == listed.novelty,
        )
        for place in listed.positions
    )


def _spoken_of(masses: Sequence[float], none: float | None, baseline: Baseline) -> list[float]:
    """Return the masses that the baseline speaks of: with "none of these" only where the baseline knows it."""
    return [*masses, *([] if none is None or baseline.none is None else [none])]
