"""The public baseline: what one would have said of the themes without reading a protected record.

It is public, so it costs nothing and may be exchanged after the release. Beside a release it answers the question that
no privacy loss answers by itself: does this report show more than what was known before? What is certified rests on the
raw masses alone; the best guess from both is never certified.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Self

from pydantic import Field, model_validator

from dpspin.boundary.atoms import AtomId, AtomUniverse
from dpspin.boundary.certify import TICK
from dpspin.boundary.denominator import PART_OF_BETA, free_total
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.noise_laws import AnyNoise
from dpspin.boundary.report_card import Share
from dpspin.errors import RequestError

LARGEST_AMOUNT = 1e300  # the sum of a hundred thousand of them is still a number


class BaselineShare(FrozenModel):
    """The public share of one atom among everything that is measured."""

    atom_id: Annotated[AtomId, Field(ge=0)]
    share: Share


class Baseline(FrozenModel):
    """Public shares of all atoms of a dictionary, and of "none of these" where they are known; together they are one.

    ``source`` says in public words where they come from.
    """

    source: str = Field(min_length=1)
    shares: tuple[BaselineShare, ...] = Field(min_length=1)
    none: Share | None = None

    @model_validator(mode="after")
    def _is_a_distribution(self) -> Self:
        if not math.isclose(math.fsum(self.values), 1.0, abs_tol=1e-6):
            raise ValueError("the shares of a baseline must sum to one")
        return self

    @property
    def values(self) -> list[float]:
        """The shares in the dictionary's order, "none of these" last."""
        none = [] if self.none is None else [self.none]
        return [each.share for each in self.shares] + none


def baseline_of(
    universe: AtomUniverse, amounts: Mapping[int, float], none: float | None = None, *, source: str
) -> Baseline:
    """Scale public amounts per atom to shares; an atom that is not named has none.

    >>> from dpspin.boundary.atoms import Atom, Provenance
    >>> atoms = (Atom(id=1, label="late parcel"), Atom(id=2, label="refund"))
    >>> written = Provenance(source="handwritten", note="an example")
    >>> themes = AtomUniverse(name="t", version="1", provenance=written, atoms=atoms)
    >>> baseline_of(themes, {1: 30, 2: 10}, none=10, source="last year's report").values
    [0.6, 0.2, 0.2]
    """
    if unknown := set(amounts) - set(universe.ids):
        raise RequestError(f"the baseline names atoms that the dictionary does not have: {sorted(unknown)[:3]}")
    parts = [*(amounts.get(atom_id, 0.0) for atom_id in universe.ids), *([] if none is None else [none])]
    if not all(0 <= part <= LARGEST_AMOUNT for part in parts) or not any(parts):
        raise RequestError("the amounts of a baseline must be numbers from 0 on, and one of them above 0")
    total = math.fsum(parts)
    shares = tuple(BaselineShare(atom_id=i, share=part / total) for i, part in zip(universe.ids, parts, strict=False))
    return Baseline(source=source, shares=shares, none=None if none is None else none / total)


def require_fitting_baseline(baseline: Baseline | None, universe: AtomUniverse, *, answers_none: bool) -> None:
    """Refuse a baseline of another dictionary, or one that knows "none of these" where the map does not answer it."""
    if baseline is None:
        return
    if [each.atom_id for each in baseline.shares] != list(universe.ids):
        raise RequestError("the baseline is of another dictionary: it must name every atom once, in its order")
    if baseline.none is not None and not answers_none:
        raise RequestError('the baseline has a share of "none of these", which this map does not measure: leave it out')


def public_only(baseline: Baseline, size: int) -> tuple[BaselineShare, ...]:
    """Return the public-only plan (epsilon = 0): the themes that the baseline alone would list.

    Of equal shares the first in the dictionary wins, as in a release.

    >>> shares = tuple(BaselineShare(atom_id=i, share=share) for i, share in [(1, 0.2), (2, 0.5), (3, 0.3)])
    >>> [each.atom_id for each in public_only(Baseline(source="a survey", shares=shares), size=2)]
    [2, 3]
    """
    return tuple(sorted(baseline.shares, key=lambda each: -each.share)[:size])


@dataclass(frozen=True, slots=True)
class ComparedShare:
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


class BestGuess(FrozenModel):
    """One theme of the denoised list: the posterior mean of its mass, and its share of the total. Not certified.

    ``novelty`` marks a theme that the baseline would have hidden: its noisy mass stands above it by more than noise.
    """

    atom_id: Annotated[AtomId, Field(ge=0)]
    label: str = Field(min_length=1)
    mass: float = Field(ge=0)
    share: float = Field(ge=0)
    novelty: bool

    def follows(self, read: "BestGuess") -> bool:
        """Compare up to the rounding of long sums, which differs between processors; a label is not read of them."""
        return (
            (self.atom_id, self.novelty) == (read.atom_id, read.novelty)
            and math.isclose(self.mass, read.mass, rel_tol=1e-6, abs_tol=1e-6)
            and math.isclose(self.share, read.share, rel_tol=1e-6, abs_tol=1e-9)
        )


def beside_baseline(
    masses: Sequence[float], none: float | None, noise: AnyNoise, baseline: Baseline, beta: float
) -> tuple[ComparedShare, ...]:
    """Compare every atom of a full sketch with the baseline; all intervals hold together, probability >= 1 - beta.

    A share is a mass over the total of what the baseline speaks of. Two-sided Bonferroni over all atoms for the
    masses, and the total's part of beta: no selection is involved, since every atom has its interval.
    """
    total = free_total(spoken_of(masses, none, baseline), noise, beta)
    reach = noise.upper_quantile((1 - PART_OF_BETA) * beta / (2 * len(masses))) + TICK
    return tuple(
        ComparedShare(
            atom_id=public.atom_id,
            baseline=public.share,
            share=max(0.0, mass) / total.value,
            low=max(0.0, mass - reach) / total.high,
            high=min(1.0, max(0.0, mass + reach) / total.low),
        )
        for mass, public in zip(masses, baseline.shares, strict=True)
    )


def spoken_of(masses: Sequence[float], none: float | None, baseline: Baseline) -> list[float]:
    """Return the masses that the baseline speaks of: with "none of these" only where the baseline knows it."""
    return [*masses, *([] if none is None or baseline.none is None else [none])]
