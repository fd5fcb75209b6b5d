"""Texts as points, and points as groups. Exact: one record can move every centre, and nothing here hides it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.utils.extmath import randomized_svd

from dpspin.curator.assign.calibrated.embeddings import on_grid, unit_rows
from dpspin.curator.assign.calibrated.one_thread import ONE_THREAD
from dpspin.errors import RequestError
from dpspin_lab.baselines.phrases import FEWEST, content_terms

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Points = Callable[[Sequence[str]], Floats]  # rows of length one, or of zeros

DIMENSIONS = 64  # as in the paper's private clustering
STARTS = 4


@dataclass(frozen=True, slots=True)
class Groups:
    """The group of each point, and the centres; a group is never empty."""

    of_point: Ints = field(repr=False)
    centres: Floats = field(repr=False)

    @property
    def sizes(self) -> list[int]:
        """The number of points in each group."""
        return [int(size) for size in np.bincount(self.of_point, minlength=len(self.centres))]

    def members(self, group: int) -> list[int]:
        """Return the places of a group's points."""
        return [int(place) for place in np.flatnonzero(self.of_point == group)]


def term_points(texts: Sequence[str], seed: int = 0) -> Floats:
    """Return TF-IDF vectors of telling words and phrases, reduced by SVD, of length one."""
    counter = TfidfVectorizer(analyzer=content_terms, min_df=min(FEWEST, len(texts)), sublinear_tf=True)
    try:
        vectors = counter.fit_transform(texts)
    except ValueError:
        raise RequestError("the records have no telling words in common; clustering needs more of them") from None
    width = min(DIMENSIONS, *vectors.shape)
    with ONE_THREAD:
        left, strengths, _ = randomized_svd(vectors, width, random_state=seed)
    return unit_rows(left * strengths)


def grouped(points: Floats, count: int, seed: int = 0) -> Groups:
    """Cluster by k-means; there are no more groups than different points. The largest group comes first.

    >>> two = grouped(np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]), count=9)
    >>> two.of_point.tolist(), two.sizes
    ([1, 0, 0], [2, 1])
    """
    if not len(points) or count < 1:
        raise RequestError("clustering needs at least one record and one group")
    points = on_grid(points)  # equal texts are equal points
    count = min(count, len(np.unique(points, axis=0)))
    with ONE_THREAD:
        found = KMeans(count, n_init=STARTS, random_state=seed).fit(points)
    order = np.argsort(-np.bincount(found.labels_, minlength=count), kind="stable")
    return Groups(np.argsort(order)[found.labels_].astype(np.int64), found.cluster_centers_[order])
