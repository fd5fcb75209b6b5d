"""A private folder for one run's spill, removed at the end; folders of runs that died are removed at the next start.

A living run holds a lock on its folder, and the kernel drops it when the process dies, however it dies. A process id
in the name would not do: ids are reused, and mean something else in another container.
"""

import contextlib
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from dpspin.errors import SourceError

PREFIX: Final = "dpspin-spill-"


class SpillFolder:
    """A folder that only its owner can enter, and that is gone when this object is closed or the program ends."""

    __slots__ = ("__weakref__", "_remove", "path")

    def __init__(self, parent: Path | None = None) -> None:
        try:
            self.path, lock = _locked_folder(spill_parent(parent))
        except OSError as error:
            raise SourceError(
                f"no folder for temporary files can be made: {error.strerror}. Set TMPDIR to a local disk"
            ) from None
        self._remove = weakref.finalize(self, _remove, self.path, lock, os.getpid())

    def close(self) -> None:
        """Remove the folder and all that is in it."""
        self._remove()


def spill_parent(parent: Path | None) -> Path:
    """Return the folder that holds spills."""
    return Path(tempfile.gettempdir()) if parent is None else parent


def purge_dead(parent: Path | None = None) -> None:
    """Remove the spill folders of this owner whose runs have died."""
    for folder in spill_parent(parent).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # held by a living run, somebody else's, or just removed by another start
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                _hold(lock)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)


@contextmanager
def owner_only() -> Iterator[None]:
    """Let files that are created meanwhile be readable by their owner only, whoever creates them."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _locked_folder(parent: Path) -> tuple[Path, int]:
    """Make the folder under another name and lock it before it can be taken for a dead one."""
    unlocked = Path(tempfile.mkdtemp(prefix=".dpspin-new-", dir=parent))
    lock = os.open(unlocked, os.O_RDONLY | os.O_DIRECTORY)
    _hold(lock)
    folder = unlocked.with_name(unlocked.name.replace(".dpspin-new-", PREFIX))
    unlocked.rename(folder)
    return folder, lock


def _hold(folder: int) -> None:
    import fcntl  # noqa: PLC0415  not on Windows, where nothing is spilled

    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _remove(folder: Path, lock: int, owner: int) -> None:
    if os.getpid() == owner:  # a forked child that ends must leave its parent's folder alone
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)
