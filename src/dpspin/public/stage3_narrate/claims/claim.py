"""The shape of a claim, and the one way from a claim to words."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from dpspin.boundary.plan import PlanEntry, SemanticPlan
from dpspin.errors import DpSpinError
from dpspin.public.stage3_narrate.claims.naming import Naming
from dpspin.public.stage3_narrate.policy import Mode


class ClaimError(DpSpinError):
    """A claim was to be written down that the plan does not support."""


class Claim(Protocol):
    """A frozen value that says one thing of a plan."""

    def holds(self, plan: SemanticPlan) -> bool:
        """Tell whether the plan supports this."""

    def sentence(self, plan: SemanticPlan, naming: Naming, turn: int) -> str:
        """Write it down, in one of several wordings; called only where it holds."""


def rendered(claim: Claim, plan: SemanticPlan, mode: Mode, turn: int = 0) -> str:
    """Write a claim as a sentence, or refuse if it does not hold: nothing false can be rendered.

    ``turn`` varies the wording, so that one sentence does not look like the last.
    """
    if not claim.holds(plan):
        raise ClaimError(f"the plan does not support {claim!r}: leave it out")
    return claim.sentence(plan, Naming(mode), turn)


def entries_of(plan: SemanticPlan, atoms: Iterable[int]) -> list[PlanEntry]:
    """Return the entries of the named atoms in the order of the names; atoms that are not admitted are left out."""
    admitted: dict[int, PlanEntry] = {entry.atom_id: entry for entry in plan.entries}
    return [admitted[atom] for atom in atoms if atom in admitted]


def are_admitted(plan: SemanticPlan, atoms: Sequence[int]) -> bool:
    """Tell whether there are atoms, each once, and all of them are in the plan."""
    return bool(atoms) and len(set(atoms)) == len(atoms) == len(entries_of(plan, atoms))


def worded(turn: int, *wordings: str) -> str:
    """Choose a wording by turns.

    >>> [worded(turn, "a", "b") for turn in range(3)]
    ['a', 'b', 'a']
    """
    return wordings[turn % len(wordings)]
