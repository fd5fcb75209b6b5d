"""Dictionaries as files: read YAML, JSON or a plain list of labels; write JSON.

A dictionary decides what a release can say, so a mistake in it is refused with its place and a remedy, never repaired
in silence.
"""

import json
from collections.abc import Callable
from pathlib import Path

import yaml

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plain_files import read_plain_text
from dpspin.errors import DictionaryError
from dpspin.public.atoms.proofread import universe_from
from dpspin.public.atoms.strict_yaml import parse_yaml


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
        raise DictionaryError(f"{origin}: holds an impossible date, number or nesting; put dates in quotes") from None


def dumps(universe: AtomUniverse) -> str:
    """Write a dictionary as JSON that ``load`` reads back to the same value and digest."""
    return json.dumps(universe.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"


def _read_yaml(text: str, origin: Path) -> object:
    try:
        return parse_yaml(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise DictionaryError(f"{origin}, line {line}: {error.problem}") from None
    except yaml.YAMLError:
        raise DictionaryError(f"{origin}: holds characters that YAML does not allow; save it as plain text") from None


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
