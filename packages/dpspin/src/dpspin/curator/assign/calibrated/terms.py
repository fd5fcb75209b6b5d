"""What a sentence is made of, for a small classifier: words, stems, pairs of either, and pieces of words.

Pieces of words make up for typos and for inflections that no example shows.
"""

from functools import lru_cache
from itertools import pairwise

from dpspin.text.stems import REMEMBERED, cut_stem
from dpspin.text.words import TERM_WORD

PIECES = (3, 4, 5)


def sentence_terms(text: str) -> list[str]:
    """Return the terms of one sentence, with repeats.

    >>> [term for term in sentence_terms("Waited hours") if not term.startswith("~")]
    ['waited', 'hours', 'waited hours', '#wait', '#hour', '#wait hour']
    """
    words = TERM_WORD.findall(text.lower())
    stems = [f"#{cut_stem(word)}" for word in words]
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
    words = TERM_WORD.findall(text.lower())
    return [*words, *(f"{one} {two}" for one, two in pairwise(words))]


@lru_cache(maxsize=REMEMBERED)
def _pieces(word: str) -> tuple[str, ...]:
    spaced = f" {word} "
    return tuple(f"~{spaced[start : start + size]}" for size in PIECES for start in range(len(spaced) - size + 1))
