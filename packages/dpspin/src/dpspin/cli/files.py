"""Reading what commands are given: dictionaries, plans, texts."""

import errno
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dpspin.boundary.safe_files import LARGEST, MEBIBYTE, read_plain_text
from dpspin.errors import InputError

if TYPE_CHECKING:
    from dpspin.boundary.plan import SemanticPlan


def read_text(source: str, most: int = LARGEST) -> str:
    """Read a file, or stdin for ``-``."""
    try:
        return _stdin(most) if source == "-" else read_plain_text(source, most=most)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"cannot read {source!r}: {why}; - reads stdin") from None


def _stdin(most: int) -> str:
    text = sys.stdin.read(most + 1)
    if len(text) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // MEBIBYTE} MiB")
    return text


def plan_in(source: str) -> str:
    """Return the plan file that is meant: itself, or the one in a release folder."""
    from dpspin.boundary.folders import plan_file_in

    return str(plan_file_in(Path(source))) if Path(source).is_dir() else source


def read_plan(source: str) -> "SemanticPlan":
    """Read a plan file."""
    from dpspin.boundary.plan import SemanticPlan

    return SemanticPlan.from_json(read_text(source))
