"""Which map: one function from a recipe, a dictionary and auxiliary data to a fitted map, and its examination."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.crosswalk import Crosswalk
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.boundary.report_card import ReportCard
from dpspin.curator.assign.calibrated_fits import (
    fit_cues,
    fit_embedding,
    fit_hybrid,
    fit_names,
    fit_supervised,
    fit_taught,
)
from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.curator.assign.contribution import ContributionMap, Floats
from dpspin.curator.assign.dictionary_learners import Learner, embedding_learner, learn_from_words, learn_one_by_one
from dpspin.curator.assign.dictionary_sentences import DictionarySentences, compose
from dpspin.curator.assign.embedders import installed
from dpspin.curator.assign.evidence_sources import folds_of
from dpspin.curator.assign.familiar_words import knows_words
from dpspin.curator.assign.fit_cache import kept_or_fitted
from dpspin.curator.assign.grade_map import card_of
from dpspin.curator.assign.labelled_texts import LabelledTexts, read_labels
from dpspin.curator.assign.paper_map import AuxiliaryIdf, NgramMap, PublicWordIdf
from dpspin.curator.assign.sentence_evidence import Embedder
from dpspin.curator.records.columns import LABEL, TEACHER, TEXT
from dpspin.curator.records.corpus import ProtectedCorpus
from dpspin.errors import RequestError
from dpspin.text.languages import require_codes, spoken_in

PAPERS_K = 3  # atoms a record, where the paper's own map or a language model is told no other number


class MapKind(StrEnum):
    """The maps there are. ``hybrid`` takes the best that dictionary and auxiliary data allow."""

    HYBRID = "hybrid"
    PAPER = "paper"
    NAMES = "names"
    CUES = "cues"
    TAUGHT = "taught"
    SUPERVISED = "supervised"
    EMBEDDING = "embedding"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a map is to be fitted.

    ``atoms_per_record`` None is the map's own choice: three for the paper's map, no limit for calibrated ones, where
    a limit would only take away from what was measured. ``embedder`` adds evidence to ``hybrid`` and ``cues``.
    ``languages`` are codes such as ``en``; None is the languages of the dictionary and of labelled text, and an empty
    tuple takes every text for readable. The paper's map always does.
    """

    kind: MapKind = MapKind.HYBRID
    atoms_per_record: int | None = None
    embedder: Embedder | None = None
    languages: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.languages:
            object.__setattr__(self, "languages", require_codes(self.languages))
            if self.kind is MapKind.PAPER:
                raise RequestError("the paper's map takes every text for readable: leave `records.map.languages` out")
        if self.atoms_per_record is not None and self.atoms_per_record < 1:
            raise RequestError("a record must be allowed at least one atom (`records.map.atoms_per_record`)")
        if self.embedder is not None and self.kind not in EMBEDDING_KINDS:
            raise RequestError(
                "an embedding model goes with the maps hybrid, cues and embedding: leave `records.map.embedder` out"
            )

    @property
    def learners(self) -> tuple[Learner, ...]:
        """What learns from the dictionary's sentences."""
        more = () if self.embedder is None else (embedding_learner(self.embedder),)
        return (learn_one_by_one if self.kind is MapKind.CUES else learn_from_words, *more)


EMBEDDING_KINDS = frozenset((MapKind.HYBRID, MapKind.CUES, MapKind.EMBEDDING))


def fit_by_recipe(recipe: Recipe, universe: AtomUniverse, auxiliary: ProtectedCorpus | None) -> ContributionMap:
    """Fit a map on the dictionary and on auxiliary data; no protected record is read."""
    if auxiliary is None and recipe.embedder is None:
        return _fit_on_dictionary(recipe, universe)
    return _fit(recipe, universe, auxiliary)


@lru_cache(maxsize=4)
def _fit_on_dictionary(recipe: Recipe, universe: AtomUniverse) -> ContributionMap:
    """Remember the last ones: a large dictionary takes a minute, and every release asks for its map."""
    if recipe.kind is MapKind.EMBEDDING:  # its model is another input
        return _fit(recipe, universe, None)
    told = [recipe.kind, recipe.atoms_per_record, recipe.languages]
    return kept_or_fitted(universe, told, lambda: _fit(recipe, universe, None))


def _fit(recipe: Recipe, universe: AtomUniverse, auxiliary: ProtectedCorpus | None) -> ContributionMap:
    kind, most = recipe.kind, recipe.atoms_per_record
    labelled = _labelled(universe, auxiliary)
    if kind is MapKind.PAPER:
        return _paper(universe, auxiliary, labelled, PAPERS_K if most is None else most)
    if auxiliary is not None and (labelled is None or kind in {MapKind.NAMES, MapKind.CUES, MapKind.EMBEDDING}):
        raise RequestError(
            "auxiliary text teaches the maps hybrid, taught and supervised, where it is labelled "
            "(`records.auxiliary.label`); leave it out, or use `records.map: paper`, which takes word frequencies from "
            "it"
        )
    read = recipe.languages if recipe.languages is not None else languages_read(universe, labelled)
    fitted = _calibrated(recipe, universe, labelled)
    own = set(universe.languages)  # of the words that are familiar
    new_anyway = kind is MapKind.HYBRID  # other maps have kept their digests, and who paid for one is not charged again
    by_words = new_anyway and bool(own) and own <= set(read) and knows_words(fitted.sources)
    return replace(fitted, languages=read, by_familiar_words=by_words)


def _calibrated(recipe: Recipe, universe: AtomUniverse, labelled: LabelledTexts | None) -> CalibratedMap:
    most = recipe.atoms_per_record
    match recipe.kind:
        case MapKind.NAMES:
            by_names = fit_names(universe, most)
            return replace(by_names, card=examine(by_names, universe)) if universe.has_examples else by_names
        case MapKind.CUES:
            return fit_cues(universe, most, recipe.learners)
        case MapKind.EMBEDDING:
            return fit_embedding(universe, recipe.embedder or installed("static"), most)
        case MapKind.TAUGHT:
            return fit_taught(universe, _required(labelled), most)
        case MapKind.SUPERVISED:
            return fit_supervised(universe, _required(labelled), most)
        case MapKind.HYBRID | MapKind.PAPER:  # the paper's was fitted above
            return fit_hybrid(universe, labelled, most, recipe.learners)


def languages_read(universe: AtomUniverse, labelled: LabelledTexts | None) -> tuple[str, ...]:
    """Return the languages that a map can read: those of the sentences it learns from. Empty: they cannot be told."""
    taught = () if labelled is None else labelled.texts
    return tuple(sorted({*universe.languages, *spoken_in(taught)}))


def _paper(
    universe: AtomUniverse, auxiliary: ProtectedCorpus | None, labelled: LabelledTexts | None, most: int
) -> NgramMap:
    """Fit the paper's map; where labelled text gives it its word frequencies, no text is tested by its own."""

    def fit_on(texts: Sequence[str]) -> NgramMap:
        return NgramMap.fit(universe, AuxiliaryIdf([pa.array(texts, pa.large_string())]), most)

    batches = None if auxiliary is None else (batch.column(TEXT) for batch in auxiliary.batches())
    fitted = NgramMap.fit(universe, PublicWordIdf() if batches is None else AuxiliaryIdf(batches), most)
    card = examine(fitted, universe) if labelled is None else examine_in_parts(fit_on, universe, labelled)
    return replace(fitted, card=card)


def _labelled(universe: AtomUniverse, auxiliary: ProtectedCorpus | None) -> LabelledTexts | None:
    if auxiliary is None or auxiliary.columns.label is None:
        return None
    columns: dict[str, list[str | None]] = {TEXT: [], LABEL: [], TEACHER: []}
    for batch in auxiliary.batches():
        for name in columns.keys() & set(batch.schema.names):
            columns[name] += batch.column(name).to_pylist()
    renamed = auxiliary.columns.crosswalk or Crosswalk({})
    return read_labels(universe, columns[TEXT], map(renamed.cell, columns[LABEL]), columns[TEACHER])


def _required(labelled: LabelledTexts | None) -> LabelledTexts:
    if labelled is None:
        raise RequestError(
            "this map learns from labelled auxiliary text: give `records.auxiliary.source` and "
            "`records.auxiliary.label`, or use `records.map: hybrid`"
        )
    return labelled


PARTS = 5


def examine(contribution_map: ContributionMap, universe: AtomUniverse) -> ReportCard | None:
    """Measure a map on records composed of the dictionary's examples, where there are any."""
    sentences = DictionarySentences.of(universe)
    composed = compose(sentences, range(len(sentences.texts)))
    if not composed.texts:
        return None
    weights = _whole_weights(contribution_map, composed.texts, universe.size)
    what = f"{len(composed.texts):,} records composed of the dictionary's examples"
    return card_of(universe, weights, composed.shares, what, real_text=False)


def examine_in_parts(
    fit: Callable[[Sequence[str]], ContributionMap], universe: AtomUniverse, labelled: LabelledTexts
) -> ReportCard:
    """Measure a map on labelled auxiliary text, each part of it as a map answers that was fitted on the other parts."""
    fold = folds_of(len(labelled.texts), PARTS)
    weights = np.zeros(labelled.shares.shape)
    for held in range(PARTS):
        learn, test = ([labelled.texts[row] for row in np.flatnonzero(rows)] for rows in (fold != held, fold == held))
        weights[fold == held] = _whole_weights(fit(learn), test, universe.size)
    return card_of(universe, weights, labelled.shares, labelled.description, real_text=True)


def _whole_weights(contribution_map: ContributionMap, texts: Sequence[str], size: int) -> Floats:
    """Return the weights; "none of these" is what no atom got, also for a map that cannot say so."""
    weights = weights_of(contribution_map, texts, size)
    weights[:, -1] = np.maximum(1 - weights[:, :-1].sum(axis=1), 0.0)
    return weights


def weights_of(contribution_map: ContributionMap, texts: Sequence[str], size: int) -> Floats:
    """Return the map's weights over the atoms and "none of these" (zero for a map that cannot answer it)."""
    given = contribution_map(pa.array(texts, pa.large_string()))
    rows = np.zeros((len(texts), size + 1))
    rows[given.rows, given.atoms] = given.ticks / TICKS_PER_MASS
    return rows
