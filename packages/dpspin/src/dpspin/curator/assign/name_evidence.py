"""Evidence from names alone: how much of a theme's name a sentence holds. For dictionaries without examples.

The paper's map gives every record that shares a word with some label its whole mass. Most sentences that share one
word of two with a name are about something else; so here a sentence speaks for a theme by the part of the name that it
holds, rare words counting more, and the calibration wants about half of it. What no name is half in is none of these.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.model_base import digest_of
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.map_trust import ours
from dpspin.curator.assign.paper_map import PublicWordIdf
from dpspin.curator.assign.sentence_terms import flattened, telling
from dpspin.text.stems import cut_stem
from dpspin.text.words import TERM_WORD

WHOLE = 2**20  # a name's parts are integers of about this sum: their sums are the same in any order
Parts = tuple[tuple[int, int], ...]  # (number of the name, part of it)


@ours
@dataclass(frozen=True)
class NameEvidence:
    """Scores a record by its sentence that holds most of a name: of a label, cue, description, or lone example."""

    owners: tuple[int, ...]  # the atom of each name
    atoms: int
    stems: Mapping[str, Parts] = field(repr=False)  # the part of each name that a stem makes up

    layers = ("part of a name",)

    @classmethod
    def of(cls, universe: AtomUniverse) -> "NameEvidence":
        """Take the names from the dictionary; public word frequencies say how much each word of a name counts."""
        owners: list[int] = []
        stems: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, atom in enumerate(universe.atoms):
            lone = () if universe.has_examples else atom.examples  # where all have some, a card is measured on them
            for name in (*_names(telling(atom)), *lone):
                for stem, part in _parts_of(name).items():
                    stems[stem].append((len(owners), part))
                owners.append(place)
        return cls(tuple(owners), universe.size, {stem: tuple(parts) for stem, parts in sorted(stems.items())})

    @property
    def digest(self) -> str:
        """Identify the names."""
        return digest_of(["names", self.atoms, self.owners, list(self.stems.items())])

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return the largest part of a name of each atom that one sentence holds."""
        sentences, records = flattened(texts)
        held = (self._known(sentences) @ self._parts).tocoo()  # (sentences, names), in integers: exact in any order
        best = np.zeros((len(texts), self.atoms), np.int64)
        cells = np.asarray(records, np.intp)[held.row], np.asarray(self.owners, np.intp)[held.col]
        np.maximum.at(best, cells, held.data)
        return best[None] / WHOLE

    @cached_property
    def _places(self) -> dict[str, int]:
        return {stem: place for place, stem in enumerate(self.stems)}

    @cached_property
    def _parts(self) -> "csr_array[np.int64]":
        found = [(row, *part) for row, parts in enumerate(self.stems.values()) for part in parts]
        stems, names, parts = np.array(found, np.int64).reshape(-1, 3).T
        return csr_array((parts, (stems, names)), shape=(len(self.stems), len(self.owners)))

    def _known(self, sentences: Sequence[str]) -> "csr_array[np.int64]":
        """Tell which stems of names each sentence has."""
        has = [{cut_stem(word) for word in TERM_WORD.findall(one.lower())} & self._places.keys() for one in sentences]
        columns = [self._places[stem] for stems in has for stem in stems]
        ends = np.cumsum([0, *map(len, has)])
        return csr_array((np.ones(len(columns), np.int64), columns, ends), shape=(len(sentences), len(self.stems)))


def _names(atom: Atom) -> tuple[str, ...]:
    return tuple(filter(None, (atom.label, *atom.cues, atom.description)))


def _parts_of(name: str) -> dict[str, int]:
    """Return what each stem of a name makes up of it.

    >>> _parts_of("the late refund")
    {'the': 75900, 'late': 365258, 'refund': 607416}
    """
    words = TERM_WORD.findall(name.lower())
    rarity = {cut_stem(word): idf for word, idf in zip(words, PublicWordIdf()(words, ()).tolist(), strict=True)}
    whole = sum(rarity.values())
    return {stem: int(WHOLE * one / whole) for stem, one in rarity.items()}
