r"""Words of others, made safe to look at: what a terminal or a page would obey, or hide, becomes visible.

A plan, a dictionary, a label or a file name may come from anybody. Control characters and escape sequences can rewrite
a screen, marks of direction can turn a sentence or a number round, and invisible characters hide what is there. Letters
of every script stay as they are, those that are written from right to left too.
"""

import re
import unicodedata
from typing import Final

OBEYED_OR_HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))  # controls, formats, surrogates, separators
KEPT: Final = "\n\t"
ISOLATES: Final = "\u2068\u2069"  # around a quoted name they keep its direction to itself
SET_APART: Final = re.compile("(“\u2068[^“”\u2066-\u2069\n]*\u2069”)")
JOINERS: Final = "\u200c\u200d"  # between letters (Persian, Hindi) or signs (emoji) they belong to the spelling
FILLERS: Final = "\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\u180e"  # letters and marks without a shape


def printable(text: str) -> str:
    r"""Write every character that is obeyed or hidden as JSON would escape it; line breaks and tabs stay.

    So JSON text stays the same JSON text.

    >>> print(printable("a\x1b[2Jb\u202ec") + printable(" שלום سلام, naïve"))
    a\u001b[2Jb\u202ec שלום سلام, naïve
    """
    if text.isascii() and text.isprintable():
        return text
    parts = SET_APART.split(text)
    return "".join(
        f"“\u2068{_all_visible(part[2:-2])}\u2069”" if at % 2 else _all_visible(part) for at, part in enumerate(parts)
    )


def _all_visible(text: str) -> str:
    return "".join(_visible(text, place) for place in range(len(text)))


def is_printable(text: str) -> bool:
    """Tell whether nothing in a text is obeyed or hidden."""
    return printable(text) == text


def _visible(text: str, place: int) -> str:
    character = text[place]
    if character in KEPT or (character in JOINERS and _joins(text, place)):
        return character
    if character in FILLERS or unicodedata.category(character) in OBEYED_OR_HIDDEN:
        return _escaped(character)
    return character


def _joins(text: str, place: int) -> bool:
    """Tell whether a joiner stands between two characters that can be joined: none of them ASCII or hidden."""
    around = text[place - 1 : place] + text[place + 1 : place + 2]
    return len(around) == 2 and all(not one.isascii() and one.isprintable() for one in around)  # noqa: PLR2004


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
