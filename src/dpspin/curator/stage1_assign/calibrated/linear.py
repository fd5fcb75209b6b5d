"""A linear classifier over TF-IDF terms, one column per class: small, local, and quick to fit and to apply."""

import hashlib
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from dpspin.boundary.sealed import digest_of
from dpspin.curator.records.cells import LONGEST_TEXT
from dpspin.curator.stage1_assign.calibrated.terms import record_terms, sentence_terms
from dpspin.curator.stage1_assign.contribution import Floats
from dpspin.curator.stage1_assign.scorers.idf import smooth_idf

ANALYZERS: dict[str, Callable[[str], list[str]]] = {"sentence": sentence_terms, "record": record_terms}
GRID = 2.0**-20  # coefficients are rounded to it, so that two machines fit the same map


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
        counts = counter.fit_transform(texts)
        terms = tuple(str(term) for term in counter.get_feature_names_out())
        frequency = np.bincount(counts.indices, minlength=len(terms))
        return cls(analyzer, terms, smooth_idf(len(texts), frequency))

    @cached_property
    def places(self) -> dict[str, int]:
        """The number of each term."""
        return {term: place for place, term in enumerate(self.terms)}

    def counts(self, texts: Sequence[str]) -> "csr_array[np.int64]":
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

    def __call__(self, texts: Sequence[str]) -> "csr_array[np.float64]":
        """Return one row per text to learn from, of length one (a row without a known term stays zero)."""
        rows = self.counts(texts).astype(np.float64)
        rows.data = (1 + np.log(rows.data)) * self.idf[rows.indices]
        norms = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
        rows.data /= np.repeat(norms, np.diff(rows.indptr))
        return rows


@dataclass(frozen=True)
class Linear:
    """score = x · coefficients + offsets."""

    coefficients: Floats = field(repr=False)  # (terms, classes)
    offsets: Floats = field(repr=False)

    @property
    def digest(self) -> str:
        """Identify the classifier by its numbers."""
        numbers = (np.rint(part / GRID).astype(np.int64).tobytes() for part in (self.coefficients, self.offsets))
        return digest_of([hashlib.sha256(part).hexdigest() for part in numbers])


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one class learns from: which rows, which of them are positive, and how much each counts."""

    rows: NDArray[np.bool_]
    positive: NDArray[np.bool_]
    weights: Floats


def fit_one_class(vectors: "csr_array[np.float64]", lesson: Lesson, strength: float) -> tuple[Floats, float]:
    """Fit one class against the rest; a class without positive or without negative rows gets its prior only."""
    chosen = lesson.positive[lesson.rows]
    if chosen.all() or not chosen.any():
        share = (chosen.sum() + 0.5) / (len(chosen) + 1)
        return np.zeros(vectors.shape[1]), float(np.log(share / (1 - share)))
    model = LogisticRegression(C=strength, solver="liblinear", max_iter=300)
    model.fit(vectors[lesson.rows], chosen, sample_weight=lesson.weights[lesson.rows])
    return model.coef_[0], float(model.intercept_[0])


def fit_linear(vectors: "csr_array[np.float64]", lessons: Sequence[Lesson], strength: float) -> Linear:
    """Fit every class, and round to the grid."""
    with threadpool_limits(1, user_api="blas"):  # more threads add in another order: another map, and slower
        fitted = [fit_one_class(vectors, lesson, strength) for lesson in lessons]
    coefficients = np.column_stack([part for part, _ in fitted])
    offsets = np.array([offset for _, offset in fitted])
    return Linear(np.rint(coefficients / GRID) * GRID, np.rint(offsets / GRID) * GRID)
