"""What the words of a sentence are: entries of the lexicon, cues, stems, pairs, and pieces of words nobody foresaw.

Compiled functions call nothing outside their file (see ``reading``). Every look-up compares the whole key, so that
nothing is taken for what it is not.
"""
# ruff: noqa: PLR0917  a tuple of arrays costs a reference count per array and call, a plain array nothing;
# where a function writes to an array, even that costs more than a look-up: so the innermost loops stand in one

from typing import Final

import numpy as np

from dpspin.curator.assign.kernels.kernel_arrays import Bytes, Longs, Signed, Whole, compiled, part
from dpspin.curator.assign.kernels.sentence_layout import (
    COURTEOUS,
    FAMILIAR,
    LETTER,
    LIGHT,
    NEGATES,
    OWN_DIGITS,
    STEM,
    Block,
    Hits,
    Short,
    Tables,
)

U = np.uint64
B = np.uint8

QUOTE: Final = B(ord("'"))
BLANK: Final = B(ord(" "))
MORE_LETTERS: Final = B(OWN_DIGITS.start - LETTER)  # bytes from LETTER on
STEM_KEY: Final = U(STEM << 56)
STEM_PAIR: Final = U(1 << 63)
SPREAD: Final = U(0x9E3779B97F4A7C15)


@compiled
def recognise(block: Block, rows: int, tables: Tables, hits: Hits, cue_hits: Short) -> None:
    """Write, sentence by sentence, the rows of weights to add and the terms to count; and count cues."""
    sentences = U(block.row_sentences[rows - 1])
    tokens = U(block.sentence_tokens[sentences - U(1)]) if sentences > U(0) else U(0)
    find_entries(block, U(block.token_words[tokens]), tables, hits)
    hits.judged[:sentences] = True
    if tables.by_sentence:
        name_tokens(block, tokens, tables, hits)
        find_cues(block, U(rows), tables, hits, cue_hits)
        if tables.skips_courtesy:
            skip_courtesy(block, sentences, tables, hits)
    find_terms(block, sentences, tables, hits)


@compiled
def count_known(block: Block, rows: int, tables: Tables, hits: Hits, words: Signed, known: Signed) -> None:
    """Count the words of each row, and those that are familiar; their entries were found before."""
    entries, flags, word = hits.entries, tables.flags, U(0)
    for row in range(U(rows)):
        sentences = U(block.row_sentences[row])
        last = U(block.token_words[U(block.sentence_tokens[sentences - U(1)])]) if sentences > U(0) else U(0)
        first, found = word, np.int64(0)
        while word < last:
            entry = entries[word]
            found += np.int64(entry >= 0 and (flags[U(entry)] & B(FAMILIAR)) != 0)
            word += U(1)
        words[row], known[row] = np.int64(word - first), found


@part
def find_entries(block: Block, words: Whole, tables: Tables, hits: Hits) -> None:
    """Look the words up in the lexicon."""
    small, begins, ends, entries = block.small, block.begins, block.ends, hits.entries
    numbers, shift, keys = tables.lexicon.numbers, tables.lexicon.shift, tables.lexicon.keys
    pool, starts = tables.pool, tables.pool_starts
    for w in range(words):
        begin = U(begins[w])
        entries[w] = entry_of(small, begin, U(ends[w]) - begin, numbers, shift, keys, pool, starts)


@part
def name_tokens(block: Block, count: Whole, tables: Tables, hits: Hits) -> None:
    """Give each token its entry: that of its word, or of its words with the apostrophes between them."""
    small, begins, ends, token_words, flags = block.small, block.begins, block.ends, block.token_words, tables.flags
    numbers, shift, keys = tables.lexicon.numbers, tables.lexicon.shift, tables.lexicon.keys
    pool, starts, entries, tokens, negated = tables.pool, tables.pool_starts, hits.entries, hits.tokens, hits.negated
    for token in range(count):
        word, after = U(token_words[token]), U(token_words[token + U(1)])
        begin, end, entry = U(begins[word]), U(ends[after - U(1)]), entries[word]
        if after > word + U(1):
            entry = entry_of(small, begin, end - begin, numbers, shift, keys, pool, starts)
        tokens[token] = entry
        ends_so = small[end - U(1)] == B(ord("t")) and end - begin > U(2) and small[end - U(2)] == QUOTE
        negated[token] = (ends_so and small[end - U(3)] == B(ord("n"))) or (
            entry >= 0 and (flags[U(entry)] & B(NEGATES)) != 0
        )


@part
def find_cues(block: Block, rows: Whole, tables: Tables, hits: Hits, cue_hits: Short) -> None:
    """Count the cues of each row."""
    roots, starts, atoms = tables.cue_roots, tables.node_starts, tables.node_atoms
    numbers, shift, keys = tables.nodes.numbers, tables.nodes.shift, tables.nodes.keys
    tokens, negated, reach = hits.tokens, hits.negated, U(tables.reach)
    sentence, first, base = U(0), U(0), U(0)
    for row in range(rows):
        for each in range(sentence, U(block.row_sentences[row])):
            last = U(block.sentence_tokens[each])
            cues_between(
                first, last, roots, starts, atoms, numbers, shift, keys, tokens, negated, reach, cue_hits, base
            )
            sentence, first = each + U(1), last
        base += U(tables.classes)


@part
def cues_between(
    first: Whole, last: Whole, roots: Short, starts: Signed, atoms: Short, numbers: Short, shift: Whole, keys: Longs,
    tokens: Short, negated: Whole, reach: Whole, cue_hits: Short, base: Whole,
) -> None:  # fmt: skip
    """Count the cues that begin at each word of a sentence, unless a negation stands shortly before."""
    allowed_from = first
    for start in range(first, last):
        entry = tokens[start]
        node = roots[U(entry)] if entry >= 0 and start >= allowed_from else np.int32(-1)
        at = start + U(1)
        while node >= 0:
            for k in range(U(starts[U(node)]), U(starts[U(node) + U(1)])):
                cue_hits[base + U(atoms[k])] += 1
            if at >= last or tokens[at] < 0:
                break
            node = number_of(U(node) << U(32) | U(tokens[at]), numbers, shift, keys)
            at += U(1)
        if negated[start]:
            allowed_from = start + reach + U(1)


@part
def skip_courtesy(block: Block, sentences: Whole, tables: Tables, hits: Hits) -> None:
    """Leave out sentences of which all runs of letters are words of courtesy."""
    small, begins, ends, entries, flags = block.small, block.begins, block.ends, hits.entries, tables.flags
    numbers, shift, keys = tables.lexicon.numbers, tables.lexicon.shift, tables.lexicon.keys
    pool, starts, word = tables.pool, tables.pool_starts, U(0)
    for sentence in range(sentences):
        last, is_courtesy = U(block.token_words[U(block.sentence_tokens[sentence])]), True
        while word < last and is_courtesy:
            entry = entries[word]
            if entry < 0 or (flags[U(entry)] & B(COURTEOUS)) == 0:
                is_courtesy = has_courtesy_only(
                    small, U(begins[word]), U(ends[word]), numbers, shift, keys, pool, starts, flags
                )
            word += U(1)
        word = last
        hits.judged[sentence] = not is_courtesy


@part
def has_courtesy_only(
    small: Bytes, i: Whole, end: Whole,
    numbers: Short, shift: Whole, keys: Longs, pool: Bytes, starts: Signed, flags: Bytes,
) -> Whole:  # fmt: skip
    """Whether all runs of letters in a word are words of courtesy; one with an apostrophe never is."""
    while i < end:
        begin = i
        while i < end and (B(small[i] - B(97)) < B(26) or B(small[i] - B(LETTER)) < MORE_LETTERS):
            i += U(1)
        if i > begin:
            run = entry_of(small, begin, i - begin, numbers, shift, keys, pool, starts)
            if run < 0 or (flags[U(run)] & B(COURTEOUS)) == 0 or (i < end and small[i] == QUOTE):
                return False
        i += U(1)
    return True


@part
def find_terms(block: Block, sentences: Whole, tables: Tables, hits: Hits) -> None:  # noqa: C901  see above
    """Write the terms of each word, and of each pair of neighbours; the terms of a light entry share one row."""
    small, begins, ends, entries, by_sentence = block.small, block.begins, block.ends, hits.entries, tables.by_sentence
    rows, terms, flags, stems = hits.rows, hits.terms, tables.flags, tables.stems
    parts, part_starts, pair_terms = tables.parts, tables.part_starts, tables.pair_terms
    numbers, shift, keys = tables.pairs.numbers, tables.pairs.shift, tables.pairs.keys
    short_numbers, short_shift, short_keys = tables.shorts.numbers, tables.shorts.shift, tables.shorts.keys
    short_terms, spaced, endings, ending_sizes = tables.short_terms, hits.spaced, tables.endings, tables.ending_sizes
    shortest, longest, first_entry = U(tables.shortest_stem), U(tables.longest_stem), tables.first_entry
    word, row_end, term_end = U(0), U(0), U(0)
    for sentence in range(sentences):
        last = U(block.token_words[U(block.sentence_tokens[sentence])])
        before, stem_before = np.int32(-1), np.int32(-1)
        for w in range(word if hits.judged[sentence] else last, last):
            entry, stem, alone = entries[w], np.int32(-1), term_end
            if entry >= 0:
                stem = stems[U(entry)]
                for k in range(U(part_starts[U(entry)]), U(part_starts[U(entry) + U(1)])):
                    terms[term_end] = parts[k]
                    term_end += U(1)
                if (flags[U(entry)] & B(LIGHT)) != 0:
                    rows[row_end] = first_entry + entry
                    row_end, alone = row_end + U(1), term_end
            elif by_sentence:
                begin, size = U(begins[w]), U(ends[w]) - U(begins[w])
                stem_size = size_of_stem(small, begin, size, endings, ending_sizes, shortest, longest)
                stem = number_of(packed(small, begin, stem_size) | STEM_KEY, short_numbers, short_shift, short_keys)
                terms[term_end] = short_terms[U(stem)] if stem >= 0 else np.int32(-1)
                term_end += U(terms[term_end] >= 0)
                put_between_blanks(small, begin, size, spaced)
                for start in range(size):
                    for length in range(U(3), min(U(5), size + U(2) - start) + U(1)):
                        piece = packed(spaced, start, length) | length << U(56)
                        terms[term_end] = term_of(piece, short_numbers, short_shift, short_keys, short_terms)
                        term_end += U(terms[term_end] >= 0)
            if before >= 0 and entry >= 0:
                terms[term_end] = term_of(U(before) << U(32) | U(entry), numbers, shift, keys, pair_terms)
                term_end += U(terms[term_end] >= 0)
            if stem_before >= 0 and stem >= 0:
                pair = STEM_PAIR | U(stem_before) << U(32) | U(stem)
                terms[term_end] = term_of(pair, numbers, shift, keys, pair_terms)
                term_end += U(terms[term_end] >= 0)
            for k in range(alone, term_end):
                rows[row_end] = terms[k]
                row_end += U(1)
            before, stem_before = entry, stem
        word = last
        hits.row_ends[sentence], hits.term_ends[sentence] = row_end, term_end


@part
def size_of_stem(
    small: Bytes, begin: Whole, size: Whole, endings: Longs, ending_sizes: Signed, shortest: Whole, longest: Whole
) -> Whole:
    """Return how many letters are left without the first ending that can be cut off."""
    for e in range(U(len(endings))):
        cut = U(ending_sizes[e])
        if size >= cut + shortest and packed(small, begin + size - cut, cut) == endings[e]:
            return min(size - cut, longest)
    return min(size, longest)


@part
def put_between_blanks(small: Bytes, begin: Whole, size: Whole, spaced: Bytes) -> None:
    """Copy a word."""
    spaced[0] = BLANK
    for i in range(size):
        spaced[U(1) + i] = small[begin + i]
    spaced[U(1) + size] = BLANK


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
def term_of(key: Whole, numbers: Short, shift: Whole, keys: Longs, terms: Short) -> Whole:
    """Return the term of a key, or -1."""
    number = number_of(key, numbers, shift, keys)
    return terms[U(number)] if number >= 0 else np.int32(-1)


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
