"""The arrays that the compiled functions work on."""

from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.kernels.kernel_arrays import Bytes, Codes, Longs, Signed

Short = NDArray[np.int32]

BLOCK_BYTES: Final = 65_536  # of text that one stage hands to the next
TERMS_PER_BYTE: Final = 4  # a word of n bytes has at most 3n + 1 terms with its pairs, and one of one byte five
MARGIN: Final = 16  # bytes behind a text: words are read eight bytes at a time
STEM: Final = 1  # the kind of a short key; the kind of a piece is its size
NEGATES: Final = 1  # flags of an entry of the lexicon
COURTEOUS: Final = 2
LIGHT: Final = 4  # its weights fit into one row
FAMILIAR: Final = 8  # it is a word of the sentences that taught the source
CURLY: Final = 0x80  # bytes of characters beyond ASCII: a curly apostrophe
OTHER: Final = 0x81  # neither part of a word nor white space
KELVIN: Final = 0x82  # capitals whose lower case is of ASCII: "k", and "i" with a mark behind it
DOTTED_I: Final = 0x83
DIGIT: Final = 0x84  # from here on, part of a word: a digit that no word of the source has
LETTER: Final = 0x85  # such a letter
OWN_LETTERS: Final = range(0x86, 0xF0)
OWN_DIGITS: Final = range(0xF0, 0xFF)
UNREADABLE: Final = 0xFF  # for the reference


class Slots(NamedTuple):
    """A hash table with open addressing: the numbers of keys by the upper bits of their hashes, or -1."""

    numbers: Short
    shift: np.uint64
    keys: Longs


class Tables(NamedTuple):
    """What a word can be. The lexicon holds words, words of cues, negations and courtesies."""

    classes: int
    by_sentence: bool  # else the text is one piece, and only words and pairs of words count
    skips_courtesy: bool
    reach: int  # of a negation
    shortest_stem: int
    longest_stem: int
    lexicon: Slots  # its keys are the first eight bytes
    pool: Bytes  # all entries, one after the other
    pool_starts: Signed
    flags: Bytes
    stems: Short  # by entry: its stem among the short keys, or -1
    part_starts: Signed  # by entry: its terms, with repeats
    parts: Short
    first_entry: np.int32  # the row of weights of the first entry; its terms have the rows before
    shorts: Slots  # stems and pieces of words: up to seven bytes and a kind
    short_terms: Short
    pairs: Slots  # of entries, or of stems
    pair_terms: Short
    endings: Longs  # packed, with their sizes
    ending_sizes: Signed
    cue_roots: Short  # by entry: the node of cues that begin with it, or -1
    nodes: Slots  # a node and the next word give a node
    node_starts: Signed
    node_atoms: Short


class Weights(NamedTuple):
    """What the terms are worth, and below them what the terms of each entry are worth together."""

    rows: Short  # (terms and entries x width): as many classes as numbers are added at a time, the last of them empty
    squares: Signed
    offsets: Floats
    frequencies: Signed
    squared_frequencies: Signed
    nothing: float
    whole: float  # the part of the whole; 1 if sentences are not told apart


class Block(NamedTuple):
    """Some records as sentences of words."""

    text: Bytes  # a byte for each character
    small: Bytes  # the same in lower case
    begins: Codes  # of words
    ends: Codes
    token_words: Codes  # by token: its first word; one token may be several words
    sentence_tokens: Codes  # by sentence: the end of its tokens
    row_sentences: Codes  # by row: the end of its sentences
    unreadable: NDArray[np.bool_]  # by row of the batch

    @classmethod
    def room(cls, rows: int, record_bytes: int) -> Self:
        """Make room for the longest record and the bytes behind it."""
        size = max(BLOCK_BYTES, record_bytes + MARGIN)
        text, small = (np.zeros(size + MARGIN, np.uint8) for _ in range(2))
        begins, ends, tokens, sentences = (np.zeros(size, np.uint32) for _ in range(4))  # fewer of each than bytes
        return cls(text, small, begins, ends, tokens, sentences, np.zeros(rows, np.uint32), np.zeros(rows, np.bool_))


class Hits(NamedTuple):
    """What was recognised in a block, sentence by sentence."""

    entries: Short  # of words
    tokens: Short  # entries of the words that cues are made of
    negated: NDArray[np.bool_]
    judged: NDArray[np.bool_]  # by sentence
    row_ends: Codes  # by sentence
    term_ends: Codes
    rows: Short  # of weights, to add
    terms: Short  # to count
    spaced: Bytes  # one word between blanks

    @classmethod
    def room(cls, block: Block) -> Self:
        """Make room for what a block can hold."""
        size = len(block.text)
        entries, tokens = (np.zeros(size, np.int32) for _ in range(2))
        negated, judged = (np.zeros(size, np.bool_) for _ in range(2))
        row_ends, term_ends = (np.zeros(size, np.uint32) for _ in range(2))
        rows, terms = (np.zeros(TERMS_PER_BYTE * size, np.int32) for _ in range(2))
        return cls(entries, tokens, negated, judged, row_ends, term_ends, rows, terms, np.zeros(size, np.uint8))


class Sums(NamedTuple):
    """The sums of a sentence and of a record, and the counts of their terms."""

    of_sentence: Signed
    of_record: Signed
    counts: Short  # by term
    totals: Short
    seen: Short
    again: Short  # terms that occur again, and how many times
    times: Short

    @classmethod
    def room(cls, weights: Weights) -> Self:
        """Make room for every class and term."""
        terms = len(weights.squares)
        of_sentence, of_record = (np.zeros(len(weights.rows) // terms, np.int64) for _ in range(2))
        return cls(of_sentence, of_record, *(np.zeros(terms + 4, np.int32) for _ in range(5)))
