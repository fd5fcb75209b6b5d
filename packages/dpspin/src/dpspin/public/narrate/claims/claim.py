"""What a claim is: a frozen value that says one thing, the law by which it holds, and the figures that it must have.

A claim's fields are the slots of its forms, by name. Those that name what it speaks of (a theme, a heading) come
first; the others are figures, which follow from the plan: ``filled`` gives them, and ``problem`` compares them.
"""

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from itertools import pairwise
from typing import Any, ClassVar, Final, Self

from dpspin.boundary.plan_fields import Uncovered
from dpspin.boundary.postprocess import lead_over_the_rest
from dpspin.public.narrate.as_read import Estimate
from dpspin.public.narrate.facts import Facts

THEME_FIELDS: Final = frozenset({"theme", "other", "themes", "items"})  # fields that name themes
LIST_FIELDS: Final = frozenset({"themes", "areas", "items", "area_items"})
PAIR_FIELDS: Final = frozenset({"items", "area_items"})  # lists of a name and its share
SHARE_FIELDS: Final = frozenset({"share", "low", "reach", *PAIR_FIELDS})


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a claim does not hold: the name of the law, and a sentence with the numbers."""

    law: str
    message: str


@dataclass(frozen=True, slots=True)
class Claim(ABC):
    """One thing that is said of a plan."""

    kind: ClassVar[str]
    audit_only: ClassVar[bool] = False  # exact values are for those who check
    speaks_of_shares: ClassVar[bool] = False  # without giving one
    compares_intervals: ClassVar[bool] = False  # which are those of shares: where none is known, they say nothing
    closed: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # fields that have few values, in words

    @abstractmethod
    def _law(self, facts: Facts) -> Problem | None:
        """Return why this cannot be said of what it speaks of, whatever the figures are."""

    def _figures(self, facts: Facts) -> Mapping[str, Any]:  # noqa: ARG002  most claims have none
        """Return the true figures as a text gives them; called only where no law is broken."""
        return {}

    @property
    def of_both(self) -> bool:
        """Whether it may be said of two plans at once, where it holds of each."""
        return False

    def _elsewhere(self, facts: Facts) -> Problem | None:
        """Return why this has no place in such a text."""
        message = "This text compares plans: say what differs, and nothing of one plan alone."
        return broken("one-plan", message, unless=facts.before is None and facts.time is None)

    def broken_law(self, facts: Facts) -> Problem | None:
        """Return why the plan does not support this, with any figures; None where it does."""
        return self._elsewhere(facts) or self._law(facts)

    def problem(self, facts: Facts) -> Problem | None:
        """Return why this does not hold of the plan; None where it does."""
        return next(filter(None, map(self._problem, self._spoken_of(facts))), None)

    def _problem(self, facts: Facts) -> Problem | None:
        return self.broken_law(facts) or self._no_share(facts) or next(self._wrong_figures(facts), None)

    def _spoken_of(self, facts: Facts) -> tuple[Facts, ...]:
        return facts.each if self.of_both else (facts,)

    def holds(self, facts: Facts) -> bool:
        """Tell whether it holds."""
        return self.problem(facts) is None

    def filled(self, facts: Facts) -> Self:
        """Return this with its true figures, as a text gives them; what breaks a law is returned as it is."""
        last = self._spoken_of(facts)[-1]
        return self if self.broken_law(last) is not None else replace(self, **self._figures(last))

    @property
    def rows(self) -> tuple[int, ...]:
        """The themes that it speaks of."""
        named = (getattr(self, field.name) for field in fields(self) if field.name in THEME_FIELDS)
        return tuple(theme for value in named for theme in names_in(value))

    @property
    def gives_shares(self) -> bool:
        """Whether it says how much: then a reader must be told of what."""
        return self.speaks_of_shares or any(field.name in SHARE_FIELDS for field in fields(self))

    def _no_share(self, facts: Facts) -> Problem | None:
        message = "What shares refer to is too noisy: give none."
        needed = self.gives_shares or self.compares_intervals
        return broken("unsupported-number", message, unless=facts.has_shares or not needed)

    def _wrong_figures(self, facts: Facts) -> Iterator[Problem]:
        for name, true in self._figures(facts).items():
            said = getattr(self, name)
            if repr(said) != repr(true):  # 85.0 equals 85, and says more
                yield Problem("wrong-number", f"Give {name.replace('_', ' ')} as {shown(true)}, not {shown(said)}.")


@dataclass(frozen=True, slots=True)
class AsFiled(Claim):
    """What is said of shares as the map files them: where a sample was read, another share is the theme's."""

    def _elsewhere(self, facts: Facts) -> Problem | None:
        """Ask that no sample was read: two shares of one theme, and an order by each, would contradict each other."""
        message = "A sample was read: say what a reader would file, not what the map did."
        return super(AsFiled, self)._elsewhere(facts) or broken("map-alone", message, unless=facts.read is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class WithInterval(AsFiled):
    """A claim that gives a share with its interval."""

    share: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None


def holding(claims: Iterable[Claim], facts: Facts) -> Iterator[Claim]:
    """Fill in the figures, and leave out what does not hold."""
    return (filled for claim in claims if (filled := claim.filled(facts)).holds(facts))


def broken(law: str, message: str, *, unless: bool) -> Problem | None:
    """Return what is wrong, unless it is right."""
    return None if unless else Problem(law, message)


def names_in(value: Any) -> tuple[Any, ...]:  # noqa: ANN401  the field of a claim
    """Return the themes or areas that a field names: one, a list of them, or of pairs with their shares."""
    return (
        tuple(each[0] if isinstance(each, tuple) else each for each in value) if isinstance(value, tuple) else (value,)
    )


def ends(estimate: Estimate, facts: Facts) -> dict[str, object]:
    """Return the figures of a value with its interval."""
    low, high = facts.outward(estimate)
    return {"share": facts.percent(estimate.share), "low": low, "high": high}


def shown(figure: object) -> str:
    """Write a figure for a message."""
    return f"{figure}%" if isinstance(figure, Decimal) else str(figure)


def not_listed(facts: Facts, *themes: int) -> Problem | None:
    """Ask that there are themes, each once, and that the plan lists all of them."""
    if not themes or len(set(themes)) < len(themes):
        return Problem("unsupported-label", "Name each theme once.")
    return _all_in(facts.ranked, facts, themes, "the plan does not list it")


def not_clear(facts: Facts, *themes: int) -> Problem | None:
    """Ask that the plan lists the themes, and that they stand clear of the noise: else a number may be noise alone."""
    return not_listed(facts, *themes) or _lost(facts.labels[theme] for theme in themes if theme in facts.unclear)


def not_unclear(facts: Facts, themes: Sequence[int]) -> Problem | None:
    """Ask that the intervals of all these themes reach down to zero."""
    message = "The intervals of some of these themes lie above zero."
    return broken("unsupported-clearance", message, unless=set(themes) <= set(facts.unclear))


def lost_in_noise(facts: Facts, *areas: str) -> Problem | None:
    """Ask that the sums of areas stand clear of the noise."""
    return _lost(area for area in areas if facts.area_estimates[area].low <= 0)


def _lost(names: Iterable[str]) -> Problem | None:
    problems = (Problem("unsupported-clearance", f"{name!r} does not stand clear of the noise.") for name in names)
    return next(problems, None)


def nothing_listed(facts: Facts) -> Problem | None:
    """Ask for listed themes."""
    return broken("unsupported-number", "No theme is listed.", unless=bool(facts.listed))


def not_released(facts: Facts, *themes: int) -> Problem | None:
    """Ask that the masses of the themes were released, listed or not."""
    return _all_in(facts.masses, facts, themes, "it was not released")


def _all_in(known: Container[int], facts: Facts, themes: Sequence[int], why: str) -> Problem | None:
    unknown = (facts.labels.get(theme, theme) for theme in themes if theme not in known)
    return next((Problem("unsupported-label", f"Leave out {name!r}: {why}.") for name in unknown), None)


def is_there(value: Uncovered | None) -> bool:
    """Tell whether the noise is sure that some of what lies beside the themes is there."""
    return value is not None and value.low > 0


def no_such_area(facts: Facts, *areas: str) -> Problem | None:
    """Ask that there are headings, each once, and that the sums of all of them are known."""
    if not areas or len(set(areas)) < len(areas):
        return Problem("unsupported-area", "Name each area once.")
    unknown = (area for area in areas if area not in facts.area_estimates)
    why = "no sum over its themes is known"
    return next((Problem("unsupported-area", f"Leave out {area!r}: {why}.") for area in unknown), None)


def is_above(facts: Facts, higher: int, lower: int) -> bool:
    """Tell whether the order of two themes is supported (definition 3, item iii)."""
    return facts.masses[higher] - facts.masses[lower] > facts.plan.rules.comparison_margin


def not_above(facts: Facts, higher: int, lower: int) -> Problem | None:
    """Ask for an order that the margin supports."""
    names = f"{facts.labels[higher]!r} and {facts.labels[lower]!r}"
    gap, margin = facts.masses[higher] - facts.masses[lower], facts.plan.rules.comparison_margin
    return broken(
        "unsupported-comparison",
        f"Do not order {names}: their masses differ by {gap:.1f}, which must be over {margin:.1f}.",
        unless=is_above(facts, higher, lower),
    )


def by_margin_only(facts: Facts) -> Problem | None:
    """Ask that orders rest on the noise: a public margin bounds no error."""
    message = "A public margin bounds no error: speak of released values."
    return broken("unsupported-comparison", message, unless=facts.certifies)


def not_leading(facts: Facts, theme: int) -> Problem | None:
    """Ask that a theme leads all others by more than the superlative margin; a theme alone leads nobody."""
    lead, margin = lead_over_the_rest(facts.plan, {theme}), facts.plan.rules.superlative_margin
    return broken(
        "unsupported-superlative",
        f"Do not call {facts.labels[theme]!r} the largest: it leads by {lead:.1f}, which must be over {margin:.1f}.",
        unless=len(facts.masses) > 1 and lead > margin,
    )


def intervals_apart(facts: Facts, higher: int, lower: int) -> bool:
    """Tell whether the interval of one theme lies above that of another."""
    return facts.theme(higher).low > facts.theme(lower).high


def not_overlapping(each: Iterable[Estimate]) -> Problem | None:
    """Ask for several intervals that all overlap."""
    found = list(each)
    overlap = len(found) > 1 and max(one.low for one in found) <= min(one.high for one in found)
    return broken("unsupported-comparison", "Some of these intervals do not overlap.", unless=overlap)


def is_larger(facts: Facts, area: str, other: str) -> bool:
    """Tell whether one area is certainly larger than another: their masses are further apart than the noise reaches.

    The shares that a text gives must be in that order too: an area is told as no less than each of its themes.
    """
    (mass, reach), (others, beyond) = facts.area_masses[area], facts.area_masses[other]
    shares = facts.area_estimates
    return mass - reach > others + beyond and shares[area].share > shares[other].share


def order_is_certain(facts: Facts, themes: Sequence[int]) -> bool:
    """Tell whether every one of these themes stands clear, and above the next one, under certified margins."""
    above = all(is_above(facts, *pair) for pair in pairwise(themes))
    return facts.certifies and len(themes) > 1 and not set(themes) & set(facts.unclear) and above
