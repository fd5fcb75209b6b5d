"""The paper's map: similarity of a record and each atom's text, top K, normalised; TF-IDF cosine is our reading."""

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal, Protocol, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pydantic import Field
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import FrozenModel, digest_of
from dpspin.boundary.report_card import ReportCard
from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.array_file import Arrays
from dpspin.curator.assign.contribution import Contributions, top_k
from dpspin.curator.assign.kernels import can_compile
from dpspin.curator.assign.map_trust import ours
from dpspin.curator.assign.sentence_terms import counter, telling
from dpspin.curator.assign.term_classifier import smooth_idf
from dpspin.curator.records.cells import LONGEST_TEXT
from dpspin.errors import DictionaryError, RequestError

Mapped = Callable[[pa.StringArray], Contributions]


def fastest(
    terms: Sequence[str], weights: "csr_array[np.int64]", atoms_per_record: int | None, reference: Mapped
) -> Mapped:
    """Return the compiled map where numba is installed, else the reference: the output is the same."""
    if not can_compile():
        return reference
    from dpspin.curator.assign.kernels.paper_scorer import FusedScorer  # noqa: PLC0415  loads the compiler
    from dpspin.curator.assign.kernels.paper_tables import tables_of  # noqa: PLC0415

    return FusedScorer(tables_of(terms, weights), weights.shape[1], atoms_per_record, reference)


NOMINAL_DOCUMENTS: Final = 100_000  # word frequencies are read as if from this many documents …
NOMINAL_WORDS: Final = 100  # … of this many words


class IdfSource(Protocol):
    """Where inverse document frequencies come from; never the protected records."""

    @property
    def description(self) -> str:
        """What the plan says about it."""
        ...

    def __call__(self, terms: Sequence[str], atom_texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the inverse document frequency of each term."""
        ...


class AuxiliaryIdf:
    """The paper's fit: document frequencies over auxiliary text and atom text, smoothed as scikit-learn does."""

    description = "auxiliary text and the themes' own words"

    def __init__(self, batches: Iterable[pa.StringArray]) -> None:
        self._batches = batches

    def __call__(self, terms: Sequence[str], atom_texts: Sequence[str]) -> NDArray[np.float64]:
        """Return ln((1+n)/(1+df)) + 1."""
        vectorizer = counter(terms)
        documents, frequency = 0, np.zeros(len(terms), np.int64)
        for texts in (*self._batches, pa.array(list(atom_texts), pa.string())):
            counts = vectorizer.transform(texts.to_pylist())
            documents += len(texts)
            frequency += np.bincount(counts.indices, minlength=len(terms))
        return smooth_idf(documents, frequency)


class PublicWordIdf:
    """Frequencies of English words from public corpora (the ``wordfreq`` package); no data of yours at all."""

    description = "public English word frequencies and the themes' own words"

    def __call__(self, terms: Sequence[str], atom_texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the inverse document frequency of each term; a word pair is as rare as its rarer word."""
        del atom_texts
        return np.array([max(_word_idf(word) for word in term.split(" ")) for term in terms])


def _word_idf(word: str) -> float:
    from wordfreq import word_frequency  # noqa: PLC0415  loads a word list

    in_a_document = -math.expm1(NOMINAL_WORDS * math.log1p(-word_frequency(word, "en")))
    return float(smooth_idf(NOMINAL_DOCUMENTS, np.array(NOMINAL_DOCUMENTS * in_a_document)))


HEAVIEST: Final = 2**63 // LONGEST_TEXT  # a record has fewer n-grams than characters, so no score can overflow
SCORE_BITS = 40  # scores are compared after rounding weights to 2^-40: the same on every machine


@ours
@dataclass(frozen=True)
class NgramMap:
    """Score(record, atom) = Σ_terms tf · idf · a, with a the atom's unit TF-IDF vector: the cosine, up to a factor.

    Top-K and normalisation cancel the record's own length, so only terms of some atom matter, and weights can be
    integers: scores are then exact and independent of the order of summation.
    """

    terms: tuple[str, ...] = field(repr=False)
    weights: "csr_array[np.int64]" = field(repr=False)  # (terms, atoms)
    fitted_on: str
    atoms_per_record: int | None
    universe_digest: str
    card: ReportCard | None = field(default=None, repr=False)

    @classmethod
    def fit(cls, universe: AtomUniverse, idf: IdfSource, atoms_per_record: int | None = 3) -> "NgramMap":
        """Fit on public or auxiliary text only; the protected records play no part."""
        if atoms_per_record is not None and atoms_per_record < 1:
            raise RequestError("a record must be allowed at least one atom (`records.map.atoms_per_record`)")
        texts = [telling(atom).text for atom in universe.atoms]
        vectorizer = counter()
        try:
            counts = vectorizer.fit_transform(texts)
        except ValueError:
            raise DictionaryError("the dictionary's labels hold no words that could be matched") from None
        terms = tuple(str(term) for term in vectorizer.get_feature_names_out())
        return cls(terms, _weights(counts, idf(terms, texts)), idf.description, atoms_per_record, universe.digest)

    @cached_property
    def _counter(self) -> CountVectorizer:
        return counter(self.terms)

    @cached_property
    def statement(self) -> MapStatement:
        """Name, source, digest and report card of the fitted map."""
        arrays = (self.weights.indptr, self.weights.indices, self.weights.data)
        content = [hashlib.sha256(array.astype(np.int64).tobytes()).hexdigest() for array in arrays]
        return MapStatement(
            name="ngram",
            fitted_on=self.fitted_on,
            atoms_per_record=self.atoms_per_record,
            digest=digest_of(
                [
                    self.terms,
                    content,
                    self.weights.shape,
                    self.fitted_on,
                    self.atoms_per_record,
                    self.universe_digest,
                    self.card.model_dump(mode="json") if self.card else None,
                ]
            ),
            learned_from_auxiliary=self.fitted_on == AuxiliaryIdf.description,
            card=self.card,
        )

    @cached_property
    def _map(self) -> Mapped:
        return fastest(self.terms, self.weights, self.atoms_per_record, self.reference)

    def __call__(self, texts: pa.StringArray) -> Contributions:
        """Map a batch of texts, by the compiled kernel where there is one."""
        return self._map(texts)

    def reference(self, texts: pa.StringArray) -> Contributions:
        """Map a batch of texts by scikit-learn: the definition, to which the kernel is equal bit for bit."""
        counts = csr_array(self._counter.transform(texts.to_pylist()))
        return top_k(counts @ self.weights, self.atoms_per_record)


class StoredNgramMap(FrozenModel):
    """The paper's map in a file: everything but the weights, which are ``indptr``, ``indices`` and ``data``."""

    format: Literal["dpspin-ngram-map/1"] = "dpspin-ngram-map/1"
    statement: MapStatement
    universe_digest: str
    atoms: int = Field(ge=1)
    terms: tuple[str, ...]

    @classmethod
    def pack(cls, fitted: NgramMap) -> tuple[Self, Arrays]:
        """Separate words from numbers."""
        weights = fitted.weights
        arrays: Arrays = {"indptr": weights.indptr, "indices": weights.indices, "data": weights.data}
        stored = cls(
            statement=fitted.statement,
            universe_digest=fitted.universe_digest,
            atoms=weights.shape[1],
            terms=fitted.terms,
        )
        return stored, {name: array.astype(np.int64) for name, array in arrays.items()}

    def unpack(self, arrays: Arrays) -> NgramMap:
        """Return the map, or raise ValueError where the numbers are none of a map."""
        data = arrays["data"]
        weights = csr_array((data, arrays["indices"], arrays["indptr"]), shape=(len(self.terms), self.atoms))
        weights.check_format(full_check=True)
        if data.dtype != np.int64 or ((data > HEAVIEST) | (data < -HEAVIEST)).any():
            raise ValueError("the weights are no small integers")
        stated = self.statement
        return NgramMap(
            self.terms, weights, stated.fitted_on, stated.atoms_per_record, self.universe_digest, stated.card
        )


def _weights(counts: "csr_array[np.int64]", idf: np.ndarray) -> "csr_array[np.int64]":
    vectors = csr_array(counts.astype(np.float64).multiply(idf))  # (atoms, terms)
    norms = np.sqrt(vectors.multiply(vectors).sum(axis=1))
    unit = vectors.multiply(1 / np.where(norms > 0, norms, 1)[:, None])
    weights = csr_array(unit.multiply(idf)).T.tocsr()
    weights.data = np.rint(np.ldexp(weights.data, SCORE_BITS)).astype(np.int64)
    weights.sort_indices()
    return weights
