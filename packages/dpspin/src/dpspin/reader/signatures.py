"""Who signed a release, as far as a folder can tell: the files are those of the manifest, and its key signed it.

Whether that key is the curator's own nobody can read off a folder: its fingerprint is told, to be compared.
"""

from enum import StrEnum
from pathlib import Path
from typing import Final

from dpspin.boundary.manifest import MANIFEST, SignedManifest, published
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.safe_files import MEBIBYTE
from dpspin.boundary.series import INDEX
from dpspin.errors import DpSpinError
from dpspin.public.release_check.published_folder import read_folder

MOST_CHECKED: Final = 64 * MEBIBYTE  # of all files of a release together


class Standing(StrEnum):
    """What the signature of a release is worth."""

    SIGNED = "signed"
    UNSIGNED = "not signed"
    BROKEN = "does not verify"
    TOO_LARGE = "too large to be checked here"
    BY_PERIOD = "each period has its own"


class Signature(FrozenModel):
    """The standing of a release, and by whom it says that it was signed; ``key`` is that key's fingerprint."""

    standing: Standing
    by: str = ""
    key: str = ""


def signature_of(folder: Path) -> Signature:
    """Hold every file against the manifest, and the manifest against its key; what the files say is not looked at."""
    if (folder / INDEX).is_file():
        return Signature(standing=Standing.BY_PERIOD)
    if not (folder / MANIFEST).exists():
        return Signature(standing=Standing.UNSIGNED)
    if sum(each.lstat().st_size for each in folder.iterdir()) > MOST_CHECKED:
        return Signature(standing=Standing.TOO_LARGE)
    found = read_folder(folder)
    try:
        manifest = SignedManifest.from_bytes(found.files.pop(MANIFEST, b""))
    except DpSpinError:
        return Signature(standing=Standing.BROKEN)
    holds = not found.wrong and manifest.is_authentic and manifest.files == published(found.files)
    if not holds:
        return Signature(standing=Standing.BROKEN)
    return Signature(standing=Standing.SIGNED, by=manifest.curator.name, key=manifest.curator.fingerprint)
