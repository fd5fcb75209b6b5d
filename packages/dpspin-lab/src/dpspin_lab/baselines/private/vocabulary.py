"""The fixed public keywords, and which of them a record counts for."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from dpspin.boundary.atoms import AtomUniverse
from dpspin.errors import BoundViolation

MOST_WORDS, SHORTEST, PER_RECORD = 200, 4, 5

_TOKEN = re.compile(r"(?<![\w-])[^\W\d_]+(?:-[^\W\d_]+)*(?![\w-])")
_WORD = re.compile(r"\w+")


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
        counts = self._occurrences(text.lower())
        return sorted(counts, key=lambda place: (-counts[place], place))[:PER_RECORD]

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
    counts = Counter(token for text in texts for token in _TOKEN.findall(text.lower()) if _is_keyword(token))
    return Vocabulary(tuple(sorted(counts, key=lambda word: (-counts[word], word))[:most]))


def atom_texts(atoms: AtomUniverse) -> tuple[str, ...]:
    """Return the public words of a dictionary: label and description of each atom."""
    return tuple(f"{atom.label} {atom.description}".strip() for atom in atoms.atoms)


def _is_keyword(token: str) -> bool:
    return len(token) >= SHORTEST and token not in ENGLISH_STOP_WORDS and len(set(token)) > 1
