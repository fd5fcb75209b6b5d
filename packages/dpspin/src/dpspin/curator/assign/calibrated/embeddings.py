"""Sentences as meaning: the dictionary's examples are compared over the vectors of an embedding model.

A record's weights must not depend on the records beside it. So an embedder embeds each text by itself, and its numbers
are rounded to a grid on which the classifier's sums are exact in float64: the order in which a linear algebra library
adds them, which varies with the size of a batch, cannot change a bit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from scipy.sparse import issparse

from dpspin.curator.assign.calibrated.examples import ExampleEvidence, Flags, Schoolbook
from dpspin.curator.assign.calibrated.linear import Rows
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.ours import ours

# Unit vectors in steps of 2^-15 times coefficients in steps of 2^-20 are whole numbers of 2^-35; no sum that occurs is
# above the length of the coefficients (Cauchy-Schwarz). Up to a length of 2^18 they fit into float64's 53 bits.
STEP = 2.0**-15
STRENGTH = 30.0  # inverse regularisation


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
        return cls(embedder, dict(zip(texts, on_grid(embedder(texts)), strict=True)))

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
        found = dict(zip(new, on_grid(self.embedder(new)), strict=True)) if new else {}
        width = len(next(iter(self.known.values())))
        rows: Floats = np.array([self.known[text] if text in self.known else found[text] for text in texts])
        return rows.reshape(len(texts), width)

    def scaled(self, rows: Rows) -> Floats:
        """Scale each row to length one, on the grid."""
        dense: Floats = np.ascontiguousarray(rows.toarray() if issparse(rows) else rows)
        return on_grid(unit_rows(dense))


def unit_rows(rows: Floats) -> Floats:
    """Scale each row to length one; a row of zeros stays.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    scaled: Floats = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return scaled


def on_grid(rows: Floats) -> Floats:
    """Round to whole steps.

    >>> on_grid(np.array([0.6])) / STEP
    array([19661.])
    """
    rounded: Floats = np.rint(rows / STEP) * STEP
    return rounded


def embedding_evidence(book: Schoolbook, rows: Flags, vectors: EmbeddingVectors) -> ExampleEvidence:
    """Fit on the given rows of a dictionary: the lessons of the words, over vectors of meaning."""
    layer = f"embedding {vectors.embedder.name}"
    return ExampleEvidence.fit(book, rows, vectors, strength=STRENGTH, layer=layer)
