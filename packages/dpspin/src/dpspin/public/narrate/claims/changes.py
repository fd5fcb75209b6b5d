"""Claims that compare two plans, A and B: which shares differ, which do not, and what the comparison rests on.

They stand in texts about a change only, and nothing that is said of one plan alone stands beside them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal
from typing import Any, ClassVar, Final

from dpspin.boundary import percentages
from dpspin.boundary.comparison_fields import Change, Comparison, ThemeChange
from dpspin.boundary.privacy import MASS
from dpspin.public.narrate.claims.certainty import whole_percent
from dpspin.public.narrate.claims.claim import Claim, Problem, broken
from dpspin.public.narrate.facts import Facts
from dpspin.public.wording.quantities import denominator_words, unit_words

AS_TOLD: Final = {"filed": "as filed", "read": "by the reading"}
WITHIN: Final = ("in the dictionary", "with released values in both plans")
NO_THEME: Final = {  # of masses, and of units
    "filed": ("what was filed under none of the themes", "those with no text filed under a theme"),
    "read": ("what a reader would file under none of the themes", "those in which a reader would find no theme"),
}
UNREAD: Final = ("text that was not read for its language", "those with text that was not read for its language")
PARTS: Final = (*NO_THEME["filed"], *NO_THEME["read"], *UNREAD)


@dataclass(frozen=True, slots=True)
class OfChange(Claim):
    """What is said of two plans."""

    def _elsewhere(self, facts: Facts) -> Problem | None:
        return broken("two-plans", "There is one plan here: nothing is compared.", unless=facts.before is not None)

    def _law(self, facts: Facts) -> Problem | None:
        return self._law_of(facts, _change(facts))

    def _figures(self, facts: Facts) -> Mapping[str, Any]:
        return self._figures_of(facts, _change(facts))

    def _law_of(self, facts: Facts, change: Comparison) -> Problem | None:  # noqa: ARG002  some hold of every change
        """Return why this cannot be said of this change."""
        return None

    def _figures_of(self, facts: Facts, change: Comparison) -> Mapping[str, Any]:  # noqa: ARG002  some have none
        """Return the true figures."""
        return {}


def _change(facts: Facts) -> Comparison:
    assert facts.change is not None  # noqa: S101  no law is broken
    return facts.change


@dataclass(frozen=True, slots=True, kw_only=True)
class WithEnds(OfChange):
    """A share in both plans, and by how many points it differs; by the reading its ends alone, else it is a guess."""

    telling: str | None = None
    before: Decimal | None = None
    after: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None


def _ends(share: Change, change: Comparison, told: str) -> dict[str, object]:
    """Return the figures; points are told as so many more or so many less, and not where nothing is told apart."""
    low, high = change.ends(share)
    ends = {"up": (low, high), "down": (-high, -low), "not_apart": (None, None)}[share.direction]
    both = [percentages.rounded(each, change.decimals, ROUND_HALF_EVEN) for each in (share.share_a, share.share_b)]
    shares = both if told == "filed" else (None, None)
    figures = zip(("before", "after", "low", "high"), (*shares, *ends), strict=True)
    return {"telling": f"{told} {share.direction}", **dict(figures)}


@dataclass(frozen=True, slots=True)
class Differs(WithEnds):
    """The share of a theme is larger or smaller in B than in A, beyond the noise of both plans."""

    kind: ClassVar[str] = "differs"
    theme: int

    def _law_of(self, facts: Facts, change: Comparison) -> Problem | None:
        found = _theme(change, self.theme)
        message = f"The shares of {facts.labels.get(self.theme, self.theme)!r} in A and B are not told apart."
        return broken("unsupported-change", message, unless=found is not None and found.direction != "not_apart")

    def _figures_of(self, facts: Facts, change: Comparison) -> Mapping[str, Any]:  # noqa: ARG002  of the change alone
        found = _theme(change, self.theme)
        assert found is not None  # noqa: S101  no law is broken
        return _ends(found, change, change.told)


@dataclass(frozen=True, slots=True)
class NotApart(OfChange):
    """The shares of these themes in A and B are not told apart."""

    kind: ClassVar[str] = "not_apart"
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"as_told": tuple(AS_TOLD.values())}
    themes: tuple[int, ...]
    as_told: str | None = None

    def _law_of(self, facts: Facts, change: Comparison) -> Problem | None:  # noqa: ARG002  of the change alone
        """Ask that there are themes, each once, that both plans released all of them, and that none is told apart."""
        found = [_theme(change, theme) for theme in self.themes]
        equal = all(each is not None and each.direction == "not_apart" for each in found)
        once = bool(found) and len(set(self.themes)) == len(found)
        return broken("unsupported-change", "Some of these are told apart, or not compared.", unless=equal and once)

    def _figures_of(self, facts: Facts, change: Comparison) -> Mapping[str, Any]:  # noqa: ARG002  of the change alone
        return {"as_told": AS_TOLD[change.told]}


@dataclass(frozen=True, slots=True)
class Moved(OfChange):
    """How many themes are told apart, and by how much any other one differs at most."""

    kind: ClassVar[str] = "moved"
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"within": WITHIN}
    found: str | None = None
    size: int | None = None
    within: str | None = None
    count: int | None = None
    as_told: str | None = None
    reach: Decimal | None = None

    def _law_of(self, facts: Facts, change: Comparison) -> Problem | None:  # noqa: ARG002  of the change alone
        return broken("unsupported-number", "No theme has a released value in both.", unless=bool(change.themes))

    def _figures_of(self, facts: Facts, change: Comparison) -> Mapping[str, Any]:  # noqa: ARG002  of the change alone
        """Count what was compared, and give the largest difference that the others may have."""
        others = [each.most for each in change.themes if each.direction == "not_apart"]
        count = len(change.moved)
        return {
            "found": "all" if not others else "some" if count else "none",
            "size": len(change.themes),
            "within": WITHIN[bool(change.not_compared)],
            "count": count if count and others else None,
            "as_told": AS_TOLD[change.told],
            "reach": percentages.rounded(max(others), change.decimals, ROUND_CEILING) if others else None,
        }


@dataclass(frozen=True, slots=True)
class BeyondChance(OfChange):
    """Which of the themes that are told apart differ by more than chance in who wrote would explain: all of those."""

    kind: ClassVar[str] = "beyond_chance"
    found: str | None = None
    themes: tuple[int, ...] | None = None
    units: str | None = None

    def _law_of(self, facts: Facts, change: Comparison) -> Problem | None:  # noqa: ARG002  of the change alone
        return broken("unsupported-change", "No theme is told apart.", unless=bool(change.moved))

    def _figures_of(self, facts: Facts, change: Comparison) -> Mapping[str, Any]:
        themes = tuple(int(each.atom_id) for each in change.moved if each.beyond_chance)
        units = unit_words(facts.plan.statement.unit)
        return {"found": "some" if themes else "none", "themes": themes or None, "units": units}

    @property
    def rows(self) -> tuple[int, ...]:
        """The themes that it names."""
        return self.themes or ()


@dataclass(frozen=True, slots=True)
class BesideDiffers(WithEnds):
    """Whether what fits no theme, or was not read, differs between A and B: the first other explanation."""

    kind: ClassVar[str] = "beside_differs"
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {"part": PARTS}
    part: str

    def _law_of(self, facts: Facts, change: Comparison) -> Problem | None:
        known = self.part in beside(facts, change)
        return broken("unsupported-coverage", "This was not measured, or not so.", unless=known)

    def _figures_of(self, facts: Facts, change: Comparison) -> Mapping[str, Any]:
        told = "filed" if self.part in UNREAD else change.told  # a reader is given what the map reads
        return _ends(beside(facts, change)[self.part], change, told)


def beside(facts: Facts, change: Comparison) -> dict[str, Change]:
    """Return what was measured beside the themes, by its words."""
    units = facts.plan.statement.quantity != MASS
    named = {NO_THEME[change.told][units]: change.none, UNREAD[units]: change.not_read}
    return {words: each for words, each in named.items() if each is not None}


@dataclass(frozen=True, slots=True)
class NotCompared(OfChange):
    """How many themes of the dictionary have no released value in one of the plans."""

    kind: ClassVar[str] = "not_compared"
    count: int | None = None

    def _law_of(self, facts: Facts, change: Comparison) -> Problem | None:  # noqa: ARG002  of the change alone
        return broken("unsupported-number", "All themes were compared.", unless=bool(change.not_compared))

    def _figures_of(self, facts: Facts, change: Comparison) -> Mapping[str, Any]:  # noqa: ARG002  of the change alone
        return {"count": len(change.not_compared)}


@dataclass(frozen=True, slots=True)
class PassedOn(OfChange):
    """How much of a theme's rise the map showed on labelled test text, where its report card says so."""

    kind: ClassVar[str] = "passed_on"
    rate: Decimal | None = None

    def _elsewhere(self, facts: Facts) -> Problem | None:
        """Let it be said of a series too."""
        return None if facts.time is not None else super(PassedOn, self)._elsewhere(facts)

    def _law(self, facts: Facts) -> Problem | None:
        """Ask that the card tells it, and that what the map filed is compared."""
        known = _passed_on(facts) is not None and (facts.change is None or facts.change.told == "filed")
        return broken("unsupported-quality", "The map's card does not tell this.", unless=known)

    def _figures(self, facts: Facts) -> Mapping[str, Any]:
        return {"rate": whole_percent(_passed_on(facts) or 0.0)}


def _passed_on(facts: Facts) -> float | None:
    card = facts.plan.statement.contribution_map.card
    return card.rivals.passed_on if card is not None and card.real_text and card.rivals is not None else None


@dataclass(frozen=True, slots=True)
class OwnTotals(OfChange):
    """What shares refer to in each plan."""

    kind: ClassVar[str] = "own_totals"
    total_a: str | None = None
    total_b: str | None = None

    def _figures_of(self, facts: Facts, change: Comparison) -> Mapping[str, Any]:  # noqa: ARG002  of the plans
        return dict(zip(("total_a", "total_b"), totals(facts), strict=True))


def totals(facts: Facts) -> tuple[str, str]:
    """Name what shares refer to in A and in B."""
    return denominator_words(facts.each[0].plan), denominator_words(facts.each[-1].plan)


@dataclass(frozen=True, slots=True)
class ChangeConfidence(OfChange):
    """With which confidence all differences hold together, and what that does not cover."""

    kind: ClassVar[str] = "change_confidence"
    told: str | None = None
    confidence: Decimal | None = None

    def _figures_of(self, facts: Facts, change: Comparison) -> Mapping[str, Any]:  # noqa: ARG002  of the change alone
        return {"told": change.told, "confidence": percentages.confidence(change.beta)}


REMARKS: Final = ("simulated", "none_read", "one_read", "readers_differ", "not_why", "counted", "views")


@dataclass(frozen=True, slots=True)
class Remark(OfChange):
    """One of the fixed sentences about a comparison."""

    kind: ClassVar[str] = "remark"
    remark: str

    def _law_of(self, facts: Facts, change: Comparison) -> Problem | None:
        applies = {
            "simulated": not all(one.plan.is_private for one in facts.each),
            "not_why": True,
            "counted": facts.plan.statement.quantity != MASS,
            "views": any(one.plan.statement.views for one in facts.each),
        }.get(self.remark, self.remark == change.why_filed)
        return broken("unsupported-public-claim", "This is not true of these plans.", unless=applies)


def _theme(change: Comparison, theme: int) -> ThemeChange | None:
    return next((each for each in change.themes if each.atom_id == theme), None)
