"""One key for all ways to say a phrase, the words that matter for it, and which phrases say too little to be an atom.

Inflection, word order and degree of praise do not count. Each rule names itself, so that a builder can count them.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, TypeAlias

from dpspin.text.stems import base_form
from dpspin.text.words import english, unaccented

COPULAS, LINKS, DETERMINERS, DEGREES = map(english, ("copulas", "links", "determiners", "degrees"))
GREETINGS, GOOD, BAD, PEOPLES = map(english, ("greetings", "good", "bad", "peoples"))
BREAKS: Final = (
    (english("function_words") | english("light_words") | GREETINGS) - COPULAS - LINKS - DETERMINERS - DEGREES
)
Key: TypeAlias = tuple[str, ...]


def key_of(words: Iterable[str]) -> Key:
    """Return the key that variants of a phrase share.

    >>> key_of(["wasted", "money"]) == key_of(["money", "waste"]), key_of(["horrible", "service"])
    (True, ('bad', 'service'))
    """
    return tuple(sorted({canonical(word) for word in words}))


@cache
def canonical(word: str) -> str:
    """Return the word's family; praise is "good" and blame is "bad", whatever their strength.

    >>> canonical("fantastic"), canonical("smells")
    ('good', 'smell')
    """
    word = unaccented(word)
    if word in GOOD:
        return "good"
    return "bad" if word in BAD else base_form(word)


LONGEST_PHRASE: Final = 3


@cache
def _families(*lists: str) -> frozenset[str]:
    return frozenset(canonical(word) for name in lists for word in english(name))


def repeats_itself(key: Key) -> bool:
    """Tell a phrase of one word only, such as "hair hair"."""
    return len(key) == 1


def is_sentiment_only(key: Key) -> bool:
    """Tell praise or blame of nothing in particular ("great product") or of any thing ("great brush").

    >>> is_sentiment_only(("brush", "good")), is_sentiment_only(("bad", "service"))
    (True, False)
    """
    return has_praise_or_blame(key) and _families("aspects").isdisjoint(key)


def has_praise_or_blame(key: Key) -> bool:
    """Tell praise or blame of anything at all: the paper's dictionaries keep "dry skin", not "great service"."""
    return not _families("feelings").isdisjoint(key)


def is_generic(key: Key) -> bool:
    """Tell a phrase that fits any product or place, such as "new place"."""
    return _families("generic").issuperset(key)


def says_nothing(key: Key) -> bool:
    """Tell a phrase of generic words and praise or blame only, such as "great product" or "place".

    >>> says_nothing(("good", "product")), says_nothing(("coffee", "good"))
    (True, False)
    """
    return _families("feelings", "generic").issuperset(key)


def is_stretched(key: Key) -> bool:
    """Tell three words of which one adds nothing, such as "great french toast"."""
    return len(key) == LONGEST_PHRASE and not _families("feelings", "generic").isdisjoint(key)


RULES: Final[dict[str, Callable[[Key], bool]]] = {
    "one word": repeats_itself,
    "sentiment only": is_sentiment_only,
    "generic": is_generic,
    "stretched": is_stretched,
}


def why_dropped(key: Key) -> str | None:
    """Return the name of the first rule that drops the phrase, or None.

    >>> why_dropped(("good", "place")), why_dropped(("dry", "skin"))
    ('sentiment only', None)
    """
    return next((name for name, drops in RULES.items() if drops(key)), None)
