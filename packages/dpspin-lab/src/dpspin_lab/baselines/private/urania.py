"""The paper's URANIA-style baseline (its appendix, step by step): noisy clusters, described by public keywords.

Records are integer vectors of length one at most: sums of them have an exact sensitivity, and no order. Nearest is
decided in exact integers too, from the record and the released centres alone: whatever the other records are, a record
lies in exactly one cluster, and always in the same one. The representation (TF-IDF, truncated SVD) is fitted before a
protected record is read, and every step after a draw reads noisy values only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.privacy import PrivacyLoss, RecordUnit, UserUnit
from dpspin.curator.assign.contribution import Floats, Ints
from dpspin.errors import BoundViolation, RequestError
from dpspin_lab.baselines.private.histograms import Indicators, Vocabulary, atom_texts, keywords_of, top_positive
from dpspin_lab.baselines.private.release import GRID, RECORD, BaselineRelease, Cluster, Clusters
from dpspin_lab.baselines.private.urania_schedule import Schedule, Scheduler, Shape

_FINE = 2**24  # the grid before the length is known
FEATURES, DIMENSION, SEED = 50_000, 64, 0
CLUSTERS, KEYWORDS, THRESHOLD = 10, 10, 50


@dataclass(frozen=True, slots=True)
class UnitVectors:
    """One row per record, in ticks. An instance has rows of length one at most, checked in integers."""

    ticks: Ints = field(repr=False)

    def __post_init__(self) -> None:
        if self.ticks.dtype != np.int64 or (np.abs(self.ticks) > GRID).any():
            raise BoundViolation("a vector has a coordinate above one")
        if ((self.ticks * self.ticks).sum(axis=1) > GRID**2).any():
            raise BoundViolation("a vector is longer than one")


def normalised(rows: Floats) -> UnitVectors:
    """Scale each row to length one; what has no direction stays at zero.

    Integers from the first step: floats would add up differently in different company, so that one record could change
    another's vector. With s = Σq² and r >= √s a whole number, |q·G/r| rounded towards zero has length G at most.

    >>> (normalised(np.array([[3.0, -4.0], [0.0, 0.0]])).ticks / GRID).round(4).tolist()
    [[0.6, -0.8], [0.0, 0.0]]
    """
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    shrunk = np.divide(rows, largest, out=np.zeros_like(rows), where=largest > 0)
    fine = np.trunc(shrunk * _FINE).astype(np.int64)
    squared = (fine * fine).sum(axis=1, keepdims=True)
    length = np.ceil(np.sqrt(squared)).astype(np.int64)
    length += length * length < squared
    return UnitVectors(np.sign(fine) * (np.abs(fine) * GRID // np.maximum(length, 1)))


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


def nearest(vectors: UnitVectors, centres: Ints) -> Ints:
    """Return the cluster of each record, the first of equally near ones.

    ‖e - c‖² is smallest where 2e·c - ‖c‖² is largest; below 2^48 in ticks, so nothing is rounded.
    """
    closeness = 2 * (vectors.ticks @ centres.T) - (centres * centres).sum(axis=1)
    cluster: Ints = closeness.argmax(axis=1).astype(np.int64)
    return cluster


def moments(vectors: UnitVectors, centres: Ints) -> tuple[Ints, Ints]:
    """Add up each cluster: exact sums (ticks) and counts, which are private."""
    cluster, size = nearest(vectors, centres), len(centres)
    sums = np.array([vectors.ticks[cluster == place].sum(axis=0) for place in range(size)], dtype=np.int64)
    return sums, sizes(cluster, size)


def sizes(cluster: Ints, clusters: int) -> Ints:
    """Count each cluster."""
    return np.bincount(cluster, minlength=clusters).astype(np.int64)


def keyword_table(cluster: Ints, counted: Indicators, clusters: int) -> Ints:
    """Count keywords by cluster: (clusters, keywords)."""
    return np.array([counted.flags[cluster == place].sum(axis=0) for place in range(clusters)], dtype=np.int64)


def next_centres(noisy_sums: Ints, noisy_counts: Ints, centres: Ints) -> Ints:
    """Move each centre to the direction of its noisy mean; one that looks empty stays. Post-processing.

    A centre is scaled to length one, so that a count above zero cancels: it only tells whether there is a mean.
    """
    moved = normalised(noisy_sums.astype(np.float64)).ticks
    has_mean = (noisy_counts > 0) & moved.any(axis=1)
    return np.where(has_mean[:, None], moved, centres)


@dataclass(frozen=True, slots=True)
class PublicSide:
    """All that is fixed before a protected record is read."""

    representation: Callable[[Sequence[str]], UnitVectors]
    centres: Ints = field(repr=False)
    vocabulary: Vocabulary

    @property
    def shape(self) -> Shape:
        """The lengths of what will be released."""
        clusters, dimension = self.centres.shape
        return Shape(clusters, dimension, len(self.vocabulary))


@dataclass(frozen=True, slots=True)
class BoundedRecords:
    """What of each protected record is used: a vector of length one at most, and at most five keywords. Private."""

    vectors: UnitVectors
    keywords: Indicators
    unit: RecordUnit = RECORD

    def moments(self, centres: Ints) -> tuple[Ints, Ints]:
        """Add up each cluster: exact sums (ticks) and counts, which are private."""
        return moments(self.vectors, centres)

    def sizes(self, cluster: Ints, clusters: int) -> Ints:
        """Count the records of each cluster."""
        return sizes(cluster, clusters)

    def keyword_table(self, cluster: Ints, clusters: int) -> Ints:
        """Count keywords by cluster: (clusters, keywords)."""
        return keyword_table(cluster, self.keywords, clusters)


class Bounded(Protocol):
    """Protected units, records or users, of which none moves a table by more than the schedules assume."""

    @property
    def vectors(self) -> UnitVectors:
        """One vector for each record."""

    @property
    def keywords(self) -> Indicators:
        """One row for each record."""

    @property
    def unit(self) -> RecordUnit | UserUnit:
        """What is protected."""

    def moments(self, centres: Ints) -> tuple[Ints, Ints]:
        """Return sums (ticks) and counts; one unit moves the sums by length one at most, and one count by one."""

    def sizes(self, cluster: Ints, clusters: int) -> Ints:
        """Return how many units each cluster has, from the cluster of each record; a unit is in one."""

    def keyword_table(self, cluster: Ints, clusters: int) -> Ints:
        """Return counts by cluster and keyword; a unit counts one in at most five cells."""


def fit_public_side(auxiliary: Sequence[str], atoms: AtomUniverse, clusters: int = CLUSTERS) -> PublicSide:
    """Fit on the dictionary's words and on auxiliary records, which must be disjoint from the protected ones."""
    public_texts = (*atom_texts(atoms), *auxiliary)
    representation = fit_representation(public_texts)
    centres = public_centres(representation(public_texts), clusters)
    return PublicSide(representation, centres, keywords_of(atom_texts(atoms)))


def bound_records(texts: Sequence[str], public: PublicSide) -> BoundedRecords:
    """Bound each record by its own text alone; once for any number of releases."""
    return BoundedRecords(public.representation(texts), public.vocabulary.indicators(texts))


def release_clusters(
    records: Bounded,
    public: PublicSide,
    loss: PrivacyLoss,
    scheduler: Scheduler,
    noise: NoiseSource,
) -> BaselineRelease:
    """Cluster, filter by noisy size, and describe what is left by its noisy keywords."""
    schedule = scheduler(loss, public.shape)
    centres = noisy_centres(records, public.centres, schedule, noise)
    cluster = nearest(records.vectors, centres)
    noisy_sizes = schedule.sizes.of_counts(records.sizes(cluster, len(centres)), noise)
    noisy_table = schedule.keywords.of_counts(records.keyword_table(cluster, len(centres)), noise)
    released = _kept(noisy_sizes, noisy_table, public.vocabulary.words)
    return BaselineRelease(schedule.method, released, schedule.statement, noise.randomness, records.unit)


def noisy_centres(records: Bounded, centres: Ints, schedule: Schedule, noise: NoiseSource) -> Ints:
    """Run the rounds of noisy Lloyd from public centres; each reads the records through two noisy tables."""
    for lloyd in schedule.rounds:
        sums, counts = records.moments(centres)
        noisy_sums = lloyd.sums.of_ticks(sums, noise)
        noisy_counts = lloyd.counts.of_counts(counts, noise)
        centres = next_centres(noisy_sums, noisy_counts, centres)
    return centres


def _kept(noisy_sizes: Ints, noisy_table: Ints, words: Sequence[str]) -> Clusters:
    """Keep the clusters whose noisy size reaches the threshold, the largest first."""
    order = np.argsort(-noisy_sizes, kind="stable")
    return Clusters(
        tuple(
            Cluster(int(noisy_sizes[place]), top_positive(noisy_table[place], words, KEYWORDS))
            for place in order
            if noisy_sizes[place] >= THRESHOLD
        )
    )
