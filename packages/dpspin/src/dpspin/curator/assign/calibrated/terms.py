"""What a sentence is made of, for a small classifier: words, stems, pairs of either, and pieces of words.

Pieces of words make up for typos and for inflections that no example shows.
"""

import re
from functools import lru_cache
from itertools import pairwise

WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
ENDINGS = ("'s", "ing", "ied", "ies", "ed", "es", "ly", "s")
SHORTEST_STEM, LONGEST_STEM = 3, 7
PIECES = (3, 4, 5)
KEPT = 2**14  # words whose parts are remembered: few words make up most of a text


def sentence_terms(text: str) -> list[str]:
    """Return the terms of one sentence, with repeats.

    >>> [term for term in sentence_terms("Waited hours") if not term.startswith("~")]
    ['waited', 'hours', 'waited hours', '#wait', '#hour', '#wait hour']
    """
    words = WORD.findall(text.lower())
    stems = [f"#{stem(word)}" for word in words]
    return [
        *words,
        *(f"{one} {two}" for one, two in pairwise(words)),
        *stems,
        *(f"{one} {two[1:]}" for one, two in pairwise(stems)),
        *(piece for word in words for piece in _pieces(word)),
    ]


def record_terms(text: str) -> list[str]:
    """Return the words and word pairs of a whole record.

    >>> record_terms("A card was declined")
    ['a', 'card', 'was', 'declined', 'a card', 'card was', 'was declined']
    """
    words = WORD.findall(text.lower())
    return [*words, *(f"{one} {two}" for one, two in pairwise(words))]


@lru_cache(maxsize=KEPT)
def stem(word: str) -> str:
    """Cut off one ending, and what is beyond seven letters.

    >>> stem("waited"), stem("is"), stem("cancellation")
    ('wait', 'is', 'cancell')
    """
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            return word[: -len(ending)][:LONGEST_STEM]
    return word[:LONGEST_STEM]


@lru_cache(maxsize=KEPT)
def _pieces(word: str) -> tuple[str, ...]:
    spaced = f" {word} "
    return tuple(f"~{spaced[start : start + size]}" for size in PIECES for start in range(len(spaced) - size + 1))
