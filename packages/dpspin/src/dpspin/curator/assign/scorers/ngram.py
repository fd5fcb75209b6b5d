"""The paper's map: TF-IDF cosine between a record and each atom's text, top K, normalised."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import CountVectorizer

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.report_card import ReportCard
from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.contribution import Contributions
from dpspin.curator.assign.ours import ours
from dpspin.curator.assign.scorers.fused import Mapped, fastest
from dpspin.curator.assign.scorers.fused.artifact import Header, read_map, write_map
from dpspin.curator.assign.scorers.idf import AuxiliaryIdf, IdfSource
from dpspin.curator.assign.scorers.tokens import counter, telling
from dpspin.curator.assign.topk import top_k
from dpspin.errors import DictionaryError, RequestError, SourceError

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

    def save(self, path: Path) -> None:
        """Write the fitted map to one file (.npz), to be scored from anywhere."""
        about = Header(
            statement=self.statement,
            universe_digest=self.universe_digest,
            atoms=self.weights.shape[1],
            terms=self.terms,
        )
        write_map(path, about, self.weights)

    @classmethod
    def load(cls, path: Path) -> "NgramMap":
        """Read a map that ``save`` wrote, and check its digest again."""
        about, weights = read_map(path)
        stated = about.statement
        loaded = cls(
            about.terms, weights, stated.fitted_on, stated.atoms_per_record, about.universe_digest, stated.card
        )
        if loaded.statement != stated:
            raise SourceError(f"{path.name} does not hold the map that its digest names; fit the map again and save it")
        return loaded

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


def _weights(counts: "csr_array[np.int64]", idf: np.ndarray) -> "csr_array[np.int64]":
    vectors = csr_array(counts.astype(np.float64).multiply(idf))  # (atoms, terms)
    norms = np.sqrt(vectors.multiply(vectors).sum(axis=1))
    unit = vectors.multiply(1 / np.where(norms > 0, norms, 1)[:, None])
    weights = csr_array(unit.multiply(idf)).T.tocsr()
    weights.data = np.rint(np.ldexp(weights.data, SCORE_BITS)).astype(np.int64)
    weights.sort_indices()
    return weights
