"""Which names of columns a message may show: those of a schema, and a first line only where it looks like one.

A text file without a header has a record in its first line, and a message must not show a record.
"""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

LONGEST_NAME: Final = 30
MOST_WORDS: Final = 3
MOST_NAMES: Final = 40
FEWEST_NAMES: Final = 2  # a file of one word in each line has no header
NAME: Final = re.compile(r"[^\W\d](?:[^\W\d]|[ ./?()-])*\d?", re.UNICODE)  # letters first, one digit last at most


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


def no_such_column(where: str, name: str, names: Iterable[str], unseen: Iterable[str] = ()) -> str:
    """Say that a column is missing, and which there are; without names, that none can be shown.

    A name that only differs from the asked one in capitals or spaces around it is no news, also among the ``unseen``.
    """
    names = list(names)
    present = {*names, *unseen}
    known = [each for each in names if each]
    alike = next(
        (each for each in present if each != name and each.strip().casefold() == name.strip().casefold()), None
    )
    if alike is not None:
        return f"{where} has no column {name!r}, but one that is called {alike!r}: name it exactly so"
    if name.partition(".")[0] in present:
        return (
            f"{where} has no column {name!r}: what is inside of a field cannot be named, so write it beside the others"
        )
    if not known:
        return (
            f"{where} has no column {name!r}, and what it begins with does not look like names of columns, so it is "
            "not shown: check the spelling, and that the first line names the columns (see `dpspin check`)"
        )
    close = get_close_matches(name, known, n=1)
    hint = f"Did you mean {close[0]!r}? " if close else ""
    more = f" and {len(known) - MOST_NAMES} more" if len(known) > MOST_NAMES else ""
    shown = ", ".join(map(repr, known[:MOST_NAMES]))
    return f"{where} has no column {name!r}. {hint}Its columns: {shown}{more}"
