"""What a reader does not see, and why: themes that were measured but not admitted, and the part nobody measured."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.denominator import FreeTotal, PaidCount
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.report.names import labels_of
from dpspin.public.report.numbers import plain
from dpspin.public.report.scale import scale_of

CLEAR = 2  # standard deviations of noise above which a total is told from zero


@dataclass(frozen=True, slots=True)
class Group:
    """Themes left out for one reason; names only where the dictionary is at hand, in its own order."""

    reason: str
    count: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """The free total: all noisy masses over the most that the denominator's units can add, and its noise.

    ``share`` is None where the noise alone may account for it, as it may for every negative total.
    """

    share: str | None
    std: str


def left_out(plan: SemanticPlan, atoms: AtomUniverse | None) -> tuple[Group, ...]:
    """Group the themes of the dictionary that are not in the plan by the public reason."""
    labels = labels_of(plan, atoms)
    admitted = {entry.atom_id for entry in plan.entries}
    if plan.noisy_sketch is None:
        ids = [i for i in labels if i not in admitted]
        groups = [_group("were not among the privately chosen ones", plan.dictionary.size - len(admitted), ids, labels)]
    else:
        others = [item for item in plan.noisy_sketch if item.atom_id not in admitted]
        threshold = plan.rules.certificates.admission_threshold
        below = [item.atom_id for item in others if item.noisy_mass <= threshold]
        beyond = [item.atom_id for item in others if item.noisy_mass > threshold]
        rule = f"stand clear of the noise, but the plan lists only the {plan.rules.size} largest"
        groups = [
            _group("did not stand clear of the noise", len(below), below, labels),
            _group(rule, len(beyond), beyond, labels),
        ]
    return tuple(group for group in groups if group.count)


def _group(reason: str, count: int, ids: Sequence[int], labels: dict[int, str]) -> Group:
    return Group(reason, count, tuple(labels[i] for i in ids if i in labels))


def coverage(plan: SemanticPlan) -> Coverage | None:
    """Estimate how much of the possible mass the dictionary covers; the sum of m independent noises has std·√m.

    Where the plan measures what belongs to no theme, that is the better answer, and there is no estimate. A total of
    the masses is no denominator for their own total.
    """
    if plan.noisy_sketch is None or plan.uncovered or isinstance(plan.denominator, FreeTotal):
        return None
    bound, counted = plan.statement.unit.bound, plan.denominator
    most = counted.value * bound
    share = math.fsum(item.noisy_mass for item in plan.noisy_sketch) / most
    of_count = share * bound * counted.noise_std if isinstance(counted, PaidCount) else 0.0
    std = math.hypot(plan.statement.noise.std * math.sqrt(plan.dictionary.size), of_count) / most
    scale = scale_of(plan)
    return Coverage(
        share=scale.estimated(share, std) if share > CLEAR * std else None,
        std=scale.difference(std, lambda value: plain(value, 2)),
    )
