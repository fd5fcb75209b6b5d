"""What the kernel looks up: built from the terms and their weights alone, so equal maps have equal tables."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from dpspin.curator.assign.kernels.kernel_arrays import ODD, WORD, Bytes, Codes, Longs, Signed, Tables
from dpspin.curator.assign.kernels.paper_kernel import eight_bytes, pair_hash, word_hash
from dpspin.text.words import NGRAM_WORD

CODE_POINTS: Final = 0x110000
SURROGATES: Final = slice(0xD800, 0xE000)
BITS_PER_WORD: Final = 24  # of the sieve: it lets pass one foreign token in twenty-four
SLOTS_PER_WORD: Final = 4  # of the hash tables: most look-ups end at the first slot

TERM: Final = re.compile(rf"{NGRAM_WORD}(?: {NGRAM_WORD})?")


def tables_of(terms: Sequence[str], weights: "csr_array[np.int64]") -> Tables:
    """Build the tables of a map from its terms and its weights (terms, atoms)."""
    phrases = {tuple(term.split(" ")): row for row, term in enumerate(terms) if _can_occur(term)}
    words = sorted({word for phrase in phrases for word in phrase})
    number = {word: index for index, word in enumerate(words)}
    pairs = [phrase for phrase in phrases if len(phrase) > 1]
    pair_keys = np.array([number[left] << 32 | number[right] for left, right in pairs], np.uint64)
    postings = _rows(weights, [phrases.get((word,), -1) for word in words] + [phrases[pair] for pair in pairs])
    pool, starts, keys, hashes = _spelled([*words, *sorted(ENGLISH_STOP_WORDS)])
    slots, slot_shift = _slots(hashes)
    pair_slots, pair_shift = _slots(pair_hash(pair_keys))
    sieve, sieve_shift = _sieve(hashes[: len(words)])
    return Tables(
        words=len(words),
        sieve=sieve,
        sieve_shift=sieve_shift,
        slots=slots,
        slot_shift=slot_shift,
        keys=keys,
        pool=pool,
        pool_starts=starts,
        pair_slots=pair_slots,
        pair_shift=pair_shift,
        pairs=pair_keys,
        row_starts=postings.indptr.astype(np.int64),
        atoms=postings.indices.astype(np.uint32),
        weights=postings.data.astype(np.int64),
    )


@cache
def characters() -> Codes:
    """Return, for each code point, its lower case and whether that is part of a word, as this Python sees it.

    ODD marks what cannot be looked up one by one: a lower case of several characters (İ), one that depends on its
    neighbours (Σ), one that needs more than half as many bytes again, and surrogates, which UTF-8 does not have.

    >>> bool(characters()[ord("É")] == ord("é") | WORD), bool(characters()[ord("Σ")] == ODD)
    (True, True)
    """
    everything = "".join(map(chr, range(CODE_POINTS)))
    table = np.arange(CODE_POINTS, dtype=np.uint32)
    for run in re.finditer(r"\w+", everything):
        table[run.start() : run.end()] |= WORD
    changed = {ord(upper): lower for upper in everything if (lower := upper.lower()) != upper}
    table[list(changed)] = [
        table[ord(lower)] if _is_plain(chr(point), lower) else ODD for point, lower in changed.items()
    ]
    table[SURROGATES] = ODD
    return table


def _is_plain(upper: str, lower: str) -> bool:
    alone = len(lower) == 1 and ("a" + upper).lower() == "a" + lower
    return alone and 2 * len(lower.encode()) <= 3 * len(upper.encode())


def _can_occur(term: str) -> bool:
    """Whether a text can hold the term: one or two tokens, none of them a stop word."""
    return bool(TERM.fullmatch(term)) and ENGLISH_STOP_WORDS.isdisjoint(term.split(" "))


def _spelled(words: Sequence[str]) -> tuple[Bytes, Signed, Longs, Longs]:
    """Return the words' bytes as the kernel sees them in a text, where each begins, their keys and hashes."""
    spelled = [word.encode().replace(b"_", b"\x7f") for word in words]
    lengths = np.array([len(word) for word in spelled], np.uint64)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    # Words are read eight bytes at a time. Writable, as copies of a map are: the kernel is compiled for one kind.
    pool = np.frombuffer(bytearray(b"".join(spelled) + bytes(16)), np.uint8)
    keys = eight_bytes(pool, starts[:-1].astype(np.uint64), lengths)
    return pool, starts, keys, word_hash(keys, lengths)


def _slots(hashes: Longs) -> tuple[NDArray[np.int32], np.uint64]:
    """Place entries by the upper bits of their hashes, in the next free slot where one is taken."""
    bits = _bits(SLOTS_PER_WORD * len(hashes))
    slots = np.full(2**bits, -1, np.int32)
    for entry, home in enumerate(_upper(hashes, bits).tolist()):
        slot = home
        while slots[slot] >= 0:
            slot = (slot + 1) % len(slots)
        slots[slot] = entry
    return slots, np.uint64(64 - bits)


def _sieve(hashes: Longs) -> tuple[Longs, np.uint64]:
    bits = _bits(BITS_PER_WORD * len(hashes))
    buckets = np.zeros(2**bits, np.uint8)
    buckets[_upper(hashes, bits)] = 1
    return np.packbits(buckets, bitorder="little").view(np.uint64), np.uint64(64 - bits)


def _upper(hashes: Longs, bits: int) -> Signed:
    return (hashes >> np.uint64(64 - bits)).astype(np.int64)


def _bits(entries: int) -> int:
    return max(6, (entries - 1).bit_length())  # at least the 64 bits of one number


def _rows(weights: "csr_array[np.int64]", rows: Sequence[int]) -> "csr_array[np.int64]":
    """Return the named rows; -1 is an empty one, of a word that only occurs in pairs."""
    weights.check_format(full_check=True)  # the kernel trusts the indices
    padded = vstack([weights, csr_array((1, weights.shape[1]), dtype=np.int64)], format="csr")
    return csr_array(padded[np.array(rows, np.int64)])
