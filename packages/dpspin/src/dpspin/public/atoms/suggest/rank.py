"""How telling a phrase is: how much more often it is said here than English words alone would have it."""

import math
from collections.abc import Sequence
from typing import Final

from dpspin.text.stems import public_frequency

RAREST: Final = 1e-8  # what the public list does not know is taken to be this rare
ENOUGH_BITS: Final = 12.0  # beyond, a phrase belongs to the field, and a rarer word ("hyaluronic") makes it no better


def tellingness(support: int, documents: int, words_per_document: float, words: Sequence[str]) -> float:
    """Return support times the bits by which it exceeds what public frequencies of its words lead to expect.

    The paper ranks by support alone; the second factor moves "long time" behind "dry skin" at the same support.

    >>> dry, long = (tellingness(50, 1000, 60.0, pair) for pair in (["dry", "skin"], ["long", "time"]))
    >>> round(dry), round(long)
    (600, 468)
    """
    expected = words_per_document * math.prod(max(RAREST, public_frequency(word)) for word in words)
    return support * min(ENOUGH_BITS, math.log2(max(2.0, support / documents / expected)))
