"""The terms of some texts, counted once for everything that learns from all or from some of them."""

from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from dpspin.curator.assign.contribution import Ints
from dpspin.curator.assign.term_classifier import ANALYZERS, TermVectors, counted, smooth_idf
from dpspin.curator.records.cells import LONGEST_TEXT
from dpspin.errors import RequestError


class Learned(NamedTuple):
    """Vectors, and the rows of the texts that they were learned from."""

    vectors: TermVectors
    rows: "csr_array[np.float64]"


@dataclass(frozen=True, slots=True)
class TermCounts:
    """How often each term is in each of some texts."""

    analyzer: str
    terms: tuple[str, ...] = field(repr=False)
    counts: "csr_array[np.int64]" = field(repr=False)  # (texts, terms)

    @classmethod
    def of(cls, texts: Sequence[str], analyzer: str) -> "TermCounts":
        """Count every term of every text."""
        terms_of, places = ANALYZERS[analyzer], defaultdict[str, int](count().__next__)
        found, ends = array("i"), [0]
        for text in texts:
            found.extend([places[term] for term in terms_of(text[:LONGEST_TEXT])])
            ends.append(len(found))
        terms = tuple(sorted(places))
        rank = np.empty(len(terms), np.intc)
        rank[[places[term] for term in terms]] = np.arange(len(terms))
        return cls(analyzer, terms, counted(rank[np.array(found, np.intc)], ends, len(terms)))

    def learned(self, rows: Ints | None = None, fewest: int = 1) -> Learned:
        """Learn the terms that occur in at least ``fewest`` of the texts, of all or of the given rows."""
        counts = self.counts if rows is None else self.counts[rows]
        texts = counts.shape[0]
        frequency = np.bincount(counts.indices, minlength=len(self.terms))
        kept = np.flatnonzero(frequency >= max(1, min(fewest, texts)))
        if not len(kept):
            raise RequestError("the texts have no words in common that could be learned; give more of them")
        terms = tuple(self.terms[place] for place in kept)
        vectors = TermVectors(self.analyzer, terms, smooth_idf(texts, frequency[kept]))
        return Learned(vectors, vectors.scaled(counts[:, kept]))
