"""Claims about views: in which values of a facet a listed theme has a larger or smaller share than elsewhere.

A share here is one of what was filed in the records of that value, and not of the whole release.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any, ClassVar

from dpspin.boundary import percentages
from dpspin.boundary.privacy import MASS
from dpspin.boundary.view_tables import ViewCell, ViewTable
from dpspin.public.narrate.claims.claim import AsFiled, Problem, broken
from dpspin.public.narrate.facts import Facts

FINER = 2  # more decimals for an end next to zero, so that it is not written as zero


@dataclass(frozen=True, slots=True)
class OfView(AsFiled):
    """What is said of one view, by the name of its facet."""

    facet: str

    def _law(self, facts: Facts) -> Problem | None:
        known = self.facet in facts.views and bool(facts.views[self.facet].cells)
        return broken("unsupported-view", f"There is no view by {self.facet!r} to speak of.", unless=known) or (
            self._law_of(facts, facts.views[self.facet])
        )

    def _figures(self, facts: Facts) -> Mapping[str, Any]:
        return self._figures_of(facts, facts.views[self.facet])

    def _law_of(self, facts: Facts, table: ViewTable) -> Problem | None:  # noqa: ARG002  some hold of every view
        """Return why this cannot be said of this view."""
        return None

    def _figures_of(self, facts: Facts, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  some have none
        """Return the true figures."""
        return {}


@dataclass(frozen=True, slots=True)
class DiffersHere(OfView):
    """A theme has a larger or smaller share in one value of a facet than in all others together, beyond the noise."""

    kind: ClassVar[str] = "differs_here"
    segment: str
    theme: int
    telling: str | None = None
    here: Decimal | None = None
    there: Decimal | None = None
    least: Decimal | None = None
    utmost: Decimal | None = None

    def _law_of(self, facts: Facts, table: ViewTable) -> Problem | None:
        name = facts.labels.get(self.theme, self.theme)
        message = f"The share of {name!r} where {self.facet!r} is {self.segment!r} is not told apart from elsewhere."
        return broken("unsupported-difference", message, unless=self._cell(table) is not None)

    def _cell(self, table: ViewTable) -> ViewCell | None:
        found = (each for each in table.apart if (table.values[each.place], each.atom_id) == (self.segment, self.theme))
        return next(found, None)

    def _figures_of(self, facts: Facts, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  of the view alone
        """Give the shares, and by how many points they differ at least and at most, rounded outward."""
        cell = self._cell(table)
        assert cell is not None  # noqa: S101  no law is broken
        assert cell.share is not None  # noqa: S101  what is told apart has shares
        assert cell.difference is not None  # noqa: S101
        low, high, decimals = _ends(cell.difference.low, cell.difference.high, table)
        shares = (
            percentages.rounded(each, decimals, ROUND_HALF_EVEN) for each in (cell.share.value, cell.elsewhere or 0.0)
        )
        more = low > 0
        least, utmost = (low, high) if more else (-high, -low)
        figures = zip(("here", "there", "least", "utmost"), (*shares, least, utmost), strict=True)
        return {"telling": "larger" if more else "smaller", **dict(figures)}


def _ends(low: float, high: float, table: ViewTable) -> tuple[Decimal, Decimal, int]:
    """Round the ends of a difference outward, with the decimals that leave out zero, and those of a share."""
    usual = table.decimals
    tried = [(*percentages.outward(low, high, usual + more), usual) for more in range(FINER + 1)]
    return next((ends for ends in tried if ends[0] > 0 or ends[1] < 0), tried[-1])


@dataclass(frozen=True, slots=True)
class ToldApart(OfView):
    """How many shares of listed themes in one value are told apart from elsewhere; of the others nothing is told."""

    kind: ClassVar[str] = "told_apart"
    telling: str | None = None
    count: int | None = None

    def _law_of(self, facts: Facts, table: ViewTable) -> Problem | None:  # noqa: ARG002  of all views of a plan
        message = f"By {self.facet!r} there are numbers of who mentions a theme, and no shares to tell apart."
        return broken("unsupported-difference", message, unless=facts.plan.statement.quantity == MASS)

    def _figures_of(self, facts: Facts, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  of the view alone
        count = len(table.apart)
        return {"telling": "some" if count else "none", "count": count or None}


@dataclass(frozen=True, slots=True)
class ViewConfidence(OfView):
    """With which confidence all that is said of a view holds together, and what that does not cover."""

    kind: ClassVar[str] = "view_confidence"
    confidence: Decimal | None = None

    def _figures_of(self, facts: Facts, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  of the plan alone
        return {"confidence": percentages.confidence(facts.plan.rules.beta)}
