"""Which of a theme's public examples is nearest to a record: by the words that one of its sentences shares with each.

Likeness is the cosine of the stems that both have, weighed by how rare they are in the dictionary's own sentences
(TF-IDF with each stem counted once). It is fitted on public text only and works beside every map. Sums are of integers;
only roots and divisions round, and these round in one way only: a record gets the same in any batch. A token is looked
up once, so that a batch costs about as much as its different tokens. Less than a hundredth of a record is no vote.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.facets import ExampleFacet
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.boundary.public_examples import chosen_examples, stems_of
from dpspin.curator.assign.contribution import Floats, Ints

ENDS: Final = (".", "!", "?", ".)", "!)", "?)", '."', '!"', '?"', ".”", "!”", "?”", "…")
STEPS: Final = 2**8  # of a weight: with at most 2^16 stems in a sentence no sum leaves 53 bits
LEAST_VOTE: Final = TICKS_PER_MASS // 100  # most of a record's themes have less, and together a hundredth of all mass
MOST_TOKENS: Final = 2**18  # that are remembered


@dataclass(frozen=True, slots=True)
class Tokens:
    """The stems of a batch that examples have, each once per sentence: sorted by record, then sentence."""

    starts: Ints = field(repr=False)  # of each record, and the end
    sentences: Ints = field(repr=False)
    stems: Ints = field(repr=False)
    lengths: Floats = field(repr=False)  # of each sentence


@dataclass(frozen=True)
class NearestExample:
    """The examples of a dictionary by their stems; ``keys`` are a stem and a theme whose examples have it, sorted."""

    facet: ExampleFacet
    atoms: int
    stems: Mapping[str, int] = field(repr=False)
    squares: Ints = field(repr=False)  # of the weights of stems
    keys: Ints = field(repr=False)  # stem * atoms + atom
    has: Ints = field(repr=False)  # (keys, examples): the square of the stem's weight where an example has it
    lengths: Floats = field(repr=False)  # (atoms, examples); one that is not there is infinitely long
    known: dict[str, tuple[tuple[int, ...], bool]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, facet: ExampleFacet, universe: AtomUniverse) -> "NearestExample":
        """Weigh the stems of all sentences of a dictionary, and note those of the examples that stand for themes."""
        weights = _weights(universe)
        stems = {stem: place for place, stem in enumerate(weights)}
        squares = np.array([weight**2 for weight in weights.values()], np.int64)
        chosen = [chosen_examples(atom, facet.most) for atom in universe.atoms]
        rows: dict[int, Ints] = {}
        lengths = np.full((universe.size, facet.most), np.inf)
        for atom, examples in enumerate(chosen):
            for number, example in enumerate(examples):
                mine = [stems[stem] for stem in dict.fromkeys(stems_of(example))]
                lengths[atom, number] = np.sqrt(squares[mine].sum())
                for stem in mine:
                    row = rows.setdefault(stem * universe.size + atom, np.zeros(facet.most, np.int64))
                    row[number] = squares[stem]
        keys = np.array(sorted(rows), np.int64)
        return cls(facet, universe.size, stems, squares, keys, np.array([rows[key] for key in sorted(rows)]), lengths)

    def __call__(self, texts: pa.StringArray) -> "NearestInBatch":
        """Read a batch of texts, once it is asked about any."""
        return NearestInBatch(self, texts)

    def tokens(self, texts: pa.StringArray) -> Tokens:
        """Look up the tokens of a batch."""
        listed = pc.utf8_split_whitespace(texts.cast(pa.large_string()).fill_null(""))
        coded = listed.flatten().dictionary_encode()
        found = [*map(self._look_up, coded.dictionary.to_pylist())]
        codes = coded.indices.to_numpy()
        counts = pc.list_value_length(listed).to_numpy().astype(np.int64)
        ends = np.array([end for _, end in found], bool)[codes] if len(codes) else np.zeros(0, bool)
        records = np.repeat(np.arange(len(texts), dtype=np.int64), counts)
        before = np.cumsum(np.r_[0, ends[:-1]])[: len(codes)]
        sentences = np.cumsum(np.r_[0, (np.diff(records) != 0) | (np.diff(before) != 0)].astype(np.int64))[: len(codes)]
        sizes = np.array([len(stems) for stems, _ in found], np.int64)
        flat = np.array([stem for stems, _ in found for stem in stems], np.int64)
        return self._once_each(records, sentences, *_spread(codes, sizes, flat), len(texts))

    def _once_each(self, records: Ints, sentences: Ints, owners: Ints, stems: Ints, many: int) -> Tokens:
        keys = np.sort(sentences[owners] * len(self.squares) + stems)
        sentence, stem = np.divmod(keys[np.r_[True, np.diff(keys) != 0][: len(keys)]], max(1, len(self.squares)))
        of_sentence = np.zeros(int(sentences[-1]) + 1 if len(sentences) else 0, np.int64)
        of_sentence[sentences] = records
        lengths = np.sqrt(np.bincount(sentence, weights=self.squares[stem], minlength=len(of_sentence)))
        telling = self._telling[stem]
        sentence, stem = sentence[telling], stem[telling]
        starts = np.searchsorted(of_sentence[sentence], np.arange(many + 1))
        return Tokens(starts.astype(np.int64), sentence, stem, lengths)

    @cached_property
    def _telling(self) -> NDArray[np.bool_]:
        """Which stems any example has: the others make a sentence longer, and no example nearer."""
        flags: NDArray[np.bool_] = np.zeros(len(self.squares), bool)
        flags[self.keys // self.atoms] = True
        return flags

    def _look_up(self, token: str) -> tuple[tuple[int, ...], bool]:
        """Return the known stems of a token, and whether it ends a sentence; of the token alone."""
        told = self.known.get(token)
        if told is None:
            if len(self.known) >= MOST_TOKENS:
                self.known.clear()
            stems = (self.stems.get(stem) for stem in stems_of(token))
            told = self.known[token] = tuple(stem for stem in stems if stem is not None), token.endswith(ENDS)
        return told


@dataclass(frozen=True)
class NearestInBatch:
    """The nearest examples of the records of one batch."""

    nearest: NearestExample
    texts: pa.StringArray = field(repr=False)

    @cached_property
    def _tokens(self) -> Tokens:
        return self.nearest.tokens(self.texts)

    def __call__(self, rows: Ints, atoms: Ints, ticks: Ints) -> Ints:
        """Return the place of each pair; of what is no theme or no vote, and where nothing is shared, the last one."""
        places = np.full(len(rows), self.nearest.facet.most, np.int64)
        themes = np.flatnonzero((atoms < self.nearest.atoms) & (ticks >= LEAST_VOTE))
        likeness = self._likeness(rows[themes], atoms[themes])
        shared = likeness.max(axis=1, initial=0.0) > 0
        places[themes[shared]] = likeness[shared].argmax(axis=1)  # of equal ones the first
        return places

    def _likeness(self, rows: Ints, atoms: Ints) -> Floats:
        """Return how near each example is to each pair: by the sentence of the record that is nearest to it."""
        known, tokens = self.nearest, self._tokens
        pairs, at = _ranges(tokens.starts[rows], tokens.starts[rows + 1])
        keys = tokens.stems[at] * known.atoms + atoms[pairs]
        found = np.searchsorted(known.keys, keys)
        hit = np.flatnonzero(known.keys[np.minimum(found, len(known.keys) - 1)] == keys)
        pairs, sentences, shared = pairs[hit], tokens.sentences[at[hit]], known.has[found[hit]]
        likeness = np.zeros((len(rows), known.facet.most))
        if len(hit):
            starts = np.flatnonzero(np.r_[True, (np.diff(pairs) != 0) | (np.diff(sentences) != 0)])
            sums, pairs = np.add.reduceat(shared, starts), pairs[starts]
            near = sums / tokens.lengths[sentences[starts]][:, None] / known.lengths[atoms[pairs]]
            firsts = np.flatnonzero(np.r_[True, np.diff(pairs) != 0])
            likeness[pairs[firsts]] = np.maximum.reduceat(near, firsts)
        return likeness


def _weights(universe: AtomUniverse) -> dict[str, int]:
    """Return how much each stem tells: ln((1+n)/(1+df)) + 1 over the dictionary's sentences, in whole steps."""
    sentences = [*(text for atom in universe.atoms for text in atom.examples), *universe.background]
    having: dict[str, int] = {}
    for sentence in sentences:
        for stem in dict.fromkeys(stems_of(sentence)):
            having[stem] = having.get(stem, 0) + 1
    total = 1 + len(sentences)
    return {stem: round(STEPS * (float(np.log(total / (1 + count))) + 1)) for stem, count in sorted(having.items())}


def _spread(codes: Ints, sizes: Ints, flat: Ints) -> tuple[Ints, Ints]:
    """Return all stems of a row of tokens, each with the token's position."""
    if not len(flat):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    starts = np.r_[0, np.cumsum(sizes)[:-1]]
    owners, at = _ranges(starts[codes], starts[codes] + sizes[codes])
    return owners, flat[at]


def _ranges(starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Write out ranges of positions, each with the number of its range.

    >>> [each.tolist() for each in _ranges(np.array([5, 0]), np.array([7, 1]))]
    [[0, 0, 1], [5, 6, 0]]
    """
    sizes = ends - starts
    owners = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    return owners, np.arange(int(sizes.sum()), dtype=np.int64) + np.repeat(
        starts - np.r_[0, np.cumsum(sizes)[:-1]], sizes
    )
