"""A map that learned from a dictionary alone is kept, so that the next run reads it instead of fitting it again.

Its name is the digest of all that decides its bits: dictionary, recipe, our own code and the libraries that compute.
No record, no auxiliary text and no language model has a part in it, so that the folder tells nothing of any. A file
that is damaged, of another name, or within somebody else's reach is not used; whatever goes wrong, the map is fitted.
"""

import contextlib
import hashlib
import os
import platform
import stat
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.software import SOFTWARE
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.assign.saved_maps import load_map, save_map
from dpspin.errors import DpSpinError

VARIABLE: Final = "DPSPIN_CACHE"  # a folder, or "off"
DECIDING_CODE: Final = ("boundary", "text", "curator/assign", "curator/records")
DECIDING_FILES: Final = frozenset((".py", ".yaml", ".toml"))
DECIDING_LIBRARIES: Final = ("numpy", "scipy", "scikit-learn", "wordfreq", "pycld2")
OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
MOST_KEPT: Final = 32  # maps; the ones that were written first go


def kept_or_fitted(universe: AtomUniverse, recipe: object, fit: Callable[[], ContributionMap]) -> ContributionMap:
    """Return the map that was kept for this dictionary and recipe (anything that JSON can say), or fit and keep it."""
    folder = cache_folder()
    if folder is None:
        return fit()
    key = digest_of([universe.digest, recipe, deciding_versions()])
    path = folder / f"{key.rpartition(':')[2]}.map"
    kept = _read(path, key, universe)
    return _written(fit(), path, key) if kept is None else kept


def cache_folder() -> Path | None:
    """Return where maps are kept: $DPSPIN_CACHE, or dpspin in the user's cache folder; None where they are not."""
    match os.environ.get(VARIABLE):
        case "off":
            return None
        case str(chosen) if chosen:
            return Path(chosen)
    with contextlib.suppress(RuntimeError):  # a user without a home
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dpspin"
    return None


@cache
def deciding_versions() -> tuple[str, ...]:
    """Name what computes: another version of it, or another kind of processor, may fit other bits."""
    package = Path(__file__).parents[2]
    code = hashlib.sha256()
    rooms = (package / room for room in DECIDING_CODE)
    for source in sorted(file for room in rooms for file in room.rglob("*") if file.suffix in DECIDING_FILES):
        code.update(f"{source.relative_to(package)}\0".encode() + source.read_bytes())
    libraries = (f"{name} {_version(name)}" for name in DECIDING_LIBRARIES)
    processor: Any = np.show_config(mode="dicts")
    vectors = " ".join(processor["SIMD Extensions"]["found"])
    return (SOFTWARE, code.hexdigest(), platform.python_version(), platform.machine(), vectors, *libraries)


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "none"


def _read(path: Path, key: str, universe: AtomUniverse) -> ContributionMap | None:
    """Read a map, unless it is not there, not ours alone, not this one, or not whole."""
    try:
        if not (_is_ours_alone(path.parent) and _is_ours_alone(path)):
            return None
        with zipfile.ZipFile(path) as archive:
            named = archive.comment == key.encode()
        return load_map(path, universe) if named else None
    except (OSError, zipfile.BadZipFile, DpSpinError):
        return None


def _is_ours_alone(path: Path) -> bool:
    """Tell whether a folder or file is this user's, and nobody else may write it; a link is neither."""
    found = path.lstat()
    plain = stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)
    return plain and found.st_uid == os.geteuid() and not found.st_mode & OTHERS_MAY_WRITE


def _written(fitted: ContributionMap, path: Path, key: str) -> ContributionMap:
    """Keep a map under its name only when it is complete; where that cannot be done, do without."""
    with contextlib.suppress(OSError, DpSpinError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_ours_alone(path.parent):
            _write(fitted, path, key)
            _forget_the_oldest(path.parent)
    return fitted


def _write(fitted: ContributionMap, path: Path, key: str) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, suffix=".unfinished")  # for its owner only
    os.close(descriptor)
    try:
        save_map(fitted, Path(name))
        with zipfile.ZipFile(name, "a") as archive:
            archive.comment = key.encode()
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _forget_the_oldest(folder: Path) -> None:
    """Remove what was written first; also what a killed run left unfinished gets old."""
    written = [*folder.glob("*.map"), *folder.glob("*.unfinished")]
    written.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for path in written[MOST_KEPT:]:
        path.unlink(missing_ok=True)
