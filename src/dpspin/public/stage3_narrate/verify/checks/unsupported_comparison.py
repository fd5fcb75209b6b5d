"""``unsupported-comparison``: an order of two themes must hold by more than the public comparison margin.

Where several themes stand on a side, every pair must hold. "Cannot be told apart" must be so, and equality can never be
certified under noise.
"""

from collections.abc import Iterator
from itertools import pairwise

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.claims.orders import is_above
from dpspin.public.stage3_narrate.verify.check import entries_named, named
from dpspin.public.stage3_narrate.verify.statements import (
    Certain,
    Equal,
    Inseparable,
    Order,
    Sorted,
    Statement,
    Unexplained,
)
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-comparison"
_KINDS = frozenset({"above", "below", "more", "less", "then", "tie", "order_certain", "than", "compared"})
_EQUAL = "Equal support cannot be certified under noise: say that the themes cannot be told apart, or share a bin."
COMPARISONS = (Order, Inseparable, Sorted, Certain, Equal)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report the orders, ties and equalities that the plan does not support."""
    for statement in text.statements:
        if problem := problem_of(statement, plan):
            yield Violation(rule=RULE, message=problem, span=statement.span)


def problem_of(statement: Statement, plan: SemanticPlan) -> str | None:  # noqa: PLR0911  one answer per kind
    """Say why the plan does not support a comparison, or None."""
    match statement:
        case Order():
            return _order_problem(statement, plan)
        case Inseparable(atoms=atoms):
            return _tie_problem(atoms, plan)
        case Sorted():
            return _sorting_problem(statement, plan)
        case Certain(atoms=atoms):
            return _certain_problem(atoms, plan)
        case Equal():
            return _EQUAL
        case Unexplained(kind=kind, text=words) if kind in _KINDS:
            return f"It is not clear what {words!r} compares: name one admitted theme on each side."
        case _:
            return None


def _sorting_problem(claim: Sorted, plan: SemanticPlan) -> str | None:
    entries = entries_named(claim.atoms, plan)
    if any(second.rank < first.rank for first, second in pairwise(entries)):
        return "These themes are not in the order of their released ranks."
    if claim.by_support and not all(is_above(plan, first, second) for first, second in pairwise(entries)):
        return "The order of these themes by support is not supported: say that it is the order of the released ranks."
    return None


def _order_problem(order: Order, plan: SemanticPlan) -> str | None:
    higher, lower = entries_named(order.higher, plan), entries_named(order.lower, plan)
    if len(higher) < len(order.higher) or len(lower) < len(order.lower) or not higher or not lower:
        return "Compare admitted themes with one another, and nothing else."
    if order.denied:
        higher, lower = lower, higher
    if order.skipping:
        return f"{named(lower[0])} is not the next in rank: give its released rank instead."
    for first in higher:
        for second in lower:
            if not is_above(plan, first, second):
                return (
                    f"{named(first)} does not exceed {named(second)} by more than the comparison margin "
                    f"{plan.rules.comparison_margin:.1f}: do not order them so."
                )
    return None


def _tie_problem(atoms: tuple[int, ...], plan: SemanticPlan) -> str | None:
    entries = entries_named(atoms, plan)
    if len(entries) < 2:  # noqa: PLR2004  a tie needs two
        return "Name the two themes that cannot be told apart."
    masses = [entry.noisy_mass for entry in entries]
    if max(masses) - min(masses) > plan.rules.comparison_margin:
        return "The plan does tell these themes apart: remove the claim."
    return None


def _certain_problem(atoms: tuple[int, ...], plan: SemanticPlan) -> str | None:
    entries = sorted(entries_named(atoms, plan) or plan.entries, key=lambda entry: entry.rank)
    for first, second in pairwise(entries):
        if not is_above(plan, first, second):
            return f"The order of {named(first)} and {named(second)} is not supported: do not call it so."
    return None
