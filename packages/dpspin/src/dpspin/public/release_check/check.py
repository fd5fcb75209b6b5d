"""The check of a whole release by a stranger, offline: files, signature, plan, sentences and approvals."""

from collections.abc import Iterator
from pathlib import Path

from dpspin.boundary.manifest import MANIFEST, SignedManifest
from dpspin.boundary.signing import PublicKey
from dpspin.boundary.software import SOFTWARE
from dpspin.errors import DpSpinError, SigningError
from dpspin.public.release_check.approvals import check_approvals
from dpspin.public.release_check.findings import Finding, Holds, NotChecked, ReleaseVerdict, Wrong
from dpspin.public.release_check.published_folder import PublishedFolder, read_folder, release_folder
from dpspin.public.release_check.remade import Files, check_contents, data_of

UNSIGNED = Wrong(
    f"nobody signed it: there is no {MANIFEST}, so nothing tells who published this, or whether it was changed"
)
UNREAD = NotChecked("what the files say: they are not as they were signed")
BEYOND = (
    NotChecked("that noise was drawn as the plan states, from the records that it names: only the curator can know"),
    NotChecked("that the head of the ledger's chain is in the ledger: its keeper can be asked for it"),
)


def check_release(place: Path, key: PublicKey | None = None) -> ReleaseVerdict:
    """Check a release folder, and whether this key signed it; without a key, whether it agrees with itself."""
    return check_published(read_folder(release_folder(place)), key)


def check_published(folder: PublishedFolder, key: PublicKey | None = None) -> ReleaseVerdict:
    """Check files that were read. What is not as it was signed is not looked into any further."""
    files = {name: folder.files[name] for name in sorted(folder.names)}
    if MANIFEST not in folder.files:
        return ReleaseVerdict.of((*folder.wrong, UNSIGNED, *_contents(files, None)), None)
    try:
        manifest = SignedManifest.from_bytes(folder.files[MANIFEST])
    except SigningError as error:
        return ReleaseVerdict.of((*folder.wrong, Wrong(str(error)), UNREAD), None)
    signed = (*folder.wrong, *_signature(manifest, key), *_files(manifest, files))
    broken = any(isinstance(each, Wrong) for each in signed)
    read = (UNREAD,) if broken else _contents(files, manifest)
    return ReleaseVerdict.of((*signed, *read), manifest.curator)


def _contents(files: Files, manifest: SignedManifest | None) -> Iterator[Finding]:
    try:
        data = data_of(files)
    except DpSpinError as error:
        yield Wrong(str(error))
        return
    if manifest is not None and (manifest.plan, manifest.head) != (data.digest, data.head):
        yield Wrong(f"{MANIFEST} is of another plan than plan.json")
    yield from check_contents(files, data, SOFTWARE if manifest is None else manifest.software)
    yield from BEYOND
    yield from () if manifest is None else check_approvals(manifest, data)


def _signature(manifest: SignedManifest, key: PublicKey | None) -> Iterator[Finding]:
    if manifest.is_authentic:
        yield from _signer(manifest, key)
    else:
        yield Wrong(f"the signature is not that of the key which {MANIFEST} names")


def _signer(manifest: SignedManifest, key: PublicKey | None) -> Iterator[Finding]:
    by = manifest.curator
    if key is None:
        yield NotChecked(
            f"who signed it: it says {by.name!r}, and anybody can say so. Compare the key's fingerprint, "
            f"{by.fingerprint}, with one that you have from the curator, or name their public key"
        )
    elif key.key != by.key:
        yield Wrong(f"it is signed with another key than {key.name!r} has: {by.fingerprint}, not {key.fingerprint}")
    else:
        yield Holds(f"signed by {key.name} on {manifest.day}, with the key {key.fingerprint}")


def _files(manifest: SignedManifest, files: Files) -> Iterator[Finding]:
    listed = {each.name: each for each in manifest.files}
    missing, added = sorted(set(listed) - set(files)), sorted(set(files) - set(listed))
    changed = [name for name, each in listed.items() if name in files and not each.is_of(files[name])]
    yield from (Wrong(f"{name} is missing") for name in missing)
    yield from (Wrong(f"{name} was added after it was signed") for name in added)
    yield from (Wrong(f"{name} was changed after it was signed") for name in changed)
    if not (missing or added or changed):
        yield Holds(f"all {len(listed)} files are there as they were signed, and no other")
