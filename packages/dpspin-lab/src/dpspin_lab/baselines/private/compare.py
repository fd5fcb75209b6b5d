"""How good the rivals are at the same epsilon, averaged over seeded releases. This reads exact counts: not private."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean, stdev

import numpy as np

from dpspin.boundary.privacy import PrivacyLoss
from dpspin.curator.assign.contribution import Ints
from dpspin_lab.baselines.private.histograms import category_counts, top_positive
from dpspin_lab.baselines.private.noise import noise_from
from dpspin_lab.baselines.private.release import DELTA, BaselineRelease, Histogram, Method
from dpspin_lab.baselines.private.rivals import CATEGORIES, ProtectedRivals, PublicRivals, release_rival
from dpspin_lab.baselines.private.urania.quality import Quality, quality
from dpspin_lab.baselines.private.urania.schedule import Scheduler, joint_schedule, paper_schedule, public_schedule
from dpspin_lab.datasets.corpus import Corpus

_URANIA: dict[Method, Scheduler] = {
    "urania": paper_schedule,
    "urania_joint": joint_schedule,
    "urania_public": public_schedule,
}
_HISTOGRAMS: tuple[Method, ...] = ("keyword_histogram", "category_histogram")


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
    for method in _HISTOGRAMS:
        best = _exact_head(method, records, public)
        heads = [_part_of(best, release_rival(method, records, public, epsilon, noise_from(each))) for each in seeds]
        yield HistogramRow(method, epsilon, fmean(heads), stdev(heads) if draws > 1 else None)
    for method, scheduler in _URANIA.items():
        loss = PrivacyLoss(epsilon) if method == "urania_public" else PrivacyLoss(epsilon, DELTA)
        drawn = [quality(records.clusters, public.clusters, loss, scheduler, noise_from(each)) for each in seeds]
        yield ClusterRow(method, epsilon, _over(drawn, fmean), _over(drawn, stdev) if draws > 1 else None)


def public_heads(auxiliary: Corpus, records: ProtectedRivals, public: PublicRivals) -> Iterator[tuple[Method, float]]:
    """Say which part of each histogram's exact head the auxiliary records alone name: nobody is asked for it."""
    learned = replace(records, keywords=public.keywords.indicators(auxiliary.texts), categories=auxiliary.categories)
    for method in _HISTOGRAMS:
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
