"""One name for the forms of a word: plurals, tenses and a few derivations, guided by public word frequencies."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from dpspin.public.atoms.suggest.lexicon import words_of

IRREGULAR: Final = {
    "absorption": "absorb",
    "broke": "break",
    "broken": "break",
    "burnt": "burn",
    "colour": "color",
    "delivery": "deliver",
    "deliveries": "deliver",
    "fell": "fall",
    "fallen": "fall",
    "feet": "foot",
    "smelt": "smell",
    "teeth": "tooth",
    "waitstaff": "staff",
}
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
KEPT: Final = words_of(  # they end like a form of another word, and are none
    "friendly lovely daily costly lonely curly family apply supply reply belly jelly early news series station nation "
    "vacation wedding ceiling pudding dressing seasoning evening morning speed hundred naked wicked string spring "
    "sibling"
)
SHORTEST: Final = 3
SHARE_OF_THE_FORM: Final = 0.03  # a base much rarer than its form is no base: "station" is not "state"


@cache
def family(word: str) -> str:
    """Return the base form of a word.

    >>> [family(word) for word in ("wasted", "application", "irritation", "cookies", "shipping", "quickly")]
    ['waste', 'apply', 'irritate', 'cookie', 'ship', 'quick']
    """
    if word in KEPT:
        return word
    if word in IRREGULAR:
        return IRREGULAR[word]
    known = SHARE_OF_THE_FORM * _frequency(word)
    return next((base for base in _bases(word) if _frequency(base) > known), word)


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
    both = sorted((stem, stem + "e"), key=_frequency, reverse=True)
    return (*undoubled, stem) if undoubled else tuple(both)


@cache
def _frequency(word: str) -> float:
    from wordfreq import word_frequency  # noqa: PLC0415  loads a word list

    return float(word_frequency(word, "en"))
