"""Where a ledger's file may lie, and how a new one appears: a private file on a local disk, whole from the start."""

import os
import re
from collections.abc import Callable
from pathlib import Path

from dpspin.errors import LedgerError

MOUNTS = Path("/proc/mounts")
# File locks and fsync cannot be trusted here, and the ledger's promise rests on both.
NETWORK_FILE_SYSTEMS = frozenset(
    (
        *("afs", "beegfs", "ceph", "cifs", "coda", "davfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "orangefs"),
        *("pvfs2", "smb3", "smbfs"),
        *("fuse.blobfuse", "fuse.blobfuse2", "fuse.ceph-fuse", "fuse.davfs2", "fuse.gcsfuse", "fuse.glusterfs"),
        *("fuse.goofys", "fuse.gvfsd-fuse", "fuse.juicefs", "fuse.kio-fuse", "fuse.mfs", "fuse.mount-s3"),
        *("fuse.rclone", "fuse.s3fs", "fuse.seaweedfs", "fuse.sshfs"),
        # folders that a virtual machine or a container shares with its host
        *("9p", "v9fs", "drvfs", "virtiofs", "fuse.virtiofs", "vboxsf", "vmhgfs", "fuse.vmhgfs-fuse"),
        *("prl_fs", "fuse.prl_fsd", "fakeowner", "fuse.grpcfuse", "fuse.osxfs", "osxfs"),
    )
)


def require_good_place(path: Path) -> None:
    """Refuse a folder, and a file system on which a ledger cannot keep its promise."""
    _refuse_network(path)
    if path.is_dir():
        raise LedgerError(f"the ledger {path} is a folder; name a file in it, for example {path / 'ledger.db'}")


def require_no_remains(path: Path) -> None:
    """Refuse what an earlier ledger has left behind: beginning anew there would forget what was spent.

    A file is not opened for it: closing it again would drop the locks that SQLite holds in this process.
    """
    if path.exists():
        if path.stat().st_size == 0:
            raise emptied(str(path))
        return
    for journal in (path.with_name(f"{path.name}-journal"), path.with_name(f"{path.name}-wal")):
        if journal.exists() and not path.exists():  # a ledger that was made meanwhile has a journal of its own
            raise LedgerError(
                f"the ledger {path} is gone, and its journal {journal.name} is still there: bring the file back, or "
                "restore both from a backup. To begin a new ledger, which knows of no earlier release, remove the "
                "journal too"
            )


def emptied(location: str) -> LedgerError:
    """Refuse a file or a database that should hold a ledger and holds nothing."""
    return LedgerError(
        f"the ledger {location} is empty: it was cut short, or emptied, and would grant again all that was spent. "
        "Restore it from its newest backup. To begin a new ledger, which knows of no earlier release, remove what is "
        "there first"
    )


def appear_whole(path: Path, build: Callable[[Path], None]) -> bool:
    """Build the ledger in a private file under another name, then give it its own; say whether that was still free.

    A link never replaces a file, so of two that are built at once one stays; a crash leaves none, or all of it.
    """
    unfinished = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished.touch(mode=0o600, exist_ok=False)
        try:
            build(unfinished)
            return _linked(unfinished, path)
        finally:
            unfinished.unlink()
    except OSError as error:
        raise LedgerError(
            f"the ledger {path} cannot be created: {error.strerror}. Choose another (`account.ledger`)"
        ) from error


def _linked(unfinished: Path, path: Path) -> bool:
    try:
        path.hardlink_to(unfinished)
    except FileExistsError:  # another process was faster: its ledger holds
        return False
    _sync(path.parent)
    return True


def _sync(folder: Path) -> None:
    """Make names durable: a charge must not be lost with the name of its file."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refuse_network(path: Path) -> None:
    mounts = MOUNTS.read_text(errors="replace") if MOUNTS.exists() else ""
    kind = file_system_of(path, mounts)
    if kind in NETWORK_FILE_SYSTEMS:
        raise LedgerError(
            f"the ledger {path} is on a network file system ({kind}), where locks cannot be trusted: "
            "two runs could spend the same budget. Put it on a local disk"
        )


def file_system_of(path: Path, mounts: str) -> str | None:
    r"""Return the type of the innermost mounted file system that holds the path, from the text of /proc/mounts.

    >>> mounts = '''/dev/sda1 / ext4 rw 0 0
    ... server:/home /home/my\\040share nfs4 rw 0 0'''
    >>> file_system_of(Path("/home/my share/ledger.db"), mounts), file_system_of(Path("/home/x"), mounts)
    ('nfs4', 'ext4')
    """
    found: tuple[int, str] | None = None
    for fields in (line.split(" ") for line in mounts.splitlines()):
        point = Path(_unescape(fields[1]))
        if path.is_relative_to(point) and (found is None or len(point.parts) >= found[0]):  # a later mount hides
            found = (len(point.parts), fields[2])
    return found[1] if found else None


def _unescape(mount_point: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), mount_point)
