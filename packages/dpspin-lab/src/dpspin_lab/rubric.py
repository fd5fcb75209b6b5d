"""A deterministic rubric of a text: comparisons of methods need not hang on a language model's taste.

It says nothing of the records. Coverage and readability exist for any released object; what is verified and claimed
can be told where there is a plan, and a verifier that reads it.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.markers import ANY_MARKER
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.narrate.contract.mentions import Prose
from dpspin.public.narrate.policy import Mode
from dpspin.public.narrate.verdict import Status
from dpspin.public.narrate.verify import verify
from dpspin_lab.metrics.probe import probe_mention

PROSE: Final = 3  # sentences below which reading ease is not told: of a list of labels it would tell the labels

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_END = re.compile(r"(?<=[.!?])\s+|\n+")
_SOUND = re.compile(r"[aeiouyäöüéèê]+")


@dataclass(frozen=True, slots=True)
class Rubric:
    """The scores of one text; None where there is no plan to verify it against."""

    coverage: float  # part of the admitted entries that it names
    readability: float | None  # Flesch reading ease: the higher, the easier; None where there is too little prose
    sentences: int
    verified: float | None  # part of the sentences that read back as claims that hold
    claims_per_sentence: float | None


def rubric(text: str, plan: SemanticPlan, atoms: AtomUniverse, mode: Mode = Mode.DISPLAY) -> Rubric:
    """Score a text about a plan."""
    sentences = verify(plan, text, mode, atoms).sentences
    listed, named = {int(entry.atom_id) for entry in plan.entries}, {each.atom for each in Prose(text, atoms).mentions}
    return Rubric(
        coverage=len(named & listed) / len(listed) if listed else 1.0,
        readability=_of_prose(text),
        sentences=len(sentences),
        verified=sum(each.status is Status.VERIFIED for each in sentences) / max(1, len(sentences)),
        claims_per_sentence=sum(len(each.claims) for each in sentences) / max(1, len(sentences)),
    )


def rubric_of_names(text: str, names: Collection[str]) -> Rubric:
    """Score a text about any other released object, such as a histogram, by the names of its entries.

    >>> found = rubric_of_names("Fees are high. Staff help.", {"fees", "staff", "parking"})
    >>> round(found.coverage, 2), found.sentences, found.verified, found.readability
    (0.67, 2, None, None)
    """
    return Rubric(
        coverage=probe_mention(names, text) if names else 1.0,
        readability=_of_prose(text),
        sentences=len(_sentences(text)),
        verified=None,
        claims_per_sentence=None,
    )


def readability(text: str) -> float:
    """Return the Flesch reading ease, 206.835 - 1.015·words/sentence - 84.6·syllables/word; 0 for no words.

    >>> round(readability("The cat sat. The dog ran."), 2), readability("")
    (119.19, 0.0)
    """
    words = _WORD.findall(ANY_MARKER.sub(" ", text))
    if not words:
        return 0.0
    sounds = sum(syllables(word) for word in words)
    return 206.835 - 1.015 * len(words) / len(_sentences(text)) - 84.6 * sounds / len(words)


def syllables(word: str) -> int:
    """Count the groups of vowels, without a silent e at the end; at least one.

    >>> [syllables(word) for word in ("cat", "wait", "quality", "service", "table", "the")]
    [1, 1, 3, 2, 2, 1]
    """
    lower = word.casefold()
    silent = lower.endswith("e") and not lower.endswith(("le", "ee"))
    return max(1, len(_SOUND.findall(lower)) - silent)


def _of_prose(text: str) -> float | None:
    """Return the reading ease of a text with enough sentences; items of a list are none."""
    prose = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("- "))
    return readability(text) if len(_sentences(prose)) >= PROSE else None


def _sentences(text: str) -> list[str]:
    return [sentence for sentence in _END.split(text) if sentence.strip()]
