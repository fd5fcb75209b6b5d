"""How alike two summaries are, in words; and a rubric of one text that needs no model, so that no taste is in it.

These are checks beside the plan-level metrics, never instead of them. Tokens are words of two or more letters or
digits, in compatibility form and whatever their case, without scikit-learn's English stop words. Canonical markers are
references and not words; they are left out. All n-grams are made after stop words are removed. The rubric says nothing
of the records: coverage and readability exist for any released object; what is verified and claimed can be told where
there is a plan, and a verifier that reads it.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import ANY_MARKER
from dpspin.curator.assign.contribution import Floats
from dpspin.public.narrate.contract.prose import Prose
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.verify import Status, verify
from dpspin.text.sentences import PUBLISHED_SENTENCE
from dpspin.text.words import NGRAM_WORD
from dpspin_lab.metrics.plan import probe_mention

_TOKEN = re.compile(rf"\b{NGRAM_WORD}\b")
_LONGEST_KEYPHRASE = 3

Phrase = tuple[str, ...]
Embed = Callable[[Sequence[str]], Floats]  # as the embedders of Stage I
PROSE: Final = 3  # sentences below which reading ease is not told: of a list of labels it would tell the labels
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SOUND = re.compile(r"[aeiouyäöüéèê]+")


@dataclass(frozen=True, slots=True)
class Jaccard:
    """A similarity of sets; of two empty ones it is 1 by convention, and says so."""

    value: float
    both_empty: bool = False


@dataclass(frozen=True, slots=True)
class Likeness:
    """All lexical similarities of a pair."""

    tokens: Jaccard
    bigrams: Jaccard
    keyphrases: Jaccard
    tfidf_cosine: float


def likeness(one: str, other: str) -> Likeness:
    """Compute all lexical similarities: J_tok, J_2 and J_kp (of runs of up to three tokens), and Cos_tfidf.

    >>> found = likeness("long wait, kind staff", "a long wait")
    >>> found.tokens.value, round(found.bigrams.value, 3), round(found.keyphrases.value, 3)
    (0.5, 0.333, 0.333)
    >>> likeness("", "and the").tokens, likeness("wait", "staff").bigrams  # one token has no bigram
    (Jaccard(value=1.0, both_empty=True), Jaccard(value=1.0, both_empty=True))
    """
    first, second = content_tokens(one), content_tokens(other)
    return Likeness(
        jaccard(first, second),
        jaccard(_runs(first, 2), _runs(second, 2)),
        jaccard(*(_runs_up_to(tokens, _LONGEST_KEYPHRASE) for tokens in (first, second))),
        tfidf_cosine(first, second),
    )


def content_tokens(text: str) -> list[str]:
    """Return the normalised tokens without stop words, in order.

    >>> content_tokens("The LONG wait [atom:17] and the staff’s kindness")
    ['long', 'wait', 'staff', 'kindness']
    """
    plain = unicodedata.normalize("NFKC", ANY_MARKER.sub(" ", text)).casefold()
    return [token for token in _TOKEN.findall(plain) if token not in ENGLISH_STOP_WORDS]


def jaccard(one: Collection[Hashable], other: Collection[Hashable]) -> Jaccard:
    """Return the part of all members that both have.

    >>> jaccard({1, 2}, {2, 3}).value, jaccard({1}, set()).value
    (0.3333333333333333, 0.0)
    """
    common, every = set(one) & set(other), {*one, *other}
    return Jaccard(len(common) / len(every)) if every else Jaccard(1.0, both_empty=True)


def tfidf_cosine(one: Sequence[str], other: Sequence[str]) -> float:
    """Return Cos_tfidf over the unigrams and bigrams of a pair of token lists; 0 if there is no feature.

    Weights are counts times 1 + ln((1+2)/(1+df)), the usual smooth form, where df is how many of the two have it.

    >>> tfidf_cosine([], []), tfidf_cosine(["long", "wait"], []), round(tfidf_cosine(["wait"], ["wait"]), 6)
    (0.0, 0.0, 1.0)
    """
    counts = [Counter(_runs_up_to(tokens, 2)) for tokens in (one, other)]
    shared = {feature: sum(feature in each for each in counts) for each in counts for feature in each}
    rarity = {feature: 1 + math.log(3 / (1 + documents)) for feature, documents in shared.items()}
    first, second = ([each[feature] * weight for feature, weight in rarity.items()] for each in counts)
    return cosine(first, second)


def embedding_cosine(embed: Embed, one: str, other: str) -> float:
    """Return Cos_emb under a fixed sentence embedding, one row per text.

    >>> import numpy as np
    >>> embedding_cosine(lambda texts: np.array([[3.0, 4.0], [4.0, 3.0]]), "one", "other")
    0.96
    """
    first, second = (row.tolist() for row in embed([one, other]))
    return cosine(first, second)


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of two vectors, and 0 where one has no length.

    >>> cosine([3.0, 4.0], [4.0, 3.0]), cosine([0.0], [1.0]), cosine([], [])
    (0.96, 0.0, 0.0)
    """
    length = math.hypot(*one) * math.hypot(*other)
    return math.fsum(a * b for a, b in zip(one, other, strict=True)) / length if length else 0.0


def _runs(tokens: Sequence[str], length: int) -> list[Phrase]:
    return list(zip(*(tokens[start:] for start in range(length)), strict=False))


def _runs_up_to(tokens: Sequence[str], longest: int) -> list[Phrase]:
    return [run for length in range(1, longest + 1) for run in _runs(tokens, length)]


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
    return PUBLISHED_SENTENCE.findall(text)
