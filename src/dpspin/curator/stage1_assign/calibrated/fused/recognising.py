"""What the words of a sentence are: entries of the lexicon, cues, stems, pairs, and pieces of words nobody foresaw.

Compiled functions call nothing outside their file (see ``reading``). Every look-up compares the whole key, so that
nothing is taken for what it is not.
"""
# ruff: noqa: PLR0917  a tuple of arrays costs a reference count per array and call, a plain array nothing

from typing import Final

import numpy as np

from dpspin.curator.stage1_assign.calibrated.fused.layout import (
    COURTEOUS,
    LIGHT,
    NEGATES,
    STEM,
    Block,
    Hits,
    Short,
    Tables,
)
from dpspin.curator.stage1_assign.scorers.fused.compiled import compiled, part
from dpspin.curator.stage1_assign.scorers.fused.layout import Bytes, Longs, Signed, Whole

U = np.uint64
B = np.uint8

QUOTE: Final = B(ord("'"))
BLANK: Final = B(ord(" "))
SPREAD: Final = U(0x9E3779B97F4A7C15)


@compiled
def recognise(block: Block, rows: int, tables: Tables, hits: Hits, cue_hits: Short) -> None:
    """Write, sentence by sentence, the rows of weights to add and the terms to count; and count cues."""
    classes, token_words, entries, tokens = tables.classes, block.token_words, hits.entries, hits.tokens
    negated, by_sentence = hits.negated, tables.by_sentence
    sentence, token, row_end, term_end = U(0), U(0), U(0), U(0)
    for row in range(rows):
        while sentence < U(block.row_sentences[row]):
            last = U(block.sentence_tokens[sentence])
            first_word, last_word = U(token_words[token]), U(token_words[last])
            find_entries(block, first_word, last_word, tables, entries)
            is_skipped = False
            if by_sentence:
                name_tokens(block, token, last, tables, entries, tokens, negated)
                find_cues(token, last, tables, tokens, negated, cue_hits[row * classes : (row + 1) * classes])
                is_skipped = tables.skips_courtesy and is_courtesy(block, first_word, last_word, tables, entries)
            if not is_skipped:
                row_end, term_end = find_terms(block, first_word, last_word, tables, entries, hits, row_end, term_end)
            hits.judged[sentence] = not is_skipped
            hits.row_ends[sentence], hits.term_ends[sentence] = row_end, term_end
            sentence, token = sentence + U(1), last


@part
def find_entries(block: Block, first: Whole, last: Whole, tables: Tables, entries: Short) -> None:
    """Look the words up in the lexicon."""
    small, begins, ends = block.small, block.begins, block.ends
    numbers, shift, keys = tables.lexicon.numbers, tables.lexicon.shift, tables.lexicon.keys
    pool, starts = tables.pool, tables.pool_starts
    for w in range(first, last):
        begin = U(begins[w])
        entries[w] = entry_of(small, begin, U(ends[w]) - begin, numbers, shift, keys, pool, starts)


@part
def name_tokens(
    block: Block, first: Whole, last: Whole, tables: Tables, entries: Short, tokens: Short, negated: Whole
) -> None:
    """Give each token its entry: that of its word, or of its words with the apostrophes between them."""
    small, begins, ends, token_words, flags = block.small, block.begins, block.ends, block.token_words, tables.flags
    for token in range(first, last):
        word, after = U(token_words[token]), U(token_words[token + U(1)])
        begin, end, entry = U(begins[word]), U(ends[after - U(1)]), entries[word]
        if after > word + U(1):
            slots = tables.lexicon
            entry = entry_of(
                small, begin, end - begin, slots.numbers, slots.shift, slots.keys, tables.pool, tables.pool_starts
            )
        tokens[token] = entry
        ends_so = small[end - U(1)] == B(ord("t")) and end - begin > U(2) and small[end - U(2)] == QUOTE
        negated[token] = (ends_so and small[end - U(3)] == B(ord("n"))) or (
            entry >= 0 and (flags[U(entry)] & B(NEGATES)) != 0
        )


@part
def find_cues(first: Whole, last: Whole, tables: Tables, tokens: Short, negated: Whole, cue_hits: Short) -> None:
    """Count the cues that begin at each word, unless a negation stands shortly before."""
    roots, starts, atoms = tables.cue_roots, tables.node_starts, tables.node_atoms
    numbers, shift, keys = tables.nodes.numbers, tables.nodes.shift, tables.nodes.keys
    allowed_from = first
    for start in range(first, last):
        entry = tokens[start]
        node = roots[U(entry)] if entry >= 0 and start >= allowed_from else np.int32(-1)
        at = start + U(1)
        while node >= 0:
            for k in range(U(starts[U(node)]), U(starts[U(node) + U(1)])):
                cue_hits[U(atoms[k])] += 1
            if at >= last or tokens[at] < 0:
                break
            node = number_of(U(node) << U(32) | U(tokens[at]), numbers, shift, keys)
            at += U(1)
        if negated[start]:
            allowed_from = start + U(tables.reach) + U(1)


@part
def is_courtesy(block: Block, first: Whole, last: Whole, tables: Tables, entries: Short) -> Whole:
    """Whether all runs of letters are words of courtesy; one with an apostrophe never is."""
    small, flags, slots = block.small, tables.flags, tables.lexicon
    for w in range(first, last):
        if entries[w] >= 0 and (flags[U(entries[w])] & B(COURTEOUS)) != 0:
            continue
        i, end = U(block.begins[w]), U(block.ends[w])
        while i < end:
            begin = i
            while i < end and B(small[i] - B(97)) < B(26):
                i += U(1)
            if i > begin:
                run = entry_of(
                    small, begin, i - begin, slots.numbers, slots.shift, slots.keys, tables.pool, tables.pool_starts
                )
                if run < 0 or (flags[U(run)] & B(COURTEOUS)) == 0 or (i < end and small[i] == QUOTE):
                    return False
            i += U(1)
    return True


@part
def find_terms(
    block: Block, first: Whole, last: Whole, tables: Tables, entries: Short, hits: Hits,
    row_end: Whole, term_end: Whole,
) -> tuple[Whole, Whole]:  # fmt: skip
    """Write the terms of each word, and of each pair of neighbours; the terms of a light entry share one row."""
    rows, terms, flags, stems = hits.rows, hits.terms, tables.flags, tables.stems
    parts, part_starts, pair_terms = tables.parts, tables.part_starts, tables.pair_terms
    numbers, shift, keys = tables.pairs.numbers, tables.pairs.shift, tables.pairs.keys
    before, stem_before = np.int32(-1), np.int32(-1)
    for w in range(first, last):
        entry, stem, start = entries[w], np.int32(-1), term_end
        is_light = False
        if entry >= 0:
            stem, is_light = stems[U(entry)], (flags[U(entry)] & B(LIGHT)) != 0
            for k in range(U(part_starts[U(entry)]), U(part_starts[U(entry) + U(1)])):
                terms[term_end] = parts[k]
                term_end += U(1)
        elif tables.by_sentence:
            stem, term_end = find_parts(block.small, U(block.begins[w]), U(block.ends[w]), tables, hits, term_end)
        if is_light:
            rows[row_end] = tables.first_entry + entry
            row_end, start = row_end + U(1), term_end
        term_end = find_pair(before, entry, U(0), numbers, shift, keys, pair_terms, terms, term_end)
        term_end = find_pair(stem_before, stem, U(1) << U(63), numbers, shift, keys, pair_terms, terms, term_end)
        for k in range(start, term_end):
            rows[row_end] = terms[k]
            row_end += U(1)
        before, stem_before = entry, stem
    return row_end, term_end


@part
def find_pair(
    one: Whole, two: Whole, kind: Whole, numbers: Short, shift: Whole, keys: Longs, pair_terms: Short,
    terms: Short, term_end: Whole,
) -> Whole:  # fmt: skip
    """Write the term of two neighbours, if both are known and it is one."""
    if one >= 0 and two >= 0:
        pair = number_of(kind | U(one) << U(32) | U(two), numbers, shift, keys)
        if pair >= 0:
            terms[term_end] = pair_terms[U(pair)]
            term_end += U(1)
    return term_end


@part
def find_parts(
    small: Bytes, begin: Whole, end: Whole, tables: Tables, hits: Hits, term_end: Whole
) -> tuple[Whole, Whole]:
    """Write the stem and the pieces of a word that is in no example."""
    spaced, terms, short_terms = hits.spaced, hits.terms, tables.short_terms
    numbers, shift, keys = tables.shorts.numbers, tables.shorts.shift, tables.shorts.keys
    size = end - begin
    stem_size = size
    for e in range(U(len(tables.endings))):
        cut = U(tables.ending_sizes[e])
        if size >= cut + U(tables.shortest_stem) and packed(small, end - cut, cut) == tables.endings[e]:
            stem_size = size - cut
            break
    key = packed(small, begin, min(stem_size, U(tables.longest_stem))) | U(STEM) << U(56)
    stem = number_of(key, numbers, shift, keys)
    if stem >= 0 and short_terms[U(stem)] >= 0:
        terms[term_end] = short_terms[U(stem)]
        term_end += U(1)
    spaced[0] = BLANK
    for i in range(size):
        spaced[U(1) + i] = small[begin + i]
    spaced[U(1) + size] = BLANK
    for start in range(size):
        for length in range(U(3), min(U(5), size + U(2) - start) + U(1)):
            piece = number_of(packed(spaced, start, length) | length << U(56), numbers, shift, keys)
            if piece >= 0:
                terms[term_end] = short_terms[U(piece)]
                term_end += U(1)
    return stem, term_end


@part
def entry_of(
    small: Bytes, begin: Whole, size: Whole,
    numbers: Short, shift: Whole, keys: Longs, pool: Bytes, starts: Signed,
) -> Whole:  # fmt: skip
    """Return the number of a word in the lexicon, compared byte by byte, or -1."""
    key = packed(small, begin, min(size, U(8)))
    slot = mixed(key ^ size * SPREAD) >> shift
    while numbers[slot] >= 0:
        entry = U(numbers[slot])
        start = U(starts[entry])
        if keys[entry] == key and U(starts[entry + U(1)]) - start == size:
            at = U(8)
            while at < size and pool[start + at] == small[begin + at]:
                at += U(1)
            if at >= size:
                return np.int32(entry)
        slot = (slot + U(1)) & U(len(numbers) - 1)
    return np.int32(-1)


@part
def number_of(key: Whole, numbers: Short, shift: Whole, keys: Longs) -> Whole:
    """Return the number of a key, or -1."""
    slot = mixed(key) >> shift
    while numbers[slot] >= 0 and keys[U(numbers[slot])] != key:
        slot = (slot + U(1)) & U(len(numbers) - 1)
    return numbers[slot]


@part
def mixed(key: Whole) -> Whole:
    """Hash a number; the upper bits are good."""
    return ((key ^ (key >> U(29))) * U(0xBF58476D1CE4E5B9) ^ (key >> U(32))) * SPREAD


@part
def packed(text: Bytes, at: Whole, size: Whole) -> Whole:
    """Read one to eight bytes as one number (the compiler makes one load of it)."""
    low = U(text[at]) | U(text[at + U(1)]) << U(8) | U(text[at + U(2)]) << U(16) | U(text[at + U(3)]) << U(24)
    high = U(text[at + U(4)]) | U(text[at + U(5)]) << U(8) | U(text[at + U(6)]) << U(16) | U(text[at + U(7)]) << U(24)
    return (low | high << U(32)) & (U(0xFFFFFFFFFFFFFFFF) >> (U(64) - U(8) * size))
