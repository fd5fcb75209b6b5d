"""What both compiled kernels share: the compiler's settings, and the arrays that the compiled functions work on."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Self, TypeVar, cast

import numpy as np
import pyarrow as pa
from numba import njit
from numba.extending import register_jitable
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile a function: without the interpreter lock, and kept on disk where a disk can be written."""
    made: Any
    try:
        made = njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no folder for compiled code, as in a read-only container
        made = njit(nogil=True)(function)
    return cast("F", made)


def part(function: F) -> F:
    """Leave a function as it is, and let compiled functions call it: it is compiled into them."""
    made: Any = register_jitable(function)
    return cast("F", made)


Bytes = NDArray[np.uint8]
Codes = NDArray[np.uint32]
Longs = NDArray[np.uint64]
Signed = NDArray[np.int64]
Whole = Any  # an unsigned number, or an array of such: the same arithmetic

LINE: Final = 64  # bytes: records begin on such a boundary; and atoms: scores are ranked in blocks of as many
BLOCK_BYTES: Final = 524_288  # records that one compiled function hands to the next: they stay in the second cache
STAGE_BYTES: Final = 32_768  # records that one stage hands to the next: they stay in the first
WORD: Final = np.uint32(1 << 31)  # flags in the table of characters
ODD: Final = np.uint32(1 << 30)


class Batch(NamedTuple):
    """An Arrow string column as it lies in memory; a null may have bytes behind it, which are not read."""

    offsets: Signed
    data: Bytes
    present: NDArray[np.bool_]

    @classmethod
    def of(cls, texts: pa.LargeStringArray) -> Self:
        """View the column without a copy; read-only always, so that functions are compiled for one kind of array."""
        _, offsets, data = texts.buffers()
        starts = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
        held = np.frombuffer(b"" if data is None else data, np.uint8)
        present = texts.is_valid().to_numpy(zero_copy_only=False)
        for array in (starts, held, present):
            array.setflags(write=False)
        return cls(starts, held, present)

    def rows(self, first: int, last: int) -> Self:
        """Return some of the rows, over the same bytes."""
        return type(self)(self.offsets[first : last + 1], self.data, self.present[first:last])

    @property
    def longest(self) -> int:
        """The bytes of the longest record."""
        return int(np.diff(self.offsets).max(initial=0))


class Block(NamedTuple):
    """Records as the kernel reads them, one after the other."""

    text: Bytes
    eights: Longs  # the same memory, eight bytes at a time
    ends: Longs  # by row: the end of its text
    odd: NDArray[np.bool_]  # by row of the batch: only Python should read it

    @classmethod
    def room(cls, rows: int, record_bytes: int) -> Self:
        """Make room for as many rows, and for the longest record."""
        text = np.zeros(_rounded(max(BLOCK_BYTES, record_bytes)), np.uint8)
        return cls(text, text.view(np.uint64), np.zeros(rows, np.uint64), np.zeros(rows, np.bool_))


class Tables(NamedTuple):
    """The fitted map, ready to be looked up. Words are numbered; numbers from ``words`` on are stop words."""

    words: int
    sieve: Longs  # one bit per bucket: 1 where some word of the map falls
    sieve_shift: np.uint64
    slots: NDArray[np.int32]  # open addressing: the number of a word or stop word, or -1
    slot_shift: np.uint64
    keys: Longs  # the first eight bytes of each word
    pool: Bytes  # all words, one after the other
    pool_starts: Signed
    pair_slots: NDArray[np.int32]
    pair_shift: np.uint64
    pairs: Longs  # the numbers of both words
    row_starts: Signed  # postings of each word, then of each pair
    atoms: Codes
    weights: Signed


class Scratch(NamedTuple):
    """What the stages hand on: marks, tokens, known words, hits, and the scores of one row."""

    masks: Longs  # one bit per byte of text: part of a word or not
    mask_bytes: Bytes  # the same memory
    bounds: Codes  # where each token begins and ends
    kept: Codes  # tokens that may be words of the map; then, those that are
    hashes: Longs
    known: Codes  # the words
    hits: Codes  # rows of postings
    hit_ends: Longs  # by row: the end of its hits
    scores: Signed
    peaks: Signed  # by block of atoms: the best score

    @classmethod
    def room(cls, rows: int, record_bytes: int, atoms: int) -> Self:
        """Make room for the tokens of one stage, and of the longest record."""
        size = _rounded(max(STAGE_BYTES, record_bytes))
        tokens = size // 3 + 2  # at least two bytes each, and one between
        masks = np.zeros(size // LINE + 2, np.uint64)
        return cls(
            masks=masks,
            mask_bytes=masks.view(np.uint8),
            bounds=np.zeros(2 * tokens, np.uint32),
            kept=np.zeros(tokens, np.uint32),
            hashes=np.zeros(tokens, np.uint64),
            known=np.zeros(tokens, np.uint32),
            hits=np.zeros(2 * tokens, np.uint32),
            hit_ends=np.zeros(rows, np.uint64),
            scores=np.zeros(_rounded(atoms), np.int64),
            peaks=np.zeros(_rounded(atoms) // LINE, np.int64),
        )


class Found(NamedTuple):
    """The scores that count: ``counts[i]`` entries for row i, one row after the other."""

    counts: Signed
    atoms: Signed
    values: Signed

    @classmethod
    def room(cls, rows: int, entries: int) -> Self:
        """Make room for as many."""
        return cls(np.zeros(rows, np.int64), np.empty(entries, np.int64), np.empty(entries, np.int64))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Put all parts one after the other."""
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def cut(self, rows: int, entries: int) -> Self:
        """Copy what was written, so that the room can be used again."""
        return type(self)(self.counts[:rows].copy(), self.atoms[:entries].copy(), self.values[:entries].copy())


def _rounded(size: int) -> int:
    return -(-size // LINE) * LINE
