"""How good the rivals are at the same epsilon, over seeded releases. This reads exact counts: not private."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean, stdev

import numpy as np

from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.assign.contribution import Floats, Ints
from dpspin_lab.baselines.private.histograms import category_counts, top_positive
from dpspin_lab.baselines.private.release import GRID, BaselineRelease, Histogram, Method, noise_from
from dpspin_lab.baselines.private.rivals import (
    CATEGORIES,
    HISTOGRAMS,
    SCHEDULERS,
    ProtectedRivals,
    PublicRivals,
    clustering_of,
    release_rival,
)
from dpspin_lab.baselines.private.urania import (
    KEYWORDS,
    THRESHOLD,
    Bounded,
    PublicSide,
    nearest,
    noisy_centres,
)
from dpspin_lab.baselines.private.urania_schedule import Scheduler
from dpspin_lab.datasets.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Quality:
    """One release against the truth."""

    cosine: float  # mean cosine of a record and its centre
    clusters: float  # released
    covered: float  # part of the units that lie in a released cluster
    size_error: float  # mean absolute error of a released size
    keyword_precision: float  # part of the released keywords that are among the exact top ten of their cluster
    keywords_absent: float  # part of the released keywords that no unit of their cluster counts for
    described: float  # mean part of a record's keywords that its cluster's description names


def quality(
    records: Bounded, public: PublicSide, loss: PrivacyLoss, scheduler: Scheduler, noise: NoiseSource
) -> Quality:
    """Draw one release and compare it, cluster by cluster, with exact counts under the same noisy centres."""
    schedule = scheduler(loss, public.shape)
    centres = noisy_centres(records, public.centres, schedule, noise)
    cluster = nearest(records.vectors, centres)
    exact_sizes, table = records.sizes(cluster, len(centres)), records.keyword_table(cluster, len(centres))
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


def mean_cosine(records: Bounded, centres: Ints) -> float:
    """Average the cosine of each record and the centre it is assigned to."""
    chosen = centres[nearest(records.vectors, centres)] / GRID
    lengths = np.linalg.norm(chosen, axis=1)
    products = (records.vectors.ticks / GRID * chosen).sum(axis=1)
    return float(np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0).mean())


def described(records: Bounded, cluster: Ints, table: Ints) -> float:
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


@dataclass(frozen=True, slots=True)
class HistogramRow:
    """A histogram: the mean part of the exact head that is released."""

    method: Method
    epsilon: float
    head: float
    head_sd: float | None  # over the draws; one draw has none


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """A URANIA-style release: mean figures, and their sample standard deviations over the draws; one draw has none."""

    method: Method
    epsilon: float
    quality: Quality
    deviation: Quality | None


def compare(
    records: ProtectedRivals, public: PublicRivals, epsilon: float, *, draws: int, seed: int
) -> Iterator[HistogramRow | ClusterRow]:
    """Average each rival over ``draws`` releases with noise from successive seeds."""
    seeds = range(seed, seed + draws)
    for method in HISTOGRAMS:
        best = _exact_head(method, records, public)
        heads = [_part_of(best, release_rival(method, records, public, epsilon, noise_from(each))) for each in seeds]
        yield HistogramRow(method, epsilon, fmean(heads), stdev(heads) if draws > 1 else None)
    for name in SCHEDULERS:
        asked = clustering_of(name, epsilon)
        drawn = [quality(records.clusters, public.clusters, *asked, noise_from(each)) for each in seeds]
        yield cluster_row(name, epsilon, drawn)


def cluster_row(method: Method, epsilon: float, drawn: list[Quality]) -> ClusterRow:
    """Average releases of one method."""
    return ClusterRow(method, epsilon, _over(drawn, fmean), _over(drawn, stdev) if len(drawn) > 1 else None)


def public_heads(auxiliary: Corpus, records: ProtectedRivals, public: PublicRivals) -> Iterator[tuple[Method, float]]:
    """Say which part of each histogram's exact head the auxiliary records alone name: nobody is asked for it."""
    learned = replace(records, keywords=public.keywords.indicators(auxiliary.texts), categories=auxiliary.categories)
    for method in HISTOGRAMS:
        best = _exact_head(method, records, public)
        yield method, len(best & _exact_head(method, learned, public)) / max(len(best), 1)


def _exact_head(method: Method, records: ProtectedRivals, public: PublicRivals) -> set[str]:
    counts, names = _exact_counts(method, records, public)
    return {entry.name for entry in top_positive(counts, names, CATEGORIES)}


def _exact_counts(method: Method, records: ProtectedRivals, public: PublicRivals) -> tuple[Ints, Sequence[str]]:
    if method == "keyword_histogram":
        return records.keywords.flags.sum(axis=0).astype(np.int64), public.keywords.words
    return category_counts(records.categories, public.categories), public.categories


def _part_of(best: set[str], release: BaselineRelease) -> float:
    if not isinstance(release.released, Histogram):
        raise TypeError("a histogram was asked for")
    return len(best & {entry.name for entry in release.released.entries}) / max(len(best), 1)


def _over(drawn: list[Quality], figure: Callable[[list[float]], float]) -> Quality:
    rows = [asdict(each) for each in drawn]
    return Quality(**{name: figure([row[name] for row in rows]) for name in rows[0]})
