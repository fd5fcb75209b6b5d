"""Many texts in one process: one JSON object per line in, one verdict per line out."""

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plain_files import read_plain_text
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_files import plan_file_in
from dpspin.errors import DpSpinError, InputError
from dpspin.public.narrate.policy import Mode
from dpspin.public.narrate.verify import verify
from dpspin.public.stage0_atoms.files import load, require_atoms_beside

KEYS = {"plan", "mode", "text", "atoms", "id"}


def answer_lines(lines: Iterable[str]) -> Iterator[dict[str, object]]:
    """Verify ``{"plan": …, "mode": "audit"|"display", "text": …}`` per line.

    ``plan`` is a plan object or the path of a plan file or of a release folder, ``atoms`` the path of its dictionary
    where that does not lie beside the plan, ``id`` (optional) is handed back. A line that cannot be read gets
    ``{"accepted": false, "error": …}``.
    """
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _answer(line, number)


def _answer(line: str, number: int) -> dict[str, object]:
    try:
        question = _question(line)
        identity = {"id": question["id"]} if "id" in question else {}
        return {**identity, **_verdict(question)}
    except DpSpinError as error:
        return {"accepted": False, "error": f"line {number}: {error}"}


def _question(line: str) -> dict[str, object]:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError("this is not JSON") from None
    if not isinstance(question, dict) or not {"plan", "text"} <= question.keys() <= KEYS:
        raise InputError("give an object with plan, mode and text (and, if you like, atoms and id)")
    return question


def _verdict(question: dict[str, object]) -> dict[str, object]:
    text, mode = question["text"], str(question.get("mode", Mode.DISPLAY))
    if not isinstance(text, str):
        raise InputError("text must be a string")
    plan = _plan(question["plan"])
    return verify(plan, text, mode, _atoms(question, plan)).model_dump(mode="json")


def _atoms(question: dict[str, object], plan: SemanticPlan) -> AtomUniverse:
    match question:
        case {"atoms": str(path)}:
            return _universe(path)
        case {"plan": str(path)}:
            return require_atoms_beside(_file_of(path), plan)
        case _:
            raise InputError("a text is read by the plan's dictionary: name it with atoms")


def _plan(given: object) -> SemanticPlan:
    match given:
        case str():
            return _plan_file(given)
        case dict():
            return _parsed(json.dumps(given, sort_keys=True))
        case _:
            raise InputError("plan must be a plan object or the path of a plan file")


@lru_cache(maxsize=64)
def _parsed(text: str) -> SemanticPlan:
    return SemanticPlan.from_json(text)


def _plan_file(path: str) -> SemanticPlan:
    try:
        return _parsed(read_plain_text(_file_of(path)))
    except OSError as error:
        raise InputError(f"the plan file cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError("the plan file cannot be read: it is not UTF-8 text") from None


def _file_of(path: str) -> Path:
    return plan_file_in(Path(path)) if Path(path).is_dir() else Path(path)


@lru_cache(maxsize=16)
def _universe(path: str) -> AtomUniverse:
    return load(Path(path))
