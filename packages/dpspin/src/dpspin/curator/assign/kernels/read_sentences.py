"""Records as sentences of words: one pass over the bytes, by the rules of ``sentences`` and ``terms``.

A text is rewritten first, a byte for each character (see ``alphabet``). Compiled functions call nothing outside their
file, because numba's disk cache looks at the date of one file only. Indices are unsigned, so that no code for negative
ones is made.
"""
# ruff: noqa: PLR0917  a tuple of arrays costs a reference count per array and call, a plain array nothing

from typing import Final

import numpy as np

from dpspin.curator.assign.kernels.kernel_arrays import Batch, Bytes, Codes, Whole, compiled, part
from dpspin.curator.assign.kernels.sentence_layout import (
    CURLY,
    DIGIT,
    DOTTED_I,
    KELVIN,
    MARGIN,
    OTHER,
    UNREADABLE,
    Block,
)

U = np.uint64
B = np.uint8

NEWLINE: Final = B(ord("\n"))
QUOTE: Final = B(ord("'"))
BLANK: Final = B(ord(" "))
IN_SMALL: Final = np.arange(256, dtype=np.uint8)
IN_SMALL[ord("A") : ord("Z") + 1] += B(32)
IN_SMALL[[KELVIN, DOTTED_I, CURLY]] = np.frombuffer(b"ki'", np.uint8)


@compiled
def read(batch: Batch, first: int, longest: int, characters: Bytes, most_sentences: int, block: Block) -> int:
    """Fill the block with records; return the first that found no room. With 0 sentences, a text is one piece."""
    text, small, token_words = block.text, block.small, block.token_words
    row, used, words, tokens, sentences = first, U(0), U(0), U(0), U(0)
    while row < len(batch.present):
        begin, end = batch.offsets[row], batch.offsets[row + 1]
        if row > first and used + U(min(end - begin, 2 * longest) + MARGIN) > U(len(text)):
            break
        size = np.int64(0)
        if batch.present[row]:
            size = rewritten(batch.data, begin, end, longest, characters, text, small, used)
        block.unreadable[row] = size < 0
        if size >= 0:
            words, tokens, sentences = read_record(
                text, small, used, used + U(size), U(most_sentences), words, tokens, sentences,
                block.begins, block.ends, token_words, block.sentence_tokens,
            )  # fmt: skip
            used += U(size + MARGIN)
        block.row_sentences[row - first] = sentences
        row += 1
    token_words[tokens] = words
    return row


@part
def read_record(
    text: Bytes, small: Bytes, start: Whole, stop: Whole, most_sentences: Whole,
    words: Whole, tokens: Whole, sentences: Whole,
    begins: Codes, ends: Codes, token_words: Codes, sentence_tokens: Codes,
) -> tuple[Whole, Whole, Whole]:  # fmt: skip
    """Write down the words of a text, and where each sentence ends that holds more than white space."""
    i, most, filled = start, sentences + most_sentences, most_sentences == U(0)
    while i < stop:
        after = after_end(text, i, start, stop) if most_sentences > U(0) else i
        if filled and most_sentences > U(0) and (after > i or is_glued(text, i, start)):
            sentence_tokens[sentences] = tokens
            sentences, filled = sentences + U(1), False
            if sentences == most:
                return words, tokens, sentences
        if after > i:
            i = after
        elif is_of_word(small[i]):
            token_words[tokens] = words
            i, words = read_token(text, small, i, words, begins, ends)
            tokens, filled = tokens + U(1), True
        else:
            filled |= not is_space(text[i])
            i += U(1)
    if filled:
        sentence_tokens[sentences] = tokens
        sentences += U(1)
    return words, tokens, sentences


@part
def read_token(text: Bytes, small: Bytes, i: Whole, words: Whole, begins: Codes, ends: Codes) -> tuple[Whole, Whole]:
    """Read what is one word to a cue, and one or more to a classifier, which splits at the second apostrophe."""
    reading = True
    while reading:
        begins[words] = i
        while is_of_word(small[i]):
            i += U(1)
        if text[i] == QUOTE and is_small(small[i + U(1)]):
            i += U(2)
            while is_small(small[i]):
                i += U(1)
        ends[words] = i
        words += U(1)
        goes_on = small[i] == QUOTE and is_of_word(small[i + U(1)])
        reading = goes_on or is_of_word(small[i])
        i += U(goes_on)
    return i, words


@part
def rewritten(
    data: Bytes, begin: np.int64, end: np.int64, longest: int, characters: Bytes, text: Bytes, small: Bytes, used: Whole
) -> np.int64:
    """Write a text as it is and in lower case, a byte per character; return its size, or -1 if it is unreadable."""
    at, out, left = U(begin), U(used), longest
    while at < U(end) and left > 0:
        byte = data[at]
        at += U(1)
        left -= 1
        if byte >= B(0x80):
            point, size = decoded(data, at, U(end))
            byte = characters[point]
            if size == U(0) or byte == B(UNREADABLE):
                return np.int64(-1)
            at += size
        text[out] = byte
        small[out] = IN_SMALL[byte]
        out += U(1)
        if byte == B(DOTTED_I):
            text[out] = small[out] = B(OTHER)
            out += U(1)
    text[out : out + U(MARGIN)] = B(0)
    small[out : out + U(MARGIN)] = B(0)
    return np.int64(out - U(used))


@part
def decoded(data: Bytes, at: Whole, end: Whole) -> tuple[Whole, Whole]:
    """Decode a character whose first byte is before this place; return how many others it has, 0 if malformed."""
    lead = np.uint32(data[at - U(1)])
    size = U(1) + U(lead >= np.uint32(0xE0)) + U(lead >= np.uint32(0xF0))
    if lead < np.uint32(0xC2) or lead > np.uint32(0xF4) or at + size > end:
        return np.uint32(0), U(0)
    point = lead & (np.uint32(0x3F) >> np.uint32(size))
    for i in range(at, at + size):
        if data[i] & B(0xC0) != B(0x80):
            return np.uint32(0), U(0)
        point = point << np.uint32(6) | np.uint32(data[i] & B(0x3F))
    least = np.uint32(1) << np.uint32(U(5) * size + U(1))
    return (point, size) if least <= point < np.uint32(0x110000) else (np.uint32(0), U(0))


@part
def after_end(text: Bytes, i: Whole, start: Whole, end: Whole) -> Whole:
    """Return where what ends a sentence here is over: white space after a mark, line ends, <br/>; else the place."""
    if text[i] == B(ord("<")):
        return after_break(text, i, end)
    if is_space(text[i]) and i > start and (is_mark(text[i - U(1)]) or text[i - U(1)] == B(ord(";"))):
        while i < end and is_space(text[i]):
            i += U(1)
    while i < end and text[i] == NEWLINE:
        i += U(1)
    return i


@part
def after_break(text: Bytes, i: Whole, end: Whole) -> Whole:
    """Return the place behind a <br/>, or the place."""
    stop = i + U(3)
    if text[i + U(1)] != B(ord("b")) or text[i + U(2)] != B(ord("r")):
        return i
    while stop < end and is_space(text[stop]):
        stop += U(1)
    stop += U(text[stop] == B(ord("/")))
    return stop + U(1) if text[stop] == B(ord(">")) else i


@part
def is_glued(text: Bytes, i: Whole, start: Whole) -> Whole:
    """Whether a sentence begins here without a blank.Like these two."""
    return is_capital(text[i]) and i > start + U(1) and is_mark(text[i - U(1)]) and is_small(text[i - U(2)])


@part
def is_capital(byte: Whole) -> Whole:
    """Tell A to Z."""
    return B(byte - B(65)) < B(26)


@part
def is_small(byte: Whole) -> Whole:
    """Tell a to z."""
    return B(byte - B(97)) < B(26)


@part
def is_of_word(byte: Whole) -> Whole:
    """Tell letters and digits, in lower case."""
    return is_small(byte) or B(byte - B(48)) < B(10) or byte >= B(DIGIT)


@part
def is_space(byte: Whole) -> Whole:
    """Tell white space, as Python sees it."""
    return byte == BLANK or B(byte - B(9)) < B(5) or B(byte - B(28)) < B(4)


@part
def is_mark(byte: Whole) -> Whole:
    """Tell what ends a sentence, with or without white space."""
    return byte == B(ord(".")) or byte == B(ord("!")) or byte == B(ord("?"))
