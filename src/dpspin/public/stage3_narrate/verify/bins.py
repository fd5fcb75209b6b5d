"""The words for support bins: their names in the plan, plain synonyms, and the two extremes."""

import re
from functools import lru_cache

from dpspin.boundary.plan import SemanticPlan

_SYNONYMS = {
    "high": ("strong", "substantial", "highly", "strongly"),
    "moderate": ("medium", "middling", "intermediate", "mid", "moderately"),
    "medium": ("moderate", "middling", "intermediate", "mid"),
    "low": ("weak", "minor", "weakly"),
}
_SUPPORT_NOUN = (
    r"[\s-]+(?:(?:semantic|released|noisy|aggregate|measured|normali[sz]ed|estimated)[\s-]+)*"
    r"(?:support\w*|mass(?:es)?|bins?|levels?|band|tier|category|range)"
)
_BIN_NOUN = r"[\s-]+(?:(?:support|semantic)[\s-]+)*(?:bin|tier|band|category)"


def bin_words(plan: SemanticPlan) -> dict[str, str]:
    """Map every word for a bin, its name or a plain synonym, to the bin's name."""
    names = [support_bin.name for support_bin in plan.rules.bins]
    extremes = {"highest": names[0], "top": names[0], "lowest": names[-1], "bottom": names[-1]}
    return {**extremes, **_synonyms(names), **{" ".join(name.casefold().split()): name for name in names}}


def bin_pattern(plan: SemanticPlan) -> re.Pattern[str]:
    """Find the words for bins: a name anywhere, a synonym only before its noun, an extreme only before "bin"."""
    return _pattern(tuple(support_bin.name for support_bin in plan.rules.bins))


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    own = "|".join(_spaced(name) for name in sorted(names, key=len, reverse=True))
    synonyms = "|".join(_guarded(word) for word in sorted(_synonyms(list(names)))) or r"(?!)"
    return re.compile(
        rf"(?<!\w)(?P<name>{own}|(?:{synonyms})(?={_SUPPORT_NOUN}\b)|(?:highest|top|lowest|bottom)(?={_BIN_NOUN}\b))(?!\w)",
        re.IGNORECASE,
    )


def _guarded(word: str) -> str:
    """Leave "the most strongly supported" to the superlatives."""
    return rf"(?<!most\s)(?<!least\s)(?<!more\s)(?<!less\s){word}" if word.endswith("ly") else word


def _spaced(name: str) -> str:
    return r"\s+".join(re.escape(part) for part in name.split())


def _synonyms(names: list[str]) -> dict[str, str]:
    known = {name.casefold() for name in names}
    return {synonym: name for name in names for synonym in _SYNONYMS.get(name.casefold(), ()) if synonym not in known}
