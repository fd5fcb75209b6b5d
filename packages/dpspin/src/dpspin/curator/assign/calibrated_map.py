"""A calibrated map: evidence, calibration, allocation. It answers "none of these"."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
import pyarrow as pa

from dpspin.boundary.model_base import digest_of
from dpspin.boundary.report_card import ReportCard
from dpspin.boundary.statement import MapStatement
from dpspin.curator.assign.contribution import ContributionMap, Contributions, Floats, joined
from dpspin.curator.assign.deal_out_mass import Allocation, Calibration, allocate
from dpspin.curator.assign.evidence_sources import Evidence, Flags, Scores, silent_rows, stacked
from dpspin.curator.assign.familiar_words import RULE as FAMILIAR
from dpspin.curator.assign.familiar_words import familiar
from dpspin.curator.assign.kernels import can_compile
from dpspin.curator.assign.labelled_texts import ClassEvidence, TaughtEvidence
from dpspin.curator.assign.map_trust import ours
from dpspin.curator.assign.usable_cores import usable_cores
from dpspin.errors import RequestError
from dpspin.text.languages import RULE, in_other_languages

Scored = Callable[[pa.StringArray], Scores]


def fastest(sources: tuple[Evidence, ...]) -> Scored:
    """Return the compiled stages where numba is installed and knows all sources, else the sources: the same scores."""
    if not can_compile():
        return partial(by_reference, sources)
    from dpspin.curator.assign.kernels.sentence_scorer import (  # noqa: PLC0415  loads the compiler
        FusedLayers,
        compiled_layers,
    )

    compiled = compiled_layers(sources)
    return partial(by_reference, sources) if compiled is None else FusedLayers(sources, compiled)


def by_reference(sources: tuple[Evidence, ...], texts: pa.StringArray) -> Scores:
    """Return the scores as the sources compute them; a null is scored like an empty text."""
    words = [text or "" for text in texts.to_pylist()]
    return Scores(stacked(sources, words), familiar(sources, words))


AT_ONCE = 2000  # records scored together: bounds the memory of a batch; with fewer, making room takes longer


@dataclass(frozen=True, slots=True)
class Lessons:
    """The labelled texts that taught a map, and the weights it gives them held out; of copies the last one's.

    The weights are cut to the map's K, so they belong to a map of that K alone.
    """

    row_of: Mapping[str, int] = field(repr=False)
    weights: Floats = field(repr=False)
    atoms_per_record: int | None


@ours
@dataclass(frozen=True)
class CalibratedMap:
    """Each readable record has mass one: on the atoms it seems to express, the rest on "none of these".

    A record in another language than ``languages``, where any are stated, has all its mass on "not read". With
    ``by_familiar_words`` the language is asked for only where the map does not know most of the words. That is a fixed
    function of the record alone, so the bounds on which the proof rests stay.
    """

    name: str
    fitted_on: str
    universe_digest: str
    sources: tuple[Evidence, ...] = field(repr=False)
    calibration: Calibration
    allocation: Allocation
    atoms_per_record: int | None
    size: int  # of the dictionary
    card: ReportCard | None = field(repr=False)
    trusts: str = ""
    languages: tuple[str, ...] = ()  # empty: it takes every text for readable
    by_familiar_words: bool = False  # maps of before ask for the language of every text
    lessons: Lessons | None = field(default=None, repr=False, compare=False)  # of a fresh fit; no file keeps them
    threads: int = field(default_factory=usable_cores, repr=False)

    def __post_init__(self) -> None:
        if self.atoms_per_record is not None and self.atoms_per_record < 1:
            raise RequestError("a record must be allowed at least one atom (`records.map.atoms_per_record`)")
        if self.lessons is not None and self.lessons.atoms_per_record != self.atoms_per_record:
            raise RequestError(
                "its lessons are of another number of atoms per record: fit the map again, or leave them out"
            )

    @property
    def called(self) -> tuple[object, ...]:
        """What reads the records for it."""
        return self.sources

    def __getstate__(self) -> dict[str, object]:
        """Keep the texts that taught the map out of pickles, as they are kept out of its files."""
        return {**vars(self), "lessons": None}

    @cached_property
    def statement(self) -> MapStatement:
        """Name, source, digest and report card of the fitted map."""
        parts = [source.digest for source in self.sources]
        return MapStatement(
            name=self.name,
            fitted_on=self.fitted_on,
            atoms_per_record=self.atoms_per_record,
            digest=digest_of(
                [
                    self.name,
                    self.universe_digest,
                    parts,
                    self.calibration.digest,
                    repr(self.allocation),
                    self.atoms_per_record,
                    self.fitted_on,
                    self.trusts,
                    self.card.model_dump(mode="json") if self.card else None,
                    *([[*self.languages, *self._language_rules]] if self.languages else []),
                ]
            ),
            answers_none=True,
            learned_from_auxiliary=any(isinstance(one, TaughtEvidence | ClassEvidence) for one in self.sources),
            trusts=self.trusts,
            card=self.card,
            languages=self.languages,
        )

    @property
    def _language_rules(self) -> tuple[str, ...]:
        return (RULE, FAMILIAR) if self.by_familiar_words else (RULE,)

    def weights(self, texts: Sequence[str]) -> Floats:
        """Return the weights of a few texts over the atoms and "none of these"."""
        return self._allocated(stacked(self.sources, texts))

    def __call__(self, texts: pa.StringArray) -> Contributions:
        """Map a batch of texts; a null text contributes nothing, neither to "none of these" nor to "not read"."""
        return self._contributions(texts, self._fastest)

    def reference(self, texts: pa.StringArray) -> Contributions:
        """Map a batch by the sources themselves: slower, and the same output bit for bit."""
        return self._contributions(texts, partial(by_reference, self.sources))

    @cached_property
    def _fastest(self) -> Scored:
        return fastest(self.sources)

    def _contributions(self, texts: pa.StringArray, scored: Scored) -> Contributions:
        if len(texts) <= AT_ONCE:  # a thread takes longer to start than a few records to map
            return self._of_some(texts, scored)
        rounds = -(-len(texts) // (AT_ONCE * self.threads))
        size = -(-len(texts) // (rounds * self.threads))  # so that all threads end at about the same time
        chunks = [texts.slice(start, size) for start in range(0, len(texts), size)]
        with ThreadPoolExecutor(self.threads) as pool:
            return joined(list(pool.map(partial(self._of_some, scored=scored), chunks)))

    def _of_some(self, texts: pa.StringArray, scored: Scored) -> Contributions:
        """Map some records. Another thread may run compiled code while this one deals out masses."""
        layers, known = scored(texts)
        rows = self._allocated(layers)
        rows[np.asarray(texts.is_null())] = 0.0
        return contributions_of(self.beside_not_read(rows, texts, known), self.atoms_per_record)

    def beside_not_read(self, weights: Floats, texts: pa.StringArray, known: Flags) -> Floats:
        """Where languages are stated, add the coordinate "not read"; ``known`` texts are of familiar words."""
        asked = ~known if self.by_familiar_words else np.ones(len(texts), dtype=bool)
        return beside_not_read(weights, texts, self.languages, asked)

    @cached_property
    def _of_empty(self) -> Floats:
        return stacked(self.sources, [""])

    def _allocated(self, layers: Floats) -> Floats:
        """Deal out each record's mass; of a record that no source knows a word of, all of it to "none of these"."""
        weights = allocate(self.calibration(layers), self.allocation, self.atoms_per_record)
        weights[silent_rows(layers, self._of_empty)] = np.append(np.zeros(self.size), 1.0)
        return weights


def beside_not_read(weights: Floats, texts: pa.StringArray, languages: Sequence[str], asked: Flags) -> Floats:
    """Where languages are stated, add the coordinate "not read": the whole of a text in any other, and nothing else.

    Only of the texts that are ``asked`` about is the language told; the others are read.

    >>> texts = pa.array(["Where is my refund?", "Wo bleibt meine Rückerstattung?"])
    >>> beside_not_read(np.array([[0.75, 0.25], [0.5, 0.5]]), texts, ("en",), np.array([True, True])).tolist()
    [[0.75, 0.25, 0.0], [0.0, 0.0, 1.0]]
    """
    if not languages:
        return weights
    foreign = np.zeros(len(texts), dtype=bool)
    foreign[asked] = in_other_languages(texts.filter(pa.array(asked)).to_pylist(), languages)
    return np.column_stack([np.where(foreign[:, None], 0.0, weights), foreign])


def contributions_of(weights: Floats, atoms_per_record: int | None) -> Contributions:
    """Return the weights of records over the atoms and what comes beside the K atoms.

    >>> contributions_of(np.array([[0.5, 0.0, 0.25], [0.0, 0.0, 1.0]]), 1).atoms
    array([0, 2, 2])
    """
    records, classes = np.nonzero(weights)
    offsets = np.append(0, np.cumsum(np.bincount(records, minlength=len(weights)))).astype(np.int64)
    most = None if atoms_per_record is None else atoms_per_record + 1
    return Contributions.from_weights(
        offsets, classes, weights[records, classes], universe_size=weights.shape[1], atoms_per_record=most
    )


@ours
@dataclass(frozen=True, slots=True)
class HeldOut:
    """Give each text that taught a map what the map gives it held out; other texts are mapped as ever."""

    fitted: CalibratedMap
    lessons: Lessons = field(repr=False)

    @property
    def called(self) -> tuple[object, ...]:
        """What reads the records for it."""
        return (self.fitted,)

    @property
    def statement(self) -> MapStatement:
        """State the map itself: it is the same question that is asked."""
        return self.fitted.statement

    def __call__(self, texts: pa.StringArray) -> Contributions:
        """Map a batch of texts; a null text contributes nothing."""
        words = [text or "" for text in texts.to_pylist()]
        taught = np.array([text in self.lessons.row_of for text in words], dtype=bool)
        weights = np.zeros((len(words), self.fitted.size + 1))
        weights[taught] = self.lessons.weights[[self.lessons.row_of[words[place]] for place in np.flatnonzero(taught)]]
        if not taught.all():
            weights[~taught] = self.fitted.weights([words[place] for place in np.flatnonzero(~taught)])
        weights[np.asarray(texts.is_null())] = 0.0
        known = familiar(self.fitted.sources, words)
        return contributions_of(self.fitted.beside_not_read(weights, texts, known), self.fitted.atoms_per_record)


def as_if_new(mapping: ContributionMap) -> ContributionMap:
    """Return a map that knows no text by heart, for shares that are compared with those of new text.

    A map gives the texts that taught it their labels back. Protected records are new to it, so that beside shares by
    heart every one of its errors on the records would pass for news.
    """
    if isinstance(mapping, CalibratedMap) and mapping.lessons is not None:
        return HeldOut(mapping, mapping.lessons)
    return mapping
