"""Nothing that a library says about data is passed on: its message may quote the record that broke it."""

import warnings
from collections.abc import Callable
from typing import TypeVar

from dpspin.errors import DpSpinError, SourceError

T = TypeVar("T")
OUR_OWN = (DpSpinError, KeyboardInterrupt, SystemExit, GeneratorExit)


def guarded(read: Callable[[], T], failed: str, why: str) -> T:
    """Read; where a library fails, say what ``failed`` and, unless we know better, ``why``.

    The error is raised after the library's has been left behind: it has neither cause nor context, so that no
    traceback shows the message. Some libraries (polars) panic with what is no ``Exception``.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return read()
    except OUR_OWN:
        raise
    except PermissionError:
        why = "permission denied"
    except MemoryError:
        why = "it needs more memory than there is"
    except BaseException:  # noqa: BLE001, S110  see above
        pass
    raise SourceError(f"{failed}: {why}")
