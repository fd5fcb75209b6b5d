"""Files that others name or will read: only regular ones are opened, and every one is written whole or not at all.

A pipe may never begin, and a device may never end: whoever opens a path that came from a command line, or from a line
of a file, goes through here. What is published is dated to the day.
"""

import errno
import io
import os
import stat
from contextlib import suppress
from datetime import UTC, datetime, time
from pathlib import Path
from typing import BinaryIO, Final

MEBIBYTE: Final = 2**20
LARGEST: Final = 256 * MEBIBYTE  # of a plan, a dictionary or a text: a thousand times what they usually are


def open_plain(path: str | Path) -> BinaryIO:
    """Open a regular file for reading. Anything else raises OSError at once, and is never waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError:  # a NUL byte
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it is no regular file (a folder, a pipe or a device)", str(path))
    return os.fdopen(descriptor, "rb")


def read_plain(path: str | Path, most: int = LARGEST) -> bytes:
    """Read a regular file of at most so many bytes; OSError says why it cannot be read."""
    with open_plain(path) as file:
        content = file.read(most + 1)
    if len(content) > most:
        size = f"{most // MEBIBYTE} MiB" if most >= MEBIBYTE else f"{most:,} bytes"
        raise OSError(errno.EFBIG, f"it is larger than {size}", str(path))
    return content


def read_plain_text(path: str | Path, encoding: str = "utf-8", most: int = LARGEST) -> str:
    r"""Read a text file; all line breaks become ``\n``, as Python's own reader has it."""
    return io.StringIO(read_plain(path, most).decode(encoding), newline=None).read()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under another name and rename it, so that a reader never sees half of it."""
    _write(path, content, dated_to_the_day=False)


def write_private(path: Path, content: bytes) -> None:
    """Write a file whole that nobody but its owner may read."""
    _write(path, content, dated_to_the_day=False, mode=0o600)


def make_private_folder(folder: Path) -> None:
    """Make a folder, where it is not there yet, into which nobody but its owner may look."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)


def write_published(path: Path, content: bytes) -> None:
    """Write a file whole, dated to the day: finer times would tell how long the work on private records took."""
    _write(path, content, dated_to_the_day=True)


def _write(path: Path, content: bytes, *, dated_to_the_day: bool, mode: int = 0o666) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        unfinished.touch(mode)
        unfinished.write_bytes(content)
        if dated_to_the_day:
            date_to_the_day(unfinished)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def date_to_the_day(path: Path) -> None:
    """Set a file's or a folder's time to the midnight (UTC) at which this day began: the ledger knows days as well."""
    midnight = datetime.combine(datetime.now(UTC).date(), time.min, UTC).timestamp()
    os.utime(path, (midnight, midnight))


def date_folder_to_the_day(folder: Path) -> None:
    """Date a release folder to the day; where it belongs to somebody else, only they can."""
    with suppress(PermissionError):
        date_to_the_day(folder)


def today() -> str:
    """Return the day on which a file is made."""
    return datetime.now(UTC).date().isoformat()
