"""The one way by which the lab writes a file that holds exact figures: marked as such, and never beside a release."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from dpspin.boundary.sealed import canonical_json
from dpspin.errors import InputError
from dpspin.public.report.folder import write_whole

MARK: Final = "NOT-PRIVATE-"
_OF_A_RELEASE: Final = ("plan.json", "label.json", "release", "curator")


def require_no_release(folder: Path) -> None:
    """Refuse a folder in which, or beside which, a release lies."""
    if any((place / name).exists() for place in (folder, folder.parent) for name in _OF_A_RELEASE):
        raise InputError("a non-private reference does not belong beside a release: choose another folder")


def write_not_private(folder: Path, name: str, content: Mapping[str, object]) -> Path:
    """Write ``NOT-PRIVATE-name.json``, whose first words say what it is."""
    require_no_release(folder)
    folder.mkdir(parents=True, exist_ok=True)
    marked = {"private": False, "use": "offline evaluation only", **content}
    path = folder / f"{MARK}{name}.json"
    write_whole(path, (canonical_json(marked) + "\n").encode())
    return path
