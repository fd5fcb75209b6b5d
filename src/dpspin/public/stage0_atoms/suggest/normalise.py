"""From text to sentences and lower-case words: the first step, and the only one that sees spelling."""

import re
from typing import Final

_MARKUP: Final = re.compile(r"<[^<>]{1,80}>|\[\[[^\]]*\]\]")
_UNSPEAKABLE: Final = re.compile(r"(?:https?://|www\.)\S+|\S+@\S+|&\w+;")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[\s\"')]+|[\r\n]+|…+")
_CLAUSE_END: Final = re.compile(r"[^\w\s'’\-]+|[\r\n]+|\s-+\s|--+|\d+|_")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def sentences(text: str) -> list[str]:
    """Cut a text into sentences; markup counts as an end.

    >>> sentences("Smells odd.<br />My skin is dry! Why?")
    ['Smells odd.', 'My skin is dry!', 'Why?']
    """
    plain = _MARKUP.sub("\n", text)
    return [piece.strip() for piece in _SENTENCE_END.split(plain) if piece and piece.strip()]


def clauses(text: str) -> list[list[str]]:
    """Return the words between the marks of a text, as they are spelt.

    >>> clauses("Great pump, but 2 of them leaked (badly)")
    [['Great', 'pump'], ['but'], ['of', 'them', 'leaked'], ['badly']]
    """
    plain = _UNSPEAKABLE.sub(" , ", _MARKUP.sub(" , ", text))
    return [words for part in _CLAUSE_END.split(plain) if (words := _WORD.findall(part))]


def lowered(words: list[str]) -> list[str]:
    """Return words in lower case, with one kind of apostrophe and without the possessive.

    >>> lowered(["Don’t", "Like", "Mary's"])
    ["don't", 'like', 'mary']
    """
    return (" ".join(words).lower() + " ").replace("’", "'").replace("'s ", " ").split()


def is_capitalised(word: str) -> bool:
    """Tell a word that begins with a capital and is not in capitals throughout.

    >>> [is_capitalised(word) for word in ("Maria’s", "McDuff", "LED", "I", "skin")]
    [True, True, False, False, False]
    """
    return word[0].isupper() and not word.isupper()
