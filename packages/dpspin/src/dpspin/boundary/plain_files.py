"""Opening files that others name: only regular ones, and no more of them than fits.

A pipe may never begin, and a device may never end. Whoever opens a path that came from a command line, or from a line
of a file, goes through here.
"""

import errno
import io
import os
import stat
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
        raise OSError(errno.EFBIG, f"it is larger than {most // MEBIBYTE or 1} MiB", str(path))
    return content


def read_plain_text(path: str | Path, encoding: str = "utf-8", most: int = LARGEST) -> str:
    r"""Read a text file; all line breaks become ``\n``, as Python's own reader has it."""
    return io.StringIO(read_plain(path, most).decode(encoding), newline=None).read()
