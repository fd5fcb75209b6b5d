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

_IN_A_RELEASE: Final = ("plan.json", "label.json")
_BESIDE_A_RELEASE: Final = ("release", "curator")


def require_no_lab(folder: Path) -> None:
    """Refuse a folder of the lab, and any folder in one: what may be published does not belong there."""
    place = folder.resolve()
    for each in (place, *place.parents):
        _refuse_lab(each)


def require_no_lab_beside(folder: Path) -> None:
    """Refuse a folder in which results of the lab lie already: a release becomes two more folders in it."""
    require_no_lab(folder)
    for each in _children(folder):
        _refuse_lab(each)


def require_no_release(folder: Path) -> None:
    """Refuse a place inside a release or beside one, at any depth.

    Close by, the name of a release's or a curator's folder is enough; further up, where such names may mean anything,
    the release must be there.
    """
    place = folder.resolve()
    above = (place, *place.parents)
    inside = any((each / name).exists() for each in above for name in _IN_A_RELEASE)
    close_by = any((each / name).exists() for each in above[:2] for name in _BESIDE_A_RELEASE)
    if inside or close_by or any((each / "release" / "plan.json").exists() for each in above):
        raise InputError("results of the lab do not belong in or beside a release: choose another folder")


def _refuse_lab(folder: Path) -> None:
    if (found := _sign_of_the_lab(folder)) is not None:
        raise InputError(
            f"results of the lab lie here, which protect nobody ({str(found)!r}): a release, a sketch or a report does "
            "not belong in or beside them; choose another folder"
        )


def _sign_of_the_lab(folder: Path) -> Path | None:
    """Tell a folder by its notice, a run by its plan, single files by their names; one that is closed to us is not."""
    try:
        named = (folder / name for name in (NOTICE_FILE, PLAN_OF_A_RUN))
        return next((file for file in (*named, *folder.glob(f"{MARK}*")) if file.exists()), None)
    except OSError:
        return None


def _children(folder: Path) -> list[Path]:
    """List a folder; one that is not there, or that may not be listed, shows nothing."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []
