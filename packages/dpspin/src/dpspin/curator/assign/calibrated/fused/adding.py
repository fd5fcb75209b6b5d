"""Log odds from the rows and terms of each sentence. Sums are integers: any order gives the same.

Rows are added as if each term occurred once; terms that occur again in a sentence, or in a record, are put right
afterwards. Only the root, the division and the last addition round, as in ``scoring.score``.
"""

# ruff: noqa: PLR0917  plain arguments cost nothing

from typing import Final

import numpy as np

from dpspin.curator.assign.calibrated.fused.layout import Block, Floats, Hits, Short, Sums, Weights
from dpspin.curator.assign.scorers.fused.compiled import compiled, part
from dpspin.curator.assign.scorers.fused.layout import Signed, Whole

U = np.uint64
ONE: Final = 65536


@compiled
def add_up(block: Block, rows: int, hits: Hits, weights: Weights, sums: Sums, odds: Floats) -> None:
    """Write the log odds of each row: of its best sentence and of the whole, or of the whole alone."""
    of_sentence, of_record = sums.of_sentence, sums.of_record
    counts, totals, listed = sums.counts, sums.totals, sums.seen
    table, squares, offsets, terms = weights.rows, weights.squares, weights.offsets, hits.terms
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
                again, seen = put_right(
                    terms, first_term, last_term, counts, totals, listed, seen,
                    table, squares, tf, tf_squared, of_sentence,
                )  # fmt: skip
                keep_best(of_sentence, mine * ONE + again, offsets, odds, base)
            sentence, first_row, first_term = sentence + U(1), last_row, last_term
        for a in range(classes):
            of_record[a] *= ONE
        again = put_record_right(seen, listed, totals, table, squares, tf, tf_squared, of_record)
        mix(of_record, length * ONE + again, offsets, weights.whole, judged, odds, base)
        base += classes


@part
def keep_best(sums: Signed, squares: Whole, offsets: Floats, odds: Floats, base: Whole) -> None:
    """Keep the better log odds of each class, and forget the sums."""
    root = np.sqrt(np.float64(max(squares, np.int64(1))))
    for a in range(U(len(sums))):
        odds[base + a] = max(odds[base + a], np.float64(sums[a]) / ONE / root + offsets[a])
        sums[a] = 0


@part
def mix(
    sums: Signed, squares: Whole, offsets: Floats, whole: float, is_judged: Whole, odds: Floats, base: Whole
) -> None:
    """Mix the log odds of the best sentence with those of the whole, if there is any sentence."""
    root = np.sqrt(np.float64(max(squares, np.int64(1))))
    for a in range(U(len(sums))):
        best = odds[base + a]
        together = np.float64(sums[a]) / ONE / root + offsets[a] if is_judged else best
        odds[base + a] = (1.0 - whole) * best + whole * together


@part
def add_rows(
    rows: Short, first: Whole, last: Whole, table: Short, squares: Signed, of_sentence: Signed, of_record: Signed
) -> Whole:
    """Add rows of weights to a sentence and to its record; return the sum of their squares."""
    classes, total = U(len(of_sentence)), np.int64(0)
    for k in range(first, last):
        row = U(rows[k])
        start = row * classes
        total += squares[row]
        for a in range(classes):
            of_sentence[a] += table[start + a]
    for a in range(classes):
        of_record[a] += of_sentence[a]
        of_sentence[a] *= ONE
    return total


@part
def put_right(
    terms: Short, first: Whole, last: Whole, counts: Short, totals: Short, listed: Short, seen: Whole,
    table: Short, squares: Signed, tf: Signed, tf_squared: Signed, sums: Signed,
) -> tuple[Whole, Whole]:  # fmt: skip
    """Correct the sums of a sentence for terms that occur again; return the same for squares, and the terms seen."""
    again = np.int64(0)
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
            if count > 1:
                again += (tf_squared[count] - count * ONE) * squares[term]
                add_multiple(tf[count] - count * ONE, table, term, sums)
    return again, seen


@part
def put_record_right(
    seen: Whole, listed: Short, totals: Short,
    table: Short, squares: Signed, tf: Signed, tf_squared: Signed, sums: Signed,
) -> Whole:  # fmt: skip
    """Correct the sums of a record in the same way, and forget its terms."""
    again = np.int64(0)
    for k in range(seen):
        term = U(listed[k])
        count = totals[term]
        totals[term] = 0
        if count > 1:
            again += (tf_squared[count] - count * ONE) * squares[term]
            add_multiple(tf[count] - count * ONE, table, term, sums)
    return again


@part
def add_multiple(factor: Whole, table: Short, row: Whole, sums: Signed) -> None:
    """Add a multiple of a row of weights."""
    classes = U(len(sums))
    start = row * classes
    for a in range(classes):
        sums[a] += factor * table[start + a]
