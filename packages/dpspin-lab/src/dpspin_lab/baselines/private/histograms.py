"""The fixed public keywords, and one noisy table of counts over public names: the paper's two simple baselines."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.mechanisms.drawing import NoiseSource
from dpspin.boundary.privacy import RecordUnit, UserUnit
from dpspin.curator.assign.contribution import Ints
from dpspin.errors import BoundViolation
from dpspin_lab.baselines.private.release import (
    RECORD,
    BaselineRelease,
    Charge,
    Entry,
    Histogram,
    LaplaceDraw,
    LossStatement,
    Method,
    of_indicators,
)

MOST_WORDS, SHORTEST, PER_RECORD = 200, 4, 5

_TOKEN = re.compile(r"(?<![\w-])[^\W\d_]+(?:-[^\W\d_]+)*(?![\w-])")
_WORD = re.compile(r"\w+")
KEYWORDS = 10


@dataclass(frozen=True, slots=True)
class Indicators:
    """One row per record, true where it counts for a keyword; an instance keeps the bound of five."""

    flags: NDArray[np.bool_] = field(repr=False)

    def __post_init__(self) -> None:
        if self.flags.dtype != np.bool_ or (self.flags.sum(axis=1) > PER_RECORD).any():
            raise BoundViolation(f"a record counts for more than {PER_RECORD} keywords")


@dataclass(frozen=True)
class Vocabulary:
    """Keywords in public order, the most frequent first: it breaks every tie."""

    words: tuple[str, ...]
    _places: dict[str, int] = field(init=False, repr=False, compare=False)
    _hyphenated: dict[int, re.Pattern[str]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_places", {word: place for place, word in enumerate(self.words)})
        patterns = {place: re.compile(rf"\b{re.escape(word)}\b") for word, place in self._places.items() if "-" in word}
        object.__setattr__(self, "_hyphenated", patterns)

    def __len__(self) -> int:
        return len(self.words)

    def chosen(self, text: str) -> list[int]:
        """Return the places of the at most five keywords that occur most often in a record.

        Occurrences are whole words in any case; each keyword is counted on its own.

        >>> Vocabulary(("card", "credit", "credit-card")).chosen("Credit-card and credit, no CARDS")
        [1, 0, 2]
        """
        counts = self.places_in(text)
        return sorted(counts, key=lambda place: (-counts[place], place))[:PER_RECORD]

    def places_in(self, text: str) -> dict[int, int]:
        """Return how often each keyword occurs in a text, by its place."""
        return self._occurrences(text.lower())

    def indicators(self, texts: Sequence[str]) -> Indicators:
        """Choose the keywords of each record, from its own text alone."""
        flags = np.zeros((len(texts), len(self)), dtype=np.bool_)
        for row, text in enumerate(texts):
            flags[row, self.chosen(text)] = True
        return Indicators(flags)

    def _occurrences(self, text: str) -> dict[int, int]:
        """Count the keywords; one without a hyphen is delimited just where the whole word is it."""
        words = Counter(_WORD.findall(text))
        counts = {self._places[word]: count for word, count in words.items() if word in self._places}
        for place, pattern in self._hyphenated.items():
            if found := len(pattern.findall(text)):
                counts[place] = found
        return counts


def keywords_of(texts: Iterable[str], most: int = MOST_WORDS) -> Vocabulary:
    """Take the most frequent words of public or auxiliary text: letters and hyphens, four at least, no stop words.

    Runs of one letter are left out: they are how a publisher blackens names, as XXXX. Equal counts go by the alphabet.

    >>> keywords_of(["A late late-fee fee", "The FEES were late XXXX", "fees"]).words
    ('fees', 'late', 'late-fee')
    """
    counts = Counter(token for text in texts for token in _TOKEN.findall(text.lower()) if is_keyword(token))
    return Vocabulary(tuple(sorted(counts, key=lambda word: (-counts[word], word))[:most]))


def atom_texts(atoms: AtomUniverse) -> tuple[str, ...]:
    """Return the public words of a dictionary: label and description of each atom."""
    return tuple(f"{atom.label} {atom.description}".strip() for atom in atoms.atoms)


def is_keyword(token: str) -> bool:
    """Tell whether a word can be a keyword: long enough, no stop word, not one letter repeated."""
    return len(token) >= SHORTEST and token not in ENGLISH_STOP_WORDS and len(set(token)) > 1


def keyword_histogram(
    counted: Indicators,
    vocabulary: Vocabulary,
    epsilon: float,
    noise: NoiseSource,
    size: int = KEYWORDS,
    *,
    unit: RecordUnit | UserUnit = RECORD,
) -> BaselineRelease:
    """Release the top keywords; ``counted`` is what each protected unit counts for.

    A unit counts for at most five keywords, so Δ1 = 5 and discrete Laplace noise of scale 5/eps is (eps, 0)-DP.
    """
    draw = LaplaceDraw("keyword counts", of_indicators(PER_RECORD), epsilon)
    counts = counted.flags.sum(axis=0)
    return _released("keyword_histogram", counts, vocabulary.words, draw, noise=noise, size=size, unit=unit)


def category_histogram(
    categories: Sequence[str],
    universe: Sequence[str],
    epsilon: float,
    noise: NoiseSource,
    *,
    size: int,
    unit: RecordUnit | UserUnit = RECORD,
) -> BaselineRelease:
    """Release the top categories of a fixed public list; a unit of no listed category counts for none.

    A unit has one category, so Δ1 = 1: the categories are disjoint groups, and the table costs what one count costs.
    """
    draw = LaplaceDraw("category counts", of_indicators(1), epsilon)
    counts = category_counts(categories, universe)
    return _released("category_histogram", counts, universe, draw, noise=noise, size=size, unit=unit)


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
    method: Method,
    counts: Ints,
    names: Sequence[str],
    draw: LaplaceDraw,
    *,
    noise: NoiseSource,
    size: int,
    unit: RecordUnit | UserUnit,
) -> BaselineRelease:
    noisy = draw.of_counts(np.asarray(counts, dtype=np.int64), noise)
    statement = LossStatement(draw.loss, "basic", (Charge(draw),))
    return BaselineRelease(method, Histogram(top_positive(noisy, names, size)), statement, noise.randomness, unit)
