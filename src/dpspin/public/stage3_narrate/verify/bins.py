"""Read support bins out of a clause: which bin words are claims, and which atoms each of them governs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify.passages import BLOT, Passage

SYNONYMS = {
    "high": ("strong", "substantial"),
    "moderate": ("medium", "middling", "intermediate"),
    "low": ("weak", "minor"),
}
_QUALIFIER = r"(?:semantic|released|noisy|aggregate|overall|measured|relative|normali[sz]ed|estimated|plan)"
_SUPPORT_NOUN = r"(?:support\w*|mass(?:es)?|bins?|levels?|band|tier|category|range)"
_SUPPORT_FOLLOWS = re.compile(rf"[-\s]+(?:{_QUALIFIER}[-\s]+)*{_SUPPORT_NOUN}\b", re.IGNORECASE)
_SUPPORT_PRECEDES = re.compile(
    rf"\b{_SUPPORT_NOUN}(?:\s+(?:is|are|was|were|remains?|being|of|as|at|also|still|all|rated|classified|binned))*[\s:=]+$",
    re.IGNORECASE,
)
# A bare bin name is a claim where nothing but a pause follows: "C is low", "A (high)", "Moderate: B".
_PAUSE_FOLLOWS = re.compile(rf"[\"”’'*_]*(?:\s*[,.;:)\]/–—]|\s*$|[-\s]+(?:and|or|to|for)\b|\s*{BLOT})", re.IGNORECASE)
_JOIN = re.compile(rf"(?:[-\s]+{_SUPPORT_NOUN})?[-\s]*(?:,?\s*(?:to|or|and)|/|–|&)?[-\s]*", re.IGNORECASE)
_NEGATION = re.compile(r"\b(?:not|never|no|neither|nor|without|hardly|cannot)\b|n['’]t\b", re.IGNORECASE)
_BIN_FOLLOWS = re.compile(rf"[-\s]+(?:{_QUALIFIER}[-\s]+|support[-\s]+)*bin\b", re.IGNORECASE)
_NEITHER = re.compile(r"\b(?:neither|none\s+of)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BinClaim:
    """One or more bins offered together: "high or moderate" is a public coarsening of two bins."""

    bins: frozenset[str]
    start: int  # in the passage's masked text
    end: int
    negated: bool


def bin_words(plan: SemanticPlan) -> dict[str, str]:
    """Map every word for a bin, its name or a plain synonym, to the bin's name."""
    names = [support_bin.name for support_bin in plan.rules.bins]
    words = {synonym: name for name in names for synonym in SYNONYMS.get(name.casefold(), ())}
    extremes = {"highest": names[0], "top": names[0], "lowest": names[-1], "bottom": names[-1]}
    return {**extremes, **words, **{name.casefold(): name for name in names}}


def bin_claims(passage: Passage, plan: SemanticPlan) -> tuple[BinClaim, ...]:
    """Return the bin claims of a passage from left to right."""
    words, claims = bin_words(plan), list[BinClaim]()
    for match in _words_pattern(tuple(words)).finditer(passage.masked):
        if not _is_claim(match, {support_bin.name.casefold() for support_bin in plan.rules.bins}):
            continue
        claim = BinClaim(frozenset({words[match[0].casefold()]}), *match.span(), _is_negated(passage, match, claims))
        if claims and _JOIN.fullmatch(passage.masked, claims[-1].end, claim.start):
            before = claims.pop()
            claim = BinClaim(before.bins | claim.bins, before.start, claim.end, before.negated)
        claims.append(claim)
    return tuple(claims)


def governed(passage: Passage, claims: tuple[BinClaim, ...]) -> Iterator[tuple[BinClaim, tuple[int, ...]]]:
    """Yield each bin claim with the atoms it governs.

    Where a bin comes first it heads a list ("high-support themes: A, B") and governs what follows. Where an atom comes
    first the bin is a predicate ("A and B have moderate support, C low support") and governs what precedes; what
    trails after the last bin shares it ("A has high support, as does B").
    """
    if not claims or not passage.references:
        return
    heads = claims[0].start < passage.references[0].span[0] - passage.start
    edges = [0, *((claim.start for claim in claims[1:]) if heads else (claim.end for claim in claims[:-1])), None]
    for claim, low, high in zip(claims, edges, edges[1:], strict=False):
        yield claim, passage.named(low or 0, high)


@lru_cache(maxsize=64)
def _words_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)


def _is_claim(match: re.Match[str], names: set[str]) -> bool:
    text, word = match.string, match[0].casefold()
    if word in {"highest", "top", "lowest", "bottom"} - names:
        return bool(_BIN_FOLLOWS.match(text, match.end()))
    if _SUPPORT_FOLLOWS.match(text, match.end()) or _SUPPORT_PRECEDES.search(text, 0, match.start()):
        return True
    return word in names and bool(_PAUSE_FOLLOWS.match(text, match.end()))


def _is_negated(passage: Passage, match: re.Match[str], earlier: list[BinClaim]) -> bool:
    """Look for a negation that reaches this bin: after the last atom or bin, or a "neither" before the atoms."""
    ends = [r.span[1] - passage.start for r in passage.references if r.span[1] - passage.start <= match.start()]
    start = max([0, *ends, *(claim.end for claim in earlier)])
    within_reach = _NEGATION.search(passage.masked, start, match.start())
    return bool(within_reach or _NEITHER.search(passage.masked, 0, match.start()))
