"""A plan as a file: by itself, or in the folder of its release. It is written whole or not at all."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from dpspin.boundary.lab_place import PLAN_OF_A_RUN, require_no_lab
from dpspin.boundary.plain_files import read_plain
from dpspin.boundary.written_files import date_folder_to_the_day, write_published
from dpspin.errors import PlanError

if TYPE_CHECKING:
    from dpspin.boundary.plan_fields import PlanFields

PLAN: Final = "plan.json"
LABEL: Final = "label.json"  # only a release has one
IN_A_FOLDER: Final = (PLAN, f"release/{PLAN}", PLAN_OF_A_RUN)


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


def save_plan(plan: "PlanFields", place: str | Path) -> Path:
    """Write a plan to a file, or as ``plan.json`` into a folder, and return where it is."""
    path = Path(place)
    target = path / PLAN if path.is_dir() else path
    content = plan.to_json().encode()
    try:
        _require_its_place(plan, target)
        if path.is_dir() and target.exists() and read_plain(target) != content:
            raise PlanError(f"the folder {str(path)!r} holds another plan: name another folder, or the file to replace")
        write_published(target, content)
        if (target.parent / LABEL).exists():
            date_folder_to_the_day(target.parent)
    except (OSError, ValueError) as error:  # ValueError: no file can have this name
        why = error.strerror if isinstance(error, OSError) else "no file can have this name"
        raise PlanError(f"cannot write the plan to {str(path)!r}: {why}") from None
    return target


def _require_its_place(plan: "PlanFields", target: Path) -> None:
    """Keep a release out of the lab, and a simulation out of releases."""
    if plan.is_private:
        require_no_lab(target.parent)
    elif (target.parent / LABEL).exists():
        raise PlanError("the numbers of this plan are simulated and do not belong in a release: choose another folder")
