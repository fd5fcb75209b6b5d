"""``unsupported-superlative``: highest, lowest and ranks must agree with the released ranks and the public margins.

The paper asks for released rank one. Ranks of noisy masses can be wrong, so "highest" must also lead the second by more
than the public superlative margin; an explicit rank ("rank 3") reports a released field and needs no margin. Where a
private selection chose the themes, a larger one may be missing: the text must then say somewhere that it speaks of a
plan or of listed themes, and "highest" may not be said of more.
"""

import re
from collections.abc import Iterator

from dpspin.boundary.plan import PlanEntry, SemanticPlan
from dpspin.boundary.postprocess import lead_over_the_rest
from dpspin.public.stage3_narrate.claims.orders import is_above
from dpspin.public.stage3_narrate.verify.check import entries_named, named
from dpspin.public.stage3_narrate.verify.statements import Extreme, Ranked, Statement, Unexplained
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.verdict import Violation

RULE = "unsupported-superlative"
_KINDS = frozenset(
    {"highest", "lowest", "ranked_first", "top_set", "nth_highest", "rank", "ordinal", "list_end", "leads_alone"}
)
_SCOPE = re.compile(r"\b(?:plans?|list|lists|listed|released|admitted|noisy\s+mass)\b", re.IGNORECASE)
SUPERLATIVES = (Extreme, Ranked)


def check(text: Text, plan: SemanticPlan) -> Iterator[Violation]:
    """Report the superlative and rank claims that the plan does not support."""
    scoped = _SCOPE.search(text.whole.masked) is not None
    for statement in text.statements:
        if problem := problem_of(statement, plan, scoped=scoped):
            yield Violation(rule=RULE, message=problem, span=statement.span)


def problem_of(statement: Statement, plan: SemanticPlan, *, scoped: bool = True) -> str | None:
    """Say why the plan does not support a superlative, or None."""
    match statement:
        case Extreme():
            return _extreme_problem(statement, plan, scoped=scoped)
        case Ranked():
            return _rank_problem(statement, plan)
        case Unexplained(kind=kind, text=words) if kind in _KINDS:
            return f"Name the one theme of the plan that {words!r} is about, or remove it."
        case _:
            return None


def _extreme_problem(claim: Extreme, plan: SemanticPlan, *, scoped: bool) -> str | None:
    entries = entries_named(claim.atoms, plan)
    if not entries or len(entries) < len(claim.atoms):
        return "Name the one theme of the plan that this superlative is about, or remove it."
    if claim.denied:
        return "Say what the plan releases instead of denying a superlative."
    if claim.loosely:
        return _among_problem(entries, plan, high=claim.high)
    if claim.among:
        return _within_problem(entries, entries_named(claim.among, plan), plan, high=claim.high)
    if claim.high and plan.noisy_sketch is None and (claim.beyond or not scoped):
        return "The themes were chosen privately, so a larger one may be missing: say 'of the listed themes'."
    return _top_problem(entries, plan) if claim.high else _lowest_problem(entries, plan)


def _top_problem(entries: list[PlanEntry], plan: SemanticPlan) -> str | None:
    return _highest_problem(entries[0], plan) if len(entries) == 1 else _leading_set_problem(entries, plan)


def _within_problem(entries: list[PlanEntry], among: list[PlanEntry], plan: SemanticPlan, *, high: bool) -> str | None:
    for entry in entries:
        for other in among:
            first, second = (entry, other) if high else (other, entry)
            if other not in entries and not is_above(plan, first, second):
                return f"{named(entry)} and {named(other)} are not ordered so by the released masses."
    return None


def _highest_problem(entry: PlanEntry, plan: SemanticPlan) -> str | None:
    margin = plan.rules.superlative_margin
    if entry.rank != 1:
        return f"{named(entry)} has released rank {entry.rank}: only rank 1 may be called highest."
    if lead_over_the_rest(plan, {entry.atom_id}) <= margin:
        return (
            f"{named(entry)} has rank 1 but does not lead the second theme by more than the superlative margin "
            f"{margin:.1f}: give its rank or its bin instead of calling it highest."
        )
    return None


def _lowest_problem(entries: list[PlanEntry], plan: SemanticPlan) -> str | None:
    last = sorted(plan.entries, key=lambda entry: entry.rank)[-len(entries) :]
    if {entry.atom_id for entry in entries} != {entry.atom_id for entry in last}:
        return f"{named(entries[0])} has released rank {entries[0].rank}: only the last ranks may be called lowest."
    above = plan.entries[-len(entries) - 1] if len(plan.entries) > len(entries) else None
    if above and not all(is_above(plan, above, entry) for entry in entries):
        return (
            f"{named(entries[0])} is not below the next theme by more than the comparison margin "
            f"{plan.rules.comparison_margin:.1f}: give its rank or its bin instead of calling it lowest."
        )
    return None


def _leading_set_problem(entries: list[PlanEntry], plan: SemanticPlan) -> str | None:
    """Judge "the leading themes are A and B": they must be the first ranks, and clear of the next one."""
    size, margin = len(entries), plan.rules.comparison_margin
    if {entry.rank for entry in entries} != set(range(1, size + 1)):
        return f"These themes do not hold the released ranks 1 to {size}: give their ranks or bins instead."
    if size < len(plan.entries) and lead_over_the_rest(plan, {entry.atom_id for entry in entries}) <= margin:
        return f"The next theme is within the comparison margin {margin:.1f}: do not set these themes above it."
    return None


def _among_problem(entries: list[PlanEntry], plan: SemanticPlan, *, high: bool) -> str | None:
    best, middle = plan.entries[0 if high else -1].bin, (len(plan.entries) + 1) / 2
    outside = [entry for entry in entries if entry.bin != best and (entry.rank >= middle) == high]
    if outside:
        return f"{named(outside[0])} is not in the bin {best!r}: give its bin instead."
    return None


def _rank_problem(claim: Ranked, plan: SemanticPlan) -> str | None:
    entries = entries_named(claim.atoms, plan)
    if len(entries) != 1 or len(claim.atoms) != 1 or claim.denied:
        return "Give the released rank of one theme."
    (entry,) = entries
    if entry.rank != claim.rank:
        return f"{named(entry)} has released rank {entry.rank}: say that, or remove it."
    if claim.by_support:
        return _place_problem(entry, plan)
    return None


def _place_problem(entry: PlanEntry, plan: SemanticPlan) -> str | None:
    above, below = plan.entries[entry.rank - 2], plan.entries[entry.rank : entry.rank + 1]
    if not is_above(plan, above, entry) or not all(is_above(plan, entry, other) for other in below):
        return f"The place of {named(entry)} by support is not certain: give its released rank instead."
    return None
