"""Reading what commands are given: dictionaries, plans, texts."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dpspin.errors import InputError

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.boundary.plan import SemanticPlan


def read_text(source: str) -> str:
    """Read a file, or stdin for ``-``."""
    try:
        return sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot read {source!r}: {why}") from None


def read_plan(source: str) -> "SemanticPlan":
    """Read a plan file."""
    from dpspin.boundary.plan import SemanticPlan

    return SemanticPlan.from_json(read_text(source))


def read_atoms(name_or_path: str) -> "AtomUniverse":
    """Load a ready pack by name, or a dictionary file."""
    from dpspin.public.stage0_atoms import packs
    from dpspin.public.stage0_atoms.files import load

    return packs.load(name_or_path) if name_or_path in packs.names() else load(Path(name_or_path))
