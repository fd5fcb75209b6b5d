"""Claims about how far the numbers can be relied on: the noise, and the map, which is another matter."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from itertools import pairwise
from typing import ClassVar, Final

from dpspin.boundary import percentages
from dpspin.boundary.report_card import ReportCard
from dpspin.public.narrate.claims.areas import LargestArea, NextAreas, by_share
from dpspin.public.narrate.claims.beside_baseline import AboveBaseline, BelowBaseline, themes_beside_baseline
from dpspin.public.narrate.claims.claim import AsFiled, Claim, Problem, broken, holding, not_listed, nothing_listed
from dpspin.public.narrate.claims.orders import CertainOrder, First, Gap, Larger, Largest, Next, confidence_of
from dpspin.public.narrate.claims.themes import Shares
from dpspin.public.narrate.facts import Facts

ORDERS: Final = frozenset(kind.kind for kind in (First, Next, Larger, Gap, CertainOrder, Shares))
LEFT_OPEN: Final = ("area", "theme", "area or theme")
TEST_TEXTS: Final = ("labelled test text", "texts made of the dictionary's own examples")


@dataclass(frozen=True, slots=True)
class NoiseReach(AsFiled):
    """By how many points the privacy noise can have moved a listed theme, at most, with which confidence."""

    kind: ClassVar[str] = "noise_reach"
    reach: Decimal | None = None
    confidence: Decimal | None = None

    def _law(self, facts: Facts) -> Problem | None:
        return nothing_listed(facts)

    def _figures(self, facts: Facts) -> dict[str, object]:
        """Give the longest arm of the intervals as they are written: else a reader finds longer ones.

        Where a share is cut at all of what it is a share of, the noise has moved it by what was cut as well.
        """
        each = [(facts.percent(one.share), *facts.outward(one)) for one in map(facts.released, facts.listed)]
        below = max(0.0, *(-mass for mass in facts.masses.values())) / facts.plan.denominator.value
        arm = max(
            percentages.rounded(below, facts.decimals, ROUND_CEILING),
            *(max(share - low, high - share) for share, low, high in each),
        )
        return {"reach": arm, "confidence": confidence_of(facts)}


@dataclass(frozen=True, slots=True)
class ConfidenceOfIntervals(Claim):
    """With which confidence each kind of statement about the noise holds."""

    kind: ClassVar[str] = "confidence_of_intervals"
    confidence: Decimal | None = None

    def _law(self, facts: Facts) -> Problem | None:  # noqa: ARG002  every plan has one
        return None

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"confidence": confidence_of(facts)}


@dataclass(frozen=True, slots=True, kw_only=True)
class OnTestText(AsFiled):
    """What is known of how well the map sorts, from labelled test text."""

    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"test_text": TEST_TEXTS, "what": LEFT_OPEN}
    test_text: str | None = None


@dataclass(frozen=True, slots=True)
class SortsRight(OnTestText):
    """How much of what the map files belonged there, and how much it found: on test text, and not on these records."""

    kind: ClassVar[str] = "sorts_right"
    precision: Decimal | None = None
    recall: Decimal | None = None

    @property
    def of_both(self) -> bool:
        """Say it of two plans too: they have one map."""
        return True

    def _law(self, facts: Facts) -> Problem | None:
        return _no_card(facts)

    def _figures(self, facts: Facts) -> dict[str, object]:
        rates = {"precision": _card(facts).precision, "recall": _card(facts).recall}
        return {**{name: whole_percent(rate) for name, rate in rates.items()}, "test_text": tested_on(facts)}


@dataclass(frozen=True, slots=True)
class SortsThemeRight(OnTestText):
    """How much of what the map files under one theme belonged there, on labelled test text."""

    kind: ClassVar[str] = "sorts_theme_right"
    theme: int
    precision: Decimal | None = None

    def _law(self, facts: Facts) -> Problem | None:
        return (
            not_listed(facts, self.theme)
            or _no_card(facts)
            or broken(
                "unsupported-quality",
                f"Nothing is known of how well {facts.labels[self.theme]!r} is sorted.",
                unless=self._precision(facts) is not None,
            )
        )

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"precision": whole_percent(self._precision(facts) or 0.0), "test_text": tested_on(facts)}

    def _precision(self, facts: Facts) -> float | None:
        return next((each.precision for each in _card(facts).atoms if each.atom_id == self.theme), None)


@dataclass(frozen=True, slots=True)
class SortingDoubt(OnTestText):
    """What the noise leaves no doubt of, sorting errors do; ``doubts`` are the kinds of claims that make it a duty."""

    doubts: ClassVar[frozenset[str]]

    @abstractmethod
    def is_open(self, facts: Facts) -> bool:
        """Tell whether the map's errors on test text would leave it open."""

    def _law(self, facts: Facts) -> Problem | None:
        """Ask for a report card, and that its errors would leave something open."""
        message = "Sorting errors leave nothing of that open."
        return _no_card(facts) or broken("unsupported-quality", message, unless=self.is_open(facts))

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"test_text": tested_on(facts)}


@dataclass(frozen=True, slots=True)
class SortingLeavesOpen(SortingDoubt):
    """Sorting errors may hide that another area or theme is the largest."""

    kind: ClassVar[str] = "sorting_leaves_open"
    doubts: ClassVar[frozenset[str]] = ORDERS | {Largest.kind, LargestArea.kind, NextAreas.kind}
    what: str | None = None

    def is_open(self, facts: Facts) -> bool:
        """Ask for a largest area or theme that another one may overtake."""
        return bool(_may_be_another(facts))

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"what": _may_be_another(facts), "test_text": tested_on(facts)}


@dataclass(frozen=True, slots=True)
class SortingMayReorder(SortingDoubt):
    """Sorting errors may change the order of themes."""

    kind: ClassVar[str] = "sorting_may_reorder"
    doubts: ClassVar[frozenset[str]] = ORDERS

    def is_open(self, facts: Facts) -> bool:
        """Ask for a listed theme that the next one may overtake."""
        ranges = [_range(facts, (theme,)) for theme in facts.listed]
        return any(low < high for (low, _), (_, high) in pairwise(ranges))


@dataclass(frozen=True, slots=True)
class SortingMayCross(SortingDoubt):
    """Sorting errors may hide that a theme lies on the other side of the public baseline."""

    kind: ClassVar[str] = "sorting_may_cross"
    doubts: ClassVar[frozenset[str]] = frozenset({AboveBaseline.kind, BelowBaseline.kind})

    def is_open(self, facts: Facts) -> bool:
        """Ask for a listed theme that lies on one side of it under the noise, and maybe not under the map's errors."""
        beside = [each for each in themes_beside_baseline(facts.plan) if each.atom_id in facts.listed and each.differs]
        ranges = [facts.cards[each.atom_id].range_of(each.share) or (0.0, 1.0) for each in beside]
        return any(low <= each.baseline <= high for each, (low, high) in zip(beside, ranges, strict=True))


def doubts_of(kinds: Iterable[str], facts: Facts) -> Iterator[Claim]:
    """Yield what sorting errors leave open of claims of these kinds, which rest on the noise alone."""
    told = {*kinds}
    return holding((doubt for doubt in DOUBTS if doubt.doubts & told), facts)


DOUBTS: Final = (SortingLeavesOpen(), SortingMayReorder(), SortingMayCross())


def _may_be_another(facts: Facts) -> str:
    """Name what is the largest under the noise, and not under the map's errors on test text."""
    areas = [(LargestArea(area), facts.areas[area]) for area in by_share(facts)]
    themes = [(Largest(theme), (theme,)) for theme in sorted(facts.masses, key=lambda theme: -facts.masses[theme])]
    return " or ".join(
        name for name, ranked in (("area", areas), ("theme", themes)) if _may_be_overtaken(facts, ranked)
    )


def _may_be_overtaken(facts: Facts, ranked: Sequence[tuple[Claim, tuple[int, ...]]]) -> bool:
    """Tell whether the first is the largest, and another one's range with sorting errors reaches above its low end.

    Where nothing is known of how well a theme is sorted, nothing keeps it from being overtaken.
    """
    if not ranked or not ranked[0][0].filled(facts).holds(facts):
        return False
    (low, _), *others = (_range(facts, members) for _, members in ranked)
    return low == 0 or any(high > low for _, high in others)


def _range(facts: Facts, members: tuple[int, ...]) -> tuple[float, float]:
    """Return what sorting errors would make of a share; of a theme without a test, anything."""
    each = [facts.sorting_range((theme,)) or (0.0, 1.0) for theme in members]
    return sum(low for low, _ in each), sum(high for _, high in each)


def _no_card(facts: Facts) -> Problem | None:
    card = facts.plan.statement.contribution_map.card
    return broken("unsupported-quality", "The map has no report card.", unless=card is not None)


def _card(facts: Facts) -> ReportCard:
    card = facts.plan.statement.contribution_map.card
    assert card is not None  # noqa: S101  no law is broken
    return card


def tested_on(facts: Facts) -> str:
    """Name the texts on which the map was tested."""
    return TEST_TEXTS[0] if _card(facts).real_text else TEST_TEXTS[1]


def whole_percent(share: float) -> Decimal:
    """Round a rate down: nothing that errs is 100 % right."""
    return Decimal(int(Decimal(f"{100 * share:.9f}")))
