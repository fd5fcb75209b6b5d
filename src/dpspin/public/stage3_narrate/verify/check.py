"""The shape of a check, and small things all checks share."""

from collections.abc import Callable, Iterator

from dpspin.boundary.plan import PlanEntry, SemanticPlan, Uncovered
from dpspin.public.stage3_narrate.verify.text import Text
from dpspin.public.stage3_narrate.verify.uncovered import NONE
from dpspin.public.stage3_narrate.verify.verdict import Violation

Check = Callable[[Text, SemanticPlan], Iterator[Violation]]


def entries_by_id(plan: SemanticPlan) -> dict[int, PlanEntry]:
    """Return the admitted entries by atom id."""
    return {entry.atom_id: entry for entry in plan.entries}


def entries_named(atom_ids: tuple[int, ...], plan: SemanticPlan) -> list[PlanEntry]:
    """Return the admitted entries among the atoms a passage names, in its order."""
    admitted = entries_by_id(plan)
    return [admitted[atom_id] for atom_id in atom_ids if atom_id in admitted]


def measured(atom_ids: tuple[int, ...], plan: SemanticPlan) -> list[PlanEntry | Uncovered]:
    """Return the released values among what a passage names: its entries and, where it is meant, "none of these"."""
    uncovered = [plan.uncovered] if NONE in atom_ids and plan.uncovered else []
    return [*entries_named(atom_ids, plan), *uncovered]


def named(entry: PlanEntry) -> str:
    """Name an entry in feedback the way a decoder must write it.

    >>> named(PlanEntry.model_construct(atom_id=17, label="long wait"))
    'long wait [atom:17]'
    """
    return f"{entry.label} {entry.marker}"
