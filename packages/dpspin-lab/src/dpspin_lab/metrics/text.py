"""How alike two summaries are, in words: a check beside the plan-level metrics, never instead of them.

Tokens are words of two or more letters or digits, in compatibility form and whatever their case, without scikit-learn's
English stop words. Canonical markers are references and not words; they are left out. All n-grams are made after
stop words are removed.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from dpspin.boundary.markers import ANY_MARKER
from dpspin_lab.shapes import Floats

_TOKEN = re.compile(r"\b\w\w+\b")
_LONGEST_KEYPHRASE = 3

Phrase = tuple[str, ...]
Embed = Callable[[Sequence[str]], Floats]  # as the embedders of Stage I


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
    """Compute all lexical similarities."""
    return Likeness(
        token_jaccard(one, other), bigram_jaccard(one, other), keyphrase_jaccard(one, other), tfidf_cosine(one, other)
    )


def content_tokens(text: str) -> list[str]:
    """Return the normalised tokens without stop words, in order.

    >>> content_tokens("The LONG wait [atom:17] and the staff’s kindness")
    ['long', 'wait', 'staff', 'kindness']
    """
    plain = unicodedata.normalize("NFKC", ANY_MARKER.sub(" ", text)).casefold()
    return [token for token in _TOKEN.findall(plain) if token not in ENGLISH_STOP_WORDS]


def token_jaccard(one: str, other: str) -> Jaccard:
    """Return J_tok.

    >>> token_jaccard("long wait", "a short wait"), token_jaccard("", "and the")
    (Jaccard(value=0.3333333333333333, both_empty=False), Jaccard(value=1.0, both_empty=True))
    """
    return jaccard(content_tokens(one), content_tokens(other))


def bigram_jaccard(one: str, other: str) -> Jaccard:
    """Return J_2.

    >>> bigram_jaccard("long wait, kind staff", "long wait"), bigram_jaccard("wait", "staff")  # one token has no bigram
    (Jaccard(value=0.3333333333333333, both_empty=False), Jaccard(value=1.0, both_empty=True))
    """
    return jaccard(_runs(content_tokens(one), 2), _runs(content_tokens(other), 2))


def keyphrase_jaccard(one: str, other: str) -> Jaccard:
    """Return J_kp, over the keyphrases of both.

    >>> keyphrase_jaccard("long wait", "wait"), keyphrase_jaccard("the", "")
    (Jaccard(value=0.3333333333333333, both_empty=False), Jaccard(value=1.0, both_empty=True))
    """
    return jaccard(keyphrases(one), keyphrases(other))


def keyphrases(text: str) -> set[Phrase]:
    """Return all runs of up to three content tokens.

    >>> sorted(keyphrases("the long wait"))
    [('long',), ('long', 'wait'), ('wait',)]
    """
    tokens = content_tokens(text)
    return {phrase for length in range(1, _LONGEST_KEYPHRASE + 1) for phrase in _runs(tokens, length)}


def jaccard(one: Collection[Hashable], other: Collection[Hashable]) -> Jaccard:
    """Return the part of all members that both have.

    >>> jaccard({1, 2}, {2, 3}).value, jaccard({1}, set()).value
    (0.3333333333333333, 0.0)
    """
    common, every = set(one) & set(other), {*one, *other}
    return Jaccard(len(common) / len(every)) if every else Jaccard(1.0, both_empty=True)


def tfidf_cosine(one: str, other: str) -> float:
    """Return Cos_tfidf over the unigrams and bigrams of the pair; 0 if there is no feature.

    Weights are counts times 1 + ln((1+2)/(1+df)), the usual smooth form, where df is how many of the two have it.

    >>> tfidf_cosine("", "and the"), tfidf_cosine("long wait", ""), round(tfidf_cosine("long wait", "Long wait!"), 6)
    (0.0, 0.0, 1.0)
    """
    counts = [_features(text) for text in (one, other)]
    rarity = {feature: _rarity(sum(feature in each for each in counts)) for each in counts for feature in each}
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


def _features(text: str) -> Counter[Phrase]:
    tokens = content_tokens(text)
    return Counter([*_runs(tokens, 1), *_runs(tokens, 2)])


def _rarity(documents: int) -> float:
    return 1 + math.log(3 / (1 + documents))
