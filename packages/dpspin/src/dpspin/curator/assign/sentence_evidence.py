"""A sentence classifier taught by the dictionary: its examples, its near misses, and sentences of no atom.

It judges by words, or by meaning: over the vectors of an embedding model. A record's weights must not depend on the
records beside it. So an embedder embeds each text by itself, and its numbers are rounded to a grid on which the
classifier's sums are exact in float64: the order in which a linear algebra library adds them, which varies with the
size of a batch, cannot change a bit.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from dpspin.boundary.model_base import digest_of
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.dictionary_sentences import DictionarySentences, Flags
from dpspin.curator.assign.evidence_sources import best_of_each
from dpspin.curator.assign.map_trust import ours
from dpspin.curator.assign.sentence_terms import flattened, is_courtesy
from dpspin.curator.assign.term_classifier import Lesson, Linear, Rows, Scorer, TermVectors, Vectors, fit_linear

STRENGTH = 30.0  # inverse regularisation: sentences are short, and each counts
WHOLE = 0.3  # the whole record counts for this part, its best sentence for the rest
# Unit vectors in steps of 2^-15 times coefficients in steps of 2^-20 are whole numbers of 2^-35; no sum that occurs is
# above the length of the coefficients (Cauchy-Schwarz). Up to a length of 2^18 they fit into float64's 53 bits.
STEP = 2.0**-15


class Embedder(Protocol):
    """A fixed model of language that runs on this machine."""

    @property
    def name(self) -> str:
        """What users call it."""
        ...

    @property
    def digest(self) -> str:
        """Identify the model by its files."""
        ...

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return one row of length one per text (zeros if there is nothing to read); each text by itself."""
        ...


@ours
@dataclass(frozen=True)
class EmbeddingVectors:
    """The vectors of an embedder, on the grid; those of the dictionary's own texts are known beforehand."""

    embedder: Embedder
    known: Mapping[str, Floats] = field(repr=False)

    @classmethod
    def of(cls, embedder: Embedder, texts: Sequence[str]) -> "EmbeddingVectors":
        """Embed public texts once: every fold of a fit needs them again."""
        return cls(embedder, dict(zip(texts, on_unit_grid(embedder(texts)), strict=True)))

    @property
    def called(self) -> tuple[object, ...]:
        """What reads the records for it."""
        return (self.embedder,)

    @property
    def digest(self) -> str:
        """Name the model."""
        return self.embedder.digest

    def parts(self, texts: Sequence[str]) -> Floats:
        """Return one row per text; a text that occurs twice is embedded once."""
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        found = dict(zip(new, on_unit_grid(self.embedder(new)), strict=True)) if new else {}
        width = len(next(iter(self.known.values())))
        rows: Floats = np.array([self.known[text] if text in self.known else found[text] for text in texts])
        return rows.reshape(len(texts), width)

    def scaled(self, rows: Rows) -> Floats:
        """Scale each row to length one, on the grid."""
        dense: Floats = np.ascontiguousarray(rows.toarray() if issparse(rows) else rows)
        return on_unit_grid(unit_rows(dense))


def unit_rows(rows: Floats) -> Floats:
    """Scale each row to length one; a row of zeros stays.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    scaled: Floats = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled


def on_unit_grid(rows: Floats) -> Floats:
    """Round to whole steps.

    >>> on_unit_grid(np.array([0.6])) / STEP
    array([19661.])
    """
    rounded: Floats = np.rint(rows / STEP) * STEP
    return rounded


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
        sentences: DictionarySentences,
        rows: Flags | None = None,
        vectors: "EmbeddingVectors | None" = None,
        fit: Callable[[Rows, Sequence[Lesson], float], Linear] = fit_linear,
    ) -> "ExampleEvidence":
        """Fit on the dictionary, or on some rows of it (to test on the others); over words unless told otherwise."""
        rows = np.ones(len(sentences.texts), dtype=bool) if rows is None else rows
        lessons = [*sentences.lessons(rows), *([sentences.theme_lesson(rows)] if sentences.tells_themes else [])]
        features = sentences.learned.rows if vectors is None else vectors.scaled(vectors.parts(sentences.texts))
        model = fit(features, lessons, STRENGTH)
        layer = "examples" if vectors is None else f"embedding {vectors.embedder.name}"
        meant = sentences.example & sentences.expresses.any(axis=1)
        courtesy_is_a_theme = any(is_courtesy(text) for text, one in zip(sentences.texts, meant, strict=True) if one)
        return cls(vectors or sentences.learned.vectors, model, not courtesy_is_a_theme, sentences.tells_themes, layer)

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
            return cast("Callable[[Rows], Floats]", Scorer.of(self.vectors, self.model))
        return self._by_meaning

    def _by_meaning(self, parts: Rows) -> Floats:
        return self.model(self.vectors.scaled(parts))

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
