"""Dictionaries as files: read YAML, JSON or a plain list of labels; write JSON.

A dictionary decides what a release can say, so a mistake in it is refused with its place and a remedy, never repaired
in silence.
"""

import json
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from pathlib import Path

from pydantic import BaseModel, ValidationError

from dpspin.boundary.atoms import Atom, AtomUniverse, Provenance
from dpspin.boundary.safe_files import read_plain_text
from dpspin.boundary.strict_yaml import YamlMistake, parse_yaml
from dpspin.errors import DictionaryError

SHOWN_MISTAKES = 5


def load(path: Path | str) -> AtomUniverse:
    """Read a dictionary from a ``.yaml``, ``.yml``, ``.json`` or ``.txt`` file, or from the folder of a release."""
    path = _file_of(Path(path))
    try:
        text = read_plain_text(path, "utf-8-sig")
    except FileNotFoundError:
        raise DictionaryError(f"{path}: there is no such file; `dpspin atoms packs` lists the ready ones") from None
    except UnicodeDecodeError:
        raise DictionaryError(f"{path}: this is not UTF-8 text; save the dictionary as UTF-8") from None
    except OSError as error:
        raise DictionaryError(f"{path}: cannot be read ({error.strerror})") from None
    return loads(text, path)


def _file_of(path: Path) -> Path:
    """Return the dictionary in the folder of a release, or in the one above it; any other path as it is."""
    inside = (path / "atoms.json", path / "release" / "atoms.json")
    return next((each for each in inside if each.is_file()), path)


def loads(text: str, origin: Path) -> AtomUniverse:
    r"""Read a dictionary from text; the suffix of ``origin`` says in which format, its stem names a plain list.

    >>> loads("late delivery\ndouble charge\n", Path("themes.txt")).ids
    (0, 1)
    """
    reader = READERS.get(origin.suffix.lower())
    if reader is None:
        raise DictionaryError(f"{origin}: a dictionary ends in {', '.join(READERS)}, not in {origin.suffix!r}")
    try:
        return universe_from(reader(text, origin), origin)
    except (RecursionError, ValueError, OverflowError):
        raise DictionaryError(f"{origin}: holds an impossible number or nesting") from None


def dumps(universe: AtomUniverse) -> str:
    """Write a dictionary as JSON that ``load`` reads back to the same value and digest."""
    return json.dumps(universe.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def _read_yaml(text: str, origin: Path) -> object:
    try:
        return parse_yaml(text)
    except YamlMistake as mistake:
        raise DictionaryError(f"{origin}, {mistake}") from None


def _read_json(text: str, origin: Path) -> object:
    try:
        return json.loads(text, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as error:
        raise DictionaryError(f"{origin}, line {error.lineno}: {error.msg}") from None
    except _RepeatedKeyError as error:
        raise DictionaryError(f"{origin}: the key {error.args[0]!r} stands twice in one place; keep one") from None


def _read_labels(text: str, origin: Path) -> object:
    labels = [line.strip() for line in text.splitlines() if line.strip()]
    return {
        "name": origin.stem,
        "version": "1",
        "provenance": {"source": "handwritten", "note": "a plain list of labels"},
        "atoms": [{"id": number, "label": label} for number, label in enumerate(labels)],
    }


READERS: dict[str, Callable[[str, Path], object]] = {
    ".yaml": _read_yaml,
    ".yml": _read_yaml,
    ".json": _read_json,
    ".txt": _read_labels,
}


class _RepeatedKeyError(Exception):
    """A JSON object that names one key twice."""


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Refuse what ``json`` would settle by silently keeping the last value."""
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            raise _RepeatedKeyError(key)
        result[key] = value
    return result


# From plain data to a dictionary: every mistake with the atom it concerns, the key, and what to do.


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
