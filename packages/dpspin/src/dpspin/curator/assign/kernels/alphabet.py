"""One byte for each character: what the kernel reads instead of text, so that all of Unicode costs what ASCII costs.

A word is looked up among the words of a fitted source. So only the letters of those need a byte of their own; all
other letters share one, which no known word holds. A character is then as long as any other, as it is to Python.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Self

import numpy as np

from dpspin.curator.assign.kernels.kernel_arrays import Bytes
from dpspin.curator.assign.kernels.sentence_layout import (
    CURLY,
    DIGIT,
    DOTTED_I,
    KELVIN,
    LETTER,
    OTHER,
    OWN_DIGITS,
    OWN_LETTERS,
    UNREADABLE,
)

CODE_POINTS: Final = 0x110000
SURROGATES: Final = slice(0xD800, 0xE000)
KINDS: Final = ((r"[^\W\d_]", LETTER), (r"\d", DIGIT), (r"\s", ord(" ")))  # the same to a sentence or a word
BYTES: Final = {
    "\N{RIGHT SINGLE QUOTATION MARK}": CURLY,
    "\N{KELVIN SIGN}": KELVIN,
    "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}": DOTTED_I,
}
SIGMAS: Final = "σς"  # which of them a capital becomes depends on its neighbours


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The bytes of the characters that a source knows, ASCII and others, and the byte of every code point."""

    known: Mapping[str, int] = field(repr=False)
    characters: Bytes = field(repr=False)

    @classmethod
    def of(cls, words: Iterable[str]) -> Self:
        r"""Give a byte to each letter and digit of some words; the rarest are unreadable where there are too many.

        >>> one = Alphabet.of(["café"])
        >>> [int(one.characters[ord(each)]) for each in "aÉè٣\u2014\u00a0"] == [
        ...     97, OWN_LETTERS.start, LETTER, DIGIT, OTHER, 32
        ... ]
        True
        """
        counts = Counter(letter for word in words for letter in word if letter > "\x7f")
        often = sorted((letter for letter in counts if _can_occur(letter)), key=lambda one: (-counts[one], one))
        letters, digits = ([one for one in often if one.isdecimal() is decimal] for decimal in (False, True))
        own = dict(zip(letters, OWN_LETTERS, strict=False)) | dict(zip(digits, OWN_DIGITS, strict=False))
        characters = _kinds().copy()
        for letter in often:
            characters[[ord(letter), *_capitals().get(letter, ())]] = own.get(letter, UNREADABLE)
        if not counts.keys().isdisjoint(SIGMAS):
            characters[ord("Σ")] = UNREADABLE
        return cls({chr(byte): byte for byte in range(0x80)} | own, characters)

    def knows(self, text: str) -> bool:
        """Tell whether each character has a byte of its own; a word that has another is in no text that is read."""
        return self.known.keys() >= set(text)

    def spelled(self, text: str) -> bytes:
        """Return a text that it knows as bytes."""
        return bytes(map(self.known.__getitem__, text))


def _can_occur(letter: str) -> bool:
    return letter.isalnum() and letter.lower() == letter


@cache
def _kinds() -> Bytes:
    """Return the byte of each code point where no word has a letter beyond ASCII; ASCII stands for itself."""
    everything = "".join(map(chr, range(CODE_POINTS)))
    table = np.full(CODE_POINTS, OTHER, np.uint8)
    for pattern, byte in KINDS:
        for run in re.finditer(f"{pattern}+", everything):
            table[run.start() : run.end()] = byte
    for lower, capitals in _capitals().items():
        table[list(capitals)] = table[ord(lower)]
    table[:0x80] = np.arange(0x80)
    table[SURROGATES] = UNREADABLE
    table[list(map(ord, BYTES))] = list(BYTES.values())
    return table


@cache
def _capitals() -> dict[str, list[int]]:
    """Return the code points that have a lower case of one character, by that character."""
    found: dict[str, list[int]] = {}
    for point in range(CODE_POINTS):
        letter = chr(point)
        lower = letter.lower()
        if lower != letter and letter not in BYTES:
            found.setdefault(lower, []).append(point)
    return found
