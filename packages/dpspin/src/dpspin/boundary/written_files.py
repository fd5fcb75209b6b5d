"""Writing files: whole or not at all, and dated to the day where they are published."""

import os
from contextlib import suppress
from datetime import UTC, datetime, time
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under another name and rename it, so that a reader never sees half of it."""
    _write(path, content, dated_to_the_day=False)


def write_published(path: Path, content: bytes) -> None:
    """Write a file whole, dated to the day: finer times would tell how long the work on private records took."""
    _write(path, content, dated_to_the_day=True)


def _write(path: Path, content: bytes, *, dated_to_the_day: bool) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
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
