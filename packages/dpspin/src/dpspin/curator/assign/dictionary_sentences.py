"""All sentences of a dictionary as lessons, and records composed of them: something to learn and to calibrate on."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.sentence_terms import telling
from dpspin.curator.assign.term_classifier import Lesson
from dpspin.curator.assign.term_counts import Learned, TermCounts

NEAR_MISS = 0.3  # a near miss weighs this part of an example
FEWEST_BACKGROUND = 6  # sentences of no atom: with fewer, nothing can be learned and tested about them
STEP = 7919  # a prime: walks through the sentences in an order that looks like no order, the same everywhere
EVERY_SECOND_THEME = 4  # one record in so many has two themes
EVERY_BACKGROUND = 8  # and for so many records there is one without any
PADDING = (1, 0, 2, 1, 3)  # sentences of no theme in a record
Flags = NDArray[np.bool_]


@dataclass(slots=True)
class _Said:
    """What the dictionary says of one text."""

    expresses: set[int] = field(default_factory=set)
    near_miss: set[int] = field(default_factory=set)
    is_example: bool = False


def _said(universe: AtomUniverse) -> dict[str, _Said]:
    says: dict[str, _Said] = defaultdict(_Said)
    for place, atom in enumerate(map(telling, universe.atoms)):
        for text in filter(None, (atom.label, atom.description, *atom.cues)):
            says[text].expresses.add(place)
        for text in atom.examples:
            says[text].expresses.add(place)
            says[text].is_example = True
        for text in atom.counter_examples:
            says[text].near_miss.add(place)
    return says


@dataclass(frozen=True)
class DictionarySentences:
    """All sentences of a dictionary, and what each of them says about each atom."""

    texts: tuple[str, ...] = field(repr=False)
    expresses: Flags = field(repr=False)  # (texts, atoms)
    near_miss: Flags = field(repr=False)  # (texts, atoms): these words, but not this atom
    background: Flags = field(repr=False)  # expresses no atom at all
    example: Flags = field(repr=False)  # a whole sentence, as people write it
    tells_themes: bool  # also teaches how sentences of any atom differ from those of none
    fewest: int = 1  # sentences that a term must be in

    @classmethod
    def of(cls, universe: AtomUniverse) -> "DictionarySentences":
        """Collect labels, descriptions, cues, examples, counter-examples and background of a dictionary."""
        says = _said(universe)
        background = [text for text in dict.fromkeys(universe.background) if text not in says]
        texts = (*says, *background)
        blank = np.zeros((len(texts), universe.size), dtype=bool)
        expresses, near_miss, example = blank.copy(), blank.copy(), np.zeros(len(texts), dtype=bool)
        for row, said in enumerate(says.values()):
            expresses[row, sorted(said.expresses)] = True
            near_miss[row, sorted(said.near_miss)] = True
            example[row] = said.is_example
        of_none = np.arange(len(texts)) >= len(says)
        return cls(texts, expresses, near_miss, of_none, example | of_none, len(background) >= FEWEST_BACKGROUND)

    @cached_property
    def learned(self) -> Learned:
        """The terms of all sentences, and all sentences as rows over these: every fold of a fit learns from some."""
        return TermCounts.of(self.texts, "sentence").learned(fewest=self.fewest)

    def leaving_out(self, part: int, parts: int) -> "DictionarySentences":
        """Return the sentences as a dictionary sees them that does not name one part of the atoms: of no theme at all.

        So a dictionary learns how texts sound that are of its subject and of none of its themes. One that says so
        itself names all its atoms, and so does one that has too few of them.
        """
        atoms = self.expresses.shape[1]
        if self.tells_themes or atoms < parts:
            return self
        named = self.expresses & (np.arange(atoms) % parts != part)
        unnamed: Flags = np.asarray(self.expresses.any(axis=1) & ~named.any(axis=1))
        return replace(self, expresses=named, background=self.background | unnamed)

    def theme_lesson(self, rows: Flags) -> Lesson:
        """Return what "any theme" learns from the given rows: sentences of atoms and of none weigh the same in total.

        Near misses teach nothing here: they may express a theme that the dictionary does not name.
        """
        themes: Flags = np.asarray(self.expresses.any(axis=1))
        used = rows & (themes | self.background)
        weights = np.zeros(len(self.texts))
        for part in (themes, self.background):
            weights[part] = 1 / max(1, int((part & rows).sum()))
        return Lesson(used, themes, weights * used.sum() / 2)

    def lessons(self, rows: Flags) -> list[Lesson]:
        """Return what each atom learns from the given rows.

        Its own sentences, those of other atoms and those of none weigh the same in total. A near miss teaches its own
        atom only: what it does express is not said.
        """
        return [self._lesson(place, rows) for place in range(self.expresses.shape[1])]

    def _lesson(self, place: int, rows: Flags) -> Lesson:
        mine = self.expresses[:, place] & ~self.near_miss[:, place]
        near = self.near_miss[:, place]
        others = self.expresses.any(axis=1) & ~mine & ~near
        weights = np.zeros(len(self.texts))
        for part in (mine, others, self.background):
            weights[part] = 1 / max(1, int((part & rows).sum()))
        weights[near] = NEAR_MISS / max(1, int((mine & rows).sum()))
        used = rows & (mine | near | others | self.background)
        return Lesson(used, mine, weights * used.sum() / 3)


@dataclass(frozen=True)
class Composed:
    """Texts as people write them: a theme or two among sentences of no theme."""

    texts: tuple[str, ...] = field(repr=False)
    shares: Floats = field(repr=False)  # over the atoms and "none of these"


def compose(sentences: DictionarySentences, rows: Sequence[int], every_background: int = EVERY_BACKGROUND) -> Composed:
    """Compose records from the given sentences of the dictionary, each example once as the first theme."""
    themes = [row for row in rows if sentences.example[row] and not sentences.background[row]]
    fillers = [row for row in rows if sentences.background[row]]
    records = [_record(place, themes, fillers) for place in range(len(themes))]
    if fillers:
        records += [_walk(fillers, place, 1 + place % 3) for place in range(0, len(themes), every_background)]
    texts = tuple(" ".join(_as_sentence(sentences.texts[row]) for row in record) for record in records)
    return Composed(texts, np.array([_shares(sentences, record) for record in records]))


def _record(place: int, themes: Sequence[int], fillers: Sequence[int]) -> list[int]:
    chosen = [themes[place]]
    if place % EVERY_SECOND_THEME == 0:
        chosen += _walk(themes, place + 1, 1)
    return chosen + _walk(fillers, place, PADDING[place % len(PADDING)])


def _walk(rows: Sequence[int], start: int, count: int) -> list[int]:
    return [rows[(start + step) * STEP % len(rows)] for step in range(count)] if rows else []


def _as_sentence(text: str) -> str:
    return text if text[-1:] in ".!?" else f"{text}."


def _shares(sentences: DictionarySentences, record: Sequence[int]) -> Floats:
    flags = sentences.expresses[list(record)].any(axis=0).astype(np.float64)
    total = flags.sum()
    return np.append(flags / total, 0.0) if total else np.append(flags, 1.0)
