"""From text to sentences and words: the first step, and the only one that sees spelling."""

import re
from typing import Final

# Repeats are bounded: no text takes long.
_MARKUP: Final = re.compile(r"<[^<>]{1,80}>|\[\[[^\[\]]{1,80}\]\]")
_ADDRESS: Final = r"(?:https?://|www\.)[^\s<>]+|[^\s<>@]{1,64}@\S+|&\w{1,8};"
_UNSPEAKABLE: Final = re.compile(_MARKUP.pattern + "|" + _ADDRESS + r"|[\r\n]+")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])[\s\"')]+|[\r\n]+|…+")
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|[^\w\s'’\-]|[\d_]|(?<=\s)-(?=\s)|--")


def sentences(text: str) -> list[str]:
    """Cut a text into sentences; markup counts as an end.

    >>> sentences("Smells odd.<br />My skin is dry! Why?")
    ['Smells odd.', 'My skin is dry!', 'Why?']
    """
    plain = _MARKUP.sub("\n", text)
    return [piece.strip() for piece in _SENTENCE_END.split(plain) if piece and piece.strip()]


def tokens(text: str) -> list[str]:
    """Return the words of a text as they are spelt, and between them the marks and digits that part them.

    >>> tokens("Great pump, but 2 of them leaked")
    ['Great', 'pump', ',', 'but', '2', 'of', 'them', 'leaked']
    """
    return _TOKEN.findall(_UNSPEAKABLE.sub(" . ", text))


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
