"""From plain data to a dictionary: every mistake with the atom it concerns, the key, and what to do."""

import json
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

from pydantic import BaseModel, ValidationError

from dpspin.boundary.atoms import Atom, AtomUniverse, Provenance
from dpspin.errors import DictionaryError

SHOWN_MISTAKES = 5


def universe_from(content: object, origin: Path) -> AtomUniverse:
    """Return the dictionary that the content of ``origin`` describes, or refuse it."""
    mistakes = list(_key_mistakes(content))
    if mistakes:
        raise _refusal(origin, mistakes)
    try:
        # Strict, by way of JSON: `id: "7"`, `id: yes` or `version: 1` is a slip to point at, not to guess about.
        return AtomUniverse.model_validate_json(json.dumps(content, default=str, skipkeys=True), strict=True)
    except ValidationError as error:
        details = error.errors()
        inside = [detail for detail in details if detail["loc"] != ("atoms",)] or details  # a bad atom spoils the list
        raise _refusal(origin, [_in_words(detail["loc"], detail["msg"]) for detail in inside]) from None


def _key_mistakes(content: object) -> Iterator[str]:
    if not isinstance(content, dict):
        yield "a dictionary file is a mapping with the keys " + ", ".join(AtomUniverse.model_fields)
        return
    yield from _keys_of(AtomUniverse, content, "the dictionary")
    yield from _keys_of(Provenance, content.get("provenance"), "provenance")
    atoms = content.get("atoms")
    for position, atom in enumerate(atoms if isinstance(atoms, list) else []):
        yield from _keys_of(Atom, atom, _atom_name(position, atom))


def _keys_of(model: type[BaseModel], mapping: object, where: str) -> Iterator[str]:
    if not isinstance(mapping, dict):
        return  # of a wrong shape or absent: the types say so afterwards
    known = list(model.model_fields)
    for key in mapping:
        if key not in known:
            close = get_close_matches(str(key), known, n=1)
            remedy = f"did you mean {close[0]!r}?" if close else f"the keys are {', '.join(known)}"
            yield f"{where} has an unknown key {str(key)!r}; {remedy}"
    for key, field in model.model_fields.items():
        if field.is_required() and key not in mapping:
            yield f"{where} has no {key!r}; add it"


def _atom_name(position: int, atom: object) -> str:
    label = atom.get("label") if isinstance(atom, dict) else None
    return f"atom {position + 1} ({label!r})" if isinstance(label, str) else f"atom {position + 1}"


def _in_words(place: tuple[int | str, ...], problem: str) -> str:
    """Say where and what; people count atoms from one.

    >>> _in_words(("atoms", 2, "label"), "Input should be a valid string")
    'atom 3, label: must be text; put it in quotes if it looks like a number, a date or yes/no'
    """
    if problem == "Input should be a valid string":
        problem = "must be text; put it in quotes if it looks like a number, a date or yes/no"
    if problem.startswith("String should match pattern"):
        problem = "must not hold line breaks or control characters"
    match place:
        case ():
            return problem.removeprefix("Value error, ")
        case ("atoms",):
            return "atoms: must be a list with at least one atom"
        case ("atoms", int(position), *rest):
            return f"{', '.join([f'atom {position + 1}', *map(str, rest)])}: {problem}"
        case _:
            return f"{', '.join(map(str, place))}: {problem}"


def _refusal(origin: Path, mistakes: list[str]) -> DictionaryError:
    unseen = len(mistakes) - SHOWN_MISTAKES
    tail = [f"and {unseen} more"] if unseen > 0 else []
    return DictionaryError(f"{origin}: " + "; ".join([*mistakes[:SHOWN_MISTAKES], *tail]))
