"""Whether what stands beside the masses in a plan follows from them. Pure; anyone can recompute it."""

from collections.abc import Iterator

from dpspin.boundary.denominator import FreeTotal, PaidCount, PublicNumber, free_total, paid_count
from dpspin.boundary.plan import SemanticPlan, same
from dpspin.boundary.privacy import Adjacency


def released_masses(plan: SemanticPlan) -> list[float]:
    """Return every noisy mass of a full sketch, "none of these" last where the map answers it; else nothing."""
    none = [plan.uncovered.noisy_mass] if plan.uncovered else []
    return [] if plan.noisy_sketch is None else [item.noisy_mass for item in plan.noisy_sketch] + none


def denominator_contradictions(plan: SemanticPlan) -> Iterator[str]:
    """Yield what in the denominator does not follow from the release."""
    match plan.denominator:
        case PublicNumber():
            return
        case PaidCount() as stated:
            if stated.epsilon >= plan.statement.loss.epsilon or plan.statement.adjacency is not Adjacency.ADD_DROP:
                yield "a count is bought with a part of epsilon, and only where presence is protected"
            read: PaidCount | FreeTotal = paid_count(stated.noisy_count, stated.epsilon, plan.rules.beta)
        case FreeTotal():
            masses = released_masses(plan)
            if not masses:
                yield "only a full noisy sketch has a total"
                return
            read = free_total(masses, plan.statement.noise, plan.rules.beta)
    parts = ("value", "noise_std", "low", "high")
    if not all(same(getattr(plan.denominator, part), getattr(read, part)) for part in parts):
        yield "the denominator does not follow from what was released"
