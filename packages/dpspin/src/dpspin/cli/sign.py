"""``dpspin sign``: put a signed manifest into a release folder, so that a stranger can check it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.key import KeyOption, open_key
from dpspin.cli.terminal import say

if TYPE_CHECKING:
    from dpspin.boundary.approval import ApprovedRequest


def sign(
    release: Annotated[
        Path, typer.Argument(metavar="RELEASE", help="The folder to publish, or the one above it (the OUT of release).")
    ],
    key: KeyOption,
) -> None:
    """Sign a release that is ready: every file, its plan, the ledger's head and its approvals, in manifest.json.

    What would be rejected is not signed. Whatever is changed afterwards needs another signature.
    """
    from dpspin.public.release_check.published_folder import release_folder
    from dpspin.public.release_check.sign import sign_release

    folder = release_folder(release)
    approved = _approved(folder)
    signed = sign_release(folder, open_key(key), approved)
    say(f"signed {len(signed.files)} files of {folder} as {signed.curator.name}", err=True)
    if approved is not None:
        names = ", ".join(each.by.name for each in approved.approvals)
        say(f"approvals are published with it, with name, reason and day: of {names}", err=True)
    say(f"Readers check it with your public key: dpspin verify {folder} --key KEY", err=True)
    say(f"fingerprint: {signed.curator.fingerprint}", err=True)


def _approved(folder: Path) -> "ApprovedRequest | None":
    """Return the approvals that the curator keeps for a release, or for a period of a series."""
    from dpspin.boundary.approval import APPROVALS, read_approved

    place = folder.resolve()
    kept = (place.parent / "curator", place.parent.parent / "curator" / place.name)
    found = next((each / APPROVALS for each in kept if (each / APPROVALS).is_file()), None)
    return None if found is None else read_approved(found)
