"""Find where a display text says a theme in the words of its public description instead of its label.

The paper allows a paraphrase that the description directly supports. Here that means: a run of words in which every
content word is one of the theme's own, and enough of them are there to tell which theme is meant.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dpspin.boundary.plan import PlanEntry, SemanticPlan
from dpspin.public.stage3_narrate.verify.lexicon import WORD, stem
from dpspin.public.stage3_narrate.verify.verdict import Span

_SMALL = frozenset(
    {
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "by",
        "for",
        "from",
        "to",
        "with",
        "and",
        "or",
        "their",
        "its",
        "his",
        "her",
    }
    | {
        "they",
        "it",
        "is",
        "are",
        "was",
        "were",
        "be",
        "being",
        "been",
        "has",
        "have",
        "that",
        "who",
        "which",
        "as",
        "not",
    }
    | {"no", "do", "does", "so", "too", "when", "where", "what"}
)
_ENOUGH = 3  # content words; fewer only if they are all the description has
_MOST = 0.6  # of the description's content words


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A run of words that says one theme."""

    atom_id: int
    span: Span


def paraphrases_of(raw: str, plan: SemanticPlan, taken: list[Span]) -> Iterator[Paraphrase]:
    """Yield the paraphrases outside what is taken already; they do not overlap."""
    words = [match for match in WORD.finditer(raw) if not any(low <= match.start() < high for low, high in taken)]
    used = -1
    for position, match in enumerate(words):
        if match.start() < used or match[0].casefold() in _SMALL:
            continue
        best = max((_run(words, position, entry, raw) for entry in plan.entries), key=lambda run: run[1], default=None)
        if best is not None and best[1]:
            yield Paraphrase(best[0], (match.start(), best[1]))
            used = best[1]


def _run(words: list[re.Match[str]], start: int, entry: PlanEntry, raw: str) -> tuple[int, int]:
    """Return the theme and where its run of words ends; 0, if it is not enough to tell the theme."""
    own, found, end = _roots(entry.description), set[str](), 0
    for position in range(start, len(words)):
        match = words[position]
        if position > start and re.search(r"[.;:!?\n|()]", raw[words[position - 1].end() : match.start()]):
            break
        root = _root(match[0])
        if root in own and root not in found:
            found.add(root)
            end = match.end()
        elif root in own:
            continue
        elif match[0].casefold() not in _SMALL:
            break
    if end and _denies(raw[words[start].start() : end]) != _denies(entry.description):
        return entry.atom_id, 0  # "is picked up" is not "is not picked up"
    enough = len(found) >= _ENOUGH or len(found) == len(own) > 1
    return entry.atom_id, end if enough and len(found) >= _MOST * len(own) else 0


def _denies(words: str) -> bool:
    return re.search(r"\b(?:not|no|never|cannot|without)\b|n['’]t\b", words, re.IGNORECASE) is not None


@lru_cache(maxsize=10_000)
def _roots(description: str) -> frozenset[str]:
    return frozenset(_root(word) for word in WORD.findall(description) if word.casefold() not in _SMALL)


@lru_cache(maxsize=50_000)
def _root(word: str) -> str:
    """Forget the endings of verbs too: waiting is wait.

    >>> [_root(word) for word in ("waiting", "arrives", "served", "looking")]
    ['wait', 'arriv', 'serv', 'look']
    """
    root = stem(word)
    for ending in ("ing", "ed", "e"):
        if len(root) > len(ending) + 2 and root.endswith(ending):
            return root.removesuffix(ending)
    return root
