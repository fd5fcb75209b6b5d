"""How good a URANIA-style release is, against the same records without noise. This reads exact tables: not private."""

from dataclasses import dataclass

import numpy as np

from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.assign.contribution import Floats, Ints
from dpspin_lab.baselines.private.draws import GRID
from dpspin_lab.baselines.private.urania.lloyd import keyword_table, nearest, sizes
from dpspin_lab.baselines.private.urania.release import (
    KEYWORDS,
    THRESHOLD,
    BoundedRecords,
    PublicSide,
    noisy_centres,
)
from dpspin_lab.baselines.private.urania.schedule import Scheduler


@dataclass(frozen=True, slots=True)
class Quality:
    """One release against the truth."""

    cosine: float  # mean cosine of a record and its centre
    clusters: float  # released
    covered: float  # part of the records that lie in a released cluster
    size_error: float  # mean absolute error of a released size
    keyword_precision: float  # part of the released keywords that are among the exact top ten of their cluster
    keywords_absent: float  # part of the released keywords that no record of their cluster counts for
    described: float  # mean part of a record's keywords that its cluster's description names


def quality(
    records: BoundedRecords, public: PublicSide, loss: PrivacyLoss, scheduler: Scheduler, noise: NoiseSource
) -> Quality:
    """Draw one release and compare it, cluster by cluster, with exact counts under the same noisy centres."""
    schedule = scheduler(loss, public.shape)
    centres = noisy_centres(records.vectors, public.centres, schedule, noise)
    cluster = nearest(records.vectors, centres)
    exact_sizes, table = sizes(cluster, len(centres)), keyword_table(cluster, records.keywords, len(centres))
    noisy_sizes = schedule.sizes.of_counts(exact_sizes, noise)
    noisy_table = schedule.keywords.of_counts(table, noise)
    kept = noisy_sizes >= THRESHOLD
    found = [_keywords(table[place], noisy_table[place]) for place in np.flatnonzero(kept)]
    return Quality(
        cosine=mean_cosine(records, centres),
        clusters=float(kept.sum()),
        covered=float(exact_sizes[kept].sum() / exact_sizes.sum()),
        size_error=_mean(np.abs(noisy_sizes - exact_sizes)[kept]),
        keyword_precision=_mean(np.array([precision for precision, _ in found])),
        keywords_absent=_mean(np.array([absent for _, absent in found])),
        described=described(records, cluster, np.where(kept[:, None], noisy_table, 0)),
    )


def mean_cosine(records: BoundedRecords, centres: Ints) -> float:
    """Average the cosine of each record and the centre it is assigned to."""
    chosen = centres[nearest(records.vectors, centres)] / GRID
    lengths = np.linalg.norm(chosen, axis=1)
    products = (records.vectors.ticks / GRID * chosen).sum(axis=1)
    return float(np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0).mean())


def described(records: BoundedRecords, cluster: Ints, table: Ints) -> float:
    """Average the part of a record's keywords that are among the released ones of its cluster."""
    rank = np.argsort(np.argsort(-table, axis=1, kind="stable"), axis=1, kind="stable")
    listed = (rank < KEYWORDS) & (table > 0)
    flags = records.keywords.flags
    hits, own = (flags & listed[cluster]).sum(axis=1), flags.sum(axis=1)
    return _mean((hits / np.maximum(own, 1))[own > 0])


def _keywords(exact: Ints, noisy: Ints) -> tuple[float, float]:
    """Return precision and the part of the released keywords that do not occur at all."""
    released = [place for place in np.argsort(-noisy, kind="stable")[:KEYWORDS] if noisy[place] > 0]
    best = set(np.argsort(-exact, kind="stable")[:KEYWORDS].tolist())
    if not released:
        return 0.0, 0.0
    return len(best.intersection(released)) / len(released), float((exact[released] == 0).mean())


def _mean(values: Ints | Floats) -> float:
    return float(values.mean()) if values.size else 0.0
