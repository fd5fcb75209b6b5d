"""The fixed text representation: TF-IDF, truncated SVD, unit length; fitted before a protected record is read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

from dpspin.curator.assign.contribution import Floats, Ints
from dpspin.errors import RequestError
from dpspin_lab.baselines.private.draws import GRID
from dpspin_lab.baselines.private.urania.vectors import UnitVectors, normalised

FEATURES, DIMENSION, SEED = 50_000, 64, 0


@dataclass(frozen=True, slots=True)
class Representation:
    """The paper's g: public parameters only. A record's vector depends on its own text alone."""

    _vectorizer: Any = field(repr=False)
    _svd: Any = field(repr=False)  # None where the text has few terms

    def __call__(self, texts: Sequence[str]) -> UnitVectors:
        """Represent each text."""
        return normalised(self._raw(texts))

    def _raw(self, texts: Sequence[str]) -> Floats:
        terms = self._vectorizer.transform(texts)
        rows: Floats = terms.toarray() if self._svd is None else self._svd.transform(terms)
        return np.ascontiguousarray(rows)


def fit_representation(public_texts: Sequence[str]) -> Representation:
    """Fit on public atom text and auxiliary records."""
    vectorizer = TfidfVectorizer(lowercase=True, stop_words="english", ngram_range=(1, 2), max_features=FEATURES)
    terms = vectorizer.fit_transform(public_texts)
    if terms.shape[1] <= DIMENSION:
        return Representation(vectorizer, None)
    return Representation(vectorizer, TruncatedSVD(DIMENSION, random_state=SEED).fit(terms))


def public_centres(vectors: UnitVectors, clusters: int) -> Ints:
    """Find the first centres by plain k-means on public vectors, in ticks."""
    if len(np.unique(vectors.ticks, axis=0)) < clusters:
        raise RequestError(f"{clusters} public centres need at least as many different auxiliary texts")
    found = KMeans(clusters, n_init=10, random_state=SEED).fit(vectors.ticks / GRID)
    centres: Ints = np.trunc(found.cluster_centers_ * GRID).astype(np.int64)
    return centres
