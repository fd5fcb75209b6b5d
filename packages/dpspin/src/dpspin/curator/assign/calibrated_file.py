"""A calibrated map in a file: a model for the words of each source of evidence, and arrays for its numbers.

The file holds the fitted numbers and the vocabulary, and no text of a record. A vocabulary learned from auxiliary text
carries words and word pairs of it (those of at least two texts), so the file is as public as that text. One more kind
of source is one more class here with ``pack`` and ``unpack``, named in ``StoredSource`` and in ``STORED_AS``.
"""

from typing import Annotated, Any, Final, Literal, Self

import numpy as np
from pydantic import Field

from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.software import SOFTWARE
from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.array_file import Arrays
from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.deal_out_mass import Allocation, Calibration, Competing, Exclusive, Expressed
from dpspin.curator.assign.domain_evidence import DomainEvidence
from dpspin.curator.assign.embedders import installed
from dpspin.curator.assign.evidence_sources import CueEvidence, Evidence
from dpspin.curator.assign.labelled_texts import ClassEvidence, TaughtEvidence
from dpspin.curator.assign.name_evidence import WHOLE, NameEvidence
from dpspin.curator.assign.sentence_evidence import Embedder, EmbeddingVectors, ExampleEvidence
from dpspin.curator.assign.term_classifier import Linear, TermVectors
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


class StoredDomain(FrozenModel):
    """A classifier of whole records with one class: of the dictionary's domain."""

    kind: Literal["domain"] = "domain"
    teacher: StoredTaught

    @classmethod
    def pack(cls, source: DomainEvidence) -> tuple[Self, Arrays]:
        """Separate words from numbers."""
        teacher, arrays = StoredTaught.pack(source.teacher)
        return cls(teacher=teacher), arrays

    def unpack(self, arrays: Arrays, atoms: int) -> DomainEvidence:
        """Return the source for a dictionary of so many atoms."""
        return DomainEvidence(self.teacher.unpack(arrays, 1), atoms)


class StoredNames(FrozenModel):
    """Names of atoms: the atom of each, and the part of it that each stem makes up."""

    kind: Literal["names"] = "names"
    owners: tuple[int, ...]
    stems: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]

    @classmethod
    def pack(cls, source: NameEvidence) -> tuple[Self, Arrays]:
        """Names are words and whole numbers only."""
        return cls(owners=source.owners, stems=tuple(source.stems.items())), {}

    def unpack(self, arrays: Arrays, atoms: int) -> NameEvidence:
        """Return the source for a dictionary of so many atoms."""
        del arrays
        parts = [part for _, found in self.stems for part in found]
        if not all(0 <= owner < atoms for owner in self.owners):
            raise ValueError("a name belongs to an atom outside the dictionary")
        if not all(0 <= name < len(self.owners) and 0 <= part <= WHOLE for name, part in parts):
            raise ValueError("a stem is of no name, or more than the whole of one")
        return NameEvidence(self.owners, atoms, dict(self.stems))


StoredSource = Annotated[
    StoredCues | StoredNames | StoredExamples | StoredEmbedding | StoredTaught | StoredClasses | StoredDomain,
    Field(discriminator="kind"),
]
STORED_AS: Final[dict[type[Evidence], Any]] = {
    CueEvidence: StoredCues,
    NameEvidence: StoredNames,
    ExampleEvidence: StoredExamples,
    TaughtEvidence: StoredTaught,
    ClassEvidence: StoredClasses,
    DomainEvidence: StoredDomain,
}


def numbers(arrays: Arrays, name: str, shape: tuple[int, ...]) -> Floats:
    """Return an array of ordinary numbers of the given shape, or refuse."""
    array = arrays[name]
    if array.shape != shape or array.dtype != np.float64 or not (np.abs(array) <= FARTHEST).all():
        raise ValueError(f"{name} has another shape, or holds what is no number")
    return array


class StoredExpressed(FrozenModel):
    """Several atoms per record, above a threshold."""

    rule: Literal["expressed"] = "expressed"
    threshold: float = Field(ge=0, le=1)


class StoredRule(FrozenModel):
    """A rule without numbers."""

    rule: Literal["competing", "exclusive"]


class StoredCalibratedMap(FrozenModel):
    """A calibrated map in a file: everything but the numbers."""

    format: Literal["dpspin-calibrated-map/2"] = "dpspin-calibrated-map/2"
    software: str = SOFTWARE
    statement: MapStatement  # name, source, K, digest, report card
    universe_digest: str
    size: int = Field(ge=1)
    allocation: Annotated[StoredExpressed | StoredRule, Field(discriminator="rule")]
    sources: tuple[StoredSource, ...] = Field(min_length=1)
    by_familiar_words: bool = False  # files of before do not say so

    @classmethod
    def pack(cls, fitted: CalibratedMap) -> tuple[Self, Arrays]:
        """Separate words from numbers."""
        packed = [_packed(source) for source in fitted.sources]
        stored = cls(
            statement=fitted.statement,
            universe_digest=fitted.universe_digest,
            size=fitted.size,
            allocation=_stored_rule(fitted.allocation),
            sources=tuple(source for source, _ in packed),
            by_familiar_words=fitted.by_familiar_words,
        )
        arrays = {f"{place}.{name}": array for place, (_, own) in enumerate(packed) for name, array in own.items()}
        return stored, arrays | {"weights": fitted.calibration.weights, "offsets": fitted.calibration.offsets}

    def unpack(self, arrays: Arrays) -> CalibratedMap:
        """Return the map, or raise ValueError where its parts do not belong together."""
        allocation = _rule(self.allocation)
        classes = self.size + isinstance(allocation, Exclusive)  # exclusive classes include "none of these"
        sources = tuple(stored.unpack(_own(arrays, place), self.size) for place, stored in enumerate(self.sources))
        layers = sum(len(source.layers) for source in sources)
        loaded = CalibratedMap(
            name=self.statement.name,
            fitted_on=self.statement.fitted_on,
            universe_digest=self.universe_digest,
            sources=sources,
            calibration=Calibration(numbers(arrays, "weights", (layers,)), numbers(arrays, "offsets", (classes,))),
            allocation=allocation,
            atoms_per_record=self.statement.atoms_per_record,
            size=self.size,
            card=self.statement.card,
            trusts=self.statement.trusts,
            languages=self.statement.languages,
            by_familiar_words=self.by_familiar_words,
        )
        if loaded.weights([""]).shape != (1, self.size + 1):  # parts that do not fit show in the first text
            raise ValueError("the sources do not fit the allocation")
        return loaded


def _packed(source: Evidence) -> tuple[StoredSource, Arrays]:
    if type(source) not in STORED_AS:
        raise RequestError(f"a map with evidence of the kind {type(source).__name__} cannot be saved")
    stored: tuple[StoredSource, Arrays] = STORED_AS[type(source)].pack(source)
    return stored


def _own(arrays: Arrays, place: int) -> Arrays:
    prefix = f"{place}."
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def _stored_rule(allocation: Allocation) -> StoredExpressed | StoredRule:
    match allocation:
        case Expressed(threshold):
            return StoredExpressed(threshold=threshold)
        case Competing():
            return StoredRule(rule="competing")
        case Exclusive():
            return StoredRule(rule="exclusive")


def _rule(stored: StoredExpressed | StoredRule) -> Allocation:
    if isinstance(stored, StoredExpressed):
        return Expressed(stored.threshold)
    return Competing() if stored.rule == "competing" else Exclusive()
