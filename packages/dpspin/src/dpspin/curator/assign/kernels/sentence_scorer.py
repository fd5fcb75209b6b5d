"""Log odds from the rows and terms of each sentence, behind the sources' own signature.

Sums are integers: any order gives the same. Rows are added as if each term occurred once; terms that occur again in a
sentence, or in a record, are put right afterwards. Only the root, the division and the last addition round, as in
``term_classifier.score``. What only Python should read goes to the reference.
"""
# ruff: noqa: PLR0917  plain arguments cost nothing

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.domain_evidence import DomainEvidence, domain_layers
from dpspin.curator.assign.evidence_sources import (
    MOST_HITS,
    CueEvidence,
    Evidence,
    Flags,
    Scores,
    over_the_same_classes,
    stacked,
)
from dpspin.curator.assign.familiar_words import familiar, mostly_known
from dpspin.curator.assign.kernels.kernel_arrays import Batch, Signed, Whole, compiled, part
from dpspin.curator.assign.kernels.read_sentences import read
from dpspin.curator.assign.kernels.recognise_words import count_known, recognise
from dpspin.curator.assign.kernels.sentence_layout import Block, Hits, Short, Sums, Weights
from dpspin.curator.assign.kernels.sentence_tables import (
    Compiled,
    compile_records,
    compile_sentences,
)
from dpspin.curator.assign.labelled_texts import ClassEvidence, TaughtEvidence, log_chance
from dpspin.curator.assign.sentence_evidence import ExampleEvidence, as_layers
from dpspin.curator.assign.term_classifier import TermVectors
from dpspin.curator.records.cells import LONGEST_TEXT

U = np.uint64
ONE: Final = 65536


@compiled
def add_up(block: Block, rows: int, hits: Hits, weights: Weights, sums: Sums, odds: Floats) -> None:
    """Write the log odds of each row: of its best sentence and of the whole, or of the whole alone."""
    of_sentence, of_record, again, times = sums.of_sentence, sums.of_record, sums.again, sums.times
    table, squares, offsets = weights.rows, weights.squares, weights.offsets
    tf, tf_squared = weights.frequencies, weights.squared_frequencies
    classes, sentence, first_row, first_term, base = U(len(offsets)), U(0), U(0), U(0), U(0)
    for row in range(U(rows)):
        judged, length, seen = False, np.int64(0), U(0)
        of_record[:] = 0
        odds[base : base + classes] = weights.nothing
        while sentence < U(block.row_sentences[row]):
            last_row, last_term = U(hits.row_ends[sentence]), U(hits.term_ends[sentence])
            if hits.judged[sentence]:
                judged = True
                mine = add_rows(hits.rows, first_row, last_row, table, squares, of_sentence, of_record)
                length += mine
                repeated, seen = count_terms(
                    hits.terms, first_term, last_term, sums.counts, sums.totals, sums.seen, seen, again, times
                )
                more = put_right(again, times, repeated, table, squares, tf, tf_squared, of_sentence)
                keep_best(of_sentence, mine * ONE + more, offsets, odds, base)
            sentence, first_row, first_term = sentence + U(1), last_row, last_term
        of_record *= ONE
        repeated = count_record(sums.seen, seen, sums.totals, again, times)
        more = put_right(again, times, repeated, table, squares, tf, tf_squared, of_record)
        mix(of_record, length * ONE + more, offsets, weights.whole, judged, odds, base)
        base += classes


@part
def keep_best(sums: Signed, squares: Whole, offsets: Floats, odds: Floats, base: Whole) -> None:
    """Keep the better log odds of each class, and forget the sums."""
    root = np.sqrt(np.float64(max(squares, np.int64(1))))
    for a in range(U(len(offsets))):
        mine, best = np.float64(sums[a]) / ONE / root + offsets[a], odds[base + a]
        odds[base + a] = mine if mine > best else best  # noqa: FURB136  max() makes a branch of it
    sums[:] = 0


@part
def mix(
    sums: Signed, squares: Whole, offsets: Floats, whole: float, is_judged: Whole, odds: Floats, base: Whole
) -> None:
    """Mix the log odds of the best sentence with those of the whole, if there is any sentence."""
    root = np.sqrt(np.float64(max(squares, np.int64(1))))
    for a in range(U(len(offsets))):
        best = odds[base + a]
        together = np.float64(sums[a]) / ONE / root + offsets[a] if is_judged else best
        odds[base + a] = (1.0 - whole) * best + whole * together


@part
def add_rows(
    rows: Short, first: Whole, last: Whole, table: Short, squares: Signed, of_sentence: Signed, of_record: Signed
) -> Whole:
    """Add rows of weights to a sentence and to its record; return the sum of their squares."""
    width, total, k = U(len(of_sentence)), np.int64(0), first
    while k + U(4) <= last:
        one, two, three, four = U(rows[k]), U(rows[k + U(1)]), U(rows[k + U(2)]), U(rows[k + U(3)])
        total += squares[one] + squares[two] + squares[three] + squares[four]
        one, two, three, four = one * width, two * width, three * width, four * width
        for a in range(width):
            left = np.int64(table[one + a]) + np.int64(table[two + a])
            of_sentence[a] += left + np.int64(table[three + a]) + np.int64(table[four + a])
        k += U(4)
    while k < last:
        one = U(rows[k])
        total += squares[one]
        one *= width
        for a in range(width):
            of_sentence[a] += table[one + a]
        k += U(1)
    for a in range(width):
        of_record[a] += of_sentence[a]
        of_sentence[a] *= ONE
    return total


@part
def count_terms(
    terms: Short, first: Whole, last: Whole, counts: Short, totals: Short, listed: Short, seen: Whole,
    again: Short, times: Short,
) -> tuple[Whole, Whole]:  # fmt: skip
    """Write down the terms that occur again in a sentence; return how many, and how many its record has so far."""
    repeated = U(0)
    for k in range(first, last):
        counts[U(terms[k])] += 1
    for k in range(first, last):
        term = U(terms[k])
        count = counts[term]
        if count > 0:
            counts[term] = 0
            listed[seen] = term
            seen += U(totals[term] == 0)
            totals[term] += count
            again[repeated], times[repeated] = term, count
            repeated += U(count > 1)
    return repeated, seen


@part
def count_record(listed: Short, seen: Whole, totals: Short, again: Short, times: Short) -> Whole:
    """Write down the terms that occur again in a record, return how many, and forget its terms."""
    repeated = U(0)
    for k in range(seen):
        term = U(listed[k])
        again[repeated], times[repeated] = term, totals[term]
        repeated += U(totals[term] > 1)
        totals[term] = 0
    return repeated


@part
def put_right(
    again: Short, times: Short, repeated: Whole,
    table: Short, squares: Signed, tf: Signed, tf_squared: Signed, sums: Signed,
) -> Whole:  # fmt: skip
    """Correct sums for terms that occur again, four at a time; return the same for squares."""
    again[repeated : repeated + U(4)], times[repeated : repeated + U(4)] = 0, 1  # what occurs once needs nothing
    width, more = U(len(sums)), np.int64(0)
    for k in range(U(0), repeated, U(4)):
        for each in range(k, k + U(4)):
            more += (tf_squared[times[each]] - times[each] * ONE) * squares[U(again[each])]
        by_one, one = tf[times[k]] - times[k] * ONE, U(again[k]) * width
        by_two, two = tf[times[k + U(1)]] - times[k + U(1)] * ONE, U(again[k + U(1)]) * width
        by_three, three = tf[times[k + U(2)]] - times[k + U(2)] * ONE, U(again[k + U(2)]) * width
        by_four, four = tf[times[k + U(3)]] - times[k + U(3)] * ONE, U(again[k + U(3)]) * width
        for a in range(width):
            left = by_one * table[one + a] + by_two * table[two + a]
            sums[a] += left + by_three * table[three + a] + by_four * table[four + a]
    return more


class Found(NamedTuple):
    """What a source says of a batch; ``familiar`` where it learned from the dictionary's own sentences."""

    layers: Floats
    unreadable: Flags
    familiar: Flags | None = None


Layered = Callable[[Batch], Found]


@dataclass(frozen=True, slots=True)
class FusedLayers:
    """The scores of all sources, as the sources return them, bit for bit."""

    sources: tuple[Evidence, ...] = field(repr=False)
    compiled: tuple[Layered, ...] = field(repr=False)

    def __call__(self, texts: pa.StringArray) -> Scores:
        """Score a batch; a null is scored like an empty text."""
        column = texts.cast(pa.large_string())
        batch = Batch.of(column)
        found = [layered(batch) for layered in self.compiled]
        layers = over_the_same_classes([each.layers for each in found])
        known = next((each.familiar for each in found if each.familiar is not None), np.zeros(len(texts), dtype=bool))
        odd = np.flatnonzero(np.any([each.unreadable for each in found], axis=0))
        if len(odd):
            words = column.take(pa.array(odd)).to_pylist()
            layers[:, odd], known[odd] = stacked(self.sources, words), familiar(self.sources, words)
        return Scores(layers, known)


def compiled_layers(sources: Sequence[Evidence]) -> tuple[Layered, ...] | None:
    """Return compiled functions for the sources that the fits make; None if there is another."""
    match list(sources):
        case [CueEvidence(atoms) as cues, ExampleEvidence(TermVectors()) as examples, *others] if (
            atoms == examples.atoms
        ):
            rest = compiled_layers(others)
            return None if rest is None else (Sentences(compile_sentences(cues, examples), atoms), *rest)
        case [DomainEvidence(teacher, atoms)]:
            return (Domain(Records(compile_records(teacher)), atoms),)
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

    def __call__(self, batch: Batch) -> Found:
        """Score a batch."""
        found = _scores(self.compiled, batch)
        cues = found.cues[:, : self.atoms]
        counted = np.stack([np.minimum(cues, 1), np.minimum(cues, MOST_HITS)])
        layers = np.concatenate([counted, as_layers(found.odds, self.atoms)])
        return Found(layers, found.unreadable, mostly_known(found.words, found.known))


@dataclass(frozen=True, slots=True)
class Records:
    """The layer of a classifier of whole records."""

    compiled: Compiled = field(repr=False)
    in_log_chances: bool = False

    def __call__(self, batch: Batch) -> Found:
        """Score a batch."""
        found = _scores(self.compiled, batch)
        odds = log_chance(found.odds) if self.in_log_chances else found.odds
        return Found(odds[None], found.unreadable)


@dataclass(frozen=True, slots=True)
class Domain:
    """The layers of what is the same for all atoms of a record."""

    records: Records = field(repr=False)
    atoms: int

    def __call__(self, batch: Batch) -> Found:
        """Score a batch; a null is as short as an empty text."""
        odds, unreadable, _ = self.records(batch)
        sizes = np.where(batch.present, np.diff(batch.offsets), 0)
        return Found(domain_layers(odds[0], sizes, self.atoms), unreadable)


class Counted(NamedTuple):
    """The cues and log odds of each row, and its words."""

    cues: Floats
    odds: Floats
    words: Signed
    known: Signed
    unreadable: Flags


def _scores(compiled: Compiled, batch: Batch) -> Counted:
    """Read, recognise and add up, block by block."""
    tables, weights = compiled.tables, compiled.weights
    rows, classes = len(batch.present), tables.classes
    block = Block.room(rows, min(batch.longest, 2 * LONGEST_TEXT))
    hits, sums = Hits.room(block), Sums.room(weights)
    cues, odds, row = np.zeros(rows * classes, np.int32), np.zeros(rows * classes), 0
    words, known = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    while row < rows:
        end = read(batch, row, LONGEST_TEXT, compiled.alphabet.characters, compiled.most_sentences, block)
        span = slice(row * classes, end * classes)
        recognise(block, end - row, tables, hits, cues[span])
        if tables.by_sentence:
            count_known(block, end - row, tables, hits, words[row:end], known[row:end])
        add_up(block, end - row, hits, weights, sums, odds[span])
        row = end
    by_row = cues.reshape(rows, classes).astype(np.float64), odds.reshape(rows, classes)
    return Counted(*by_row, words, known, block.unreadable)
