"""From a plan back to its dictionary: the one beside it, or the ready pack of that name."""

from pathlib import Path

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.errors import DictionaryError
from dpspin.public.atoms import packs
from dpspin.public.atoms.files import load


def atoms_beside(plan_file: str | Path, plan: SemanticPlan) -> AtomUniverse | None:
    """Return the dictionary that a release folder keeps beside its plan, if it is the plan's own."""
    beside = Path(plan_file).with_name("atoms.json")
    universe = load(beside) if beside.is_file() else None
    return universe if universe is not None and universe.digest == plan.dictionary.digest else None


def require_atoms_beside(plan_file: str | Path, plan: SemanticPlan) -> AtomUniverse:
    """Return the plan's dictionary: the one beside it, or the ready pack of that name, if it is that very one.

    Without it no text can be read: labels that were not admitted would pass.
    """
    found = atoms_beside(plan_file, plan) or _pack_of(plan)
    if found is None:
        raise DictionaryError(
            f"the dictionary of the plan ({plan.dictionary.name!r}, version {plan.dictionary.version!r}) is not beside "
            "it: put its atoms.json there, as a release folder has it"
        )
    return found


def _pack_of(plan: SemanticPlan) -> AtomUniverse | None:
    if plan.dictionary.name not in packs.names():
        return None
    pack = packs.load(plan.dictionary.name)
    return pack if pack.digest == plan.dictionary.digest else None
