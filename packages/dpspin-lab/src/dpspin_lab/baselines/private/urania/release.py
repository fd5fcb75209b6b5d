"""From bounded records to noisy clusters with keywords; every step after a draw reads noisy values only."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.privacy import PrivacyLoss, RecordUnit, UserUnit
from dpspin.curator.assign.contribution import Ints
from dpspin_lab.baselines.private.histograms import top_positive
from dpspin_lab.baselines.private.release import RECORD, BaselineRelease, Cluster, Clusters, require_record_level
from dpspin_lab.baselines.private.urania.lloyd import keyword_table, moments, nearest, next_centres, sizes
from dpspin_lab.baselines.private.urania.representation import Representation, fit_representation, public_centres
from dpspin_lab.baselines.private.urania.schedule import Schedule, Scheduler, Shape
from dpspin_lab.baselines.private.urania.vectors import UnitVectors
from dpspin_lab.baselines.private.vocabulary import Indicators, Vocabulary, atom_texts, keywords_of

CLUSTERS, KEYWORDS, THRESHOLD = 10, 10, 50


@dataclass(frozen=True, slots=True)
class PublicSide:
    """All that is fixed before a protected record is read."""

    representation: Representation
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
    records: BoundedRecords,
    public: PublicSide,
    loss: PrivacyLoss,
    scheduler: Scheduler,
    noise: NoiseSource,
    *,
    unit: RecordUnit | UserUnit = RECORD,
) -> BaselineRelease:
    """Cluster, filter by noisy size, and describe what is left by its noisy keywords."""
    require_record_level(unit)
    schedule = scheduler(loss, public.shape)
    centres = noisy_centres(records.vectors, public.centres, schedule, noise)
    cluster = nearest(records.vectors, centres)
    noisy_sizes = schedule.sizes.of_counts(sizes(cluster, len(centres)), noise)
    table = keyword_table(cluster, records.keywords, len(centres))
    noisy_table = schedule.keywords.of_counts(table, noise)
    released = _kept(noisy_sizes, noisy_table, public.vocabulary.words)
    return BaselineRelease(schedule.method, released, schedule.statement, noise.randomness)


def noisy_centres(vectors: UnitVectors, centres: Ints, schedule: Schedule, noise: NoiseSource) -> Ints:
    """Run the rounds of noisy Lloyd from public centres; each reads the records through two noisy tables."""
    for lloyd in schedule.rounds:
        exact = moments(vectors, centres)
        noisy_sums = lloyd.sums.of_ticks(exact.sums, noise)
        noisy_counts = lloyd.counts.of_counts(exact.counts, noise)
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
