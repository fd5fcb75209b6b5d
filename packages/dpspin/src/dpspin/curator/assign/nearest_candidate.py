"""Which candidate theme is nearest to a record: a map of the candidates decides, fitted like any map on public words.

The dictionary's own examples teach it what no candidate is, so that what a dictionary has, and its own map missed, is
seldom told as missing. The heaviest answer counts: a candidate, or none of them.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.facets import CandidateFacet
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.boundary.public_examples import chosen_examples
from dpspin.curator.assign.contribution import ContributionMap, Ints
from dpspin.curator.assign.recipes import Recipe, fit_by_recipe
from dpspin.errors import RequestError

LESSONS: Final = 24  # examples from which a candidate is known: few enough that dozens are fitted in seconds
NEAR_MISSES: Final = 6
BACKGROUND: Final = 600  # sentences of the dictionary's subject and of none of its themes
LEAST: Final = TICKS_PER_MASS // 10  # of a record that fits no theme: less is nobody's candidate, and not looked at


def beside_the_dictionary(candidates: AtomUniverse, atoms: AtomUniverse) -> AtomUniverse:
    """Return the candidates in short, with what the dictionary says of its own themes as sentences of none."""
    own = (example for atom in atoms.atoms for example in chosen_examples(atom))
    taught = {example for atom in candidates.atoms for example in atom.examples}
    none = dict.fromkeys((*own, *atoms.background[:BACKGROUND]))
    return AtomUniverse(  # made anew: a copy would keep the digest of what it was copied from
        name=candidates.name,
        version=candidates.version,
        provenance=candidates.provenance,
        atoms=tuple(map(_in_short, candidates.atoms)),
        background=tuple(sentence for sentence in none if sentence not in taught),
    )


def _in_short(atom: Atom) -> Atom:
    near = atom.counter_examples[:NEAR_MISSES]
    return atom.model_copy(update={"examples": chosen_examples(atom, LESSONS), "counter_examples": near})


@dataclass(frozen=True)
class NearestCandidate:
    """The map of the candidates, and the coordinate that it splits."""

    facet: CandidateFacet
    none: int
    fitted: ContributionMap = field(repr=False)

    @classmethod
    def of(cls, candidates: AtomUniverse, atoms: AtomUniverse, *, answers_none: bool) -> "NearestCandidate":
        """Fit the map; refuse where there is nothing to split, or to learn from."""
        if not answers_none:
            raise RequestError(
                "this map cannot answer none of these, so there is nothing to look for candidates in: use "
                "`records.map: hybrid`, or leave `records.candidates` out",
                code="request.candidates-none",
                field="records.candidates",
            )
        short = beside_the_dictionary(candidates, atoms)
        if not short.has_examples:
            raise RequestError(
                "each candidate needs three examples: without them nothing can say that none is near. Write some, or "
                "leave `records.candidates` out",
                code="request.candidates-examples",
                field="records.candidates",
            )
        fitted = fit_by_recipe(Recipe(languages=()), short, None)
        names, digest = tuple(atom.label for atom in candidates.atoms), fitted.statement.digest
        return cls(
            CandidateFacet(names=names, dictionary=candidates.digest, contribution_map=digest), atoms.size, fitted
        )

    def __call__(self, texts: pa.StringArray) -> "CandidatesInBatch":
        """Read a batch of texts, as far as it is asked about them."""
        return CandidatesInBatch(self, texts)

    def nearest(self, texts: pa.StringArray) -> Ints:
        """Return the place of each text: the heaviest of the candidates and none of them, which comes last."""
        given = self.fitted(texts)
        weights = np.zeros((len(texts), len(self.facet.places)), np.int64)
        weights[given.rows, given.atoms] = given.ticks
        weights[weights.sum(axis=1) == 0, -1] = 1  # nothing to read
        places: Ints = weights.argmax(axis=1).astype(np.int64)
        return places


@dataclass(frozen=True)
class CandidatesInBatch:
    """The nearest candidates of the records of one batch that fit no theme, wholly or in part."""

    finder: NearestCandidate
    texts: pa.StringArray = field(repr=False)

    def __call__(self, rows: Ints, atoms: Ints, ticks: Ints) -> Ints:
        """Return the place of what is of none of these; of a theme, and of too little, the last one."""
        places = np.full(len(rows), len(self.finder.facet.names), np.int64)
        split = np.flatnonzero((atoms == self.finder.none) & (ticks >= LEAST))
        asked, which = np.unique(rows[split], return_inverse=True)
        if len(asked):
            places[split] = self.finder.nearest(self.texts.take(pa.array(asked)))[which]
        return places
