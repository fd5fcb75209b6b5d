"""One key for all ways to say a phrase: inflection, word order and degree of praise do not count."""

from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

from dpspin.public.atoms.suggest.extract import mentions
from dpspin.public.atoms.suggest.lexicon import BAD, GOOD
from dpspin.text.stems import base_form
from dpspin.text.words import lowered, tokens, unaccented

Key: TypeAlias = tuple[str, ...]


def key_of(words: Iterable[str]) -> Key:
    """Return the key that variants of a phrase share.

    >>> key_of(["wasted", "money"]) == key_of(["money", "waste"]), key_of(["horrible", "service"])
    (True, ('bad', 'service'))
    """
    return tuple(sorted({canonical(word) for word in words}))


def keys_in(text: str) -> set[Key]:
    """Return the keys of all phrases in a text.

    >>> keys_in("I wasted my money, and the pump is broken.") == {("money", "waste"), ("break", "pump")}
    True
    """
    return {key_of(mention.words) for mention in mentions(lowered(tokens(text)))}


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
