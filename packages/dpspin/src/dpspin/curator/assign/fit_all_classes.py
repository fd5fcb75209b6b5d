"""Logistic regression of many classes over the same texts at once, each against the rest, by Newton's method.

The coefficients of a class are sums of the texts' rows, X'a with one number per text and class. So everything is
computed on such numbers, of which there are far fewer than terms; what one text has in common with another, XX', is
only ever applied to them. Terms that stand in the same texts, as the pieces of a rare word do, add up to one.

Unlike a library's solver it computes the same bits on every machine of a kind: sums have one order, and nothing is left
to BLAS or to the exponential function, of which each processor has its own. A map that another machine would fit
otherwise is another map, and a release with it is charged again.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple, cast

import numpy as np
from scipy.sparse import csr_array

from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.evidence_sources import Flags
from dpspin.curator.assign.term_classifier import Lesson, Linear, Rows

AT_ONCE: Final = 14  # classes: of more, what is computed does not fit into a processor's cache
SMALL: Final = 1e-4  # of the first slope: then a class has learned
ROUNDS: Final = 50  # Newton's steps, each of which at most TRIES products; about ten with four are needed
TRIES: Final = 50
PART: Final = 0.05  # of the squared slope: a step need not be solved better than this


def fit_all_classes(vectors: Rows, lessons: Sequence[Lesson], strength: float) -> Linear:
    """Fit every class; one without positive or without negative rows gets its prior only."""
    learned = np.any([lesson.rows for lesson in lessons], axis=0)
    rows = cast("csr_array[np.float64]", vectors[learned])
    merged, numbers = merge_equal_columns(rows), np.zeros((rows.shape[0], len(lessons)))
    for start in range(0, len(lessons), AT_ONCE):
        places = range(len(lessons))[start : start + AT_ONCE]
        some = [lessons[place] for place in places]
        used = np.any([lesson.rows for lesson in some], axis=0)
        weights = strength * np.column_stack([(lesson.weights * lesson.rows)[used] for lesson in some])
        positive = np.column_stack([lesson.positive[used] for lesson in some]).astype(np.float64)
        common = _Common.of(cast("csr_array[np.float64]", merged[used[learned]]))
        numbers[np.ix_(used[learned], places)] = _minimised(common, weights, positive)
    tells = np.array([lesson.tells for lesson in lessons])
    numbers[:, ~tells] = 0.0
    offsets = np.where(tells, numbers.sum(axis=0), [lesson.prior for lesson in lessons])
    return Linear(np.asarray(rows.T.tocsr() @ numbers), offsets)


class _Common(NamedTuple):
    """What texts have in common: the products of all rows, and one for the offset that all share."""

    rows: "csr_array[np.float64]"
    columns: "csr_array[np.float64]"

    @classmethod
    def of(cls, rows: "csr_array[np.float64]") -> "_Common":
        return cls(rows, rows.T.tocsr())

    def __call__(self, numbers: Floats) -> Floats:
        shared: Floats = np.asarray(self.rows @ (self.columns @ numbers)) + numbers.sum(axis=0)
        return shared


def merge_equal_columns(rows: "csr_array[np.float64]") -> "csr_array[np.float64]":
    """Put columns that are equal together, at their common length: products of rows stay what they are.

    >>> merge_equal_columns(csr_array([[3.0, 3.0, 1.0], [0.0, 0.0, 2.0]])).toarray().round(3)
    array([[4.243, 1.   ],
           [0.   , 2.   ]])
    """
    columns = rows.tocsc()
    columns.sort_indices()
    ends = columns.indptr.tolist()
    number_of: dict[bytes, int] = {}
    first: list[int] = []
    size: list[int] = []
    for place, (start, end) in enumerate(pairwise(ends)):
        content = columns.indices[start:end].tobytes() + columns.data[start:end].tobytes()
        number = number_of.setdefault(content, len(first))
        if number == len(first):
            first.append(place)
            size.append(0)
        size[number] += 1
    merged = columns[:, first]
    merged.data *= np.repeat(np.sqrt(size), np.diff(merged.indptr))
    return csr_array(merged.tocsr())


def _minimised(common: _Common, weights: Floats, positive: Floats) -> Floats:
    """Return the numbers a that minimise a'Ka / 2 + Σ weight · log(1 + e^∓(Ka)), one column per class.

    ``common`` is K. A class that has learned does not move any more.
    """
    here = _Vector.zeros(weights.shape)
    first: Floats | None = None
    for _ in range(ROUNDS):
        chances = chance(here.scores)
        surplus = weights * (chances - positive)
        slope = _Vector(here.numbers + surplus, here.scores + common(surplus))
        steepness = slope.times(slope)
        first = steepness if first is None else first
        live = steepness > SMALL**2 * first
        if not live.any():
            break
        step = _step(common, weights * chances * (1 - chances), slope, live)
        here.move(step, _how_far(weights, positive, here, step, live))
    return here.numbers


class _Vector(NamedTuple):
    """Coefficients of each class: as sums of the texts' rows, and as the scores that they give to the texts."""

    numbers: Floats
    scores: Floats

    @classmethod
    def zeros(cls, shape: tuple[int, ...]) -> "_Vector":
        return cls(np.zeros(shape), np.zeros(shape))

    def times(self, other: "_Vector") -> Floats:
        """Return the product of the coefficients of each class."""
        products: Floats = (self.numbers * other.scores).sum(axis=0)
        return products

    def move(self, other: "_Vector", part: Floats) -> None:
        """Add a part of others."""
        np.add(self.numbers, part * other.numbers, out=self.numbers)
        np.add(self.scores, part * other.scores, out=self.scores)


def _step(common: _Common, curvature: Floats, slope: _Vector, live: Flags) -> _Vector:
    """Solve Newton's equation by conjugate gradients, as well as it is worth."""
    step, left = _Vector.zeros(curvature.shape), _Vector(-slope.numbers, -slope.scores)
    along = _Vector(left.numbers.copy(), left.scores.copy())
    length = left.times(left)
    enough = PART * length
    for _ in range(TRIES):
        bent = curvature * along.scores
        image = _Vector(along.numbers + bent, along.scores + common(bent))
        far = np.divide(length, along.times(image), out=np.zeros_like(length), where=live)
        step.move(along, far)
        left.move(image, -far)
        before, length = length, left.times(left)
        if (length <= enough)[live].all():
            break
        turned = np.divide(length, before, out=np.zeros_like(length), where=live)
        along = _Vector(left.numbers + turned * along.numbers, left.scores + turned * along.scores)
    return step


def _how_far(weights: Floats, positive: Floats, here: _Vector, step: _Vector, live: Flags) -> Floats:
    """Return the part of each step, halved until the way does not rise there half as steeply as it falls here."""

    def rises(part: Floats) -> Floats:
        scores = here.scores + part * step.scores
        numbers = here.numbers + part * step.numbers + weights * (chance(scores) - positive)
        return _Vector(numbers, scores).times(step)

    part = live.astype(np.float64)
    falls = -rises(np.zeros_like(part))
    while (too_far := live & (rises(part) > falls / 2)).any():
        part[too_far] /= 2
    return part


LEAST: Final = -60.0  # e to the power of less makes no difference beside one
LN2: Final = 0.6931471805599453
POWERS: Final = 2.0 ** np.arange(-90, 1)


def chance(odds: Floats) -> Floats:
    """Return 1 / (1 + e^-odds) by additions, products and divisions alone, which every processor rounds alike.

    >>> chance(np.array([0.0, 2.0, -800.0])).round(3).tolist()
    [0.5, 0.881, 0.0]
    """
    power = np.maximum(-np.abs(odds), LEAST)
    twos = np.rint(power / LN2)
    rest = power - twos * LN2
    raised = np.ones_like(rest)
    for degree in range(9, 0, -1):
        raised = 1 + raised * rest / degree
    raised *= POWERS[twos.astype(np.int64) - 1]
    chances: Floats = np.where(odds < 0, raised, 1.0) / (1 + raised)
    return chances
