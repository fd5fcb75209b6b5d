"""A linear classifier over vectors of text, one column per class: small, local, and quick to fit and to apply."""

import hashlib
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

from dpspin.boundary.model_base import digest_of
from dpspin.curator.assign.calibrated.one_thread import ONE_THREAD
from dpspin.curator.assign.calibrated.terms import record_terms, sentence_terms
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.ours import ours
from dpspin.curator.assign.scorers.idf import smooth_idf
from dpspin.curator.records.cells import LONGEST_TEXT
from dpspin.errors import RequestError

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


@ours
@dataclass(frozen=True)
class TermVectors:
    """TF-IDF over a fixed vocabulary: sublinear counts, rows of length one."""

    analyzer: str
    terms: tuple[str, ...] = field(repr=False)
    idf: Floats = field(repr=False)

    @classmethod
    def fit(cls, texts: Sequence[str], analyzer: str, *, fewest: int = 1) -> "TermVectors":
        """Learn the terms that occur in at least ``fewest`` of the texts."""
        counter = CountVectorizer(analyzer=ANALYZERS[analyzer], min_df=min(fewest, len(texts)))
        try:
            counts = counter.fit_transform(texts)
        except ValueError:
            raise RequestError("the texts have no words in common that could be learned; give more of them") from None
        terms = tuple(str(term) for term in counter.get_feature_names_out())
        frequency = np.bincount(counts.indices, minlength=len(terms))
        return cls(analyzer, terms, smooth_idf(len(texts), frequency))

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
        shape, ones = (len(texts), len(self.terms)), np.ones(len(found), np.int64)
        rows = csr_array((ones, np.array(found, np.intc), np.array(ends, np.intc)), shape=shape)
        rows.sum_duplicates()
        return rows

    def scaled(self, rows: Rows) -> "csr_array[np.float64]":
        """Weigh counts, and scale each row to length one (a row without a known term stays zero)."""
        weighed = cast("csr_array[np.float64]", rows).astype(np.float64)
        weighed.data = (1 + np.log(weighed.data)) * self.idf[weighed.indices]
        norms = np.sqrt(np.asarray(weighed.multiply(weighed).sum(axis=1)).ravel())
        weighed.data /= np.repeat(norms, np.diff(weighed.indptr))
        return weighed

    def __call__(self, texts: Sequence[str]) -> "csr_array[np.float64]":
        """Return one row per text, to learn from."""
        return self.scaled(self.parts(texts))


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


def fit_one_class(vectors: Rows, lesson: Lesson, strength: float) -> tuple[Floats, float]:
    """Fit one class against the rest; a class without positive or without negative rows gets its prior only."""
    chosen = lesson.positive[lesson.rows]
    if chosen.all() or not chosen.any():
        share = (chosen.sum() + 0.5) / (len(chosen) + 1)
        return np.zeros(vectors.shape[1]), float(np.log(share / (1 - share)))
    model = LogisticRegression(C=strength, solver="liblinear", max_iter=300)
    model.fit(vectors[lesson.rows], chosen, sample_weight=lesson.weights[lesson.rows])
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
