"""Whether a record speaks of the dictionary's subject at all, or of something else that people write about.

A classifier of themes compares a text with its own sentences only: some of them always fits best, and the longer a text
on another subject, the better. What other subjects sound like is learned from everyday sentences of many walks of life,
all written for this purpose, and from sentences of the ready packs. Walks of life that sound like the dictionary itself
teach nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

import numpy as np
import yaml

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import digest_of
from dpspin.curator.assign.contribution import Floats, Ints
from dpspin.curator.assign.dictionary_sentences import DictionarySentences, Flags
from dpspin.curator.assign.evidence_sources import Evidence
from dpspin.curator.assign.fit_all_classes import fit_all_classes
from dpspin.curator.assign.labelled_texts import STRENGTH, TaughtEvidence
from dpspin.curator.assign.map_trust import ours
from dpspin.curator.assign.term_classifier import Lesson, on_grid
from dpspin.curator.assign.term_counts import Learned, TermCounts

SPOKEN = "en"  # the language of the everyday sentences
FOLDS = 5
KIN = 0.6  # of a walk of life more sentences than this pass for the dictionary's own: it is the dictionary's subject
FEWEST = 20  # sentences of a walk of life: with less of it left, it is the dictionary's own
LONGEST_RECORD = 6  # sentences of one walk of life that make a record
SENTENCE = 80  # bytes
WalksOfLife = Mapping[str, tuple[str, ...]]


@ours
@dataclass(frozen=True)
class DomainEvidence:
    """Log odds that the words of the whole record are of the dictionary's domain, and how short the record is.

    Both are the same for all atoms. A long record must sound more like the dictionary than a short one: among many
    sentences on any subject, some resemble an example.
    """

    teacher: TaughtEvidence
    atoms: int

    layers = ("domain", "shortness")

    @classmethod
    def fit(
        cls, own: Sequence[str], elsewhere: Sequence[str], atoms: int, counted: "CountedSentences"
    ) -> "DomainEvidence":
        """Tell the dictionary's own sentences from others; both weigh the same in total."""
        texts = (*own, *elsewhere)
        is_own = np.arange(len(texts)) < len(own)
        weights = np.where(is_own, 1 / len(own), 1 / len(elsewhere)) * len(texts) / 2
        vectors, rows = counted.learned(texts)
        lesson = Lesson(np.ones(len(texts), dtype=bool), is_own, weights)
        return cls(TaughtEvidence(vectors, fit_all_classes(rows, [lesson], STRENGTH)), atoms)

    @property
    def called(self) -> tuple[object, ...]:
        """What reads the records for it."""
        return (self.teacher,)

    @property
    def digest(self) -> str:
        """Identify the classifier."""
        return digest_of([*self.layers, self.teacher.digest])

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return two layers."""
        sizes = np.array([len(text.encode(errors="surrogatepass")) for text in texts], np.int64)
        return domain_layers(self.teacher(texts)[0], sizes, self.atoms)


@dataclass(frozen=True, slots=True)
class CountedSentences:
    """Sentences whose terms were counted once, for every fold that learns from some of them."""

    place_of: Mapping[str, int] = field(repr=False)
    counts: TermCounts

    @classmethod
    def of(cls, texts: Iterable[str]) -> "CountedSentences":
        """Count the terms of each sentence."""
        place_of = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        return cls(place_of, TermCounts.of(tuple(place_of), "record"))

    def learned(self, texts: Sequence[str]) -> Learned:
        """Learn from some of them the terms of two or more."""
        return self.counts.learned(np.array([self.place_of[text] for text in texts]), fewest=2)


def domain_layers(odds: Floats, sizes: Ints, atoms: int) -> Floats:
    """Return the one column of odds, and beside it the shortness of each size in bytes, for each of the atoms.

    >>> domain_layers(np.array([[2.0], [3.0]]), np.array([40, 160]), atoms=2).round(2).tolist()
    [[[2.0, 2.0], [3.0, 3.0]], [[0.0, 0.0], [-0.69, -0.69]]]
    """
    table = shortness()
    return np.repeat(np.stack([odds, table[np.minimum(sizes, len(table) - 1)][:, None]]), atoms, axis=2)


@cache
def shortness() -> Floats:
    """Return minus the log of the number of sentences, by bytes; beyond the longest record that was tried, no less.

    It is a table, because the log of many numbers at once may round in another way than that of one.
    """
    return on_grid(-np.log(np.maximum(np.arange(LONGEST_RECORD * SENTENCE + 1), SENTENCE) / SENTENCE))


@cache
def everyday() -> WalksOfLife:
    """Return the sentences by the walk of life they are from; an area of a ready pack is one too."""
    kept = files("dpspin.curator.assign")
    texts = [(kept / f"{name}_sentences.yaml").read_text(encoding="utf-8") for name in ("everyday", "pack")]
    return {name: tuple(sentences) for text in texts for name, sentences in yaml.load(text, yaml.CSafeLoader).items()}


def _without(own: Iterable[str]) -> WalksOfLife:
    """Leave out a dictionary's own sentences, and of a pack the areas that it is made of."""
    mine = frozenset(own)
    others = ((name, tuple(one for one in told if one not in mine)) for name, told in everyday().items())
    return {name: sentences for name, sentences in others if len(sentences) >= FEWEST}


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Walks of life that are not the subject of a dictionary; in folds, so that a map can be tried on unknown ones."""

    walks: WalksOfLife = field(repr=False)
    counted: CountedSentences | None = field(default=None, repr=False)  # the dictionary's own are among them

    @classmethod
    def of(cls, universe: AtomUniverse) -> "Elsewhere":
        """Leave out what is the dictionary's own subject, and everything for a dictionary in other languages.

        Each walk of life is judged by a classifier that has not seen it. If it were not left out, the map would learn
        to answer "none of these" to the very texts it is for.
        """
        if universe.languages and SPOKEN not in universe.languages:
            return cls({})
        own = DictionarySentences.of(universe).texts
        every = cls(_without(own))
        counted = CountedSentences.of((*own, *every.sentences(every.walks)))
        strange: set[str] = set()
        for held in range(FOLDS):
            judge = DomainEvidence.fit(own, every.sentences(every.known(held, FOLDS)), 1, counted)
            strange |= {name for name in every.held(held, FOLDS) if (judge(every.walks[name])[0] > 0).mean() <= KIN}
        return cls({name: sentences for name, sentences in every.walks.items() if name in strange}, counted)

    def held(self, fold: int, folds: int) -> tuple[str, ...]:
        """Name the walks of life of one fold."""
        return tuple(self.walks)[fold::folds]

    def known(self, fold: int, folds: int) -> tuple[str, ...]:
        """Name those of all other folds."""
        return tuple(name for place, name in enumerate(self.walks) if place % folds != fold)

    def sentences(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the sentences of some walks of life."""
        return tuple(sentence for name in names for sentence in self.walks[name])

    def evidence(self, sentences: DictionarySentences, rows: Flags, names: Iterable[str]) -> tuple[Evidence, ...]:
        """Fit on some rows of a dictionary and some walks of life; nothing where there are none."""
        if not self.walks or self.counted is None:
            return ()
        own = [text for text, learn in zip(sentences.texts, rows, strict=True) if learn]
        return (DomainEvidence.fit(own, self.sentences(names), sentences.expresses.shape[1], self.counted),)

    def records(self, names: Iterable[str], most: int) -> tuple[str, ...]:
        """Put everyday sentences together to at most so many records of one sentence to six, spread over all names."""
        records: list[str] = []
        for name in names:
            start = 0
            while start < len(self.walks[name]):
                end = start + 1 + len(records) % LONGEST_RECORD
                records.append(" ".join(self.walks[name][start:end]))
                start = end
        chosen = np.linspace(0, len(records) - 1, min(most, len(records))).astype(int)
        return tuple(records[place] for place in chosen)
