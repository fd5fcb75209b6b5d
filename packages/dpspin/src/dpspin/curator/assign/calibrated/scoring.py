"""Scores of a linear classifier from integers: the same in any order of the terms, and for any batch.

A score is Σ tf·idf·coefficient / √Σ (tf·idf)² + offset with tf = 1 + log count. Both sums are exact integers, so that
only the root, the division and the last addition round, and these round in one way only.
"""

from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np
from scipy.sparse import csr_array

from dpspin.curator.assign.calibrated.linear import Linear, TermVectors
from dpspin.curator.assign.contribution import Floats, Ints
from dpspin.curator.records.cells import LONGEST_TEXT

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
