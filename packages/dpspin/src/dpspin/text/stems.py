"""One name for the forms of a word, by three rules: for phrases of people, for the terms of a map, for a search.

``base_form`` finds English words that are words (plurals, tenses and a few derivations, guided by public frequencies);
``cut_stem`` is part of what a map measures and never changes; ``singular`` knows plurals only, in English or not.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from dpspin.text.words import english

SUFFIXES: Final = (  # what is cut, what is put in its place; the first that gives a known word counts
    ("ications", ("y",)),
    ("ication", ("y",)),
    ("ations", ("ate", "e", "")),
    ("ation", ("ate", "e", "")),
    ("iness", ("y",)),
    ("ness", ("",)),
    ("ies", ("y", "ie")),
    ("ied", ("y",)),
    ("ily", ("y",)),
    ("ably", ("able",)),
    ("ing", ("", "e")),
    ("ed", ("", "e")),
    ("es", ("e", "")),
    ("s", ("",)),
    ("ly", ("",)),
)
SHORTEST: Final = 3
SHARE_OF_THE_FORM: Final = 0.03  # a base much rarer than its form is no base: "station" is not "state"


@cache
def base_form(word: str) -> str:
    """Return the base form of a word.

    >>> [base_form(word) for word in ("wasted", "application", "irritation", "cookies", "shipping", "quickly")]
    ['waste', 'apply', 'irritate', 'cookie', 'ship', 'quick']
    """
    if word in english("only_look_inflected"):
        return word
    if word in _irregular():
        return _irregular()[word]
    known = SHARE_OF_THE_FORM * public_frequency(word)
    return next((base for base in _bases(word) if public_frequency(base) > known), word)


@cache
def _irregular() -> dict[str, str]:
    return dict(pair.split(":") for pair in english("irregular"))


def _bases(word: str) -> Iterator[str]:
    for suffix, endings in SUFFIXES:
        stem = word.removesuffix(suffix)
        if stem == word or len(stem) < SHORTEST - 1 or (suffix == "s" and _needs_its_s(stem)):
            continue
        if suffix in ("ing", "ed"):
            yield from _with_tense(stem)
        else:
            yield from (stem + ending for ending in endings if len(stem + ending) >= SHORTEST)
        return


def _needs_its_s(stem: str) -> bool:
    """Tell what is no word without its last letter.

    >>> [_needs_its_s(stem) for stem in ("glas", "bonu", "bureau")]
    [True, True, False]
    """
    return stem.endswith(("s", "u", "i")) and not stem.endswith("eau")


def _with_tense(stem: str) -> tuple[str, ...]:
    """Return what a tense may have been made of, the likelier first.

    >>> _with_tense("shipp"), _with_tense("wast")
    (('ship', 'shipp'), ('waste', 'wast'))
    """
    if len(stem) < SHORTEST or not set("aeiouy") & set(stem):
        return ()
    undoubled = (stem[:-1],) if stem[-1] == stem[-2] and stem[-1] not in "aeiou" else ()
    both = sorted((stem, stem + "e"), key=public_frequency, reverse=True)
    return (*undoubled, stem) if undoubled else tuple(both)


@cache
def public_frequency(word: str) -> float:
    """Return the share of a word among the words of public English text; zero for what the list does not know."""
    from wordfreq import word_frequency  # noqa: PLC0415  loads a word list

    return float(word_frequency(word, "en"))


CUT_ENDINGS: Final = ("'s", "ing", "ied", "ies", "ed", "es", "ly", "s")
SHORTEST_STEM, LONGEST_STEM = 3, 7
REMEMBERED: Final = 2**14  # words: few of them make up most of a text


@lru_cache(maxsize=REMEMBERED)
def cut_stem(word: str) -> str:
    """Cut off one ending, and what is beyond seven letters.

    >>> cut_stem("waited"), cut_stem("is"), cut_stem("cancellation")
    ('wait', 'is', 'cancell')
    """
    for ending in CUT_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            return word[: -len(ending)][:LONGEST_STEM]
    return word[:LONGEST_STEM]


PLURALS: Final = (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("ss", "ss"))


def singular(word: str) -> str:
    """Return a word without the ending of a plural.

    >>> [singular(word) for word in ("deliveries", "crashes", "refunds", "glass", "gas")]
    ['delivery', 'crash', 'refund', 'glass', 'gas']
    """
    for ending, instead in PLURALS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + instead
    return word.removesuffix("s") if len(word) > len("gas") else word
