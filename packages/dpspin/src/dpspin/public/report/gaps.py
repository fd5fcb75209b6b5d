"""What a reader does not see, and why: themes that were measured but not admitted, and the part nobody measured."""

import math
from dataclasses import dataclass

from dpspin.boundary.denominator import FreeTotal, PaidCount
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.narrate.facts import Facts
from dpspin.public.wording.numbers import estimated, plain, points

CLEAR = 2  # standard deviations of noise above which a total is told from zero


@dataclass(frozen=True, slots=True)
class Coverage:
    """The free total: all noisy masses over the most that the denominator's units can add, and its noise.

    ``share`` is None where the noise alone may account for it, as it may for every negative total.
    """

    share: str | None
    std: str


def reason_left_out(facts: Facts, atom: int) -> str:
    """Say why a theme of the dictionary is not listed."""
    if atom not in facts.masses:
        return "not among the privately chosen ones"
    if facts.masses[atom] <= facts.plan.rules.certificates.admission_threshold:
        return "does not stand clear of the noise"
    return f"not among the {facts.plan.rules.size} largest"


def coverage(plan: SemanticPlan) -> Coverage | None:
    """Estimate how much of the possible mass the dictionary covers; the sum of m independent noises has std·√m.

    Where the plan measures what belongs to no theme, that is the better answer, and there is no estimate. A total of
    the masses is no denominator for their own total, nor is a count that may be noise alone.
    """
    if plan.noisy_sketch is None or plan.uncovered or isinstance(plan.denominator, FreeTotal):
        return None
    if not plan.has_shares:
        return None
    bound, counted = plan.statement.unit.bound, plan.denominator
    most = counted.value * bound
    share = math.fsum(item.noisy_mass for item in plan.noisy_sketch) / most
    of_count = share * bound * counted.noise_std if isinstance(counted, PaidCount) else 0.0
    std = math.hypot(plan.statement.noise.std * math.sqrt(plan.dictionary.size), of_count) / most
    return Coverage(
        share=estimated(share, std) if share > CLEAR * std else None,
        std=points(std, lambda value: plain(value, 2)),
    )
