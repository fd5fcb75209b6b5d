"""The public names of atoms: from the plan for admitted ones, from the dictionary for the others."""

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.errors import DictionaryError


def labels_of(plan: SemanticPlan, atoms: AtomUniverse | None) -> dict[int, str]:
    """Return the labels known for this plan; refuse a dictionary that is not the measured one."""
    if atoms is None:
        return {entry.atom_id: entry.label for entry in plan.entries}
    if atoms.digest != plan.dictionary.digest:
        raise DictionaryError(
            f"the dictionary {atoms.name!r} is not the one this plan measured (their digests differ). "
            "Use the atoms.json that was written beside the plan"
        )
    return {atom.id: atom.label for atom in atoms.atoms}
