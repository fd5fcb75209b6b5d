"""What the kernel looks up: built from the fitted sources alone, so equal sources have equal tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

import numpy as np

from dpspin.curator.assign.evidence_sources import NEGATIONS, NOTHING, REACH, CueEvidence
from dpspin.curator.assign.kernels.alphabet import Alphabet
from dpspin.curator.assign.kernels.kernel_arrays import Bytes, Longs, Signed
from dpspin.curator.assign.kernels.recognise_words import mixed
from dpspin.curator.assign.kernels.sentence_layout import (
    COURTEOUS,
    FAMILIAR,
    LIGHT,
    NEGATES,
    STEM,
    Short,
    Slots,
    Tables,
    Weights,
)
from dpspin.curator.assign.labelled_texts import TaughtEvidence
from dpspin.curator.assign.sentence_evidence import WHOLE, ExampleEvidence
from dpspin.curator.assign.sentence_terms import COURTESY, MOST_SENTENCES
from dpspin.curator.assign.term_classifier import ANALYZERS, Scorer, TermVectors, frequencies, squared_frequencies
from dpspin.text.stems import CUT_ENDINGS, LONGEST_STEM, SHORTEST_STEM, cut_stem
from dpspin.text.words import TERM_WORD

SLOTS_PER_KEY: Final = 4  # most look-ups end at the first slot
LANES: Final = 32  # classes whose weights are added at a time
MOST_PARTS: Final = 64  # terms of a word whose weights, added, surely fit into 32 bits
NOWHERE: Final = 2**31 - 1  # the node before the first word: no look-up begins there
Cues = Mapping[tuple[str, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class HowToRead:
    """How a classifier reads a record."""

    most_sentences: int  # 0: the whole text is one
    skips_courtesy: bool
    whole: float  # the part of the whole record in the score


@dataclass(frozen=True, slots=True)
class Compiled:
    """A classifier as the kernel reads it."""

    alphabet: Alphabet
    tables: Tables = field(repr=False)
    weights: Weights = field(repr=False)
    most_sentences: int


def compile_sentences(cues: CueEvidence, examples: ExampleEvidence) -> Compiled:
    """Build the tables of cues and of a sentence classifier."""
    about = HowToRead(most_sentences=MOST_SENTENCES, skips_courtesy=examples.skips_courtesy, whole=WHOLE)
    if not isinstance(examples.vectors, TermVectors):
        raise TypeError("only a classifier over terms can be compiled")
    scorer = Scorer.of(examples.vectors, examples.model)
    return _compiled(examples.vectors, scorer, cues.cues, about)


def compile_records(taught: TaughtEvidence) -> Compiled:
    """Build the tables of a classifier of whole records."""
    return _compiled(taught.vectors, taught.scorer, {}, HowToRead(most_sentences=0, skips_courtesy=False, whole=1.0))


def _compiled(vectors: TermVectors, scorer: Scorer, cues: Cues, about: HowToRead) -> Compiled:
    vectors, scorer = _frequent_first(vectors, scorer)
    alphabet = Alphabet.of((*vectors.terms, *(word for cue in cues for word in cue)))
    words, stems, pieces = _vocabulary(vectors.terms, alphabet)
    cues = {cue: atoms for cue, atoms in cues.items() if all(map(alphabet.knows, cue))}
    of_words, of_cues = (word for pair in words for word in pair), (word for cue in cues for word in cue)
    entries = sorted({*of_words, *of_cues, *NEGATIONS, *COURTESY})
    lexicon = {
        word: n for n, word in enumerate(sorted(entries, key=lambda word: vectors.places.get(word, len(entries))))
    }
    singles = {(STEM, pair[0]): term for pair, term in stems.items() if len(pair) == 1} | pieces
    keys = sorted({*((STEM, one) for pair in stems for one in pair), *pieces})
    shorts = {key: n for n, key in enumerate(sorted(keys, key=lambda key: singles.get(key, len(singles))))}
    parts = [_parts(word, vectors) for word in lexicon]
    pairs = {lexicon[one] << 32 | lexicon[two]: term for (one, two), term in _twos(words)}
    pairs |= {1 << 63 | shorts[STEM, one] << 32 | shorts[STEM, two]: term for (one, two), term in _twos(stems)}
    roots, nodes, node_atoms = _trie(cues, lexicon)
    slots, pool, pool_starts = _lexicon([alphabet.spelled(word) for word in lexicon])
    endings = [ending.encode() for ending in CUT_ENDINGS]
    tables = Tables(
        classes=len(scorer.offsets),
        by_sentence=about.most_sentences > 0,
        skips_courtesy=about.skips_courtesy,
        reach=REACH,
        shortest_stem=SHORTEST_STEM,
        longest_stem=LONGEST_STEM,
        lexicon=slots,
        pool=pool,
        pool_starts=pool_starts,
        flags=np.array([_flags(word, own, vectors) for word, own in zip(lexicon, parts, strict=True)], np.uint8),
        stems=_short(shorts.get((STEM, cut_stem(word)), -1) for word in lexicon),
        part_starts=_starts(parts),
        parts=_short(term for own in parts for term in own),
        first_entry=np.int32(len(vectors.terms)),
        shorts=_slots(np.array([_key(alphabet.spelled(word)) | kind << 56 for kind, word in shorts], np.uint64)),
        short_terms=_short(singles.get(key, -1) for key in shorts),
        pairs=_slots(np.array([*pairs], np.uint64)),
        pair_terms=_short(pairs.values()),
        endings=np.array([int.from_bytes(ending, "little") for ending in endings], np.uint64),
        ending_sizes=np.array([len(ending) for ending in endings], np.int64),
        cue_roots=_short(roots.get(number, -1) for number in lexicon.values()),
        nodes=_slots(np.array(nodes, np.uint64)),
        node_starts=_starts(node_atoms),
        node_atoms=_short(atom for atoms in node_atoms for atom in atoms),
    )
    return Compiled(alphabet, tables, _weights(parts, scorer, about.whole), about.most_sentences)


def _frequent_first(vectors: TermVectors, scorer: Scorer) -> tuple[TermVectors, Scorer]:
    """Give the terms other numbers, so that what is often needed lies side by side; no sum depends on it."""
    order = np.argsort(vectors.idf, kind="stable")
    terms = tuple(vectors.terms[place] for place in order)
    return (
        TermVectors(vectors.analyzer, terms, vectors.idf[order]),
        Scorer(scorer.weights[order], scorer.squares[order], scorer.offsets),
    )


def _vocabulary(
    terms: Sequence[str], alphabet: Alphabet
) -> tuple[dict[tuple[str, ...], int], dict[tuple[str, ...], int], dict[tuple[int, str], int]]:
    """Sort the terms that a text can hold which is read: words and pairs of words, stems and pairs of stems, pieces."""
    words: dict[tuple[str, ...], int] = {}
    stems: dict[tuple[str, ...], int] = {}
    pieces: dict[tuple[int, str], int] = {}
    for number, term in enumerate(terms):
        if not alphabet.knows(term):
            continue
        match term[0]:
            case "~":
                pieces[len(term) - 1, term[1:]] = number
            case "#":
                stems[tuple(term[1:].split(" "))] = number
            case _:
                words[tuple(term.split(" "))] = number
    return words, stems, pieces


def _twos(phrases: dict[tuple[str, ...], int]) -> Iterable[tuple[tuple[str, ...], int]]:
    return ((phrase, term) for phrase, term in phrases.items() if len(phrase) > 1)


def _parts(word: str, vectors: TermVectors) -> list[int]:
    """Return the known terms of a word by itself; what a classifier does not see as one word has none."""
    if not TERM_WORD.fullmatch(word):
        return []
    found = (vectors.places.get(term) for term in ANALYZERS[vectors.analyzer](word))
    return [place for place in found if place is not None]


def _flags(word: str, parts: Sequence[int], vectors: TermVectors) -> int:
    of_all = NEGATES * (word in NEGATIONS) | COURTEOUS * (word in COURTESY)
    return of_all | LIGHT * (len(parts) <= MOST_PARTS) | FAMILIAR * (word in vectors.places)


def _weights(parts: Sequence[Sequence[int]], scorer: Scorer, whole: float) -> Weights:
    """Put the sums of each word's terms below the weights of the terms; a word with too many is left out."""
    light = [own if len(own) <= MOST_PARTS else [] for own in parts]
    rows = [scorer.weights, *(scorer.weights[own].sum(axis=0, keepdims=True) for own in light)]
    classes = len(scorer.offsets)
    width = -(-classes // LANES) * LANES if classes > 1 else 1
    padded = np.pad(np.concatenate(rows).astype(np.int32), ((0, 0), (0, width - classes)))
    return Weights(
        rows=padded.ravel(),
        squares=np.append(scorer.squares, [scorer.squares[own].sum() for own in light]).astype(np.int64),
        offsets=scorer.offsets,
        frequencies=frequencies(),
        squared_frequencies=squared_frequencies(),
        nothing=NOTHING,
        whole=whole,
    )


def _trie(cues: Cues, lexicon: dict[str, int]) -> tuple[dict[int, int], list[int], list[list[int]]]:
    """Return the node of each first word, the key (node, next word) of each node, and the atoms of each node."""
    numbers = {prefix: n for n, prefix in enumerate(_prefixes(cues))}
    roots = {lexicon[prefix[0]]: n for prefix, n in numbers.items() if len(prefix) == 1}
    keys = [(numbers[prefix[:-1]] if len(prefix) > 1 else NOWHERE) << 32 | lexicon[prefix[-1]] for prefix in numbers]
    return roots, keys, [list(cues.get(prefix, ())) for prefix in numbers]


def _prefixes(cues: Cues) -> list[tuple[str, ...]]:
    return sorted({cue[:size] for cue in cues for size in range(1, len(cue) + 1)})


def _lexicon(words: Sequence[bytes]) -> tuple[Slots, Bytes, Signed]:
    """Return the words' slots, their bytes, and where each begins."""
    keys = np.array([_key(word[:8]) for word in words], np.uint64)
    sizes = np.array([len(word) for word in words], np.uint64)
    pool = np.frombuffer(bytearray(b"".join(words) + bytes(1)), np.uint8)
    return _slots(keys, mixed(keys ^ sizes * np.uint64(0x9E3779B97F4A7C15))), pool, _starts(words)


def _slots(keys: Longs, hashes: Longs | None = None) -> Slots:
    """Place keys by the upper bits of their hashes, in the next free slot where one is taken."""
    bits = max(1, (SLOTS_PER_KEY * len(keys)).bit_length())
    numbers = np.full(2**bits, -1, np.int32)
    homes = (mixed(keys) if hashes is None else hashes) >> np.uint64(64 - bits)
    for number, home in enumerate(homes.tolist()):
        slot = home
        while numbers[slot] >= 0:
            slot = (slot + 1) % len(numbers)
        numbers[slot] = number
    return Slots(numbers, np.uint64(64 - bits), keys)


def _key(word: bytes) -> int:
    return int.from_bytes(word, "little")


def _short(numbers: Iterable[int]) -> Short:
    return np.array([*numbers], np.int32)


def _starts(parts: Iterable[Sequence[object] | bytes]) -> Signed:
    return np.array([0, *accumulate(map(len, parts))], np.int64)
