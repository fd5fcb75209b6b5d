"""Claims that rest on the reading of a sample: what a reader would file, how far the map agrees, and how it was read.

Their intervals cover the noise and the draw of the sample. A best guess is in none of them: nothing is certified of it.
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from dpspin.boundary import percentages
from dpspin.public.narrate.as_read import AsRead, Estimate
from dpspin.public.narrate.claims.claim import (
    Claim,
    Problem,
    broken,
    ends,
    not_listed,
    not_overlapping,
    not_released,
    not_unclear,
)
from dpspin.public.narrate.claims.orders import confidence_of
from dpspin.public.narrate.facts import Facts
from dpspin.public.wording.quantities import unit_words


@dataclass(frozen=True, slots=True)
class OfReading(Claim):
    """What is said by the reading of a sample, where one was read."""

    def _law(self, facts: Facts) -> Problem | None:
        read = facts.read
        message = "No sample of these records was read."
        return Problem("unsupported-reading", message) if read is None else self._law_as_read(facts, read)

    def _figures(self, facts: Facts) -> Mapping[str, Any]:
        assert facts.read is not None  # noqa: S101  no law is broken
        return self._figures_as_read(facts, facts.read)

    def _law_as_read(self, facts: Facts, read: AsRead) -> Problem | None:  # noqa: ARG002  some hold of every reading
        """Return why this cannot be said of what was read."""
        return None

    def _figures_as_read(self, facts: Facts, read: AsRead) -> Mapping[str, Any]:  # noqa: ARG002  some have none
        """Return the true figures."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class ByQuantity(OfReading):
    """What is worded in one way of masses, and in another one of counted units."""

    quantity: str | None = None
    units: str | None = None

    def _figures_as_read(self, facts: Facts, read: AsRead) -> Mapping[str, Any]:
        statement = facts.plan.statement
        counted = unit_words(statement.unit) if statement.quantity.kind == "prevalence" else None
        return {"quantity": statement.quantity.kind, "units": counted, **self._more_figures(facts, read)}

    def _more_figures(self, facts: Facts, read: AsRead) -> Mapping[str, Any]:  # noqa: ARG002  some have none
        """Return the figures beside the words."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class WithRange(ByQuantity):
    """What gives the ends of an interval, and nothing between them: that would be a guess."""

    low: Decimal | None = None
    high: Decimal | None = None

    @abstractmethod
    def _estimate(self, read: AsRead) -> Estimate:
        """Return what is given."""

    def _more_figures(self, facts: Facts, read: AsRead) -> Mapping[str, Any]:  # noqa: ARG002  of the reading alone
        return dict(zip(("low", "high"), read.outward(self._estimate(read)), strict=True))


@dataclass(frozen=True, slots=True)
class ReadShare(WithRange):
    """How much a reader would file under a listed theme."""

    kind: ClassVar[str] = "read_share"
    theme: int

    def _law_as_read(self, facts: Facts, read: AsRead) -> Problem | None:  # noqa: ARG002  it is listed or not
        return not_listed(facts, self.theme)

    def _estimate(self, read: AsRead) -> Estimate:
        return read.theme(self.theme)


@dataclass(frozen=True, slots=True)
class ReadUnlisted(ReadShare):
    """How much a reader would file under a theme that is not listed."""

    kind: ClassVar[str] = "read_unlisted"

    def _law_as_read(self, facts: Facts, read: AsRead) -> Problem | None:
        message = f"{facts.labels.get(self.theme, self.theme)!r} is listed."
        return broken("unsupported-label", message, unless=self.theme not in read.listed) or not_released(
            facts, self.theme
        )


@dataclass(frozen=True, slots=True)
class ReadNone(WithRange):
    """How much a reader would file under none of the themes."""

    kind: ClassVar[str] = "read_none"

    def _law_as_read(self, facts: Facts, read: AsRead) -> Problem | None:  # noqa: ARG002  of the reading alone
        return broken("unsupported-coverage", "This was not measured.", unless=read.none is not None)

    def _estimate(self, read: AsRead) -> Estimate:
        assert read.none is not None  # noqa: S101  no law is broken
        return read.none


@dataclass(frozen=True, slots=True)
class ReadLargest(ReadShare):
    """A reader would file more under one theme than under any other."""

    kind: ClassVar[str] = "read_largest"

    def _law_as_read(self, facts: Facts, read: AsRead) -> Problem | None:
        """Ask that its interval lies above those of all others, with intervals that hold for all themes together."""
        others = [atom for atom in read.every if atom != self.theme]
        return not_listed(facts, self.theme) or broken(
            "unsupported-superlative",
            f"Do not call {facts.labels[self.theme]!r} the largest: another one's interval reaches as high.",
            unless=bool(others) and all(read.every[self.theme].low > read.every[other].high for other in others),
        )


@dataclass(frozen=True, slots=True)
class ReadFirst(ReadShare):
    """One theme comes first by the reading, and its interval overlaps that of the next one."""

    kind: ClassVar[str] = "read_first"
    other: int | None = None

    def _law_as_read(self, facts: Facts, read: AsRead) -> Problem | None:
        """Ask for the first of several by rank, above zero, and for intervals that overlap."""
        first_two = facts.ranked[:2]
        values = {theme.noisy_mass for theme in read.grounded.themes[:2]}
        is_first = self.theme == first_two[0] and len(values) > 1 and read.theme(self.theme).low > 0
        message = f"{facts.labels.get(self.theme, self.theme)!r} does not come first of several themes."
        return broken("unsupported-superlative", message, unless=is_first) or not_overlapping(
            map(read.theme, first_two)
        )

    def _more_figures(self, facts: Facts, read: AsRead) -> Mapping[str, Any]:
        low, high = read.outward(self._estimate(read))
        return {"low": low, "high": high, "other": facts.ranked[1]}


@dataclass(frozen=True, slots=True)
class ReadLarger(ByQuantity):
    """A reader would file more under one theme than under another."""

    kind: ClassVar[str] = "read_larger"
    speaks_of_shares: ClassVar[bool] = True
    theme: int
    other: int

    def _law_as_read(self, facts: Facts, read: AsRead) -> Problem | None:
        """Ask for listed themes whose intervals lie apart: those hold together."""
        return not_listed(facts, self.theme, self.other) or broken(
            "unsupported-comparison",
            "The intervals of these themes are not apart.",
            unless=read.theme(self.theme).low > read.theme(self.other).high,
        )


@dataclass(frozen=True, slots=True)
class ReadOverlap(OfReading):
    """The intervals of these themes by the reading overlap."""

    kind: ClassVar[str] = "read_overlap"
    compares_intervals: ClassVar[bool] = True
    themes: tuple[int, ...]

    def _law_as_read(self, facts: Facts, read: AsRead) -> Problem | None:
        return not_listed(facts, *self.themes) or not_overlapping(map(read.theme, self.themes))


@dataclass(frozen=True, slots=True)
class ReadUnclear(OfReading):
    """The intervals of these themes by the reading reach down to zero."""

    kind: ClassVar[str] = "read_unclear"
    themes: tuple[int, ...]

    def _law_as_read(self, facts: Facts, read: AsRead) -> Problem | None:  # noqa: ARG002  the facts know which
        return not_listed(facts, *self.themes) or not_unclear(facts, self.themes)


@dataclass(frozen=True, slots=True)
class MapFiles(ByQuantity):
    """What the map alone files under a theme, beside what a reader would file: a text that says one says both."""

    kind: ClassVar[str] = "map_files"
    theme: int
    share: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None

    def _law_as_read(self, facts: Facts, read: AsRead) -> Problem | None:  # noqa: ARG002  of the map alone
        return not_released(facts, self.theme)

    def _more_figures(self, facts: Facts, read: AsRead) -> Mapping[str, Any]:  # noqa: ARG002  of the map alone
        return ends(facts.theme(self.theme), facts)


@dataclass(frozen=True, slots=True)
class SortedAlike(OfReading):
    """How much of the mass the map puts where the reader puts it, on these very records."""

    kind: ClassVar[str] = "sorted_alike"
    low: Decimal | None = None
    high: Decimal | None = None

    def _law_as_read(self, facts: Facts, read: AsRead) -> Problem | None:  # noqa: ARG002  of the reading alone
        known = read.grounded.sorted_alike is not None
        return broken("unsupported-quality", "How far map and reader agree was not measured.", unless=known)

    def _figures_as_read(self, facts: Facts, read: AsRead) -> Mapping[str, Any]:  # noqa: ARG002  of the reading alone
        alike = read.grounded.sorted_alike
        assert alike is not None  # noqa: S101  no law is broken
        low, high = percentages.outward(alike.low, alike.high, 0)
        return {"low": low, "high": high}


@dataclass(frozen=True, slots=True)
class HowRead(OfReading):
    """How many units were read on average, or at which rate, who read them, and that nobody learns which."""

    kind: ClassVar[str] = "how_read"
    told: str | None = None
    expected: int | None = None
    rate: Decimal | None = None
    units: str | None = None
    reader: str | None = None

    def _figures_as_read(self, facts: Facts, read: AsRead) -> Mapping[str, Any]:
        known = read.expected is not None
        return {
            "told": "number" if known else "rate",
            "expected": read.expected,
            "rate": None if known else percentages.about(read.grounding.rate),
            "units": unit_words(facts.plan.statement.unit),
            "reader": read.reader,
        }


@dataclass(frozen=True, slots=True)
class ReadConfidence(OfReading):
    """With which confidence the intervals of the reading hold, and what they do not cover."""

    kind: ClassVar[str] = "read_confidence"
    confidence: Decimal | None = None

    def _figures_as_read(self, facts: Facts, read: AsRead) -> Mapping[str, Any]:  # noqa: ARG002  of the rules
        return {"confidence": confidence_of(facts)}
