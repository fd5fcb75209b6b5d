"""Claims about what lies in the values of a facet: how much, of what, and whether what was declared fits it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Any, ClassVar, Final

from dpspin.boundary import percentages
from dpspin.boundary.facets import MISSING, OTHER
from dpspin.boundary.privacy import MASS
from dpspin.boundary.view_cells import Range
from dpspin.boundary.view_tables import ViewTable
from dpspin.public.narrate.claims.by_facet import OF_WHAT, OfView, of_what
from dpspin.public.narrate.claims.claim import Problem, broken
from dpspin.public.narrate.facts import Facts

HARDLY: Final = 50  # percent: a declaration fits hardly where certainly more than that has none of its values


@dataclass(frozen=True, slots=True, kw_only=True)
class WithShare(OfView):
    """A share of what lies in a view, with its ends."""

    here: Decimal | None = None
    bottom: Decimal | None = None
    top: Decimal | None = None


def _ends(share: Range, table: ViewTable) -> dict[str, Decimal]:
    bottom, top = percentages.outward(share.low, share.high, table.decimals)
    here = percentages.rounded(share.value, table.decimals, ROUND_HALF_EVEN)
    return {"here": here, "bottom": bottom, "top": top}


@dataclass(frozen=True, slots=True)
class ShareHere(WithShare):
    """The share of a listed theme in one value of a facet."""

    kind: ClassVar[str] = "share_here"
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"of_what": OF_WHAT}
    segment: str
    theme: int
    of_what: str | None = None

    def _share(self, table: ViewTable) -> Range | None:
        known = self.segment in table.values and self.theme in table.themes
        return table.cell(self.theme, table.values.index(self.segment)).share if known else None

    def _law_of(self, facts: Facts, table: ViewTable) -> Problem | None:
        name = facts.labels.get(self.theme, self.theme)
        message = f"No share of {name!r} is known where {self.facet!r} is {self.segment!r}."
        return broken("unsupported-number", message, unless=self._share(table) is not None)

    def _figures_of(self, facts: Facts, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  of the view alone
        share = self._share(table)
        assert share is not None  # noqa: S101  no law is broken
        return {"of_what": of_what(table), **_ends(share, table)}


@dataclass(frozen=True, slots=True)
class PartHere(WithShare):
    """Which part of all that was filed has one value of a facet."""

    kind: ClassVar[str] = "part_here"
    segment: str

    def _part(self, table: ViewTable) -> Range | None:
        return _part_of_all(table, self.segment) if self.segment in table.values else None

    def _law_of(self, facts: Facts, table: ViewTable) -> Problem | None:  # noqa: ARG002  of the view alone
        message = f"It is not known how much was filed where {self.facet!r} is {self.segment!r}."
        part = self._part(table)
        return broken("unsupported-number", message, unless=part is not None and part.low > 0)

    def _figures_of(self, facts: Facts, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  of the view alone
        part = self._part(table)
        assert part is not None  # noqa: S101  no law is broken
        return _ends(part, table)


@dataclass(frozen=True, slots=True)
class HardlyFits(OfView):
    """More than half of what was filed certainly has none of the declared values."""

    kind: ClassVar[str] = "hardly_fits"
    rate: Decimal | None = None

    def _rate(self, table: ViewTable) -> Decimal:
        part = _part_of_all(table, OTHER, MISSING)
        return percentages.rounded(0.0 if part is None else part.low, table.decimals, ROUND_FLOOR)

    def _law_of(self, facts: Facts, table: ViewTable) -> Problem | None:  # noqa: ARG002  of the view alone
        message = f"By {self.facet!r}, the declared values may have half of what was filed."
        return broken("unsupported-coverage", message, unless=self._rate(table) > HARDLY)

    def _figures_of(self, facts: Facts, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  of the view alone
        return {"rate": self._rate(table)}


@dataclass(frozen=True, slots=True)
class AboveSize(OfView):
    """More than the declared size of a value was certainly measured in it: shares of it are no parts of a whole."""

    kind: ClassVar[str] = "above_size"
    segment: str
    filed: int | None = None
    size: int | None = None

    def _law_of(self, facts: Facts, table: ViewTable) -> Problem | None:  # noqa: ARG002  of the view alone
        sized = bool(table.sizes) and self.segment in table.view.facet.declared
        above = sized and self._filed(table) > table.sizes[table.values.index(self.segment)]
        message = f"It is not certain that more was measured in {self.segment!r} than its declared size."
        return broken("unsupported-number", message, unless=above)

    def _figures_of(self, facts: Facts, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  of the view alone
        return {"filed": self._filed(table), "size": table.sizes[table.values.index(self.segment)]}

    def _filed(self, table: ViewTable) -> int:
        """Return what was measured at least: of all themes where that adds up, else of one."""
        place = table.values.index(self.segment)
        whole = table.filed([place]).low if table.plan.statement.quantity == MASS else 0.0
        return math.floor(max([whole, *(table.cell(theme, place).mass.low for theme in table.themes)]))


def _part_of_all(table: ViewTable, *segments: str) -> Range | None:
    """Return the part of values; None of counts of units, which have no total."""
    masses = table.plan.statement.quantity == MASS
    return table.part_of_all([table.values.index(segment) for segment in segments]) if masses else None
