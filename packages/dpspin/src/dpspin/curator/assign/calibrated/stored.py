"""How each source of evidence is stored: a model for its words, and arrays for its numbers.

One more kind of source is one more class here with ``pack`` and ``unpack``, named in ``StoredSource`` and in ``KINDS``.
"""

from typing import Annotated, Any, Final, Literal, Self

import numpy as np
from pydantic import Field

from dpspin.boundary.model_base import FrozenModel
from dpspin.curator.assign.calibrated.cues import CueEvidence
from dpspin.curator.assign.calibrated.embedders import installed
from dpspin.curator.assign.calibrated.embeddings import Embedder, EmbeddingVectors
from dpspin.curator.assign.calibrated.evidence import Evidence
from dpspin.curator.assign.calibrated.examples import ExampleEvidence
from dpspin.curator.assign.calibrated.linear import Linear, TermVectors
from dpspin.curator.assign.calibrated.taught import ClassEvidence, TaughtEvidence
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.sealed_arrays import Arrays
from dpspin.errors import RequestError

FARTHEST: Final = 2.0**30  # no fitted number is larger; larger ones could overflow to scores that are no numbers


class StoredCues(FrozenModel):
    """Cue phrases and the positions of their atoms."""

    kind: Literal["cues"] = "cues"
    atoms: int = Field(ge=1)
    cues: tuple[tuple[tuple[str, ...], tuple[int, ...]], ...]

    @classmethod
    def pack(cls, source: CueEvidence) -> tuple[Self, Arrays]:
        """Cues are words only."""
        return cls(atoms=source.atoms, cues=tuple(source.cues.items())), {}

    def unpack(self, arrays: Arrays, atoms: int) -> CueEvidence:
        """Return the source for a dictionary of so many atoms."""
        del arrays
        cues = dict(self.cues)
        places = [place for found in cues.values() for place in found]
        if self.atoms != atoms or not all(0 <= place < atoms for place in places):
            raise ValueError("a cue names an atom outside the dictionary")
        return CueEvidence.of_phrases(self.atoms, cues)


class StoredTerms(FrozenModel):
    """The vocabulary of a linear classifier; its numbers are ``idf``, ``coefficients`` and ``offsets``."""

    analyzer: Literal["sentence", "record"]
    terms: tuple[str, ...] = Field(min_length=1)

    @classmethod
    def pack(cls, vectors: TermVectors, model: Linear) -> tuple[Self, Arrays]:
        """Separate words from numbers."""
        arrays = {"idf": vectors.idf, "coefficients": model.coefficients, "offsets": model.offsets}
        return cls.model_validate({"analyzer": vectors.analyzer, "terms": vectors.terms}), arrays

    def unpack(self, arrays: Arrays, classes: int) -> tuple[TermVectors, Linear]:
        """Return vocabulary and classifier."""
        terms = len(self.terms)
        if len(set(self.terms)) != terms:
            raise ValueError("a term occurs twice")
        idf = numbers(arrays, "idf", (terms,))
        model = Linear(numbers(arrays, "coefficients", (terms, classes)), numbers(arrays, "offsets", (classes,)))
        return TermVectors(self.analyzer, self.terms, idf), model


class StoredExamples(FrozenModel):
    """A sentence classifier."""

    kind: Literal["examples"] = "examples"
    words: StoredTerms
    skips_courtesy: bool
    tells_themes: bool

    @classmethod
    def pack(cls, source: ExampleEvidence) -> "tuple[StoredExamples | StoredEmbedding, Arrays]":
        """Separate words from numbers; over an embedding there are no words."""
        if isinstance(source.vectors, EmbeddingVectors):
            return StoredEmbedding.pack(source, source.vectors.embedder)
        if not isinstance(source.vectors, TermVectors):
            raise RequestError("a map over vectors of an unknown kind cannot be saved")
        words, arrays = StoredTerms.pack(source.vectors, source.model)
        return cls(words=words, skips_courtesy=source.skips_courtesy, tells_themes=source.tells_themes), arrays

    def unpack(self, arrays: Arrays, atoms: int) -> ExampleEvidence:
        """Return the source for a dictionary of so many atoms."""
        vectors, model = self.words.unpack(arrays, atoms + self.tells_themes)
        return ExampleEvidence(vectors, model, self.skips_courtesy, self.tells_themes)


class StoredEmbedding(FrozenModel):
    """A sentence classifier over an embedding model, which is named here and must be installed where it is used."""

    kind: Literal["embedding"] = "embedding"
    embedder: Literal["static", "minilm"]
    model_digest: str
    skips_courtesy: bool
    tells_themes: bool

    @classmethod
    def pack(cls, source: ExampleEvidence, embedder: Embedder) -> tuple[Self, Arrays]:
        """Keep the numbers, and name the model."""
        named = {
            "embedder": embedder.name,
            "model_digest": embedder.digest,
            "skips_courtesy": source.skips_courtesy,
            "tells_themes": source.tells_themes,
        }
        arrays = {"coefficients": source.model.coefficients, "offsets": source.model.offsets}
        return cls.model_validate(named), arrays

    def unpack(self, arrays: Arrays, atoms: int) -> ExampleEvidence:
        """Return the source, with the same model from this machine."""
        embedder = installed(self.embedder)
        if embedder.digest != self.model_digest:
            raise ValueError("the embedding model on this machine is another one")
        vectors = EmbeddingVectors.of(embedder, ("",))
        width, classes = len(vectors.known[""]), atoms + self.tells_themes
        model = Linear(numbers(arrays, "coefficients", (width, classes)), numbers(arrays, "offsets", (classes,)))
        return ExampleEvidence(vectors, model, self.skips_courtesy, self.tells_themes, f"embedding {self.embedder}")


class StoredTaught(FrozenModel):
    """A classifier of whole records."""

    kind: Literal["taught"] = "taught"
    words: StoredTerms

    @classmethod
    def pack(cls, source: TaughtEvidence) -> tuple[Self, Arrays]:
        """Separate words from numbers."""
        words, arrays = StoredTerms.pack(source.vectors, source.model)
        return cls(words=words), arrays

    def unpack(self, arrays: Arrays, atoms: int) -> TaughtEvidence:
        """Return the source for a dictionary of so many atoms."""
        return TaughtEvidence(*self.words.unpack(arrays, atoms))


class StoredClasses(FrozenModel):
    """A classifier of whole records with one class more than atoms: none of these."""

    kind: Literal["classes"] = "classes"
    teacher: StoredTaught

    @classmethod
    def pack(cls, source: ClassEvidence) -> tuple[Self, Arrays]:
        """Separate words from numbers."""
        teacher, arrays = StoredTaught.pack(source.teacher)
        return cls(teacher=teacher), arrays

    def unpack(self, arrays: Arrays, atoms: int) -> ClassEvidence:
        """Return the source for a dictionary of so many atoms."""
        return ClassEvidence(self.teacher.unpack(arrays, atoms + 1))


StoredSource = Annotated[
    StoredCues | StoredExamples | StoredEmbedding | StoredTaught | StoredClasses, Field(discriminator="kind")
]
KINDS: Final[dict[type[Evidence], Any]] = {
    CueEvidence: StoredCues,
    ExampleEvidence: StoredExamples,
    TaughtEvidence: StoredTaught,
    ClassEvidence: StoredClasses,
}


def numbers(arrays: Arrays, name: str, shape: tuple[int, ...]) -> Floats:
    """Return an array of ordinary numbers of the given shape, or refuse."""
    array = arrays[name]
    if array.shape != shape or array.dtype != np.float64 or not (np.abs(array) <= FARTHEST).all():
        raise ValueError(f"{name} has another shape, or holds what is no number")
    return array
