"""Ready dictionaries, written by us, so that a first run needs only records; and the dictionary of a plan."""

import re
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.strict_yaml import parse_yaml
from dpspin.errors import DictionaryError
from dpspin.public.atoms.dictionary_files import load as load_file

if TYPE_CHECKING:
    from dpspin.boundary.plan import SemanticPlan

SUFFIX = ".yaml"


def names() -> tuple[str, ...]:
    """Return the names of all packs.

    >>> "support-tickets" in names()
    True
    """
    found = (entry.name for entry in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in found if name.endswith(SUFFIX)))


@cache
def load(name: str) -> AtomUniverse:
    """Return the pack of that name.

    >>> load("support-tickets").size
    54
    """
    if name not in names():
        raise DictionaryError(
            f"there is no pack {name!r}. The packs are: {', '.join(names())}; a dictionary of your own is a file "
            "(.yaml, .json or .txt)"
        )
    with as_file(files(__name__) / f"{name}{SUFFIX}") as path:
        return load_file(path)


def in_short(name: str) -> str:
    """Say what a pack is for and how many atoms it has, from the head of its file: all sentences take long to read.

    >>> in_short("support-tickets").partition(" for")[0]
    '54 atoms  written by hand'
    """
    head, _, atoms = (files(__name__) / f"{name}{SUFFIX}").read_text(encoding="utf-8").partition("\natoms:\n")
    note = parse_yaml(head)["provenance"]["note"]  # type: ignore[index]  # a pack of ours
    return f"{len(re.findall('^  - id:', atoms, re.MULTILINE))} atoms  {note}"


def load_named(name_or_path: str) -> AtomUniverse:
    """Return a ready pack by its name, or the dictionary in a file."""
    path = Path(name_or_path)
    is_file = name_or_path not in names() and (path.suffix or path.exists())
    return load_file(path) if is_file else load(name_or_path)


def atoms_beside(plan_file: str | Path, plan: "SemanticPlan") -> AtomUniverse | None:
    """Return the dictionary that a release folder keeps beside its plan, if it is the plan's own."""
    beside = Path(plan_file).with_name("atoms.json")
    universe = load_file(beside) if beside.is_file() else None
    return universe if universe is not None and universe.digest == plan.dictionary.digest else None


def require_atoms_beside(plan_file: str | Path, plan: "SemanticPlan") -> AtomUniverse:
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


def _pack_of(plan: "SemanticPlan") -> AtomUniverse | None:
    if plan.dictionary.name not in names():
        return None
    pack = load(plan.dictionary.name)
    return pack if pack.digest == plan.dictionary.digest else None
