"""The public lexicon: words that say nothing about the protected records, and phrases that make a claim.

All of it is data in ``words/``, with a version; a digest of it stands in every verdict, so that a verdict can be
repeated.
"""

import hashlib
import re
import tomllib
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from dpspin.boundary.plan import SemanticPlan

WORD = re.compile(r"[^\W\d_]+(?:['’.][^\W\d_]+)*")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)es$")
_FILES = (
    "neutral.txt",
    "public.txt",
    "general.txt",
    "undeniable.txt",
    "not_a_measure.txt",
    "people.txt",
    "records.txt",
    "saying.txt",
    "beyond.txt",
    "not_forms.txt",
    "phrases.toml",
)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Forget case and plural, so that a label is found in either number.

    >>> [stem(word) for word in ("Waits", "dishes", "queries", "price", "prices", "access")]
    ['wait', 'dish', 'query', 'price', 'price', 'access']
    """
    word = word.casefold().replace("’", "'").removesuffix("'s")
    if len(word) > 4 and word.endswith("ies"):  # noqa: PLR2004  "ties" is not "ty"
        return word[:-3] + "y"
    if _SIBILANT.search(word):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):  # noqa: PLR2004
        return word[:-1]
    return word


@lru_cache(maxsize=50_000)
def is_among(word: str, stems: frozenset[str]) -> bool:
    """Tell whether a word, or the verb that it is a form of, is one of these.

    >>> [is_among(word, frozenset({"place", "list", "plan"})) for word in ("placing", "listed", "planned", "plants")]
    [True, True, True, False]
    """
    said = stem(word)
    return said in stems or (said not in _stems_in("not_forms.txt") and any(base in stems for base in _bases(said)))


def _bases(word: str) -> tuple[str, ...]:
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) > 2:  # noqa: PLR2004  "sing" is not a form of "s"
            undoubled = (base[:-1],) if base[-1] == base[-2] else ()
            return base, base + "e", *undoubled
    return ()


@cache
def neutral_stems() -> frozenset[str]:
    """Return the words that say nothing, wherever they stand."""
    return _stems_in("neutral.txt")


@cache
def public_stems() -> frozenset[str]:
    """Return the words that may stand beside a theme: the neutral ones, and those about noise and precision."""
    return neutral_stems() | _stems_in("public.txt")


@cache
def general_stems() -> frozenset[str]:
    """Return all words of data-independent text, for sentences that name no theme."""
    return public_stems() | _stems_in("general.txt")


@cache
def undeniable_stems() -> frozenset[str]:
    """Return what is so of every release: no text may deny it."""
    return _stems_in("undeniable.txt")


@cache
def measure_stems() -> frozenset[str]:
    """Return what a text may deny beside a theme: that its support is a count, a share or exact."""
    return _stems_in("not_a_measure.txt")


@cache
def beyond_stems() -> frozenset[str]:
    """Return the words for what no plan tells."""
    return _stems_in("beyond.txt")


@cache
def people_stems() -> frozenset[str]:
    """Return the words for records, for those who wrote them, and for writing them."""
    return _stems_in("people.txt") | record_stems() | _stems_in("saying.txt")


@cache
def record_stems() -> frozenset[str]:
    """Return the words for records."""
    return _stems_in("records.txt")


@cache
def people_words() -> tuple[str, ...]:
    """Return the words for records and for those who wrote them, as they are written."""
    lines = (line.partition("#")[0] for name in ("people.txt", "records.txt") for line in _text(name).splitlines())
    return tuple(sorted({word for line in lines for word in line.split()}, key=len, reverse=True))


@cache
def phrases() -> dict[str, Any]:
    """Return the claim phrases by kind, as regular expressions, and their shorthand."""
    return tomllib.loads(_text("phrases.toml"))


@cache
def lexicon_digest() -> str:
    """Identify the lexicon by content and version."""
    content = "\0".join(_text(name) for name in _FILES)
    return f"{phrases()['version']}:{hashlib.sha256(content.encode()).hexdigest()[:16]}"


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of all words in a text."""
    return frozenset(stem(word) for word in WORD.findall(text))


def own_stems(plan: SemanticPlan) -> frozenset[str]:
    """Return the plan's own public names, which every text about it may use."""
    names = (*(support_bin.name for support_bin in plan.rules.bins), plan.dictionary.name, plan.title)
    return stems_of(" ".join(names))


@cache
def _stems_in(name: str) -> frozenset[str]:
    lines = (line.partition("#")[0] for line in _text(name).splitlines())
    return frozenset(stem(word) for line in lines for word in line.split())


@cache
def _text(name: str) -> str:
    return (resources.files("dpspin.public.stage3_narrate.verify") / "words" / name).read_text("utf-8")
