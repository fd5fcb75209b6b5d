"""The compiled stages behind the sources' own signature, with the reference for what only Python should read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpspin.curator.assign.calibrated.cues import MOST_HITS, CueEvidence
from dpspin.curator.assign.calibrated.evidence import Evidence, stacked
from dpspin.curator.assign.calibrated.examples import ExampleEvidence, as_layers
from dpspin.curator.assign.calibrated.fused.adding import add_up
from dpspin.curator.assign.calibrated.fused.layout import Block, Hits, Sums
from dpspin.curator.assign.calibrated.fused.reading import read
from dpspin.curator.assign.calibrated.fused.recognising import recognise
from dpspin.curator.assign.calibrated.fused.tables import (
    Compiled,
    classes_of_characters,
    compile_records,
    compile_sentences,
)
from dpspin.curator.assign.calibrated.linear import TermVectors
from dpspin.curator.assign.calibrated.taught import ClassEvidence, TaughtEvidence, log_chance
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.scorers.fused.layout import Batch
from dpspin.curator.records.cells import LONGEST_TEXT

Layered = Callable[[Batch], tuple[Floats, NDArray[np.bool_]]]  # layers, and the rows that could not be read


@dataclass(frozen=True, slots=True)
class FusedLayers:
    """The layers of all sources, as the sources return them, bit for bit."""

    sources: tuple[Evidence, ...] = field(repr=False)
    compiled: tuple[Layered, ...] = field(repr=False)

    def __call__(self, texts: pa.StringArray) -> Floats:
        """Score a batch; a null is scored like an empty text."""
        column = texts.cast(pa.large_string())
        batch = Batch.of(column)
        found = [layered(batch) for layered in self.compiled]
        layers = np.concatenate([part for part, _ in found])
        odd = np.flatnonzero(np.any([unreadable for _, unreadable in found], axis=0))
        if len(odd):
            layers[:, odd] = stacked(self.sources, column.take(pa.array(odd)).to_pylist())
        return layers


def compiled_layers(sources: Sequence[Evidence]) -> tuple[Layered, ...] | None:
    """Return compiled functions for the sources that the fits make; None if there is another."""
    match list(sources):
        case [CueEvidence(atoms) as cues, ExampleEvidence(TermVectors()) as examples, *others] if (
            atoms == examples.atoms
        ):
            rest = compiled_layers(others)
            return None if rest is None else (Sentences(compile_sentences(cues, examples), atoms), *rest)
        case [TaughtEvidence() as taught]:
            return (Records(compile_records(taught)),)
        case [ClassEvidence(teacher)]:
            return (Records(compile_records(teacher), in_log_chances=True),)
        case []:
            return ()
        case _:
            return None


@dataclass(frozen=True, slots=True)
class Sentences:
    """Layers of cues and of the sentence classifier, which may have a class more than there are atoms."""

    compiled: Compiled = field(repr=False)
    atoms: int

    def __call__(self, batch: Batch) -> tuple[Floats, NDArray[np.bool_]]:
        """Score a batch."""
        hits, odds, unreadable = _scores(self.compiled, batch)
        cues = hits[:, : self.atoms]
        counted = np.stack([np.minimum(cues, 1), np.minimum(cues, MOST_HITS)])
        return np.concatenate([counted, as_layers(odds, self.atoms)]), unreadable


@dataclass(frozen=True, slots=True)
class Records:
    """The layer of a classifier of whole records."""

    compiled: Compiled = field(repr=False)
    in_log_chances: bool = False

    def __call__(self, batch: Batch) -> tuple[Floats, NDArray[np.bool_]]:
        """Score a batch."""
        _, odds, unreadable = _scores(self.compiled, batch)
        return (log_chance(odds) if self.in_log_chances else odds)[None], unreadable


def _scores(compiled: Compiled, batch: Batch) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return the cues and log odds of each row, block by block."""
    tables, weights = compiled.tables, compiled.weights
    rows, classes = len(batch.present), tables.classes
    block = Block.room(rows, min(batch.longest, LONGEST_TEXT))
    hits, sums = Hits.room(block), Sums.room(len(weights.squares), classes)
    cues, odds, row = np.zeros(rows * classes, np.int32), np.zeros(rows * classes), 0
    while row < rows:
        end = read(batch, row, LONGEST_TEXT, classes_of_characters(), compiled.most_sentences, block)
        span = slice(row * classes, end * classes)
        recognise(block, end - row, tables, hits, cues[span])
        add_up(block, end - row, hits, weights, sums, odds[span])
        row = end
    return cues.reshape(rows, classes).astype(np.float64), odds.reshape(rows, classes), block.unreadable
