"""Everything that is special to SQLite: where its file may lie, how to connect and lock, and the triggers.

A new ledger is a private file on a local disk, and appears whole. DELETE journal with synchronous=EXTRA is the mode in
which an acknowledged charge survives a power cut. The triggers live in the file, so they also stop a program that
writes to it without this package.
"""

import os
import re
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from dpspin.curator.ledger.guards import GUARDS, TABLES, Guard
from dpspin.curator.ledger.schema import create_tables, emptied
from dpspin.errors import LedgerError

BUSY_SECONDS = 30
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
PRAGMAS = ("journal_mode = DELETE", "synchronous = EXTRA", "foreign_keys = ON")


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """A ledger in a file."""

    path: Path

    @property
    def location(self) -> str:
        """Where it is, for messages."""
        return str(self.path)

    @property
    def guards(self) -> tuple[str, ...]:
        """The statements that make the triggers."""
        return tuple(TRIGGERS.values())

    @property
    def no_guards(self) -> tuple[str, ...]:
        """The statements that take them away, for an upgrade."""
        return tuple(f"DROP TRIGGER IF EXISTS {name}" for name in TRIGGERS)

    def exists(self) -> bool:
        """Say whether there is a ledger to look into."""
        return self.path.exists()

    def without_secrets(self, message: str) -> str:
        """Return a message as it is: a path is no secret."""
        return message

    def prepare(self) -> bool:
        """Make the ledger where there is none, for its owner's eyes only; say whether that was done."""
        require_good_place(self.path)
        require_no_remains(self.path)
        return not self.path.exists() and appear_whole(self.path, _build)

    def engine(self) -> Engine:
        """Return an engine whose every transaction holds the write lock from its first statement.

        One connection per transaction: nothing is shared between threads or survives a fork.
        """
        engine = create_engine("sqlite://", creator=self._open, poolclass=NullPool, hide_parameters=True)
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "begin", _begin_immediate)
        return engine

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self.path.as_uri()}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None)


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


def _build(path: Path) -> None:
    with SqliteFile(path).engine().begin() as connection:
        create_tables(connection, TRIGGERS.values())


def _set_pragmas(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _trigger(guard: Guard) -> str:
    refuse = f"SELECT RAISE(ABORT, '{guard.refusal}')"
    return f"CREATE TRIGGER {guard.name} {guard.moment} ON {guard.table} WHEN {guard.condition} BEGIN {refuse}; END"


# REPLACE removes the old row without firing DELETE triggers, hence the triggers against a repeated key.
_KEYS = {
    "scope": "id = NEW.id OR (kind = NEW.kind AND name = NEW.name)",
    "budget_change": "id = NEW.id",
    "entry": "id = NEW.id OR (scope_id = NEW.scope_id AND fingerprint = NEW.fingerprint)",
    "resumption": "id = NEW.id OR (entry_id = NEW.entry_id AND attempt = NEW.attempt)",
    "output": "id = NEW.id",
    "declaration": "id = NEW.id OR (dataset = NEW.dataset AND subject = NEW.subject AND value = NEW.value)",
    "period": ("id = NEW.id OR (entry_id = NEW.entry_id AND (name = NEW.name OR generation = NEW.generation))"),
    "period_run": "id = NEW.id OR (period_id = NEW.period_id AND attempt = NEW.attempt)",
    "period_output": "id = NEW.id",
    "officers": "id = NEW.id",
    "filing": "id = NEW.id OR digest = NEW.digest",
    "verdict": "id = NEW.id",
    "link": "position = NEW.position OR (kind = NEW.kind AND row_id = NEW.row_id) OR public_hash = NEW.public_hash",
}

_IS_NEW = {
    table: f"EXISTS (SELECT 1 FROM {table} WHERE {key})"  # noqa: S608  all of it stands in this file
    for table, key in _KEYS.items()
}
TRIGGERS = {
    guard.name: _trigger(guard)
    for guard in (
        *(Guard(f"{table}_stays", "BEFORE DELETE", table, "ledger rows are never deleted", "TRUE") for table in TABLES),
        *(
            Guard(f"{table}_is_fixed", "BEFORE UPDATE", table, "ledger rows are never changed", "TRUE")
            for table in TABLES
        ),
        *(
            Guard(f"{table}_is_new", "BEFORE INSERT", table, "the row exists already", key)
            for table, key in _IS_NEW.items()
        ),
        *GUARDS,
    )
}
