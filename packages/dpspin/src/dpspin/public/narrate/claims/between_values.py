"""Claims about two single values of a facet: how a listed theme's shares differ between them.

Of periods only neighbours are compared, from the earlier to the later one; and of nothing else a share rose or fell.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from dpspin.boundary.view_cells import Contrast
from dpspin.boundary.view_tables import ViewTable
from dpspin.public.narrate.claims.by_facet import OfTheme, Others, WithPoints, WithTimes
from dpspin.public.narrate.facts import Facts


@dataclass(frozen=True)
class Pair(OfTheme):
    """One value beside another."""

    segment: str
    rival: str
    theme: int

    def _contrast(self, table: ViewTable) -> Contrast | None:
        return between(table, self.theme, self.segment, self.rival)

    def _not_apart(self, facts: Facts) -> str:
        name = facts.labels.get(self.theme, self.theme)
        return (
            f"The shares of {name!r} where {self.facet!r} is {self.segment!r} and {self.rival!r} are not compared, or "
            "not told apart; periods are compared from the earlier to the next one."
        )


@dataclass(frozen=True)
class DiffersBetween(WithPoints, Pair):
    """A theme's share differs between two values of a facet, beyond the noise; between neighbouring periods it rose."""

    kind: ClassVar[str] = "differs_between"

    def _telling(self, table: ViewTable, *, more: bool) -> str:
        larger, smaller = ("rose", "fell") if table.is_of_periods else ("larger", "smaller")
        return larger if more else smaller


@dataclass(frozen=True)
class TimesBetween(WithTimes, Pair):
    """How many times its share in another value a theme has in one; the larger one is named first."""

    kind: ClassVar[str] = "times_between"

    def _contrast(self, table: ViewTable) -> Contrast | None:
        """Compare in either order: what is so many times as much is said of any two neighbours."""
        turned = between(table, self.theme, self.rival, self.segment)
        return between(table, self.theme, self.segment, self.rival) or (None if turned is None else turned.turned)

    def _ways(self, contrast: Contrast) -> tuple[Contrast, ...]:
        return (contrast,)


@dataclass(frozen=True, slots=True)
class OthersBetween(Others):
    """How many themes differ between two values of a facet, and by how much any other one does at most."""

    kind: ClassVar[str] = "others_between"
    segment: str
    rival: str

    def _contrasts(self, table: ViewTable) -> Iterable[Contrast | None]:
        return [between(table, theme, self.segment, self.rival) for theme in table.themes]

    def _telling(self, table: ViewTable, found: str) -> str:
        return f"{found} moved" if table.is_of_periods else found


def between(table: ViewTable, theme: int, segment: str, rival: str) -> Contrast | None:
    """Return a theme in two values by their names; None where they are not compared in this order."""
    if segment not in table.values or rival not in table.values:
        return None
    here, there = table.values.index(segment), table.values.index(rival)
    return None if table.is_of_periods and here < there else table.between(theme, here, there)
