"""Which phrases say too little to be an atom, and why: each rule names itself, so that a builder can count them."""

from collections.abc import Callable
from typing import Final

from dpspin.public.atoms.suggest.canonical import Key, canonical
from dpspin.public.atoms.suggest.lexicon import ASPECTS, FEELINGS, GENERIC

LONGEST_PHRASE: Final = 3
_SENTIMENT: Final = frozenset(map(canonical, FEELINGS)) | {"good", "bad"}
_ASPECTS: Final = frozenset(map(canonical, ASPECTS))
_GENERIC: Final = frozenset(map(canonical, GENERIC))


def repeats_itself(key: Key) -> bool:
    """Tell a phrase of one word only, such as "hair hair"."""
    return len(key) == 1


def is_sentiment_only(key: Key) -> bool:
    """Tell praise or blame of nothing in particular ("great product") or of any thing ("great brush").

    >>> is_sentiment_only(("brush", "good")), is_sentiment_only(("bad", "service"))
    (True, False)
    """
    return has_praise_or_blame(key) and _ASPECTS.isdisjoint(key)


def has_praise_or_blame(key: Key) -> bool:
    """Tell praise or blame of anything at all: the paper's dictionaries keep "dry skin", not "great service"."""
    return not _SENTIMENT.isdisjoint(key)


def is_generic(key: Key) -> bool:
    """Tell a phrase that fits any product or place, such as "new place"."""
    return _GENERIC.issuperset(key)


def says_nothing(key: Key) -> bool:
    """Tell a phrase of generic words and praise or blame only, such as "great product" or "place".

    >>> says_nothing(("good", "product")), says_nothing(("coffee", "good"))
    (True, False)
    """
    return (_SENTIMENT | _GENERIC).issuperset(key)


def is_stretched(key: Key) -> bool:
    """Tell three words of which one adds nothing, such as "great french toast"."""
    return len(key) == LONGEST_PHRASE and not (_SENTIMENT | _GENERIC).isdisjoint(key)


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
