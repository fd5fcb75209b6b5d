"""Reading what commands are given: dictionaries, plans, texts."""

import errno
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dpspin.boundary.plain_files import LARGEST, MEBIBYTE, read_plain_text
from dpspin.errors import InputError, RequestError

if TYPE_CHECKING:
    from dpspin.boundary.atoms import AtomUniverse
    from dpspin.boundary.plan import SemanticPlan
    from dpspin.curator.assign.choice import Recipe
    from dpspin.curator.assign.contribution import ContributionMap


def read_text(source: str, most: int = LARGEST) -> str:
    """Read a file, or stdin for ``-``."""
    try:
        return _stdin(most) if source == "-" else read_plain_text(source, most=most)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot read {source!r}: {why}; - reads stdin") from None


def _stdin(most: int) -> str:
    text = sys.stdin.read(most + 1)
    if len(text) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // MEBIBYTE} MiB")
    return text


def plan_in(source: str) -> str:
    """Return the plan file that is meant: itself, or the one in a release folder."""
    from dpspin.boundary.plan_files import plan_file_in

    return str(plan_file_in(Path(source))) if Path(source).is_dir() else source


def read_plan(source: str) -> "SemanticPlan":
    """Read a plan file."""
    from dpspin.boundary.plan import SemanticPlan

    return SemanticPlan.from_json(read_text(source))


def read_atoms(name_or_path: str) -> "AtomUniverse":
    """Load a ready pack by name, or a dictionary file."""
    from dpspin.public.atoms import packs
    from dpspin.public.atoms.files import load

    path = Path(name_or_path)
    is_file = name_or_path not in packs.names() and (path.suffix or path.exists())
    return load(path) if is_file else packs.load(name_or_path)


def read_map(
    name_or_path: str,
    atoms: "AtomUniverse",
    per_record: int | None = None,
    embedder: str | None = None,
    languages: str | None = None,
) -> "Recipe | ContributionMap":
    """Say how a map is to be fitted, or load one that was fitted for the dictionary."""
    from dpspin.curator.assign.calibrated.embedders import installed
    from dpspin.curator.assign.choice import MapKind, Recipe
    from dpspin.curator.assign.saved import load_map

    if name_or_path in set(MapKind):
        evidence = None if embedder is None else installed(embedder)
        return Recipe(MapKind(name_or_path), per_record, evidence, codes_of(languages))
    if not Path(name_or_path).is_file():
        raise RequestError(f"--map takes {', '.join(MapKind)}, llm or a saved map's file, not {name_or_path!r}")
    if (per_record, embedder, languages) != (None, None, None):
        raise RequestError("a saved map has settled --per-record, --embedder and --languages; leave them out")
    return load_map(Path(name_or_path), atoms)


def codes_of(languages: str | None) -> tuple[str, ...] | None:
    """Read ``en,de``; ``any`` is no code at all, and takes every text for readable."""
    if languages is None:
        return None
    return () if languages == "any" else tuple(code.strip() for code in languages.split(","))
