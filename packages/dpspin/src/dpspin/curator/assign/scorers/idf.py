"""How telling a term is: from auxiliary text, or from public word frequencies where there is none."""

import math
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpspin.curator.assign.scorers.tokens import counter

NOMINAL_DOCUMENTS: Final = 100_000  # word frequencies are read as if from this many documents …
NOMINAL_WORDS: Final = 100  # … of this many words


class IdfSource(Protocol):
    """Where inverse document frequencies come from; never the protected records."""

    @property
    def description(self) -> str:
        """What the plan says about it."""
        ...

    def __call__(self, terms: Sequence[str], atom_texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the inverse document frequency of each term."""
        ...


class AuxiliaryIdf:
    """The paper's fit: document frequencies over auxiliary text and atom text, smoothed as scikit-learn does."""

    description = "auxiliary text and the themes' own words"

    def __init__(self, batches: Iterable[pa.StringArray]) -> None:
        self._batches = batches

    def __call__(self, terms: Sequence[str], atom_texts: Sequence[str]) -> NDArray[np.float64]:
        """Return ln((1+n)/(1+df)) + 1."""
        vectorizer = counter(terms)
        documents, frequency = 0, np.zeros(len(terms), np.int64)
        for texts in (*self._batches, pa.array(list(atom_texts), pa.string())):
            counts = vectorizer.transform(texts.to_pylist())
            documents += len(texts)
            frequency += np.bincount(counts.indices, minlength=len(terms))
        return smooth_idf(documents, frequency)


class PublicWordIdf:
    """Frequencies of English words from public corpora (the ``wordfreq`` package); no data of yours at all."""

    description = "public English word frequencies and the themes' own words"

    def __call__(self, terms: Sequence[str], atom_texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the inverse document frequency of each term; a word pair is as rare as its rarer word."""
        del atom_texts
        return np.array([max(_word_idf(word) for word in term.split(" ")) for term in terms])


def smooth_idf(documents: int, frequency: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ln((1+n)/(1+df)) + 1.

    >>> smooth_idf(3, np.array([0, 3])).round(4)
    array([2.3863, 1.    ])
    """
    return np.log((1 + documents) / (1 + frequency)) + 1


def _word_idf(word: str) -> float:
    from wordfreq import word_frequency  # noqa: PLC0415  loads a word list

    in_a_document = -math.expm1(NOMINAL_WORDS * math.log1p(-word_frequency(word, "en")))
    return float(smooth_idf(NOMINAL_DOCUMENTS, np.array(NOMINAL_DOCUMENTS * in_a_document)))
