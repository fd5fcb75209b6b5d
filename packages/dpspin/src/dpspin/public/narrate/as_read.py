"""Shares with their intervals, and what the reading of a sample makes of them: as a reader would file everything."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final

from dpspin.boundary import percentages
from dpspin.boundary.denominator import FreeTotal
from dpspin.boundary.grounded_shares import GroundedPart, GroundedValue, ground_all
from dpspin.boundary.grounding import Grounding
from dpspin.boundary.percentages import most_as_read
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.atoms.speakable_names import not_speakable

SENTENCES: Final = re.compile(r"[;!?–—]|[.:](?![a-z\d])")  # something new would begin; but not inside "qwen2.5:7b"
ANYBODY: Final = "a reader"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share of the denominator, and the interval in which it lies."""

    share: float
    low: float
    high: float


@dataclass(frozen=True)
class AsRead:
    """A plan for which a sample was read: every interval covers the noise and the draw of the sample."""

    plan: SemanticPlan
    grounded: GroundedPart
    grounding: Grounding

    @classmethod
    def of(cls, plan: SemanticPlan) -> "AsRead | None":
        """Return what the sample says, where one was read."""
        grounded, grounding = plan.grounded, plan.statement.grounding
        return None if grounded is None or grounding is None else cls(plan, grounded, grounding)

    @cached_property
    def listed(self) -> dict[int, Estimate]:
        """The listed themes by rank, with intervals that hold for all of them together."""
        return {int(theme.atom_id): self._estimate(theme) for theme in self.grounded.themes}

    @cached_property
    def every(self) -> dict[int, Estimate]:
        """Every theme of the dictionary, with wider intervals that hold for all of those together."""
        plan, read = self.plan, self.grounded.readings
        values = ground_all(plan.released_masses, read, plan.statement, plan.denominator, beta=plan.rules.beta)
        atoms = (int(each.atom_id) for each in plan.noisy_sketch or ())
        return {atom: self._estimate(value) for atom, value in zip(atoms, values, strict=False)}

    @cached_property
    def none(self) -> Estimate | None:
        """What a reader would file under none of the themes, where the map can answer so."""
        return None if self.grounded.none is None else self._estimate(self.grounded.none)

    @cached_property
    def best_guesses(self) -> dict[int, float]:
        """The best guesses of the listed themes: nothing is certified of them."""
        return {int(theme.atom_id): theme.best_guess for theme in self.grounded.themes}

    def theme(self, atom: int) -> Estimate:
        """Return the estimate of a theme, listed or not."""
        return self.listed.get(atom) or self.every[atom]

    def is_above(self, higher: int, lower: int) -> bool:
        """Tell whether a reader would certainly file more under one theme than under another."""
        if higher in self.listed and lower in self.listed:
            return self.listed[higher].low > self.listed[lower].high
        return self.every[higher].low > self.every[lower].high

    def outward(self, estimate: Estimate) -> tuple[Decimal, Decimal]:
        """Round an interval so that the one that is printed contains it."""
        return percentages.outward(estimate.low, estimate.high, percentages.decimals_as_read(self.plan))

    @property
    def reader(self) -> str:
        """Who read, as it can stand inside a sentence."""
        return inside_a_sentence(self.grounding.reader) or ANYBODY

    @property
    def expected(self) -> int | None:
        """How many units are drawn on average, by public numbers alone; None where their number is not known."""
        known = self.plan.has_shares and not isinstance(self.plan.denominator, FreeTotal)
        return round(self.grounding.rate * self.plan.denominator.value) or None if known else None

    def _estimate(self, value: GroundedValue) -> Estimate:
        most = most_as_read(self.plan)
        return Estimate(*(min(most, part) for part in (value.support, value.support_low, value.support_high)))


def inside_a_sentence(words: str) -> str:
    """Return words of others as they can stand inside a sentence; nothing where they would be sentences of their own.

    >>> inside_a_sentence("A parcel is late."), inside_a_sentence("It is late. All is well")
    ('a parcel is late', '')
    """
    line = " ".join(words.split()).rstrip(".")
    if SENTENCES.search(line) or not_speakable(line):
        return ""
    starts_a_sentence = line[1:2].islower() or line[1:2] == " "
    return line[:1].lower() + line[1:] if starts_a_sentence and not line.startswith("I ") else line
