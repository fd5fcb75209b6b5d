"""The phrases of a text: one to three words, found by a fixed rule that looks at that text alone. For English text.

Nothing here knows which phrases are frequent in any collection. Which of a writer's phrases are taken first is settled
beforehand too, by how common their words are in public English: everyone's choice falls on the same ones.
"""

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from dpspin.text.stems import public_frequency, singular
from dpspin.text.words import english, is_capitalised, lowered, tokens

RULE: Final = "one to three words within a sentence, nearest to Zipf 4.1 of public English first; 1"  # changes with it
MOST_WORDS: Final = 3
SHORTEST_WORD: Final = 3
TELLING: Final = 4.1  # on Zipf's scale: 4.9, "product", is too common to tell anything, 1.9, "exfoliant", too rare
RARE: Final = 2.0  # from here down a word may be a name, a slip or new: it comes after the telling ones
DISTANCE_OF_RARE: Final = 0.7
SHARE_OF_THE_PLURAL: Final = 0.03  # a singular much rarer than its plural is none
REMEMBERED: Final = 2**16

_EMPTY_LISTS: Final = ("function_words", "light_words", "copulas", "links", "determiners", "degrees", "greetings")
EMPTY: Final = frozenset().union(*map(english, _EMPTY_LISTS))
INNER: Final = english("links") | english("determiners")  # "waste of time", "out of the box"


def phrases_in(sentences: Iterable[str]) -> frozenset[str]:
    """Return the phrases of some sentences, each once; they neither begin nor end with a word that says nothing.

    A word with a capital inside a sentence keeps it: it may be a name.

    >>> sorted(phrases_in(["Waste of money.", "Sensitive skin, thanks Maria"]))
    ['Maria', 'money', 'sensitive', 'sensitive skin', 'skin', 'waste', 'waste of money']
    """
    return frozenset(phrase for sentence in sentences for run in _runs(sentence) for phrase in _windows(run))


def _runs(sentence: str) -> Iterator[list[str]]:
    """Cut a sentence into runs of words without marks or digits between them."""
    spelt = tokens(sentence)
    words = [token for token in spelt if token[0].isalpha()]
    in_capitals = sum(map(is_capitalised, words)) * 2 > len(words)  # a headline: its capitals tell nothing
    run: list[str] = []
    for place, token in enumerate(spelt):
        if token[0].isalpha():
            run += map(_capital if place and not in_capitals and is_capitalised(token) else str, lowered([token]))
        else:
            yield run
            run = []
    yield run


def _windows(words: list[str]) -> Iterator[str]:
    for start in range(len(words)):
        for end in range(start + 1, min(start + MOST_WORDS, len(words)) + 1):
            window = words[start:end]
            if _tells(window[0]) and _tells(window[-1]) and all(_tells(word) or word in INNER for word in window):
                yield " ".join((*window[:-1], _form(window[-1])))


@lru_cache(maxsize=REMEMBERED)
def _tells(word: str) -> bool:
    """Tell a word that says something; a run of one letter is how names are blackened, as XXXX.

    >>> [_tells(word) for word in ("refund", "the", "n't", "xxxx")]
    [True, False, False, False]
    """
    letters = word.replace("'", "")
    spelled = letters.isalpha() and len(letters) >= SHORTEST_WORD and len(set(letters)) > 1
    return spelled and word.lower() not in EMPTY


@lru_cache(maxsize=REMEMBERED)
def _form(word: str) -> str:
    """Return the last word of a phrase without the ending of a plural, where that leaves a word and is no name.

    >>> [_form(word) for word in ("refunds", "always", "deliveries", "James")]
    ['refund', 'always', 'delivery', 'James']
    """
    one = word if word[0].isupper() else singular(word)
    return one if public_frequency(one) > SHARE_OF_THE_PLURAL * public_frequency(word) else word


def _capital(word: str) -> str:
    return word[0].upper() + word[1:]


def first_ones(phrases: Iterable[str], most: int) -> tuple[str, ...]:
    """Return so many of some phrases, those that come first for everyone.

    >>> first_ones(phrases_in(["A great product for my sensitive skin"]), 2)
    ('sensitive', 'sensitive skin')
    """
    return tuple(sorted(phrases, key=_place)[:most])


@lru_cache(maxsize=REMEMBERED)
def _place(phrase: str) -> tuple[float, int, bytes]:
    """Return what a phrase is sorted by: how telling its rarest word is, its length, and a fixed lot."""
    words = phrase.split()
    rarest = min(map(zipf, words))
    distance = abs(rarest - TELLING) if rarest > RARE else DISTANCE_OF_RARE
    return round(distance, 2), len(words), blake2b(phrase.encode(), digest_size=8).digest()


def zipf(word: str) -> float:
    """Return how common a word is in public English: 7.7 for "the", 4.5 for "thick", 0 where the list lacks it.

    >>> round(zipf("the"), 1), round(zipf("Thick"), 1), zipf("zqxv")
    (7.7, 4.5, 0.0)
    """
    share = public_frequency(word.lower())
    return 9 + math.log10(share) if share else 0.0


def surprise(phrase: str, count: int) -> float:
    """Return by how many powers of ten a count exceeds what public English has of the rarest word, but for a constant.

    >>> surprise("renewal", 100) > surprise("good", 1000)
    True
    """
    return math.log10(count) - max(RARE, min(map(zipf, phrase.split())))


MARKS: Final = {
    "capital": "written with a capital inside a sentence: a name?",
    "rare": "with a word that public English hardly knows: a name, a place?",
}


def marks_of(phrase: str) -> tuple[str, ...]:
    """Return why a person should think twice before publishing a phrase, by public lists alone.

    Digits, e-mail and web addresses are part of no phrase; a user handle is a word that nobody knows.

    >>> marks_of("sensitive skin"), marks_of("Maria Zqxv")
    ((), ('capital', 'rare'))
    """
    words = phrase.split()
    found = {"capital": any(word[0].isupper() for word in words), "rare": min(map(zipf, words)) <= RARE}
    return tuple(mark for mark, applies in found.items() if applies)
