"""The files of a release as they lie, read once and safely: no link is followed, nothing is waited for."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dpspin.boundary.manifest import MANIFEST, MOST_FILES, is_plain_name
from dpspin.boundary.safe_files import MEBIBYTE
from dpspin.boundary.series import INDEX
from dpspin.errors import InputError
from dpspin.public.release_check.findings import Wrong

MOST_BYTES: Final = 256 * MEBIBYTE  # of all files together


@dataclass(frozen=True, slots=True)
class PublishedFolder:
    """What lies in a folder: files by name, and what cannot be one of a release."""

    files: dict[str, bytes]
    wrong: tuple[Wrong, ...]

    @property
    def names(self) -> set[str]:
        """The files besides the manifest."""
        return set(self.files) - {MANIFEST}


def release_folder(place: Path) -> Path:
    """Return the folder that is published: itself, or the one that `dpspin release` made in it."""
    if (place / INDEX).exists() or (place / "release" / INDEX).exists():
        raise InputError(f"{str(place)!r} is of a series: name the folder of one of its periods")
    found = next((each for each in (place, place / "release") if _holds_a_release(each)), None)
    if found is None:
        raise InputError(f"{str(place)!r} is no release: name the folder with its plan.json, or the one above it")
    return found


def _holds_a_release(folder: Path) -> bool:
    return any((folder / name).exists() for name in ("plan.json", "phrases.json", MANIFEST))


def read_folder(folder: Path) -> PublishedFolder:
    """Read every file of a folder; what is no plain file with a plain name, or too large, is named and not opened."""
    with os.scandir(folder) as found:
        names = sorted(entry.name for entry, _ in zip(found, range(MOST_FILES + 2), strict=False))
    if len(names) > MOST_FILES:
        return PublishedFolder({}, (Wrong(f"the folder holds more than {MOST_FILES} files"),))
    files: dict[str, bytes] = {}
    wrong = tuple(_read_into(files, folder, names))
    return PublishedFolder(files, wrong)


def _read_into(files: dict[str, bytes], folder: Path, names: list[str]) -> Iterator[Wrong]:
    left = MOST_BYTES
    for name in names:
        if not is_plain_name(name):
            yield Wrong(f"{name!r} is no name of a published file: a folder, hidden, or letters that look like others")
            continue
        content = _content(folder / name, left)
        if isinstance(content, Wrong):
            yield content
        else:
            files[name] = content
            left -= len(content)


def _content(path: Path, most: int) -> bytes | Wrong:
    """Read one file, unless it is a link, no regular file, or too much."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError as error:
        why = "it is a link to elsewhere" if path.is_symlink() else error.strerror
        return Wrong(f"{path.name} cannot be read: {why}")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return Wrong(f"{path.name} is no file: a folder, a pipe or a device")
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        return Wrong(f"{path.name} is too large: all files of a release have {MOST_BYTES // MEBIBYTE} MiB at most")
    return content
