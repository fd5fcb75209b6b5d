"""Claims that give released numbers, and sums of them."""

import math
from dataclasses import dataclass

from dpspin.boundary.plan import PlanEntry, SemanticPlan
from dpspin.boundary.privacy import MASS
from dpspin.public.report.denominators import denominator_words
from dpspin.public.stage3_narrate.claims.claim import are_admitted, entries_of, worded
from dpspin.public.stage3_narrate.claims.naming import (
    Naming,
    confidence,
    dictionary_words,
    languages_words,
    mass_text,
    percent_scale,
)
from dpspin.public.stage3_narrate.policy import Mode


@dataclass(frozen=True, slots=True)
class MassOf:
    """The released noisy mass of a theme."""

    atom: int

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that it is admitted."""
        return are_admitted(plan, (self.atom,))

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:
        """Give the mass."""
        (entry,) = entries_of(plan, (self.atom,))
        name, mass = naming.theme(entry), mass_text(entry.noisy_mass)
        return worded(turn, f"{name} has a noisy mass of {mass}.", f"The noisy mass of {name} is {mass}.")


@dataclass(frozen=True, slots=True)
class SupportOf:
    """The support of a theme: its mass over the denominator."""

    atom: int

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that it is admitted."""
        return are_admitted(plan, (self.atom,))

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:
        """Give the support and name what it is relative to."""
        (entry,) = entries_of(plan, (self.atom,))
        name, share = naming.theme(entry), percent_scale(plan).text(entry.support)
        of = denominator_words(plan)
        return worded(turn, f"{name} has a support of {share} of {of}.", f"The support of {name} is {share} of {of}.")


@dataclass(frozen=True, slots=True)
class IntervalOf:
    """The interval of a theme's support; all intervals of a plan hold together."""

    atom: int

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that it is admitted."""
        return are_admitted(plan, (self.atom,))

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Give support and interval, rounded outward."""
        (entry,) = entries_of(plan, (self.atom,))
        scale = percent_scale(plan)
        interval = scale.interval(entry.support_low, entry.support_high)
        return f"{naming.theme(entry)} has a support of {scale.text(entry.support)} (interval {interval})."


@dataclass(frozen=True, slots=True)
class Together:
    """What several themes add up to: sums of released values, at no further cost.

    The ends of the interval are the sums of the ends: the intervals of a plan hold together, so their sum holds too.
    Masses add up, since a unit divides its bound among its themes. Prevalences do not: a unit counts for each theme.
    """

    mass: float
    support: float
    low: float
    high: float

    @classmethod
    def of(cls, entries: list[PlanEntry]) -> "Together":
        """Add them up."""
        return cls(
            mass=math.fsum(entry.mass for entry in entries),
            support=math.fsum(entry.support for entry in entries),
            low=math.fsum(entry.support_low for entry in entries),
            high=math.fsum(entry.support_high for entry in entries),
        )


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the denominator all listed themes have together."""

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask for at least two themes, and for masses, which alone add up."""
        return len(plan.entries) > 1 and plan.statement.quantity == MASS

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Give the sum and its interval."""
        sums, scale = Together.of(list(plan.entries)), percent_scale(plan)
        return (
            f"Together, the listed themes have a support of {scale.text(sums.support)} of {denominator_words(plan)} "
            f"(interval {scale.interval(sums.low, sums.high)})."
        )


@dataclass(frozen=True, slots=True)
class RollUp:
    """What the listed themes under one heading of the taxonomy add up to."""

    parent: str

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask for at least two listed themes under it, and for masses, which alone add up."""
        return len(children_of(plan, self.parent)) > 1 and plan.statement.quantity == MASS

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:
        """Name them and give their sum."""
        children, scale = children_of(plan, self.parent), percent_scale(plan)
        sums, names = Together.of(children), naming.themes(children)
        together = worded(turn, f"{names} have together", f"Together, {names} have")
        interval = scale.interval(sums.low, sums.high)
        return f"{together} a support of {scale.text(sums.support)} (interval {interval})."


@dataclass(frozen=True, slots=True)
class OutsideDictionary:
    """What belongs to none of the themes, where the map answers so."""

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that it was measured."""
        return plan.uncovered is not None

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Give its support and interval."""
        none, scale = plan.uncovered, percent_scale(plan)
        assert none is not None  # noqa: S101  it holds
        mass = f"a noisy mass of {mass_text(none.noisy_mass)}, " if naming.mode is Mode.AUDIT else ""
        no_theme = (
            "no theme of the public dictionary" if plan.dictionary.size == 1 else f"none of {dictionary_words(plan)}"
        )
        return (
            f"Text that belongs to {no_theme}{naming.marker(none)} has {mass}a support of {scale.text(none.support)} "
            f"of {denominator_words(plan)} (interval {scale.interval(none.support_low, none.support_high)})."
        )


@dataclass(frozen=True, slots=True)
class OtherLanguages:
    """What is in languages that the map does not read, where it states those that it does."""

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask that it was measured."""
        return plan.not_read is not None

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Give its support and interval, the same in every mode: it is read back word for word."""
        foreign, scale = plan.not_read, percent_scale(plan)
        assert foreign is not None  # noqa: S101  it holds
        return (
            f"Text that is not in {languages_words(plan)} was not read: it has a support of "
            f"{scale.text(foreign.support)} of {denominator_words(plan)} "
            f"(interval {scale.interval(foreign.support_low, foreign.support_high)})."
        )


@dataclass(frozen=True, slots=True)
class HowSure:
    """How far all intervals of the text can be relied on."""

    def holds(self, plan: SemanticPlan) -> bool:
        """Ask for something to rely on."""
        return bool(plan.entries) or plan.uncovered is not None or plan.not_read is not None

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:  # noqa: ARG002  a claim's shape
        """Give the confidence."""
        return f"All intervals hold together with {confidence(plan)} confidence."


def children_of(plan: SemanticPlan, parent: str) -> list[PlanEntry]:
    """Return the listed themes under a heading of the taxonomy, by rank."""
    return [entry for entry in plan.entries if entry.parent == parent]
