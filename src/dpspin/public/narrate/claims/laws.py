"""The laws that several claims share, each in one place."""

from collections.abc import Sequence
from itertools import pairwise

from dpspin.boundary.plan import PlanEntry
from dpspin.boundary.postprocess import lead_over_the_rest
from dpspin.public.narrate.claims.claim import Problem
from dpspin.public.narrate.facts import Estimate, Facts


def not_listed(facts: Facts, *themes: int) -> Problem | None:
    """Ask that there are themes, each once, and that the plan lists all of them."""
    if not themes or len(set(themes)) < len(themes):
        return Problem("unsupported-label", "Name each theme once.")
    for theme in themes:
        if theme not in facts.listed:
            return Problem(
                "unsupported-label", f"Leave out {facts.labels.get(theme, theme)!r}: the plan does not list it."
            )
    return None


def not_released(facts: Facts, *themes: int) -> Problem | None:
    """Ask that the masses of the themes were released, listed or not."""
    for theme in themes:
        if theme not in facts.masses:
            return Problem("unsupported-label", f"Leave out {facts.labels.get(theme, theme)!r}: it was not released.")
    return None


def no_such_area(facts: Facts, *areas: str) -> Problem | None:
    """Ask that there are headings, each once, and that the sums of all of them are known."""
    if not areas or len(set(areas)) < len(areas):
        return Problem("unsupported-area", "Name each area once.")
    for area in areas:
        if area not in facts.area_estimates:
            return Problem("unsupported-area", f"Leave out {area!r}: no sum over its themes is known.")
    return None


def is_above(facts: Facts, higher: int, lower: int) -> bool:
    """Tell whether the order of two themes is supported (definition 3, item iii)."""
    return facts.masses[higher] - facts.masses[lower] > facts.plan.rules.comparison_margin


def not_above(facts: Facts, higher: int, lower: int) -> Problem | None:
    """Ask for an order that the margin supports."""
    if is_above(facts, higher, lower):
        return None
    names = f"{facts.labels[higher]!r} and {facts.labels[lower]!r}"
    gap, margin = facts.masses[higher] - facts.masses[lower], facts.plan.rules.comparison_margin
    return Problem(
        "unsupported-comparison",
        f"Do not order {names}: their masses differ by {gap:.1f}, which must be over {margin:.1f}.",
    )


def not_leading(facts: Facts, theme: int) -> Problem | None:
    """Ask that a theme leads all others by more than the superlative margin; a theme alone leads nobody."""
    lead = lead_over_the_rest(facts.plan, {theme})
    if len(facts.masses) > 1 and lead > facts.plan.rules.superlative_margin:
        return None
    margin = facts.plan.rules.superlative_margin
    return Problem(
        "unsupported-superlative",
        f"Do not call {facts.labels[theme]!r} the largest: it leads by {lead:.1f}, which must be over {margin:.1f}.",
    )


def told_apart(facts: Facts, themes: Sequence[int]) -> Problem | None:
    """Ask that no two of the themes lie further apart than the comparison margin."""
    masses = [facts.masses[theme] for theme in themes]
    if len(themes) > 1 and max(masses) - min(masses) <= facts.plan.rules.comparison_margin:
        return None
    return Problem("unsupported-comparison", "Do not call these themes alike: some of them can be told apart.")


def is_larger(one: Estimate, other: Estimate) -> bool:
    """Tell whether one sum is certainly larger than another: their intervals, which hold together, are apart."""
    return one.low > other.high


def clear(entries: Sequence[PlanEntry]) -> list[PlanEntry]:
    """Return the entries that stand clear of the noise."""
    return [entry for entry in entries if entry.clears_noise]


def order_is_certain(facts: Facts) -> bool:
    """Tell whether every listed theme stands clear, and above the next one, under certified margins."""
    ids = list(facts.listed)
    every = len(ids) > 1 and len(clear(facts.plan.entries)) == len(ids)
    return facts.certifies and every and all(is_above(facts, *pair) for pair in pairwise(ids))
