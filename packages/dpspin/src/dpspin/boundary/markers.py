"""The canonical marker of a theme, ``[atom:17]``: how it is written, and how it is found in a text."""

import re
from typing import Final

# Python reads numbers of at most 4,300 digits: an id cannot be longer, and no longer one is looked at.
MARKER: Final = r"\[atom:(?P<marker>0|[1-9][0-9]{0,4299})\]"  # as it is written
ANY_MARKER: Final = re.compile(r"\[atom:\s*(?P<marker>\d{1,4300})\]")  # and as others may write it


def marker_of(atom: int) -> str:
    """Return the reference to a theme.

    >>> marker_of(17), ANY_MARKER.sub("", "long wait [atom: 17]")
    ('[atom:17]', 'long wait ')
    """
    return f"[atom:{atom}]"
