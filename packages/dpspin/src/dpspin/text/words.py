"""What a word is, for each who asks. Every pattern for words stands here.

Some are part of what a map measures: the terms of a classifier and its cues are counted by them, a compiled kernel
reads the same, and saved maps know their words. These never change.
"""

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

NGRAM_WORD: Final = r"\w\w+"  # scikit-learn's, between word borders: the paper's map, and likeness of two texts
TERM_WORD: Final = re.compile(r"[^\W_]+(?:'[a-z]+)?")  # of a map that learns: a word with what an apostrophe adds
CUE_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")  # of a cue, and of a sentence that may hold one
LETTERS_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")  # by which greetings and thanks are told from content

_PLAIN: Final = re.compile(r"[^\W_]+")
# Repeats are bounded: no text takes long.
_MARKUP: Final = re.compile(r"<[^<>]{1,80}>|\[\[[^\[\]]{1,80}\]\]")
_ADDRESS: Final = r"(?:https?://|www\.)[^\s<>]+|[^\s<>@]{1,64}@\S+|&\w{1,8};"
_UNSPEAKABLE: Final = re.compile(_MARKUP.pattern + "|" + _ADDRESS + r"|[\r\n]+")
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|[^\w\s'’\-]|[\d_]|(?<=\s)-(?=\s)|--")


def words_of(text: str) -> list[str]:
    """Return the words of a text, in small letters: by them names and sentences are compared.

    >>> words_of("Wi-Fi of ROOM_12")
    ['wi', 'fi', 'of', 'room', '12']
    """
    return _PLAIN.findall(text.casefold())


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


def unaccented(text: str) -> str:
    """Return a text as a keyboard without accents would have it.

    >>> unaccented("étouffée")
    'etouffee'
    """
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


def without_markup(text: str) -> str:
    """Return a text with a new line wherever a tag or a reference in double brackets stands."""
    return _MARKUP.sub("\n", text)


def listing(items: Sequence[str]) -> str:
    """Join items as a sentence does.

    >>> listing(["a", "b", "c"]), listing(["a"]), listing([])
    ('a, b and c', 'a', '')
    """
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


@cache
def english(name: str) -> frozenset[str]:
    """Return one of the closed lists of English words in ``english.toml``."""
    return frozenset(_english_lists()[name].split())


@cache
def _english_lists() -> dict[str, str]:
    return tomllib.loads((files("dpspin.text") / "english.toml").read_text(encoding="utf-8"))
