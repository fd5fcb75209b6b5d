"""Whether what stands beside the masses in a plan follows from them. Pure; anyone can recompute it."""

import math
from collections.abc import Iterator

from dpspin.boundary.baseline import Baseline
from dpspin.boundary.best_guess import BestGuess, best_guess
from dpspin.boundary.denominator import FreeTotal, PaidCount, PublicNumber, free_total, paid_count
from dpspin.boundary.plan import NoisyMass, SemanticPlan, same
from dpspin.boundary.privacy import Adjacency


def released_masses(plan: SemanticPlan) -> list[float]:
    """Return every noisy mass of a full sketch, "none of these" and "not read" last where measured; else nothing."""
    beside = [value.noisy_mass for value in (plan.uncovered, plan.not_read) if value is not None]
    return [] if plan.noisy_sketch is None else [item.noisy_mass for item in plan.noisy_sketch] + beside


def denominator_contradictions(plan: SemanticPlan) -> Iterator[str]:
    """Yield what in the denominator does not follow from the release."""
    match plan.denominator:
        case PublicNumber():
            return
        case PaidCount() as stated:
            if plan.statement.adjacency is not Adjacency.ADD_DROP:
                yield "a count is bought only where presence is protected"
            read: PaidCount | FreeTotal = paid_count(
                stated.noisy_count, plan.statement.loss, stated.share, plan.rules.beta
            )
        case FreeTotal():
            masses = released_masses(plan)
            if not masses:
                yield "only a full noisy sketch has a total"
                return
            read = free_total(masses, plan.statement.noise, plan.rules.beta)
    if not all(same(getattr(plan.denominator, name), value) for name, value in read if name != "kind"):
        yield "the denominator does not follow from what was released"


def baseline_contradictions(plan: SemanticPlan) -> Iterator[str]:
    """Yield what in the baseline or in the best guess does not go with the release."""
    if plan.baseline is None or plan.noisy_sketch is None:
        if plan.denoised:
            yield "a best guess needs a public baseline and a full noisy sketch"
        return
    if [each.atom_id for each in plan.baseline.shares] != [item.atom_id for item in plan.noisy_sketch]:
        yield "the baseline is of another dictionary"
    elif plan.baseline.none is not None and plan.uncovered is None:
        yield 'the baseline knows a share of "none of these", which was not measured'
    elif not _same_guess(plan.denoised, _guessed_again(plan, plan.baseline, plan.noisy_sketch)):
        yield "the best guess does not follow from the noisy masses and the baseline"


def _guessed_again(plan: SemanticPlan, baseline: Baseline, sketch: tuple[NoisyMass, ...]) -> tuple[BestGuess, ...]:
    none = plan.uncovered.noisy_mass if plan.uncovered else None
    masses, labels = [item.noisy_mass for item in sketch], ["?"] * len(sketch)  # labels are the dictionary's
    return best_guess(masses, none, plan.statement.noise, baseline, labels, plan.rules.size)


def _same_guess(stated: tuple[BestGuess, ...], read: tuple[BestGuess, ...]) -> bool:
    """Compare up to the rounding of long sums, which differs between processors."""
    return len(stated) == len(read) and all(
        (one.atom_id, one.novelty) == (other.atom_id, other.novelty)
        and math.isclose(one.mass, other.mass, rel_tol=1e-6, abs_tol=1e-6)
        and math.isclose(one.share, other.share, rel_tol=1e-6, abs_tol=1e-9)
        for one, other in zip(stated, read, strict=True)
    )
