"""One noisy table of counts over fixed public names, and its head: the paper's two simple private baselines."""

from collections.abc import Sequence

import numpy as np

from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.privacy import RecordUnit, UserUnit
from dpspin.curator.assign.contribution import Ints
from dpspin_lab.baselines.private.draws import LaplaceDraw, of_indicators
from dpspin_lab.baselines.private.release import (
    RECORD,
    BaselineRelease,
    Charge,
    Entry,
    Histogram,
    LossStatement,
    Method,
    require_record_level,
)
from dpspin_lab.baselines.private.vocabulary import PER_RECORD, Indicators, Vocabulary

KEYWORDS = 10


def keyword_histogram(
    counted: Indicators,
    vocabulary: Vocabulary,
    epsilon: float,
    noise: NoiseSource,
    *,
    unit: RecordUnit | UserUnit = RECORD,
    size: int = KEYWORDS,
) -> BaselineRelease:
    """Release the top keywords; ``counted`` is what each protected record counts for.

    A record counts for at most five keywords, so Δ1 = 5 and discrete Laplace noise of scale 5/eps is (eps, 0)-DP.
    """
    require_record_level(unit)
    draw = LaplaceDraw("keyword counts", of_indicators(PER_RECORD), epsilon)
    return _released("keyword_histogram", counted.flags.sum(axis=0), vocabulary.words, draw, noise=noise, size=size)


def category_histogram(
    categories: Sequence[str],
    universe: Sequence[str],
    epsilon: float,
    noise: NoiseSource,
    *,
    size: int,
    unit: RecordUnit | UserUnit = RECORD,
) -> BaselineRelease:
    """Release the top categories of a fixed public list; a record of no listed category counts for none.

    A record has one category, so Δ1 = 1: the categories are disjoint groups, and the table costs what one count costs.
    """
    require_record_level(unit)
    draw = LaplaceDraw("category counts", of_indicators(1), epsilon)
    return _released(
        "category_histogram", category_counts(categories, universe), universe, draw, noise=noise, size=size
    )


def category_counts(categories: Sequence[str], universe: Sequence[str]) -> Ints:
    """Count the records of each listed category.

    >>> category_counts(["low", "high", "high", "unknown"], ("high", "low", "medium")).tolist()
    [2, 1, 0]
    """
    places = {name: place for place, name in enumerate(universe)}
    known = [places[name] for name in categories if name in places]
    return np.bincount(np.array(known, dtype=np.int64), minlength=len(universe)).astype(np.int64)


def top_positive(noisy: Ints, names: Sequence[str], size: int) -> tuple[Entry, ...]:
    """Return the largest counts above zero; of equal ones the first in public order.

    >>> top_positive(np.array([3, -1, 7, 3]), ("a", "b", "c", "d"), size=3)
    (Entry(name='c', count=7), Entry(name='a', count=3), Entry(name='d', count=3))
    """
    order = np.argsort(-noisy, kind="stable")[:size]
    return tuple(Entry(names[place], int(noisy[place])) for place in order if noisy[place] > 0)


def _released(
    method: Method, counts: Ints, names: Sequence[str], draw: LaplaceDraw, *, noise: NoiseSource, size: int
) -> BaselineRelease:
    noisy = draw.of_counts(np.asarray(counts, dtype=np.int64), noise)
    statement = LossStatement(draw.loss, "basic", (Charge(draw),))
    return BaselineRelease(method, Histogram(top_positive(noisy, names, size)), statement, noise.randomness)
