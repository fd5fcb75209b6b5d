"""Where the lab may write: marked folders, never inside a release or beside one."""

from pathlib import Path
from typing import Final

from dpspin.errors import InputError
from dpspin.public.report.folder import write_whole

MARK: Final = "NOT-PRIVATE.txt"
_NOTICE = (
    "SIMULATED-NOT-PRIVATE\n\nEverything in this folder is offline evaluation on public or generated records. It holds "
    "exact figures and noise from known seeds, so it protects nobody. Do not publish it as a release.\n"
)
_IN_A_RELEASE = ("plan.json", "label.json")
_BESIDE_A_RELEASE = ("release", "curator")


def require_no_release(folder: Path) -> None:
    """Refuse a place inside a release folder, at any depth, or directly beside one."""
    place = folder.resolve()
    inside = any((above / name).exists() for above in (place, *place.parents) for name in _IN_A_RELEASE)
    beside = any((near / name).exists() for near in (place, place.parent) for name in _BESIDE_A_RELEASE)
    if inside or beside:
        raise InputError("results of the lab do not belong in or beside a release: choose another folder")


def evaluation_folder(folder: Path) -> Path:
    """Make a folder for results, and say in it what they are."""
    require_no_release(folder)
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / MARK).exists():
        write_whole(folder / MARK, _NOTICE.encode())
    return folder
