"""One step of k-means as integers: who is nearest to what, and the sums and counts that get noise.

Nearest is decided in exact integers too, from the record and the released centres alone: whatever the other records
are, a record lies in exactly one cluster, and always in the same one.
"""

from dataclasses import dataclass, field

import numpy as np

from dpspin.curator.assign.contribution import Ints
from dpspin_lab.baselines.private.urania.vectors import UnitVectors, normalised
from dpspin_lab.baselines.private.vocabulary import Indicators


@dataclass(frozen=True, slots=True)
class Moments:
    """Exact sums (ticks) and counts of each cluster: private."""

    sums: Ints = field(repr=False)
    counts: Ints = field(repr=False)


def nearest(vectors: UnitVectors, centres: Ints) -> Ints:
    """Return the cluster of each record, the first of equally near ones.

    ‖e - c‖² is smallest where 2e·c - ‖c‖² is largest; below 2^48 in ticks, so nothing is rounded.
    """
    closeness = 2 * (vectors.ticks @ centres.T) - (centres * centres).sum(axis=1)
    cluster: Ints = closeness.argmax(axis=1).astype(np.int64)
    return cluster


def moments(vectors: UnitVectors, centres: Ints) -> Moments:
    """Add up each cluster."""
    cluster, size = nearest(vectors, centres), len(centres)
    sums = np.array([vectors.ticks[cluster == place].sum(axis=0) for place in range(size)], dtype=np.int64)
    return Moments(sums, sizes(cluster, size))


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
