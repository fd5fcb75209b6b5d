"""What the paper records of each data set: records, users, contribution sizes, text lengths, category counts.

The figures are exact, of public data. They are aggregates: no text and no id is among them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Literal

import numpy as np

from dpspin.boundary.model_base import FrozenModel
from dpspin_lab.datasets.corpus import NOBODY, Corpus
from dpspin_lab.datasets.registry import DatasetKind, Unit
from dpspin_lab.datasets.split import Split, split_by_hash

MOST_FREQUENT: Final = 20
HALF: Final = 0.5

Counts = tuple[tuple[str, int], ...]  # the most frequent first, equal ones by name


class Spread(FrozenModel):
    """How a figure is distributed over records or users."""

    mean: float
    std: float
    min: int
    median: float
    p90: float
    p99: float
    max: int


class UserStatistics(FrozenModel):
    """How records belong to users."""

    records_with_user: int
    users: int
    users_with_several_records: int
    records_per_user: Spread
    contribution_sizes: tuple[tuple[int, int], ...]  # records, and how many users have as many


class DayStatistics(FrozenModel):
    """The first and the last day, and how many records have none; the days are empty where no record has one."""

    first: str
    last: str
    unknown: int


class Statistics(FrozenModel):
    """The paper's data set statistics."""

    records: int
    users: UserStatistics | None
    characters: Spread
    words: Spread
    days: DayStatistics
    categories: Counts
    most_frequent_labels: Counts


class SplitStatistics(FrozenModel):
    """The statistics of both parts."""

    auxiliary: Statistics
    target: Statistics


class DatasetReport(FrozenModel):
    """A data set, and its split for each unit that it can protect."""

    private: Literal[False] = False
    dataset: str
    title: str
    category_field: str
    whole: Statistics
    auxiliary_share: float
    salt: str
    splits: dict[Unit, SplitStatistics]


def report_of(kind: DatasetKind, corpus: Corpus, *, auxiliary_share: float = HALF, salt: str = "0") -> DatasetReport:
    """Describe a corpus as a whole and in the parts that runs use."""

    def parts(unit: Unit) -> SplitStatistics:
        split: Split = split_by_hash(corpus, by_user=unit == "user", auxiliary_share=auxiliary_share, salt=salt)
        auxiliary, target = (statistics_of(part, kind.label_separator) for part in (split.auxiliary, split.target))
        return SplitStatistics(auxiliary=auxiliary, target=target)

    return DatasetReport(
        dataset=kind.name,
        title=kind.title,
        category_field=kind.category_field,
        whole=statistics_of(corpus, kind.label_separator),
        auxiliary_share=auxiliary_share,
        salt=salt,
        splits={unit: parts(unit) for unit in kind.units},
    )


def statistics_of(corpus: Corpus, label_separator: str | None = None) -> Statistics:
    """Count. ``label_separator`` parts the labels where a record has several of them, as Yelp's businesses do."""
    return Statistics(
        records=len(corpus),
        users=None if corpus.users is None else _of_users(corpus.users),
        characters=spread_of([len(text) for text in corpus.texts]),
        words=spread_of([len(text.split()) for text in corpus.texts]),
        days=_of_days(corpus.days),
        categories=_counts(corpus.categories),
        most_frequent_labels=_counts(_labels(corpus.paths, label_separator), MOST_FREQUENT),
    )


def spread_of(figures: Sequence[int]) -> Spread:
    """Describe figures, of which there is at least one; the standard deviation is that of a sample.

    >>> spread_of([1, 1, 4]).mean, spread_of([1, 1, 4]).median, round(spread_of([1, 1, 4]).std, 3), spread_of([7]).std
    (2.0, 1.0, 1.732, 0.0)
    """
    values = np.asarray(figures, dtype=float)
    median, p90, p99 = (float(value) for value in np.quantile(values, [0.5, 0.9, 0.99]))
    std = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return Spread(
        mean=float(values.mean()), std=std, min=min(figures), median=median, p90=p90, p99=p99, max=max(figures)
    )


def _of_users(users: Sequence[str]) -> UserStatistics | None:
    records = Counter(user for user in users if user != NOBODY)
    if not records:
        return None
    sizes = Counter(records.values())
    return UserStatistics(
        records_with_user=records.total(),
        users=len(records),
        users_with_several_records=sum(users for size, users in sizes.items() if size > 1),
        records_per_user=spread_of(list(records.values())),
        contribution_sizes=tuple(sorted(sizes.items())),
    )


def _of_days(days: Sequence[str]) -> DayStatistics:
    known = [day for day in days if day]
    return DayStatistics(first=min(known, default=""), last=max(known, default=""), unknown=len(days) - len(known))


def _labels(paths: Iterable[str], separator: str | None) -> Iterable[str]:
    filled = (path for path in paths if path)
    return filled if separator is None else (label for path in filled for label in path.split(separator))


def _counts(labels: Iterable[str], most: int | None = None) -> Counts:
    return tuple(sorted(Counter(labels).items(), key=lambda count: (-count[1], count[0]))[:most])
