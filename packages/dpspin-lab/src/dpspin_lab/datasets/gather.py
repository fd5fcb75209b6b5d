"""What all public corpora share: records with text and an identity, each once, and ratings in three bins."""

import html
import re
from collections.abc import Iterable
from typing import NamedTuple

from dpspin.errors import SourceError
from dpspin_lab.datasets.corpus import Corpus

NOBODY = ""  # the user of a record that names none
RATING_BINS = ("low", "medium", "high")
MIDDLE = 3  # of five stars
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


class Published(NamedTuple):
    """One record as its publisher has it."""

    id: str
    text: str
    user: str
    day: str
    category: str
    path: str


def gathered(name: str, records: Iterable[Published], *, with_users: bool) -> Corpus:
    """Keep records that have text, the first of each id, in the order of the file."""
    kept: dict[str, Published] = {}
    for record in records:
        if not record.id:
            raise SourceError(f"a record of {name} has no id; keep the file as published")
        if record.text.strip():
            kept.setdefault(record.id, record)
    if not kept:
        raise SourceError(f"no record of {name} has text; the file may be the wrong one")
    ids, texts, users, days, categories, paths = zip(*kept.values(), strict=True)
    return Corpus(name, ids, texts, users if with_users else None, days, categories, paths)


def rating_bin(rating: float | None) -> str:
    """Return the paper's ``rating_bin``: its names are the paper's, its edges are ours, for the paper states none.

    >>> [rating_bin(stars) for stars in (1, 2, 3, 4, 5, None)]
    ['low', 'low', 'medium', 'high', 'high', '']
    """
    low, medium, high = RATING_BINS
    if rating is None:
        return ""
    return low if rating < MIDDLE else high if rating >= MIDDLE + 1 else medium


def plain(text: str) -> str:
    r"""Undo what web pages do to text.

    >>> plain("Nice.<br /><br>Really &#34;nice&#34;.")
    'Nice.\n\nReally "nice".'
    """
    return html.unescape(_BREAK.sub("\n", text))
