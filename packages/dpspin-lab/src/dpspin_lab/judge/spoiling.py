"""Cases with a known answer: a true text made worse in one stated way, so that a judge can be judged.

A language model answers whatever it is asked. Its scores mean something only if it scores a text higher than the same
text with other themes, other bins, most of it missing, or its words in disorder.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

import numpy as np

from dpspin.boundary.plan import SemanticPlan

_FIRST_SENTENCE: Final = re.compile(r".+?[.!?](?=\s|$)", re.DOTALL)


class Spoiling(StrEnum):
    """How a text is made worse."""

    THEMES = "themes of another plan"
    BINS = "wrong bins"
    SENTENCE = "first sentence only"
    SHUFFLED = "words shuffled"
    EMPTY = "no words"


LOWERED: Final[Mapping[Spoiling, str]] = {
    Spoiling.THEMES: "faithfulness",
    Spoiling.BINS: "faithfulness",
    Spoiling.SENTENCE: "coverage",
    Spoiling.SHUFFLED: "clarity",
    Spoiling.EMPTY: "coverage",
}  # the score that has to be lower; stated here, before any judge is asked


def spoiled_texts(text: str, plan: SemanticPlan, others: Sequence[str], seed: int) -> Iterator[tuple[Spoiling, str]]:
    """Yield what can be spoiled; ``others`` are labels that the plan does not list."""
    made = {
        Spoiling.THEMES: with_other_themes(text, plan, others),
        Spoiling.BINS: with_wrong_bins(text, plan),
        Spoiling.SENTENCE: first_sentence(text),
        Spoiling.SHUFFLED: shuffled(text, seed),
        Spoiling.EMPTY: "",
    }
    yield from ((how, spoiled) for how, spoiled in made.items() if spoiled != text)


def with_other_themes(text: str, plan: SemanticPlan, others: Sequence[str]) -> str:
    """Name other themes in the place of those that the plan lists."""
    return _replaced(text, dict(zip((entry.label for entry in plan.entries), others, strict=False)))


def with_wrong_bins(text: str, plan: SemanticPlan) -> str:
    """Call each bin by the name of the one above it, and the highest by that of the lowest; labels stay."""
    names = [support_bin.name for support_bin in plan.rules.bins]
    labels = {entry.label: entry.label for entry in plan.entries}
    return _replaced(text, {**dict(zip(names, [names[-1], *names[:-1]], strict=True)), **labels})


def first_sentence(text: str) -> str:
    """Cut a text off after its first sentence.

    >>> first_sentence("Fees lead at 2.5 percent. Staff follow.")
    'Fees lead at 2.5 percent.'
    """
    found = _FIRST_SENTENCE.match(text)
    return found[0] if found else text


def shuffled(text: str, seed: int) -> str:
    """Put the words into an order drawn by the seed."""
    return " ".join(np.random.default_rng(seed).permutation(text.split()))


def _replaced(text: str, words: Mapping[str, str]) -> str:
    """Replace whole words in one pass, the longest first, whatever their capitals; a capital letter stays one."""
    lowered = {old.lower(): new for old, new in words.items()}
    longest_first = "|".join(re.escape(old) for old in sorted(words, key=len, reverse=True))
    whole_words = re.compile(rf"(?<!\w)(?:{longest_first})(?!\w)", re.IGNORECASE)
    return whole_words.sub(lambda found: _cased(found[0], lowered), text) if words else text


def _cased(found: str, words: Mapping[str, str]) -> str:
    new = words[found.lower()]
    return new[:1].upper() + new[1:] if found[:1].isupper() else new
