"""Folders of releases and of the lab: how each is known, where its plan lies, and that neither gets into the other.

The lab writes exact figures and noise from known seeds. A release that lay among them could not be told from them, by
whoever copies a folder.
"""

from pathlib import Path
from typing import Final

from dpspin.boundary.safe_files import date_folder_to_the_day, read_plain, write_published
from dpspin.errors import InputError, PlanError

NOTICE_FILE: Final = "NOT-PRIVATE.txt"
MARK: Final = "NOT-PRIVATE-"  # the names of the lab's single files begin with it
PLAN_OF_A_RUN: Final = "private_plan.json"  # the paper's name, for a plan with simulated noise

PLAN: Final = "plan.json"
LABEL: Final = "label.json"  # only a release has one
IN_A_FOLDER: Final = (PLAN, f"release/{PLAN}", PLAN_OF_A_RUN)
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
    inside = any((each / name).exists() for each in above for name in (PLAN, LABEL))
    close_by = any((each / name).exists() for each in above[:2] for name in _BESIDE_A_RELEASE)
    if inside or close_by or any((each / "release" / PLAN).exists() for each in above):
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


def plan_file_in(folder: Path) -> Path:
    """Return the plan in the folder of a release, in the one above it, or in that of a run."""
    found = next((folder / name for name in IN_A_FOLDER if (folder / name).is_file()), None)
    if found is None:
        raise PlanError(f"the folder {str(folder)!r} holds no plan: name the folder of a release, or a plan.json")
    return found


def read_plan_text(place: str | Path) -> bytes:
    """Read a plan file, or the one in a folder."""
    path = Path(place)
    try:
        return read_plain(plan_file_in(path) if path.is_dir() else path)
    except OSError as error:
        raise PlanError(f"cannot read the plan {str(path)!r}: {error.strerror}") from None


def save_plan_text(text: str, place: str | Path, *, is_private: bool) -> Path:
    """Write a plan to a file, or as ``plan.json`` into a folder, and return where it is."""
    path = Path(place)
    target = path / PLAN if path.is_dir() else path
    content = text.encode()
    try:
        _require_its_place(target, is_private=is_private)
        if path.is_dir() and target.exists() and read_plain(target) != content:
            raise PlanError(f"the folder {str(path)!r} holds another plan: name another folder, or the file to replace")
        write_published(target, content)
        if (target.parent / LABEL).exists():
            date_folder_to_the_day(target.parent)
    except (OSError, ValueError) as error:  # ValueError: no file can have this name
        why = error.strerror if isinstance(error, OSError) else "no file can have this name"
        raise PlanError(f"cannot write the plan to {str(path)!r}: {why}") from None
    return target


def _require_its_place(target: Path, *, is_private: bool) -> None:
    """Keep a release out of the lab, and a simulation out of releases."""
    if is_private:
        require_no_lab(target.parent)
    elif (target.parent / LABEL).exists():
        raise PlanError("the numbers of this plan are simulated and do not belong in a release: choose another folder")
