"""How a folder of the lab is known: by these names neither side writes where the other does.

The lab writes exact figures and noise from known seeds. A release that lay among them could not be told from them, by
whoever copies a folder.
"""

from pathlib import Path
from typing import Final

from dpspin.errors import InputError

NOTICE_FILE: Final = "NOT-PRIVATE.txt"
MARK: Final = "NOT-PRIVATE-"  # the names of the lab's single files begin with it
PLAN_OF_A_RUN: Final = "private_plan.json"  # the paper's name, for a plan with simulated noise
_REFUSED: Final = (
    "results of the lab lie here, which protect nobody: a release, a sketch or a report does not belong in or beside "
    "them; choose another folder"
)


def require_no_lab(folder: Path) -> None:
    """Refuse a folder of the lab, and any folder in one: what may be published does not belong there."""
    place = folder.resolve()
    inside = any((each / name).exists() for each in place.parents for name in (NOTICE_FILE, PLAN_OF_A_RUN))
    if inside or _is_of_the_lab(place):
        raise InputError(_REFUSED)


def require_no_lab_beside(folder: Path) -> None:
    """Refuse a folder in which results of the lab lie already: a release becomes two more folders in it."""
    require_no_lab(folder)
    if folder.is_dir() and any(_is_of_the_lab(each) for each in folder.iterdir()):
        raise InputError(_REFUSED)


def _is_of_the_lab(folder: Path) -> bool:
    """Tell a folder by its notice, a run by its plan, and single files by their names."""
    return any((folder / name).exists() for name in (NOTICE_FILE, PLAN_OF_A_RUN)) or any(folder.glob(f"{MARK}*"))
