"""Sources of evidence that a record expresses an atom. A calibration weighs them; none of them decides alone.

Cue phrases are the first: sentence by sentence, with negation; precise where they match, silent elsewhere.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import digest_of
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.map_trust import ours
from dpspin.curator.assign.sentence_terms import sentences_of
from dpspin.text.words import CUE_WORD, words_of

Flags = NDArray[np.bool_]
NOTHING = -20.0  # the score of a record that has no sentence to judge


class Evidence(Protocol):
    """One source: fixed before any protected record is read."""

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of the score matrices that it returns."""
        ...

    @property
    def digest(self) -> str:
        """Identify the fitted source."""
        ...

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return scores of shape (layers, records, atoms)."""
        ...


class Scores(NamedTuple):
    """What all sources say of some records, and which of these consist mostly of words that they know."""

    layers: Floats
    familiar: Flags


def best_of_each(scores: Floats, owners: Sequence[int] | NDArray[np.int64], records: int) -> Floats:
    """Return each record's best sentence score per atom.

    >>> best_of_each(np.array([[1.0, 0.0], [0.5, 2.0]]), owners=[1, 1], records=2)
    array([[-20., -20.],
           [  1.,   2.]])
    """
    best = np.full((records, scores.shape[1]), NOTHING)
    np.maximum.at(best, np.asarray(owners, dtype=np.intp), scores)
    return best


def stacked(sources: Sequence[Evidence], texts: Sequence[str]) -> Floats:
    """Return the layers of all sources, in order."""
    return over_the_same_classes([source(texts) for source in sources])


def over_the_same_classes(parts: Sequence[Floats]) -> Floats:
    """Return the layers of several sources as one array; a source that knows atoms only scores "none of these" zero.

    >>> over_the_same_classes([np.ones((1, 1, 2)), np.ones((1, 1, 3))]).tolist()
    [[[1.0, 1.0, 0.0]], [[1.0, 1.0, 1.0]]]
    """
    classes = max(part.shape[2] for part in parts)
    return np.concatenate([part if part.shape[2] == classes else _padded(part, classes) for part in parts])


def _padded(part: Floats, classes: int) -> Floats:
    return np.pad(part, ((0, 0), (0, 0), (0, classes - part.shape[2])))


def silent_rows(layers: Floats, of_empty: Floats) -> Flags:
    """Tell which records say no more than an empty one: no source knows a word of theirs.

    What a source gives them is what it was taught to expect, and not what they say.
    """
    silent: Flags = (layers == of_empty).all(axis=(0, 2))
    return silent


def folds_of(count: int, folds: int) -> NDArray[np.int64]:
    """Deal ``count`` rows to folds, round robin: the same on every machine.

    >>> folds_of(5, 2)
    array([0, 1, 0, 1, 0])
    """
    return np.arange(count, dtype=np.int64) % folds


NEGATIONS = frozenset(
    words_of(
        "no not never without hardly barely nothing none neither nor cannot cant dont didnt doesnt isnt wasnt arent "
        "werent wont wouldnt couldnt havent hasnt hadnt"
    )
)
REACH = 4  # a negation so many words before a cue denies it
MOST_HITS = 3  # a record that repeats itself does not express more


@ours
@dataclass(frozen=True)
class CueEvidence:
    """Counts the cues of each atom that a record holds and does not deny."""

    atoms: int
    cues: Mapping[tuple[str, ...], tuple[int, ...]] = field(repr=False)  # words of a cue -> positions of its atoms
    longest: int

    layers = ("a cue", "cues")

    @classmethod
    def of(cls, universe: AtomUniverse) -> "CueEvidence":
        """Take labels and cues from the dictionary."""
        found: dict[tuple[str, ...], set[int]] = defaultdict(set)
        for place, atom in enumerate(universe.atoms):
            for phrase in (atom.label, *atom.cues):
                if words := tuple(_words(phrase)):
                    found[words].add(place)
        cues = {words: tuple(sorted(places)) for words, places in sorted(found.items())}
        return cls.of_phrases(universe.size, cues)

    @classmethod
    def of_phrases(cls, atoms: int, cues: Mapping[tuple[str, ...], tuple[int, ...]]) -> "CueEvidence":
        """Take the words of each cue, and the positions of its atoms."""
        return cls(atoms, cues, max((len(words) for words in cues), default=0))

    @property
    def digest(self) -> str:
        """Identify the cues."""
        return digest_of(["cues", self.atoms, [[*words, *places] for words, places in self.cues.items()]])

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return whether a cue occurs, and how many (at most three)."""
        hits = np.zeros((len(texts), self.atoms))
        for row, text in enumerate(texts):
            for sentence in sentences_of(text):
                for atom in self._hits(_words(sentence)):
                    hits[row, atom] += 1
        return np.stack([np.minimum(hits, 1), np.minimum(hits, MOST_HITS)])

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        return frozenset(words[0] for words in self.cues)

    def _hits(self, words: list[str]) -> list[int]:
        found: list[int] = []
        for start, first in enumerate(words):
            if first not in self._beginnings:
                continue
            for end in range(start + 1, min(start + self.longest, len(words)) + 1):
                places = self.cues.get(tuple(words[start:end]))
                if places and not denied(words, start):
                    found.extend(places)
        return found


def denied(words: Sequence[str], start: int) -> bool:
    """Tell whether a negation stands shortly before the word at ``start``.

    >>> denied("there was no long wait".split(), 3), denied("a long wait and no smile".split(), 1)
    (True, False)
    """
    before = words[max(0, start - REACH) : start]
    return any(word in NEGATIONS or word.endswith("n't") for word in before)


def _words(text: str) -> list[str]:
    return [word.replace("’", "'") for word in CUE_WORD.findall(text.lower())]
