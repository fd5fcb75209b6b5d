"""The map over a block of records, in stages: classify, cut, sieve, recognise, pair up, rank.

A stage handles many records at once, with as few branches on the text as possible: a wrong guess of the processor
costs as much as reading forty bytes. Compiled functions call nothing outside their file, because numba's disk cache
looks at the date of one file only. Indices are unsigned, so that no code for negative ones is made.
"""
# ruff: noqa: PLR0917  a tuple of arrays costs a reference count per array and call, a plain array nothing

from typing import Final

import numpy as np

from dpspin.curator.assign.kernels.kernel_arrays import (
    LINE,
    STAGE_BYTES,
    Block,
    Bytes,
    Codes,
    Found,
    Longs,
    Scratch,
    Signed,
    Tables,
    Whole,
    compiled,
    part,
)

U = np.uint64

PER_BYTE: Final = U(0x0101010101010101)
HIGH_BITS: Final = PER_BYTE * U(0x80)
LOW_BITS: Final = PER_BYTE * U(0x7F)
CASE_BITS: Final = PER_BYTE * U(0x20)
REACH_A: Final = PER_BYTE * U(0x80 - ord("a"))  # what to add to reach the high bit from "a" on
PASS_Z: Final = PER_BYTE * U(0x7F - ord("z"))
REACH_0: Final = PER_BYTE * U(0x80 - ord("0"))
PASS_9: Final = PER_BYTE * U(0x7F - ord("9"))
UNDERSCORES: Final = PER_BYTE * U(ord("_"))


@compiled
def score(block: Block, rows: int, tables: Tables, k: int, scratch: Scratch, found: Found) -> tuple[int, int]:
    """Score the block's rows until all are done or the room is used up; return how many, and the entries written.

    ``k`` is 0 for all positive scores.
    """
    row, start, written = 0, U(0), 0
    while row < rows:
        last = row + 1
        while last < rows and block.ends[last] - start <= U(STAGE_BYTES):
            last += 1
        size = block.ends[last - 1] - start
        classify(block.eights[start >> U(3) :], size >> U(3), scratch.mask_bytes)
        tokens = cut(scratch.masks, size >> U(6), start, scratch.bounds)
        kept = sieve(block.text, scratch, tokens, tables)
        known = recognise(block.text, scratch, kept, tables)
        pair_up(block, row, last, known, tables, scratch)
        done, written = rank(scratch, last - row, tables, k, found, row, written)
        if done < last - row:
            return row + done, written
        row, start = last, block.ends[last - 1]
    return row, written


@part
def classify(eights: Longs, count: np.uint64, mask_bytes: Bytes) -> None:
    """Put ASCII into lower case and mark the bytes of words, eight at a time and without a branch.

    Setting the case bit turns "_" into 0x7F, which no other byte of a word becomes. Each comparison is an addition
    that carries into the byte's high bit; at last the eight high bits move together.
    """
    for i in range(count):
        eight = eights[i]
        lower = eight | (CASE_BITS & ~((eight & HIGH_BITS) >> U(2)))
        eights[i] = lower
        plain, small = eight & LOW_BITS, lower & LOW_BITS
        letters = (small + REACH_A) & ~(small + PASS_Z)
        digits = (plain + REACH_0) & ~(plain + PASS_9)
        others = ~((plain ^ UNDERSCORES) + LOW_BITS) | eight
        mask = ((letters | digits | others) & HIGH_BITS) >> U(7)
        mask |= mask >> U(7)
        mask |= mask >> U(14)
        mask |= mask >> U(28)
        mask_bytes[i] = np.uint8(mask)


@part
def cut(masks: Longs, count: np.uint64, start: np.uint64, bounds: Codes) -> np.uint64:
    """Write where each run of two or more bytes of a word begins and ends; return the number of runs, the tokens."""
    n, before, carry = U(0), U(0), U(0)
    masks[count] = U(0)
    for i in range(count):
        mask = masks[i]
        beside = (mask << U(1)) | (before >> U(63)) | (mask >> U(1)) | (masks[i + U(1)] << U(63))
        runs = mask & beside
        changes = runs ^ ((runs << U(1)) | carry)
        while changes:
            bounds[n] = start + (i << U(6)) + lowest_bit(changes)
            n += U(1)
            changes &= changes - U(1)
        before, carry = mask, runs >> U(63)
    return n >> U(1)


@part
def sieve(text: Bytes, scratch: Scratch, tokens: np.uint64, tables: Tables) -> np.uint64:
    """Keep the tokens that fall into the bucket of some word of the map: one in ten, by one bit each."""
    bounds, kept, hashes = scratch.bounds, scratch.kept, scratch.hashes
    bits, shift = tables.sieve, tables.sieve_shift
    n = U(0)
    for token in range(tokens):
        begin = U(bounds[U(2) * token])
        length = U(bounds[U(2) * token + U(1)]) - begin
        hashed = word_hash(eight_bytes(text, begin, length), length)
        kept[n], hashes[n] = token, hashed
        bucket = hashed >> shift
        n += (bits[bucket >> U(6)] >> (bucket & U(63))) & U(1)
    return n


@part
def recognise(text: Bytes, scratch: Scratch, count: np.uint64, tables: Tables) -> np.uint64:
    """Keep the tokens that are words of the map, with their numbers."""
    n = U(0)
    for i in range(count):
        token = scratch.kept[i]
        begin = U(scratch.bounds[U(2) * U(token)])
        length = U(scratch.bounds[U(2) * U(token) + U(1)]) - begin
        word = number_of(text, begin, length, scratch.hashes[i], tables)
        scratch.kept[n], scratch.known[n] = token, word
        n += U(0 <= word < tables.words)
    return n


@part
def pair_up(block: Block, first: int, last: int, count: np.uint64, tables: Tables, scratch: Scratch) -> None:
    """Write, row by row, the postings that are hit: those of each word, and of each pair of neighbours."""
    n, i = U(0), U(0)
    for row in range(first, last):
        start = i
        while i < count and U(scratch.bounds[U(2) * U(scratch.kept[i])]) < block.ends[row]:
            scratch.hits[n] = scratch.known[i]
            n += U(1)
            if i > start:
                pair = pair_of(U(scratch.known[i - U(1)]) << U(32) | U(scratch.known[i]), tables)
                if pair >= 0 and passed_over(
                    block.text, scratch, U(scratch.kept[i - U(1)]) + U(1), U(scratch.kept[i]), tables
                ):
                    scratch.hits[n] = tables.words + pair
                    n += U(1)
            i += U(1)
        scratch.hit_ends[row - first] = n


@part
def passed_over(text: Bytes, scratch: Scratch, first: np.uint64, last: np.uint64, tables: Tables) -> bool:
    """Whether all tokens between two are left out of pairs: stop words, and single characters of several bytes."""
    for token in range(first, last):
        begin = U(scratch.bounds[U(2) * token])
        length = U(scratch.bounds[U(2) * token + U(1)]) - begin
        hashed = word_hash(eight_bytes(text, begin, length), length)
        if number_of(text, begin, length, hashed, tables) < tables.words:
            starts = U(0)  # of characters: bytes that do not continue one
            for i in range(begin, begin + length):
                starts += U(text[i] & np.uint8(0xC0) != np.uint8(0x80))
            if starts > U(1):
                return False
    return True


@part
def rank(
    scratch: Scratch, rows: int, tables: Tables, k: int, found: Found, first: int, written: int
) -> tuple[int, int]:
    """Write the best atoms of each row; return how many rows there was room for, and the entries so far."""
    scores, peaks, hits = scratch.scores, scratch.peaks, scratch.hits
    begin, width = U(0), k if k > 0 else len(scores)
    for row in range(rows):
        end = scratch.hit_ends[row]
        if written + width > len(found.atoms):
            return row, written
        kept = 0
        if end > begin:
            add_up(hits, begin, end, tables, scores)
            if k > 0:
                kept = take_best(scores, peaks, k, found.atoms[written:], found.values[written:])
            else:
                kept = take_all(scores, found.atoms[written:], found.values[written:])
            scores[:] = 0
        found.counts[first + row] = kept
        written += kept
        begin = end
    return rows, written


@part
def add_up(hits: Codes, first: np.uint64, last: np.uint64, tables: Tables, scores: Signed) -> None:
    """Add the weights of a row's hits: integers, so the order does not matter."""
    for i in range(first, last):
        hit = U(hits[i])
        for posting in range(U(tables.row_starts[hit]), U(tables.row_starts[hit + U(1)])):
            scores[tables.atoms[posting]] += tables.weights[posting]


@part
def take_best(scores: Signed, peaks: Signed, k: int, atoms: Signed, values: Signed) -> int:
    """Write the k best positive scores, best first, lowest index first among equals; return how many."""
    for block in range(U(len(peaks))):
        peaks[block] = peak_of(scores, block)
    for kept in range(k):
        top = U(np.argmax(peaks))
        if peaks[top] == 0:
            return kept
        atom = top * U(LINE)
        while scores[atom] != peaks[top]:
            atom += U(1)
        values[kept], atoms[kept] = scores[atom], atom
        scores[atom] = 0
        peaks[top] = peak_of(scores, top)
    return k


@part
def take_all(scores: Signed, atoms: Signed, values: Signed) -> int:
    """Write all positive scores in the order of the atoms; return how many."""
    kept = 0
    for atom in range(U(len(scores))):
        if scores[atom] > 0:
            values[kept], atoms[kept] = scores[atom], atom
            kept += 1
    return kept


@part
def peak_of(scores: Signed, block: Whole) -> np.int64:
    """Return the best positive score of a block of atoms, or 0."""
    peak = np.int64(0)
    for atom in range(block * U(LINE), (block + U(1)) * U(LINE)):
        peak = max(peak, scores[atom])
    return peak


@part
def number_of(text: Bytes, begin: np.uint64, length: np.uint64, hashed: np.uint64, tables: Tables) -> np.int64:
    """Return the number of a word or stop word, compared byte by byte; -1 for any other token."""
    key = eight_bytes(text, begin, length)
    slot = hashed >> tables.slot_shift
    while tables.slots[slot] >= 0:
        word = U(tables.slots[slot])
        start = U(tables.pool_starts[word])
        if tables.keys[word] == key and U(tables.pool_starts[word + U(1)]) - start == length:
            at = U(8)
            while at < length and eight_bytes(text, begin + at, length - at) == eight_bytes(
                tables.pool, start + at, length - at
            ):
                at += U(8)
            if at >= length:
                return np.int64(word)
        slot = (slot + U(1)) & U(len(tables.slots) - 1)
    return np.int64(-1)


@part
def pair_of(pair: np.uint64, tables: Tables) -> np.int64:
    """Return the number of a pair of words, or -1."""
    slot = pair_hash(pair) >> tables.pair_shift
    while tables.pair_slots[slot] >= 0 and tables.pairs[tables.pair_slots[slot]] != pair:
        slot = (slot + U(1)) & U(len(tables.pair_slots) - 1)
    return np.int64(tables.pair_slots[slot])


@part
def word_hash(key: Whole, length: Whole) -> Whole:
    """Hash a word by its first eight bytes and its length; the upper bits are good."""
    return (key ^ (key >> U(29)) ^ (length * U(0x9E3779B97F4A7C15))) * U(0xBF58476D1CE4E5B9)


@part
def pair_hash(pair: Whole) -> Whole:
    """Hash two numbers in one; the upper bits are good."""
    return (pair ^ (pair >> U(32))) * U(0x9E3779B97F4A7C15)


@part
def eight_bytes(text: Bytes, at: Whole, length: Whole) -> Whole:
    """Read at most eight bytes as one number (the compiler makes one load of it); what lies behind them is cut off."""
    low = U(text[at]) | U(text[at + U(1)]) << U(8) | U(text[at + U(2)]) << U(16) | U(text[at + U(3)]) << U(24)
    high = U(text[at + U(4)]) | U(text[at + U(5)]) << U(8) | U(text[at + U(6)]) << U(16) | U(text[at + U(7)]) << U(24)
    return (low | high << U(32)) & (U(0xFFFFFFFFFFFFFFFF) >> (U(64) - U(8) * np.minimum(length, U(8))))


@part
def lowest_bit(x: np.uint64) -> np.uint64:
    """Return the place of the lowest bit that is set (the compiler makes one instruction of it)."""
    x = ~x & (x - U(1))
    x -= (x >> U(1)) & U(0x5555555555555555)
    x = (x & U(0x3333333333333333)) + ((x >> U(2)) & U(0x3333333333333333))
    x = (x + (x >> U(4))) & U(0x0F0F0F0F0F0F0F0F)
    return (x * PER_BYTE) >> U(56)
