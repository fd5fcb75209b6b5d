"""The public lexicon: words that say nothing about the protected records."""

import re
from functools import cache, lru_cache
from importlib import resources

from dpspin.boundary.plan import SemanticPlan

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)es$")


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


@cache
def public_stems() -> frozenset[str]:
    """Read the lexicon that lies beside this file: one word per line, ``#`` starts a comment."""
    text = (resources.files("dpspin.public.stage3_narrate.verify") / "public_words.txt").read_text("utf-8")
    lines = (line.partition("#")[0] for line in text.splitlines())
    return frozenset(stem(word) for line in lines for word in line.split())


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of all words in a text."""
    return frozenset(stem(word) for word in WORD.findall(text))


def plan_stems(plan: SemanticPlan) -> frozenset[str]:
    """Return the words every text about this plan may use: the lexicon and the plan's own public names."""
    names = (*(support_bin.name for support_bin in plan.rules.bins), plan.dictionary.name, plan.title)
    return public_stems() | stems_of(" ".join(names))
