"""A linear classifier over vectors of text, one column per class: small, local, and quick to fit and to apply.

Scores of records come from integers, so that they are the same in any order of the terms and for any batch: a score is
Σ tf·idf·coefficient / √Σ (tf·idf)² + offset with tf = 1 + log count. Both sums are exact integers, so that only the
root, the division and the last addition round, and these round in one way only.
"""

import hashlib
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from threading import Lock
from types import TracebackType
from typing import Final, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from dpspin.boundary.model_base import digest_of
from dpspin.curator.assign.contribution import Floats, Ints
from dpspin.curator.assign.map_trust import ours
from dpspin.curator.assign.sentence_terms import record_terms, sentence_terms
from dpspin.curator.records.cells import LONGEST_TEXT


class OneThread:
    """While anybody is inside, BLAS uses one thread.

    The limit is the whole process's, and maps score on several threads of their own. So the first to enter sets it and
    the last to leave lifts it: with one limit each, the first to leave would lift it for those still computing.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._limit: threadpool_limits | None = None

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._limit = threadpool_limits(limits=1, user_api="blas")
            self._inside += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0 and self._limit is not None:
                self._limit.restore_original_limits()


ONE_THREAD = OneThread()


ANALYZERS: dict[str, Callable[[str], list[str]]] = {"sentence": sentence_terms, "record": record_terms}
GRID = 2.0**-20  # coefficients are rounded to it, so that two machines fit the same map
Rows: TypeAlias = "csr_array[np.int64] | csr_array[np.float64] | Floats"  # sparse or dense, one row per text


class Vectors(Protocol):
    """Texts as rows of numbers. The row of several sentences is the scaled sum of their parts."""

    @property
    def digest(self) -> str:
        """Identify the vectors."""
        ...

    def parts(self, texts: Sequence[str]) -> Rows:
        """Return one row per text, before scaling; rows can be added. A row depends on its own text only."""
        ...

    def scaled(self, rows: Rows) -> Rows:
        """Scale each row to length one (a row of zeros stays)."""
        ...


def smooth_idf(documents: int, frequency: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ln((1+n)/(1+df)) + 1.

    >>> smooth_idf(3, np.array([0, 3])).round(4)
    array([2.3863, 1.    ])
    """
    return np.log((1 + documents) / (1 + frequency)) + 1


@ours
@dataclass(frozen=True)
class TermVectors:
    """TF-IDF over a fixed vocabulary: sublinear counts, rows of length one."""

    analyzer: str
    terms: tuple[str, ...] = field(repr=False)
    idf: Floats = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "idf", on_grid(self.idf))

    @property
    def digest(self) -> str:
        """Identify the vocabulary, what its terms are, and how much each tells."""
        return digest_of([self.analyzer, self.terms, hashlib.sha256(self.idf.tobytes()).hexdigest()])

    @cached_property
    def places(self) -> dict[str, int]:
        """The number of each term."""
        return {term: place for place, term in enumerate(self.terms)}

    def parts(self, texts: Sequence[str]) -> "csr_array[np.int64]":
        """Count the known terms of each text."""
        terms_of, place_of = ANALYZERS[self.analyzer], self.places.get
        found, ends = array("i"), [0]
        for text in texts:
            found.extend([place for term in terms_of(text[:LONGEST_TEXT]) if (place := place_of(term)) is not None])
            ends.append(len(found))
        return counted(np.array(found, np.intc), ends, len(self.terms))

    def scaled(self, rows: Rows) -> "csr_array[np.float64]":
        """Weigh counts, and scale each row to length one (a row without a known term stays zero)."""
        weighed = cast("csr_array[np.float64]", rows).astype(np.float64)
        weighed.data = (1 + np.log(weighed.data)) * self.idf[weighed.indices]
        norms = np.sqrt(np.asarray(weighed.multiply(weighed).sum(axis=1)).ravel())
        weighed.data /= np.repeat(norms, np.diff(weighed.indptr))
        return weighed


def counted(places: NDArray[np.intc], ends: Sequence[int], terms: int) -> "csr_array[np.int64]":
    """Count how often each place stands in each row."""
    ones, shape = np.ones(len(places), np.int64), (len(ends) - 1, terms)
    rows = csr_array((ones, places, np.array(ends, np.intc)), shape=shape)
    rows.sum_duplicates()
    return rows


@dataclass(frozen=True)
class Linear:
    """score = x · coefficients + offsets."""

    coefficients: Floats = field(repr=False)  # (terms, classes)
    offsets: Floats = field(repr=False)

    def __post_init__(self) -> None:
        for name in ("coefficients", "offsets"):
            object.__setattr__(self, name, on_grid(getattr(self, name)))

    def __call__(self, rows: Rows) -> Floats:
        """Return the scores (log odds), one row per text and one column per class."""
        scores: Floats = np.asarray(rows @ self.coefficients) + self.offsets
        return scores

    @property
    def digest(self) -> str:
        """Identify the classifier by its numbers."""
        numbers = (self.coefficients, self.offsets)
        return digest_of([[part.shape, hashlib.sha256(part.tobytes()).hexdigest()] for part in numbers])


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one class learns from: which rows, which of them are positive, and how much each counts."""

    rows: NDArray[np.bool_]
    positive: NDArray[np.bool_]
    weights: Floats

    @property
    def tells(self) -> bool:
        """Whether it has positive rows and negative ones."""
        chosen = self.positive[self.rows]
        return bool(chosen.any() and not chosen.all())

    @property
    def prior(self) -> float:
        """The log odds of a positive row: all that a lesson teaches which does not tell."""
        chosen = self.positive[self.rows]
        share = (chosen.sum() + 0.5) / (len(chosen) + 1)
        return float(np.log(share / (1 - share)))


def fit_one_class(vectors: Rows, lesson: Lesson, strength: float) -> tuple[Floats, float]:
    """Fit one class against the rest; a class without positive or without negative rows gets its prior only."""
    if not lesson.tells:
        return np.zeros(vectors.shape[1]), lesson.prior
    model = LogisticRegression(C=strength, solver="liblinear", max_iter=300)
    model.fit(vectors[lesson.rows], lesson.positive[lesson.rows], sample_weight=lesson.weights[lesson.rows])
    return model.coef_[0], float(model.intercept_[0])


def fit_linear(vectors: Rows, lessons: Sequence[Lesson], strength: float) -> Linear:
    """Fit every class, on one thread: sums then have one order, and no time is lost to waiting for other threads."""
    with ONE_THREAD:
        fitted = [fit_one_class(vectors, lesson, strength) for lesson in lessons]
    return Linear(np.column_stack([part for part, _ in fitted]), np.array([offset for _, offset in fitted]))


def on_grid(values: Floats) -> Floats:
    """Round to the grid, with one zero.

    >>> on_grid(np.array([0.3, -1e-9])).tolist()
    [0.3000001907348633, 0.0]
    """
    rounded: Floats = np.rint(values / GRID) * GRID + 0.0
    return rounded


ONE: Final = 2**16  # the scale of every factor
HEAVIEST: Final = 2.0**9  # idf · coefficient: far more than any fit gives
RAREST: Final = 2.0**4  # idf: a term that is in one of three million texts
# A text of n characters has fewer than 4n terms, Σ tf <= Σ count and Σ tf² <= 3/2 · Σ count: no sum reaches 2^63.


@dataclass(frozen=True)
class Scorer:
    """The numbers of a classifier in units of 2^-16."""

    weights: Ints = field(repr=False)  # (terms, classes): idf · coefficient
    squares: Ints = field(repr=False)  # (terms): idf²
    offsets: Floats = field(repr=False)

    @classmethod
    def of(cls, vectors: TermVectors, model: Linear) -> "Scorer":
        """Round idf and coefficients to integers."""
        idf = np.minimum(vectors.idf, RAREST)
        weights = np.clip(idf[:, None] * model.coefficients, -HEAVIEST, HEAVIEST)
        return cls(_fixed(weights), _fixed(idf**2), model.offsets)

    def __call__(self, counts: "csr_array[np.int64]") -> Floats:
        """Return the scores (log odds), one row per text and one column per class."""
        sums = np.asarray(_with(counts, frequencies()[counts.data]) @ self.weights)
        lengths = np.asarray(_with(counts, squared_frequencies()[counts.data]) @ self.squares)
        return score(sums, lengths[:, None], self.offsets)


def score(sums: Ints, lengths: Ints, offsets: Floats) -> Floats:
    """Divide sums of products of two factors by the roots of such sums; a text without a known term scores offsets.

    >>> score(np.array([[6 * ONE**2]]), np.array([[4 * ONE**2]]), np.array([0.5]))
    array([[3.5]])
    """
    scores: Floats = sums / float(ONE) / np.sqrt(np.maximum(lengths, 1)) + offsets
    return scores


@cache
def frequencies() -> Ints:
    """Return tf by count: 0, 1, 1.69, 2.1 … in units of 2^-16."""
    return _fixed(_sublinear())


@cache
def squared_frequencies() -> Ints:
    """Return tf² by count."""
    return _fixed(_sublinear() ** 2)


def _sublinear() -> Floats:
    return np.append(0.0, 1 + np.log(np.arange(1, LONGEST_TEXT + 1)))


def _fixed(numbers: Floats) -> Ints:
    return np.rint(numbers * ONE).astype(np.int64)


def _with(counts: "csr_array[np.int64]", data: Ints) -> "csr_array[np.int64]":
    return csr_array((data, counts.indices, counts.indptr), shape=counts.shape)
