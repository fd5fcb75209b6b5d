"""Where a ledger's file may lie: a private file on a local disk."""

import contextlib
import re
from pathlib import Path

from dpspin.errors import LedgerError

MOUNTS = Path("/proc/mounts")
# File locks and fsync cannot be trusted here, and the ledger's promise rests on both.
NETWORK_FILE_SYSTEMS = frozenset(
    (
        *("afs", "beegfs", "ceph", "cifs", "davfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "smb3", "smbfs"),
        *("fuse.blobfuse2", "fuse.davfs2", "fuse.gcsfuse", "fuse.glusterfs", "fuse.juicefs"),
        *("fuse.rclone", "fuse.s3fs", "fuse.sshfs"),
    )
)


def prepare_private_file(path: Path) -> None:
    """Make sure that the file exists on a local disk, readable by its owner only when we create it.

    An existing file is not opened: closing it again would drop the locks that SQLite holds in this process.
    """
    _refuse_network(path)
    if path.is_dir():
        raise LedgerError(f"the ledger {path} is a folder; name a file in it, for example {path / 'ledger.db'}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            path.touch(mode=0o600, exist_ok=False)
    except OSError as error:
        raise LedgerError(f"the ledger {path} cannot be created: {error.strerror}. Choose another --ledger") from error


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
