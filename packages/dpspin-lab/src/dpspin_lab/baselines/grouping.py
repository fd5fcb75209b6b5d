"""Texts as terms, points and groups, without a model. Exact: one record can move every centre, and nothing hides it."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.utils.extmath import randomized_svd

from dpspin.curator.assign.contribution import Floats, Ints
from dpspin.curator.assign.sentence_evidence import on_unit_grid, unit_rows
from dpspin.curator.assign.term_classifier import ONE_THREAD
from dpspin.errors import RequestError
from dpspin.public.atoms.build.harvest import mentions
from dpspin.public.atoms.build.phrase_keys import BREAKS, COPULAS, DEGREES, DETERMINERS, LINKS
from dpspin.text.words import lowered, tokens

STOP_WORDS = BREAKS | COPULAS | DEGREES | DETERMINERS | LINKS
SHORTEST_WORD = 3
FEWEST = 2  # records: what only one says does not recur
Points = Callable[[Sequence[str]], Floats]  # rows of length one, or of zeros
DIMENSIONS = 64  # as in the paper's private clustering
STARTS = 4


def recurring(texts: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the phrases that most texts say, at least two; of equally frequent ones the first by name.

    >>> recurring(["Such dry skin!", "My skin is dry.", "A late parcel"], most=5)
    ('dry skin',)
    """
    support = Counter(phrase for text in texts for phrase in _phrases(text))
    common = [phrase for phrase in support if support[phrase] >= FEWEST]
    return tuple(sorted(common, key=lambda phrase: (-support[phrase], phrase))[:most])


def telling_terms(texts: Sequence[str], groups: Ints, most: int) -> list[tuple[str, ...]]:
    """Return, for each group, the terms whose share of its texts most exceeds their share of the others' texts.

    >>> telling_terms(["late parcel", "the parcel was late", "rude agent", "agents so rude"], np.array([0, 0, 1, 1]), 1)
    [('late parcel',), ('rude',)]
    """
    size = int(groups.max(initial=-1)) + 1
    counter = CountVectorizer(analyzer=content_terms, binary=True, min_df=min(FEWEST, len(texts)))
    try:
        said = counter.fit_transform(texts)
    except ValueError:  # no word twice
        return [()] * size
    terms = counter.get_feature_names_out()
    return [_best(terms, _excess(said, groups == group), most) for group in range(size)]


def content_terms(text: str) -> list[str]:
    """Return the telling words of a text, and its phrases of two or three of them.

    >>> content_terms("My parcel was very late")
    ['parcel', 'late', 'late parcel']
    """
    words = lowered(tokens(text))
    kept = [word for word in words if len(word) >= SHORTEST_WORD and word not in STOP_WORDS]
    return [*kept, *(mention.spoken for mention in mentions(words))]


def _phrases(text: str) -> set[str]:
    return {mention.spoken for mention in mentions(lowered(tokens(text)))}


def _excess(said: "csr_array[np.int64]", inside: NDArray[np.bool_]) -> Floats:
    shares = [np.asarray(said[rows].sum(axis=0)).ravel() / max(1, rows.sum()) for rows in (inside, ~inside)]
    excess: Floats = shares[0] - shares[1]
    return excess


def _best(terms: Sequence[str], excess: Floats, most: int) -> tuple[str, ...]:
    """Take the best terms, of equal ones the longer; one that shares a word with a better one says nothing new."""
    chosen: list[str] = []
    words_in = np.array([len(str(term).split()) for term in terms])
    for place in np.lexsort((-words_in, -excess)):
        if len(chosen) == most or excess[place] <= 0:
            break
        words = set(str(terms[place]).split())
        if not any(words & set(other.split()) for other in chosen):
            chosen.append(str(terms[place]))
    return tuple(chosen)


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
    points = on_unit_grid(points)  # equal texts are equal points
    count = min(count, len(np.unique(points, axis=0)))
    with ONE_THREAD:
        found = KMeans(count, n_init=STARTS, random_state=seed).fit(points)
    order = np.argsort(-np.bincount(found.labels_, minlength=count), kind="stable")
    return Groups(np.argsort(order)[found.labels_].astype(np.int64), found.cluster_centers_[order])
