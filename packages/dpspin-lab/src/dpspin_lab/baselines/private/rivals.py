"""All private rivals of one corpus: the public side is fitted once, records are bounded once, releases are many."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import assert_never, get_args

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.privacy import PrivacyLoss, RecordUnit, UserUnit
from dpspin_lab.baselines.private.histograms import category_histogram, keyword_histogram
from dpspin_lab.baselines.private.release import DELTA, RECORD, BaselineRelease, Method
from dpspin_lab.baselines.private.urania.release import (
    BoundedRecords,
    PublicSide,
    bound_records,
    fit_public_side,
    release_clusters,
)
from dpspin_lab.baselines.private.urania.schedule import joint_schedule, paper_schedule, public_schedule
from dpspin_lab.baselines.private.vocabulary import Indicators, Vocabulary, keywords_of
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.split import Split, require_disjoint

METHODS: tuple[Method, ...] = get_args(Method)
CATEGORIES = 10  # released at most: ten issues of complaints, or all three rating bins of reviews


@dataclass(frozen=True, slots=True)
class PublicRivals:
    """What the rivals fix before they read a protected record."""

    clusters: PublicSide
    keywords: Vocabulary
    categories: tuple[str, ...]
    auxiliary: Corpus = field(repr=False)  # from which all of that was learned


@dataclass(frozen=True, slots=True)
class ProtectedRivals:
    """What the rivals use of the protected records, bounded record by record. Private."""

    clusters: BoundedRecords
    keywords: Indicators
    categories: Sequence[str] = field(repr=False)


def fit_rivals(auxiliary: Corpus, atoms: AtomUniverse) -> PublicRivals:
    """Learn keywords, categories, the representation and its centres from auxiliary records and a dictionary."""
    return PublicRivals(
        fit_public_side(auxiliary.texts, atoms),
        keywords_of(auxiliary.texts),
        tuple(sorted(set(auxiliary.categories) - {""})),
        auxiliary,
    )


def protect(target: Corpus, public: PublicRivals) -> ProtectedRivals:
    """Bound the protected records; none of them may have been learned from, under this id or another.

    Keywords and categories are published, so one longer text in common is too many, as for a dictionary.
    """
    require_disjoint(Split(public.auxiliary, target), by_user=False, published=True)  # rivals protect records only
    return ProtectedRivals(
        bound_records(target.texts, public.clusters), public.keywords.indicators(target.texts), target.categories
    )


def release_rival(
    method: Method,
    records: ProtectedRivals,
    public: PublicRivals,
    epsilon: float,
    noise: NoiseSource,
    *,
    delta: float = DELTA,
    unit: RecordUnit | UserUnit = RECORD,
) -> BaselineRelease:
    """Make one release; delta is spent only where a method has Gaussian noise."""
    match method:
        case "keyword_histogram":
            return keyword_histogram(records.keywords, public.keywords, epsilon, noise, unit=unit)
        case "category_histogram":
            return category_histogram(records.categories, public.categories, epsilon, noise, size=CATEGORIES, unit=unit)
        case "urania" | "urania_joint":
            loss, scheduler = PrivacyLoss(epsilon, delta), paper_schedule if method == "urania" else joint_schedule
        case "urania_public":
            loss, scheduler = PrivacyLoss(epsilon), public_schedule
        case _:
            assert_never(method)
    return release_clusters(records.clusters, public.clusters, loss, scheduler, noise, unit=unit)
