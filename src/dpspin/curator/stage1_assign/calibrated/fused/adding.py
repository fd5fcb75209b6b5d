"""Log odds from the rows and terms of each sentence. Sums are integers: any order gives the same.

Rows are added as if each term occurred once; terms that occur again in a sentence, or in a record, are put right
afterwards. Only the root, the division and the last addition round, as in ``scoring.score``.
"""

# ruff: noqa: PLR0917  plain arguments cost nothing

from typing import Final

import numpy as np

from dpspin.curator.stage1_assign.calibrated.fused.layout import Block, Floats, Hits, Sums, Weights
from dpspin.curator.stage1_assign.scorers.fused.compiled import compiled, part
from dpspin.curator.stage1_assign.scorers.fused.layout import Signed, Whole

U = np.uint64
ONE: Final = 65536


@compiled
def add_up(block: Block, rows: int, hits: Hits, weights: Weights, sums: Sums, odds: Floats) -> None:
    """Write the log odds of each row: of its best sentence and of the whole, or of the whole alone."""
    classes, sentence, first_row, first_term, base = U(len(weights.offsets)), U(0), U(0), U(0), U(0)
    for row in range(U(rows)):
        judged, squares, seen = 0, np.int64(0), U(0)
        sums.of_record[:] = 0
        odds[base : base + classes] = weights.nothing
        while sentence < U(block.row_sentences[row]):
            last_row, last_term = U(hits.row_ends[sentence]), U(hits.term_ends[sentence])
            if hits.judged[sentence]:
                mine = add_rows(hits, first_row, last_row, weights, sums)
                again, seen = put_right(hits, first_term, last_term, weights, sums, seen)
                keep_best(sums.of_sentence, mine * ONE + again, weights.offsets, odds, base)
                judged, squares = judged + 1, squares + mine
            sentence, first_row, first_term = sentence + U(1), last_row, last_term
        squares = squares * ONE + put_record_right(seen, weights, sums)
        mix(sums.of_record, squares, weights.offsets, weights.whole, judged > 0, odds, base)
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
def add_rows(hits: Hits, first: Whole, last: Whole, weights: Weights, sums: Sums) -> Whole:
    """Add rows of weights to a sentence and to its record; return the sum of their squares."""
    rows, table, squares = hits.rows, weights.rows, weights.squares
    of_sentence, of_record = sums.of_sentence, sums.of_record
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
def put_right(hits: Hits, first: Whole, last: Whole, weights: Weights, sums: Sums, seen: Whole) -> tuple[Whole, Whole]:
    """Correct the sums of a sentence for terms that occur again; return the same for squares, and the terms seen."""
    terms, counts, totals, listed = hits.terms, sums.counts, sums.totals, sums.seen
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
                again += correct(term, count, weights, sums.of_sentence)
    return again, seen


@part
def put_record_right(seen: Whole, weights: Weights, sums: Sums) -> Whole:
    """Correct the sums of a record, and forget its terms."""
    listed, totals, of_record, again = sums.seen, sums.totals, sums.of_record, np.int64(0)
    for a in range(U(len(of_record))):
        of_record[a] *= ONE
    for k in range(seen):
        term = U(listed[k])
        count = totals[term]
        totals[term] = 0
        if count > 1:
            again += correct(term, count, weights, of_record)
    return again


@part
def correct(term: Whole, count: Whole, weights: Weights, sums: Signed) -> Whole:
    """Add what sublinear counting takes away; return the same for the square."""
    table, classes = weights.rows, U(len(sums))
    factor, start = weights.frequencies[count] - count * ONE, term * classes
    for a in range(classes):
        sums[a] += factor * table[start + a]
    return (weights.squared_frequencies[count] - count * ONE) * weights.squares[term]
