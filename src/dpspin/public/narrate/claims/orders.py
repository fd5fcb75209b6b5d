"""Claims that set themes above one another, and the claim that one cannot."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, Final

from dpspin.boundary import percentages
from dpspin.public.narrate.claims.claim import Claim, High, Low, Problem, Share, broken, names_in
from dpspin.public.narrate.claims.laws import (
    by_margin_only,
    intervals_apart,
    is_separated,
    leads,
    not_above,
    not_clear,
    not_leading,
    not_listed,
    order_is_certain,
    told_apart,
)
from dpspin.public.narrate.claims.themes import with_shares
from dpspin.public.narrate.facts import GROUNDS, Facts

SCOPES: Final = ("theme", "listed theme")  # after a private selection nothing is known of the others
ORDERS: Final = ("in the released order", "in the released order, which the noise may have changed")


@dataclass(frozen=True, slots=True)
class Largest(Claim):
    """One theme is the largest of all that were released, beyond the noise."""

    kind: ClassVar[str] = "largest"
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"scope": SCOPES}
    theme: int
    share: Decimal | None = None
    scope: str | None = None

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that orders rest on the noise, and that it leads all others by more than the superlative margin."""
        return not_clear(facts, self.theme) or by_margin_only(facts) or not_leading(facts, self.theme)

    def figures(self, facts: Facts) -> dict[str, object]:
        """Give its share, and among which it is the largest."""
        scope = SCOPES[1] if facts.plan.noisy_sketch is None else SCOPES[0]
        return {"share": Share(facts.theme(self.theme).share), "scope": scope}


@dataclass(frozen=True, slots=True)
class First(Claim):
    """One theme has the highest released share, which the noise may have given it."""

    kind: ClassVar[str] = "first"
    theme: int
    share: Decimal | None = None

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask for rank one of several, clear of the noise, and for a second that may have been the first."""
        return not_clear(facts, self.theme) or broken(
            "unsupported-superlative",
            f"{facts.labels[self.theme]!r} is not the first of several themes, or is the largest beyond the noise.",
            unless=self._is_first(facts) and not leads(facts, self.theme),
        )

    def _is_first(self, facts: Facts) -> bool:
        first, *others = facts.listed
        return self.theme == first and bool(others) and not intervals_apart(facts, first, others[0])

    def figures(self, facts: Facts) -> dict[str, object]:
        """Give its share."""
        return {"share": Share(facts.theme(self.theme).share)}


@dataclass(frozen=True, slots=True)
class Next(Claim):
    """The themes on the ranks behind the first, with their shares."""

    kind: ClassVar[str] = "next"
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"order": ORDERS}
    items: tuple[tuple[int, Any], ...]
    theme: int | None = None
    order: str | None = None

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask for the ranks from two on, without a gap, all clear of the noise."""
        ids = names_in(self.items)
        right = ids == tuple(facts.listed)[1 : 1 + len(ids)]
        message = "Other themes come next in the plan."
        return not_clear(facts, *ids) or broken("unsupported-comparison", message, unless=right)

    def figures(self, facts: Facts) -> dict[str, object]:
        """Give the share of each, the first theme, and whether the noise may have changed the order."""
        first, ids = next(iter(facts.listed)), names_in(self.items)
        order = ORDERS[0] if order_is_certain(facts, (first, *ids)) else ORDERS[1]
        return {"items": with_shares(facts, ids), "theme": first, "order": order}


@dataclass(frozen=True, slots=True)
class Larger(Claim):
    """One theme has more support than another."""

    kind: ClassVar[str] = "larger"
    theme: int
    other: int

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that both are listed, the larger clear of the noise, and that orders rest on it, this one too."""
        return (
            not_listed(facts, self.theme, self.other)
            or not_clear(facts, self.theme)
            or by_margin_only(facts)
            or not_above(facts, self.theme, self.other)
        )


@dataclass(frozen=True, slots=True)
class Gap(Claim):
    """By how many points one theme exceeds another, at least and at most."""

    kind: ClassVar[str] = "gap"
    theme: int
    other: int
    low: Decimal | None = None
    high: Decimal | None = None
    confidence: Decimal | None = None

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask for two listed themes whose intervals are apart."""
        return not_listed(facts, self.theme, self.other) or broken(
            "unsupported-comparison",
            "The intervals of these themes are not apart.",
            unless=intervals_apart(facts, self.theme, self.other),
        )

    def figures(self, facts: Facts) -> dict[str, object]:
        """Subtract the ends of the intervals, which hold together."""
        one, other = facts.theme(self.theme), facts.theme(self.other)
        apart = {"low": Low(one.low - other.high), "high": High(one.high - other.low)}
        return {**apart, "confidence": confidence_of(facts)}


@dataclass(frozen=True, slots=True)
class Tie(Claim):
    """These themes cannot be told apart."""

    kind: ClassVar[str] = "tie"
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"ground": GROUNDS}
    themes: tuple[int, ...]
    ground: str | None = None

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that no two of them lie further apart than the comparison margin."""
        return not_listed(facts, *self.themes) or told_apart(facts, self.themes)

    def figures(self, facts: Facts) -> dict[str, object]:
        """Say what keeps them together."""
        return {"ground": facts.ground}


@dataclass(frozen=True, slots=True)
class CertainOrder(Claim):
    """The order of all listed themes is certain."""

    kind: ClassVar[str] = "certain_order"
    confidence: Decimal | None = None

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask that every theme stands clear, and above the next one, under certified margins."""
        return broken(
            "unsupported-comparison", "The order is not certain.", unless=order_is_certain(facts, [*facts.listed])
        )

    def figures(self, facts: Facts) -> dict[str, object]:
        """Give the confidence."""
        return {"confidence": confidence_of(facts)}


@dataclass(frozen=True, slots=True)
class MarginOrder(Claim):
    """Whatever order the listed themes are told in rests on a public margin, which bounds no error."""

    kind: ClassVar[str] = "margin_order"

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask for a fixed margin, and for themes to order."""
        rests = not facts.certifies and len(facts.listed) > 1
        return broken("wrong-parameter", "The order does not rest on a public margin.", unless=rests)


@dataclass(frozen=True, slots=True)
class TieRun(Claim):
    """Between one rank and another no themes can be told apart; for where there are too many to name."""

    kind: ClassVar[str] = "tie_run"
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"ground": GROUNDS}
    theme: int
    other: int
    count: int | None = None
    ground: str | None = None

    def broken_law(self, facts: Facts) -> Problem | None:
        """Ask for listed themes by rank, no two of which lie further apart than the comparison margin."""
        return not_listed(facts, self.theme, self.other) or told_apart(facts, self._run(facts))

    def figures(self, facts: Facts) -> dict[str, object]:
        """Count them, and say what keeps them together."""
        return {"count": len(self._run(facts)), "ground": facts.ground}

    def _run(self, facts: Facts) -> tuple[int, ...]:
        ids = tuple(facts.listed)
        return ids[ids.index(self.theme) : ids.index(self.other) + 1]


def confidence_of(facts: Facts) -> Decimal:
    """Return the confidence of each certified statement, in percent."""
    return percentages.confidence(facts.plan.rules.beta)


def ties(facts: Facts, themes: tuple[int, ...] | None = None) -> Iterator[Tie]:
    """Yield the largest runs of ranks in which no two themes can be told apart; neighbours may overlap.

    A run that lies inside another one says nothing new, so it is left out.
    """
    ids = tuple(facts.listed) if themes is None else themes
    furthest = 0
    for start, first in enumerate(ids):
        end = start + sum(first == each or not is_separated(facts, first, each) for each in ids[start:])
        if end - start > 1 and end > furthest:
            furthest = end
            yield Tie(ids[start:end])
