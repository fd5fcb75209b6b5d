"""Claims about views: in which values of a facet a listed theme has a larger or smaller share than elsewhere.

A share here is one of what was filed in the records of that value, or of a size that was declared for it, and not of
the whole release. Two values are compared in `between_values`.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Any, ClassVar, Final

from dpspin.boundary import percentages
from dpspin.boundary.view_cells import Contrast
from dpspin.boundary.view_tables import LOOSEST, ViewTable
from dpspin.public.narrate.claims.claim import AsFiled, Problem, broken
from dpspin.public.narrate.facts import Facts

OF_WHAT: Final = ("of what was filed", "of the declared size")
TENTH: Final = Decimal("0.1")
TWICE: Final = (Decimal("1.7"), Decimal("2.3"))  # a reader calls it about twice where all of the interval lies in this


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

    @property
    def segments(self) -> tuple[str, ...]:
        """The values of the facet that it names."""
        named = (getattr(self, name, None) for name in ("segment", "rival"))
        return tuple(value for value in named if value is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfTheme(OfView):
    """What is said of one theme in a value of a facet, beside another value or all others.

    What is compared and how it is told are two bases of each kind below, which therefore have no slots.
    """

    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"of_what": OF_WHAT}
    of_what: str | None = None
    telling: str | None = None

    @abstractmethod
    def _contrast(self, table: ViewTable) -> Contrast | None:
        """Return the two shares; None where they are not compared."""

    @abstractmethod
    def _not_apart(self, facts: Facts) -> str:
        """Say that the two shares are not told apart."""

    def _law_of(self, facts: Facts, table: ViewTable) -> Problem | None:
        contrast = self._contrast(table)
        told = contrast is not None and table.tells_apart(contrast)
        return broken("unsupported-difference", self._not_apart(facts), unless=told)

    def _figures_of(self, facts: Facts, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  of the view alone
        contrast = self._contrast(table)
        assert contrast is not None  # noqa: S101  no law is broken
        return {"of_what": of_what(table), **self._figures_in(contrast, table)}

    @abstractmethod
    def _figures_in(self, contrast: Contrast, table: ViewTable) -> Mapping[str, Any]:
        """Return the figures of two shares that are told apart."""


@dataclass(frozen=True, kw_only=True)
class WithPoints(OfTheme):
    """By how many points two shares differ, at least and at most."""

    here: Decimal | None = None
    there: Decimal | None = None
    least: Decimal | None = None
    utmost: Decimal | None = None

    def _figures_in(self, contrast: Contrast, table: ViewTable) -> Mapping[str, Any]:
        """Give the shares, and by how many points they differ at least and at most, rounded outward."""
        low, high = table.ends(contrast)
        shares = (
            percentages.rounded(each.value, table.decimals, ROUND_HALF_EVEN) for each in (contrast.here, contrast.there)
        )
        least, utmost = (low, high) if low > 0 else (-high, -low)
        figures = zip(("here", "there", "least", "utmost"), (*shares, least, utmost), strict=True)
        return {"telling": self._telling(table, more=low > 0), **dict(figures)}

    def _telling(self, table: ViewTable, *, more: bool) -> str:  # noqa: ARG002  some tell periods otherwise
        return "larger" if more else "smaller"


@dataclass(frozen=True)
class Elsewhere(OfTheme):
    """One value beside all others together."""

    segment: str
    theme: int

    def _contrast(self, table: ViewTable) -> Contrast | None:
        known = self.segment in table.values
        return table.from_elsewhere(self.theme, table.values.index(self.segment)) if known else None

    def _not_apart(self, facts: Facts) -> str:
        name = facts.labels.get(self.theme, self.theme)
        return f"The share of {name!r} where {self.facet!r} is {self.segment!r} is not told apart from elsewhere."


@dataclass(frozen=True)
class DiffersHere(WithPoints, Elsewhere):
    """A theme has a larger or smaller share in one value of a facet than in all others together, beyond the noise."""

    kind: ClassVar[str] = "differs_here"


@dataclass(frozen=True, kw_only=True)
class WithTimes(OfTheme):
    """How many times one share is the other, at least and, where that is known, at most."""

    few: Decimal | None = None
    many: Decimal | None = None

    def _law_of(self, facts: Facts, table: ViewTable) -> Problem | None:
        contrast = self._contrast(table)
        more = contrast is not None and any(times_of(each)[0] > 1 for each in self._ways(contrast))
        message = "The shares may be next to equal: give no ratio."
        return super()._law_of(facts, table) or broken("unsupported-ratio", message, unless=more)

    def _figures_in(self, contrast: Contrast, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  of the shares
        side, (few, many) = next(
            (side, times)
            for side, each in zip(("here", "elsewhere"), self._ways(contrast), strict=False)
            if (times := times_of(each))[0] > 1
        )
        twice = many is not None and TWICE[0] <= few and many <= TWICE[1]
        how = " twice" if twice else "" if many is not None else " at least"
        return {"telling": side + how, "few": few, "many": many}

    def _ways(self, contrast: Contrast) -> tuple[Contrast, ...]:
        """Return the ways in which the ratio can be told."""
        return contrast, contrast.turned


@dataclass(frozen=True)
class TimesHere(WithTimes, Elsewhere):
    """How many times its share elsewhere a theme has in one value of a facet, or the other way round."""

    kind: ClassVar[str] = "times_here"


@dataclass(frozen=True, slots=True, kw_only=True)
class Others(OfView):
    """How many listed themes are told apart, and by how much any other one differs at most."""

    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"of_what": OF_WHAT}
    telling: str | None = None
    of_what: str | None = None
    size: int | None = None
    count: int | None = None
    limit: Decimal | None = None

    @abstractmethod
    def _contrasts(self, table: ViewTable) -> Iterable[Contrast | None]:
        """Return the shares of every listed theme."""

    def _law_of(self, facts: Facts, table: ViewTable) -> Problem | None:  # noqa: ARG002  of the view alone
        message = f"By {self.facet!r} this is not compared, or hardly anything is known of it."
        return broken("unsupported-difference", message, unless=any(self._contrasts(table)))

    def _figures_of(self, facts: Facts, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  of the view alone
        compared = [each for each in self._contrasts(table) if each is not None]
        others = [each.most for each in compared if not table.tells_apart(each)]
        count, most = len(compared) - len(others), max(others, default=None)
        return {
            "telling": self._telling(table, "all" if most is None else "some" if count else "none"),
            "of_what": of_what(table),
            "size": len(compared),
            "count": count if count and most is not None else None,
            "limit": None if most is None else percentages.rounded(most, table.decimals, ROUND_CEILING),
        }

    def _telling(self, table: ViewTable, found: str) -> str:  # noqa: ARG002  some tell periods otherwise
        return found


@dataclass(frozen=True, slots=True)
class OthersHere(Others):
    """How many themes differ from elsewhere in one value of a facet, and by how much any other one does at most."""

    kind: ClassVar[str] = "others_here"
    segment: str

    def _contrasts(self, table: ViewTable) -> Iterable[Contrast | None]:
        place = table.values.index(self.segment) if self.segment in table.values else -1
        return [table.from_elsewhere(theme, place) for theme in table.themes]


@dataclass(frozen=True, slots=True)
class ToldApart(OfView):
    """How many shares of listed themes in one value are told apart from elsewhere; of the others no direction is."""

    kind: ClassVar[str] = "told_apart"
    telling: str | None = None
    count: int | None = None

    def _law_of(self, facts: Facts, table: ViewTable) -> Problem | None:  # noqa: ARG002  of the view alone
        message = f"By {self.facet!r} there are numbers of who mentions a theme, and no shares to tell apart."
        return broken("unsupported-difference", message, unless=table.has_shares)

    def _figures_of(self, facts: Facts, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  of the view alone
        count = len(table.apart)
        return {"telling": "some" if count else "none", "count": count or None}


@dataclass(frozen=True, slots=True)
class SizeOf(OfView):
    """The size that was declared for one value of a facet: shares there are of that."""

    kind: ClassVar[str] = "size_of"
    segment: str
    size: int | None = None

    def _law_of(self, facts: Facts, table: ViewTable) -> Problem | None:  # noqa: ARG002  of the view alone
        sized = bool(table.sizes) and self.segment in table.view.facet.declared
        return broken("unsupported-number", f"No size was declared for {self.segment!r}.", unless=sized)

    def _figures_of(self, facts: Facts, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  of the view alone
        return {"size": table.sizes[table.values.index(self.segment)]}


@dataclass(frozen=True, slots=True)
class ViewConfidence(OfView):
    """With which confidence all that is said of a view holds together, and what that does not cover."""

    kind: ClassVar[str] = "view_confidence"
    confidence: Decimal | None = None

    def _figures_of(self, facts: Facts, table: ViewTable) -> Mapping[str, Any]:  # noqa: ARG002  of the plan alone
        return {"confidence": percentages.confidence(facts.plan.rules.beta)}


def of_what(table: ViewTable) -> str:
    """Say what the shares of a view are of."""
    return OF_WHAT[bool(table.sizes)]


def times_of(contrast: Contrast) -> tuple[Decimal, Decimal | None]:
    """Round a ratio outward to a tenth; an upper end far beyond the lower one says nothing, and is left out."""
    low, high = contrast.times
    few = Decimal(low).quantize(TENTH, ROUND_FLOOR)
    return few, None if high > LOOSEST * low else Decimal(high).quantize(TENTH, ROUND_CEILING)
