"""Claims about the headings of a dictionary: sums over all of their themes, listed or not, which are paid for."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from dpspin.public.narrate.claims.claim import (
    AsFiled,
    Problem,
    WithInterval,
    broken,
    ends,
    is_larger,
    lost_in_noise,
    names_in,
    no_such_area,
    not_overlapping,
)
from dpspin.public.narrate.facts import Facts


@dataclass(frozen=True, slots=True)
class LargestArea(AsFiled):
    """One area is the largest, beyond the noise."""

    kind: ClassVar[str] = "largest_area"
    area: str
    share: Decimal | None = None

    def _law(self, facts: Facts) -> Problem | None:
        """Ask that it stands clear of the noise, and above all other areas beyond it."""
        others = [area for area in facts.areas if area != self.area]
        return (
            no_such_area(facts, self.area)
            or lost_in_noise(facts, self.area)
            or broken(
                "unsupported-superlative",
                f"Do not call {self.area!r} the largest area: the noise leaves it open.",
                unless=bool(others) and all(is_larger(facts, self.area, other) for other in others),
            )
        )

    def _figures(self, facts: Facts) -> dict[str, object]:
        return {"share": facts.percent(facts.area_estimates[self.area].share)}


@dataclass(frozen=True, slots=True)
class AreaInterval(WithInterval):
    """The share of an area with its interval."""

    kind: ClassVar[str] = "area_interval"
    area: str

    def _law(self, facts: Facts) -> Problem | None:
        return no_such_area(facts, self.area)

    def _figures(self, facts: Facts) -> dict[str, object]:
        return ends(facts.area_estimates[self.area], facts)


@dataclass(frozen=True, slots=True)
class NextAreas(AsFiled):
    """The areas that follow the largest one by released share, with their shares."""

    kind: ClassVar[str] = "next_areas"
    area_items: tuple[tuple[str, Any], ...]
    area: str | None = None

    def _law(self, facts: Facts) -> Problem | None:
        """Ask for the areas from the second on, without a gap, behind one that is the largest beyond the noise."""
        names, ranked = [*names_in(self.area_items)], by_share(facts)
        right = names == ranked[1 : 1 + len(names)]
        return (
            no_such_area(facts, *names)
            or broken("unsupported-comparison", "Other areas come next.", unless=right)
            or LargestArea(ranked[0]).broken_law(facts)
            or lost_in_noise(facts, *names)
        )

    def _figures(self, facts: Facts) -> dict[str, object]:
        shares = tuple((area, facts.percent(facts.area_estimates[area].share)) for area, _ in self.area_items)
        return {"area_items": shares, "area": by_share(facts)[0]}


@dataclass(frozen=True, slots=True)
class AreaTie(AsFiled):
    """The intervals of these areas overlap."""

    kind: ClassVar[str] = "area_tie"
    compares_intervals: ClassVar[bool] = True
    areas: tuple[str, ...]

    def _law(self, facts: Facts) -> Problem | None:
        estimates = (facts.area_estimates[area] for area in self.areas)
        return no_such_area(facts, *self.areas) or not_overlapping(estimates)


def by_share(facts: Facts) -> list[str]:
    """Return the areas by their released sums, the largest first."""
    sums = facts.area_estimates
    return sorted(sums, key=lambda area: -sums[area].share)
