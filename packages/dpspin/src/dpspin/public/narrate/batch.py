"""Many texts in one process: one JSON object per line in, one verdict per line out."""

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from dpspin.boundary.folders import plan_file_in, read_plan_text
from dpspin.boundary.plan import SemanticPlan
from dpspin.errors import DpSpinError, InputError
from dpspin.public.atoms.dictionary_files import load
from dpspin.public.atoms.packs import require_atoms_beside
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode, mode_of
from dpspin.public.narrate.verify import check_text

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
    text, atoms = question["text"], question.get("atoms")
    if not isinstance(text, str) or not isinstance(atoms, str | None):
        raise InputError("text must be a string, and atoms the path of a dictionary")
    mode = mode_of(str(question.get("mode", Mode.DISPLAY)))
    return check_text(text, _language(json.dumps(question["plan"], sort_keys=True), atoms, mode)).model_dump(
        mode="json"
    )


@lru_cache(maxsize=64)
def _language(plan: str, atoms: str | None, mode: Mode) -> Language:
    """Read a plan and its dictionary once for all texts about it."""
    match json.loads(plan), atoms:
        case str(path), None:
            read = _plan_file(path)
            return Language(Facts(read, require_atoms_beside(_file_of(path), read)), mode)
        case str(path), str(beside):
            return Language(Facts(_plan_file(path), load(Path(beside))), mode)
        case dict(), str(beside):
            return Language(Facts(SemanticPlan.from_json(plan), load(Path(beside))), mode)
        case dict(), None:
            raise InputError("a text is read by the plan's dictionary: name it with atoms")
        case _:
            raise InputError("plan must be a plan object or the path of a plan file")


def _plan_file(path: str) -> SemanticPlan:
    return SemanticPlan.from_json(read_plan_text(path))


def _file_of(path: str) -> Path:
    return plan_file_in(Path(path)) if Path(path).is_dir() else Path(path)
