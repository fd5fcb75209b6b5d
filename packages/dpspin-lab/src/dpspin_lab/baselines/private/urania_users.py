"""The URANIA-style release with users as the protected unit, which its authors leave open.

All records of a user are protected together. What a user may add to each noisy table is bounded before it is added up,
in integers, by the user's own records and the public or released centres alone. So every table moves, when one user is
added or removed, by no more than it moves at record level when one record is: all three schedules hold as they are.

Let the user's records have vectors e_r (length one at most) and lie in clusters k(r).

*Sums.* V = (Σ e_r over the records in cluster k)_k, one row for each cluster, is scaled to length one as a whole. The
flattened change has ‖·‖₂ <= 1, however many records and clusters there are.

*Counts and sizes.* A user counts one, in the cluster with most of the user's records (of equal ones the first): Δ₁ = 1.
So a size is a number of users, and each of them is in exactly one.

*Keywords.* A user counts one in each of at most five cells of the table (cluster, keyword): those with most of the
user's records; of equal ones the keyword first in public order, then the first cluster. Δ₁ = 5 and Δ₂ = √5.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dpspin.boundary.privacy import UserUnit
from dpspin.curator.assign.contribution import Ints
from dpspin.errors import BoundViolation
from dpspin_lab.baselines.private.histograms import PER_RECORD, Indicators
from dpspin_lab.baselines.private.urania import UnitVectors, nearest, normalised, sizes


@dataclass(frozen=True, slots=True)
class BoundedUsers:
    """What of each protected record is used, and whose it is: users are numbered from zero. Private."""

    vectors: UnitVectors
    keywords: Indicators
    users: Ints = field(repr=False)
    unit: UserUnit = field(default_factory=UserUnit)

    def __post_init__(self) -> None:
        if not len(self.users) == len(self.vectors.ticks) == len(self.keywords.flags):
            raise BoundViolation("every record has one vector, one row of keywords and one user")

    def moments(self, centres: Ints) -> tuple[Ints, Ints]:
        """Add up what users give to each cluster: exact sums (ticks) and numbers of users, which are private."""
        cluster, (size, dimension) = nearest(self.vectors, centres), centres.shape
        of_user = np.zeros((self._number, size, dimension), dtype=np.int64)
        np.add.at(of_user, (self.users, cluster), self.vectors.ticks)
        bounded = normalised(of_user.reshape(self._number, -1).astype(np.float64)).ticks
        sums: Ints = bounded.sum(axis=0).reshape(size, dimension)
        return sums, self.sizes(cluster, size)

    def sizes(self, cluster: Ints, clusters: int) -> Ints:
        """Count users by their main cluster."""
        return sizes(self._main(cluster, clusters), clusters)

    def keyword_table(self, cluster: Ints, clusters: int) -> Ints:
        """Count for each user at most five pairs of cluster and keyword: (clusters, keywords)."""
        words = self.keywords.flags.shape[1]
        record, word = np.nonzero(self.keywords.flags)
        # the keyword leads, so that the order of cells is the order that breaks ties
        cells = most_frequent(self.users[record], word * clusters + cluster[record], PER_RECORD)
        counts = np.bincount(cells, minlength=clusters * words).astype(np.int64)
        return np.ascontiguousarray(counts.reshape(words, clusters).T)

    def _main(self, cluster: Ints, clusters: int) -> Ints:
        counts = np.zeros((self._number, clusters), dtype=np.int64)
        np.add.at(counts, (self.users, cluster), 1)
        main: Ints = counts.argmax(axis=1).astype(np.int64)
        return main

    @property
    def _number(self) -> int:
        return int(self.users.max(initial=-1)) + 1


def most_frequent(users: Ints, cells: Ints, most: int) -> Ints:
    """Return for each user the at most ``most`` cells that occur most often, of equal ones the first; all together.

    >>> most_frequent(np.array([0, 0, 0, 0, 1]), np.array([7, 3, 7, 2, 3]), 2).tolist()
    [7, 2, 3]
    """
    pairs, counts = np.unique(np.stack((users, cells)), axis=1, return_counts=True)
    order = np.lexsort((pairs[1], -counts, pairs[0]))
    owners = pairs[0][order]
    rank = np.arange(len(owners)) - np.searchsorted(owners, owners)
    chosen: Ints = pairs[1][order][rank < most].astype(np.int64)
    return chosen


def numbered(users: Sequence[str]) -> Ints:
    """Give each user a number, in the order of their names.

    >>> numbered(["zoe", "ann", "zoe"]).tolist()
    [1, 0, 1]
    """
    return np.unique(np.array(users, dtype=object), return_inverse=True)[1].astype(np.int64)


def indicators_of_users(records: Indicators, users: Ints) -> Indicators:
    """Keep of each user the at most five keywords that most of the user's records count for, one row for each user.

    A user counts one for each, so a histogram over users has Δ₁ = 5 like the one over records.
    """
    flags = np.zeros((int(users.max(initial=-1)) + 1, records.flags.shape[1]), dtype=np.bool_)
    for user in range(len(flags)):
        _, words = np.nonzero(records.flags[users == user])
        flags[user, most_frequent(np.zeros(len(words), np.int64), words, PER_RECORD)] = True
    return Indicators(flags)


def category_of_users(categories: Sequence[str], users: Ints) -> list[str]:
    """Return for each user the category of most of the user's records, of equal ones the first by name: Δ₁ = 1.

    >>> category_of_users(["low", "high", "low", "mid"], np.array([0, 0, 0, 1]))
    ['low', 'mid']
    """
    names, places = np.unique(np.array(categories, dtype=object), return_inverse=True)
    return [str(names[place]) for place in most_frequent(users, places.astype(np.int64), 1)]
