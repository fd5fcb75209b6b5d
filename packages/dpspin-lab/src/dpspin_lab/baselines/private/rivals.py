"""All private rivals of one corpus: the public side is fitted once, records are bounded once, releases are many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.privacy import PrivacyLoss
from dpspin_lab.baselines.private.histograms import (
    Indicators,
    Vocabulary,
    category_histogram,
    keyword_histogram,
    keywords_of,
)
from dpspin_lab.baselines.private.release import DELTA, BaselineRelease, HistogramMethod, RivalMethod, UraniaMethod
from dpspin_lab.baselines.private.urania import (
    Bounded,
    PublicSide,
    bound_records,
    fit_public_side,
    release_clusters,
)
from dpspin_lab.baselines.private.urania_schedule import Scheduler, joint_schedule, paper_schedule, public_schedule
from dpspin_lab.baselines.private.urania_users import (
    BoundedUsers,
    category_of_users,
    indicators_of_users,
    numbered,
)
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.split import Split, require_disjoint, user_names

HISTOGRAMS: tuple[HistogramMethod, ...] = get_args(HistogramMethod)
SCHEDULERS: Mapping[UraniaMethod, Scheduler] = {
    "urania": paper_schedule,
    "urania_joint": joint_schedule,
    "urania_public": public_schedule,
}
METHODS: tuple[RivalMethod, ...] = (*HISTOGRAMS, *SCHEDULERS)
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
    """What the rivals use of the protected records, bounded unit by unit. Private.

    ``keywords`` and ``categories`` have one place for each unit.
    """

    clusters: Bounded
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


def protect(target: Corpus, public: PublicRivals, *, by_user: bool = False) -> ProtectedRivals:
    """Bound the protected records, or their users; none may have been learned from, under this id or another.

    Keywords and categories are published, so one longer text in common is too many, as for a dictionary.
    """
    require_disjoint(Split(public.auxiliary, target), by_user=by_user, published=True)
    records, keywords = bound_records(target.texts, public.clusters), public.keywords.indicators(target.texts)
    if not by_user:
        return ProtectedRivals(records, keywords, target.categories)
    users = numbered(user_names(target))
    return ProtectedRivals(
        BoundedUsers(records.vectors, records.keywords, users),
        indicators_of_users(keywords, users),
        category_of_users(target.categories, users),
    )


def release_rival(
    method: RivalMethod, records: ProtectedRivals, public: PublicRivals, epsilon: float, noise: NoiseSource
) -> BaselineRelease:
    """Make one release; delta is spent only where a method has Gaussian noise."""
    unit = records.clusters.unit
    match method:
        case "keyword_histogram":
            return keyword_histogram(records.keywords, public.keywords, epsilon, noise, unit=unit)
        case "category_histogram":
            return category_histogram(records.categories, public.categories, epsilon, noise, size=CATEGORIES, unit=unit)
        case _:
            return release_clusters(records.clusters, public.clusters, *clustering_of(method, epsilon), noise)


def clustering_of(method: UraniaMethod, epsilon: float) -> tuple[PrivacyLoss, Scheduler]:
    """Return the loss and the division of it: without private clustering there is no Gaussian noise, and no delta."""
    scheduler = SCHEDULERS[method]
    return PrivacyLoss(epsilon) if scheduler is public_schedule else PrivacyLoss(epsilon, DELTA), scheduler
