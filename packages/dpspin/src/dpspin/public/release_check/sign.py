"""Signing a release: everything that a stranger will check is checked first, so nothing wrong gets a signature."""

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Final

from dpspin.boundary.approval import ApprovedRequest
from dpspin.boundary.manifest import MANIFEST, Manifest, SignedManifest, published
from dpspin.boundary.model_base import explained_as
from dpspin.boundary.safe_files import date_folder_to_the_day, today, write_published
from dpspin.boundary.signing import SigningKey
from dpspin.boundary.software import SOFTWARE
from dpspin.errors import SigningError
from dpspin.public.release_check.approvals import wrong_approvals
from dpspin.public.release_check.findings import Wrong
from dpspin.public.release_check.published_folder import read_folder, release_folder
from dpspin.public.release_check.remade import check_contents, data_of

REMEDY: Final = (
    "Remove what does not belong there, and write the rest again: the same request releases the same numbers at no "
    "cost. A text that was given to a page must lie beside it, as a .txt file"
)


def _require_none(wrong: Iterable[str]) -> None:
    if found := tuple(wrong):
        raise SigningError(f"it is not signed, because it would be rejected: {'; '.join(found)}. {REMEDY}")


def sign_release(place: Path, key: SigningKey, approved: ApprovedRequest | None = None) -> SignedManifest:
    """Write ``manifest.json`` into a release folder: whole or not at all, and instead of an earlier one."""
    target = release_folder(place)
    folder = read_folder(target)
    _require_none(each.words for each in folder.wrong)
    files = {name: folder.files[name] for name in folder.names}
    data = data_of(files)
    _require_none(each.words for each in check_contents(files, data) if isinstance(each, Wrong))
    _require_none(() if approved is None else wrong_approvals(approved, data))
    with explained_as(SigningError, "the release"):
        signed = Manifest(
            software=SOFTWARE,
            day=date.fromisoformat(today()),
            plan=data.digest,
            head=data.head,
            files=published(files),
            approved=approved,
            curator=key.public,
        ).signed_with(key)
    try:
        write_published(target / MANIFEST, signed.to_text().encode())
    finally:
        date_folder_to_the_day(target)
    return signed
