"""A sentence classifier taught by the dictionary: its examples, its near misses, and sentences of no atom."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import digest_of
from dpspin.curator.assign.calibrated.evidence import best_of_each
from dpspin.curator.assign.calibrated.linear import (
    Lesson,
    Linear,
    Rows,
    TermVectors,
    Vectors,
    fit_linear,
)
from dpspin.curator.assign.calibrated.scoring import Scorer
from dpspin.curator.assign.calibrated.sentences import flattened, is_courtesy
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.ours import ours
from dpspin.curator.assign.scorers.tokens import telling

STRENGTH = 30.0  # inverse regularisation: sentences are short, and each counts
NEAR_MISS = 0.3  # a near miss weighs this part of an example
WHOLE = 0.3  # the whole record counts for this part, its best sentence for the rest
FEWEST_BACKGROUND = 6  # sentences of no atom: with fewer, nothing can be learned and tested about them
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
class Schoolbook:
    """All sentences of a dictionary, and what each of them says about each atom."""

    texts: tuple[str, ...] = field(repr=False)
    expresses: Flags = field(repr=False)  # (texts, atoms)
    near_miss: Flags = field(repr=False)  # (texts, atoms): these words, but not this atom
    background: Flags = field(repr=False)  # expresses no atom at all
    example: Flags = field(repr=False)  # a whole sentence, as people write it
    tells_themes: bool  # also teaches how sentences of any atom differ from those of none

    @classmethod
    def of(cls, universe: AtomUniverse) -> "Schoolbook":
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
    def vectors(self) -> TermVectors:
        """The terms of all sentences."""
        return TermVectors.fit(self.texts, "sentence")

    @cached_property
    def rows(self) -> "csr_array[np.float64]":
        """All sentences as rows over these terms: every fold of a fit learns from some of them."""
        return self.vectors(self.texts)

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


@ours
@dataclass(frozen=True)
class ExampleEvidence:
    """Scores sentences by the dictionary's examples; a record counts by its best sentence and as a whole.

    One more column may tell whether a sentence has any theme. It learns from all examples at once, and so knows better
    than any atom what says nothing. It is a layer of its own, with the same number for all atoms of a record.
    """

    vectors: Vectors
    model: Linear
    skips_courtesy: bool
    tells_themes: bool = False  # the last column of the model
    layer: str = "examples"

    @classmethod
    def fit(
        cls,
        book: Schoolbook,
        rows: Flags | None = None,
        vectors: Vectors | None = None,
        *,
        strength: float = STRENGTH,
        layer: str = "examples",
    ) -> "ExampleEvidence":
        """Fit on the dictionary, or on some rows of it (to test on the others); over words unless told otherwise."""
        rows = np.ones(len(book.texts), dtype=bool) if rows is None else rows
        lessons = [*book.lessons(rows), *([book.theme_lesson(rows)] if book.tells_themes else [])]
        model = fit_linear(
            book.rows if vectors is None else vectors.scaled(vectors.parts(book.texts)), lessons, strength
        )
        meant = book.example & book.expresses.any(axis=1)
        courtesy_is_a_theme = any(is_courtesy(text) for text, one in zip(book.texts, meant, strict=True) if one)
        return cls(vectors or book.vectors, model, not courtesy_is_a_theme, book.tells_themes, layer)

    @property
    def called(self) -> tuple[object, ...]:
        """What reads the records for it."""
        return (self.vectors,)

    @property
    def layers(self) -> tuple[str, ...]:
        """Scores per atom and, where it is told, of any theme."""
        return (self.layer, f"{self.layer}, any theme") if self.tells_themes else (self.layer,)

    @property
    def atoms(self) -> int:
        """The size of the dictionary."""
        return len(self.model.offsets) - self.tells_themes

    @property
    def digest(self) -> str:
        """Identify the classifier."""
        return digest_of([*self.layers, self.vectors.digest, self.model.digest, self.skips_courtesy])

    @cached_property
    def score(self) -> Callable[[Rows], Floats]:
        """The classifier, ready to score parts: exact integers over terms, exact floats on the grid of an embedding."""
        if isinstance(self.vectors, TermVectors):
            scorer = Scorer.of(self.vectors, self.model)
            return lambda parts: scorer(cast("csr_array[np.int64]", parts))
        return lambda parts: self.model(self.vectors.scaled(parts))

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return the layers of log odds."""
        sentences, owners = self._judged(texts)
        parts = self.vectors.parts(sentences)
        best = best_of_each(self.score(parts), owners, len(texts))
        whole = self.score(_added(parts, owners, len(texts)))
        empty = np.bincount(owners, minlength=len(texts)) == 0
        return as_layers((1 - WHOLE) * best + WHOLE * np.where(empty[:, None], best, whole), self.atoms)

    def _judged(self, texts: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
        sentences, owners = flattened(texts)
        kept = [place for place, one in enumerate(sentences) if not (self.skips_courtesy and is_courtesy(one))]
        return [sentences[place] for place in kept], np.array([owners[place] for place in kept], dtype=np.int64)


def as_layers(scores: Floats, atoms: int) -> Floats:
    """Return the columns of the atoms as one layer, and one more column as a layer that is the same for all atoms.

    >>> as_layers(np.array([[1.0, 2.0, 9.0]]), atoms=2).tolist()
    [[[1.0, 2.0]], [[9.0, 9.0]]]
    """
    of_atoms, of_any = scores[:, :atoms], scores[:, atoms:]
    return np.stack([of_atoms, *(np.broadcast_to(column[:, None], of_atoms.shape) for column in of_any.T)])


def _added(parts: Rows, owners: NDArray[np.int64], records: int) -> Rows:
    """Add the rows of each record's sentences."""
    ones = np.ones(len(owners), np.int64)
    gather = csr_array((ones, (owners, np.arange(len(owners)))), shape=(records, len(owners)))
    return cast("Rows", gather @ parts)
