"""Claims that set themes above one another, and the claim that one cannot."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any, ClassVar, Final

from dpspin.boundary import percentages
from dpspin.public.narrate.as_read import Estimate
from dpspin.public.narrate.claims.claim import (
    AsFiled,
    Problem,
    broken,
    by_margin_only,
    intervals_apart,
    names_in,
    not_above,
    not_clear,
    not_leading,
    not_listed,
    not_overlapping,
    order_is_certain,
)
from dpspin.public.narrate.claims.themes import with_shares
from dpspin.public.narrate.facts import Facts

SCOPES: Final = ("themes", "listed themes")  # after a private selection nothing is known of the others
ORDERS: Final = ("in the released order", "in the released order, some with overlapping intervals")


@dataclass(frozen=True, slots=True)
class Largest(AsFiled):
    """One theme is the largest of all that were released, beyond the noise."""

    kind: ClassVar[str] = "largest"
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"scope": SCOPES}
    theme: int
    share: Decimal | None = None
    scope: str | None = None

    def _law(self, facts: Facts) -> Problem | None:
        """Ask that orders rest on the noise, and that it leads all others by more than the superlative margin."""
        return not_clear(facts, self.theme) or by_margin_only(facts) or not_leading(facts, self.theme)

    def _figures(self, facts: Facts) -> dict[str, object]:
        """Give its share, and among which it is the largest."""
        scope = SCOPES[1] if facts.plan.noisy_sketch is None else SCOPES[0]
        return {"share": facts.percent(facts.theme(self.theme).share), "scope": scope}


@dataclass(frozen=True, slots=True)
class First(AsFiled):
    """One theme has the highest released share, and its interval overlaps that of the next one."""

    kind: ClassVar[str] = "first"
    theme: int
    share: Decimal | None = None
    other: int | None = None

    def _law(self, facts: Facts) -> Problem | None:
        """Ask for the first of several by rank, clear of the noise, and for intervals that overlap."""
        first_two = tuple(facts.listed)[:2]
        return (
            not_clear(facts, self.theme)
            or broken(
                "unsupported-superlative",
                f"{facts.labels[self.theme]!r} is not the first of several themes.",
                unless=self.theme == first_two[0] and len({facts.masses[theme] for theme in first_two}) > 1,
            )
            or not_overlapping(map(facts.theme, first_two))
        )

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"share": facts.percent(facts.theme(self.theme).share), "other": tuple(facts.listed)[1]}


@dataclass(frozen=True, slots=True)
class Next(AsFiled):
    """The themes on the ranks behind the first, with their shares."""

    kind: ClassVar[str] = "next"
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"order": ORDERS}
    items: tuple[tuple[int, Any], ...]
    theme: int | None = None
    order: str | None = None

    def _law(self, facts: Facts) -> Problem | None:
        """Ask for the ranks from two on, without a gap, all clear of the noise, and no two of them equal."""
        ids = names_in(self.items)
        first = tuple(facts.listed)[: 1 + len(ids)]
        right = ids == first[1:] and len({facts.masses[theme] for theme in first}) == len(first)
        message = "Other themes come next in the plan, or have the same value."
        return not_clear(facts, *ids) or broken("unsupported-comparison", message, unless=right)

    def _figures(self, facts: Facts) -> dict[str, object]:
        first, ids = next(iter(facts.listed)), names_in(self.items)
        order = ORDERS[not all(intervals_apart(facts, *pair) for pair in pairwise((first, *ids)))]
        return {"items": with_shares(facts, ids), "theme": first, "order": order}


@dataclass(frozen=True, slots=True)
class Larger(AsFiled):
    """One theme has more support than another."""

    kind: ClassVar[str] = "larger"
    speaks_of_shares: ClassVar[bool] = True
    theme: int
    other: int

    def _law(self, facts: Facts) -> Problem | None:
        """Ask that both are listed, the larger clear of the noise, and that orders rest on it, this one too."""
        return (
            not_listed(facts, self.theme, self.other)
            or not_clear(facts, self.theme)
            or by_margin_only(facts)
            or not_above(facts, self.theme, self.other)
        )


@dataclass(frozen=True, slots=True)
class Gap(AsFiled):
    """By how many points one theme exceeds another, at least and at most."""

    kind: ClassVar[str] = "gap"
    theme: int
    other: int
    low: Decimal | None = None
    high: Decimal | None = None
    confidence: Decimal | None = None

    def _law(self, facts: Facts) -> Problem | None:
        return not_listed(facts, self.theme, self.other) or broken(
            "unsupported-comparison",
            "The intervals of these themes are not apart.",
            unless=intervals_apart(facts, self.theme, self.other),
        )

    def _figures(self, facts: Facts) -> dict[str, object]:
        """Subtract the ends of the intervals, which hold together."""
        one, other = facts.theme(self.theme), facts.theme(self.other)
        low, high = percentages.outward(one.low - other.high, one.high - other.low, facts.decimals)
        return {"low": low, "high": high, "confidence": confidence_of(facts)}


@dataclass(frozen=True, slots=True)
class Tie(AsFiled):
    """The intervals of these themes overlap."""

    kind: ClassVar[str] = "tie"
    compares_intervals: ClassVar[bool] = True
    themes: tuple[int, ...]

    def _law(self, facts: Facts) -> Problem | None:
        return not_listed(facts, *self.themes) or not_overlapping(map(facts.theme, self.themes))


@dataclass(frozen=True, slots=True)
class CertainOrder(AsFiled):
    """The order of all listed themes is certain."""

    kind: ClassVar[str] = "certain_order"
    confidence: Decimal | None = None

    def _law(self, facts: Facts) -> Problem | None:
        """Ask that every theme stands clear, and above the next one, under certified margins."""
        return broken(
            "unsupported-comparison", "The order is not certain.", unless=order_is_certain(facts, [*facts.listed])
        )

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"confidence": confidence_of(facts)}


@dataclass(frozen=True, slots=True)
class TieRun(AsFiled):
    """From one rank to another the intervals of all themes overlap; for where there are too many to name."""

    kind: ClassVar[str] = "tie_run"
    compares_intervals: ClassVar[bool] = True
    theme: int
    other: int
    count: int | None = None

    def _law(self, facts: Facts) -> Problem | None:
        """Ask for listed themes by rank, and that the intervals of any two overlap."""
        return not_listed(facts, self.theme, self.other) or not_overlapping(map(facts.theme, self._run(facts)))

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"count": len(self._run(facts))}

    def _run(self, facts: Facts) -> tuple[int, ...]:
        ids = tuple(facts.listed)
        return ids[ids.index(self.theme) : ids.index(self.other) + 1]


def confidence_of(facts: Facts) -> Decimal:
    """Return the confidence of each certified statement, in percent."""
    return percentages.confidence(facts.plan.rules.beta)


def ties(facts: Facts, themes: tuple[int, ...] | None = None) -> Iterator[Tie]:
    """Yield the largest runs of ranks in which the intervals of all themes overlap; runs may share themes."""
    return map(Tie, overlapping(tuple(facts.listed) if themes is None else themes, facts.theme))


def overlapping(ids: tuple[int, ...], interval: Callable[[int], Estimate]) -> Iterator[tuple[int, ...]]:
    """Yield the runs of ids whose intervals all overlap; one that lies inside another says nothing new, so it is not.

    What lies apart from the first of a run ends it: the intervals of what comes behind lie no higher.
    """
    furthest = 0
    for start, first in enumerate(ids):
        end = start + sum(interval(first).low <= interval(each).high for each in ids[start:])
        if end - start > 1 and end > furthest:
            furthest = end
            yield ids[start:end]
