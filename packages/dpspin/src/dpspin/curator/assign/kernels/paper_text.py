"""Records as the kernel reads them: valid UTF-8, one after the other, with nothing left of Unicode to think about.

ASCII is copied. In any other text each character is looked up once: it becomes its lower case, or a blank if it is
part of no word. A byte from 0x80 on therefore belongs to a word, and the kernel needs no other rule.
"""

import numpy as np

from dpspin.curator.assign.kernels.kernel_arrays import LINE, ODD, WORD, Batch, Block, Bytes, Codes, compiled, part

U = np.uint64
C = np.uint32

POINT = C(0x1FFFFF)
BLANK = C(0x20)


@compiled
def spell(batch: Batch, first: int, characters: Codes, longest: int, block: Block) -> int:
    """Fill the block with records, each on lines of its own; return the first that found no room.

    ``longest`` is the number of characters of a record that are read. Records that only Python should read are marked
    as odd and left out: malformed ones, and those with a character that cannot be looked up by itself.
    """
    text, used, row = block.text, U(0), first
    while row < len(batch.present):
        begin, end = U(batch.offsets[row]), U(batch.offsets[row + 1])
        if row > first and used + room_for(end - begin, longest) > U(len(text)):
            break
        size = min(end - begin, U(longest)) if batch.present[row] else U(0)
        every = np.uint8(0)
        for i in range(size):
            byte = batch.data[begin + i]
            text[used + i] = byte
            every |= byte
        block.odd[row] = False
        if every & np.uint8(0x80):
            written = spell_out(batch.data[begin:end], longest, characters, text[used:])
            block.odd[row] = written < 0
            size = U(written) if written > 0 else U(0)
        stop = (used + size + U(LINE)) & ~U(LINE - 1) if size else used  # at least one byte ends the last word
        text[used + size : stop] = 0
        used = stop
        block.ends[row - first] = used
        row += 1
    return row


@part
def room_for(size: np.uint64, longest: int) -> np.uint64:
    """Return the bytes that a record may take: half as many again for lower case, and lines to end it and read over."""
    return min(size + (size >> U(1)), U(4 * longest)) + U(2 * LINE)


@part
def spell_out(data: Bytes, longest: int, characters: Codes, text: Bytes) -> np.int64:
    """Write one text; return its size, or -1 if it is odd."""
    at, out, left = U(0), U(0), longest
    while at < U(len(data)) and left > 0:
        left -= 1
        if data[at] < np.uint8(0x80):
            text[out] = data[at]
            at += U(1)
            out += U(1)
            continue
        point, size = decoded(data, at)
        entry = characters[point]
        if size == U(0) or entry & ODD:
            return np.int64(-1)
        at += size
        out += encoded(entry & POINT if entry & WORD else BLANK, text, out)
    return np.int64(out)


@part
def decoded(data: Bytes, at: np.uint64) -> tuple[np.uint32, np.uint64]:
    """Decode a character of several bytes; its size is 0 if it is malformed."""
    lead = C(data[at])
    size = U(1) + U(lead >= C(0xC2)) + U(lead >= C(0xE0)) + U(lead >= C(0xF0))
    if size == U(1) or at + size > U(len(data)) or lead > C(0xF4):
        return C(0), U(0)
    point, sound = lead & (C(0x7F) >> C(size)), True
    for i in range(at + U(1), at + size):
        byte = C(data[i])
        sound &= byte & C(0xC0) == C(0x80)
        point = point << C(6) | byte & C(0x3F)
    least = C(0x80) if size == U(2) else C(0x800) if size == U(3) else C(0x10000)
    return (point, size) if sound and least <= point <= C(0x10FFFF) else (C(0), U(0))


@part
def encoded(point: np.uint32, text: Bytes, at: np.uint64) -> np.uint64:
    """Write a character; return its size."""
    if point < C(0x80):
        text[at] = point
        return U(1)
    size = U(2) + U(point >= C(0x800)) + U(point >= C(0x10000))
    for i in range(U(1), size):
        text[at + size - i] = C(0x80) | point & C(0x3F)
        point >>= C(6)
    text[at] = (C(0xF00) >> C(size)) & C(0xFF) | point
    return size
