"""What a message about data may say: nothing that a library says of it, and which names of columns.

A library's message may quote the record that broke it. Names are shown from a schema, and from a first line only where
it looks like one: a text file without a header has a record in its first line.
"""

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Final, TypeVar

from dpspin.errors import DpSpinError, SourceError

T = TypeVar("T")
OUR_OWN = (DpSpinError, KeyboardInterrupt, SystemExit, GeneratorExit)

LONGEST_NAME: Final = 30
MOST_WORDS: Final = 3
MOST_NAMES: Final = 40
FEWEST_NAMES: Final = 2  # a file of one word in each line has no header
NAME: Final = re.compile(r"[^\W\d](?:[^\W\d]|[ ./?()-])*\d?", re.UNICODE)  # letters first, one digit last at most


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
    raise SourceError(f"{failed}: {why}", code="source.unreadable")


def look_like_names(cells: Sequence[str]) -> bool:
    """Tell whether all cells of a first line look like names of columns: short, few words, letters, all different.

    A single digit may end a name (``q1``). A record of one or two plain words can look the same: no rule on looks can
    tell them apart, so this one refuses rather too much.

    >>> look_like_names(["user_id", "Date received", "text"]), look_like_names(["u17", "late parcel"])
    (True, False)
    >>> look_like_names(["ann@example.org", "text"]), look_like_names(["My parcel never came back"])
    (False, False)
    """
    return len(set(cells)) == len(cells) >= FEWEST_NAMES and all(map(looks_like_a_name, cells))


def looks_like_a_name(cell: str) -> bool:
    """Tell whether one cell does."""
    short = len(cell) <= LONGEST_NAME and len(cell.split()) <= MOST_WORDS
    return short and cell.isprintable() and NAME.fullmatch(cell) is not None


def no_such_column(where: str, name: str, shown: Sequence[str], unseen: Iterable[str] = ()) -> SourceError:
    """Return the refusal of data without a column, with the names that may be shown.

    A name that only differs from the asked one in capitals or spaces around it is no news, also among the ``unseen``.
    """
    return SourceError(
        f"{where} has no column {name!r}{_instead(name, shown, {*shown, *unseen})}", code="source.no-such-column"
    )


def _instead(name: str, shown: Sequence[str], present: set[str]) -> str:
    alike = [each for each in present if each != name and each.strip().casefold() == name.strip().casefold()]
    if alike:
        return f", but one that is called {alike[0]!r}: name it exactly so"
    if name.partition(".")[0] in present:
        return ": what is inside of a field cannot be named, so write it beside the others"
    known = [each for each in shown if each]
    if not known:
        return (
            ", and what it begins with does not look like names of columns, so it is not shown: check the spelling, "
            "and that the first line names the columns (see `dpspin check`)"
        )
    close = get_close_matches(name, known, n=1)
    hint = f"Did you mean {close[0]!r}? " if close else ""
    more = f" and {len(known) - MOST_NAMES} more" if len(known) > MOST_NAMES else ""
    return f". {hint}Its columns: {', '.join(map(repr, known[:MOST_NAMES]))}{more}"
