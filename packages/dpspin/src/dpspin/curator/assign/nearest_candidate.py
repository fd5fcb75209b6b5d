"""How much of a record goes to candidate themes: one map over the dictionary and its candidates, asked of every record.

A theme that a dictionary lacks is mostly filed under its neighbours, and not under none. So candidates and the themes
of the dictionary compete for each record, as one classifier of all their sentences sees it; what the themes win is
nobody's candidate. Public words say beforehand how likely a candidate is: the less, the less it speaks like the
dictionary, and the more it takes of sentences that are of the dictionary's own themes.
"""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import numpy as np
import pyarrow as pa

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse
from dpspin.boundary.facets import CandidateFacet
from dpspin.boundary.privacy import TICKS_PER_MASS
from dpspin.boundary.public_examples import chosen_examples
from dpspin.boundary.theme_likeness import likeness_of
from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.curator.assign.contribution import ContributionMap, Contributions, Floats
from dpspin.curator.assign.deal_out_mass import Calibration, Competing, allocate
from dpspin.curator.assign.dictionary_sentences import DictionarySentences
from dpspin.curator.assign.evidence_sources import CueEvidence, stacked
from dpspin.curator.assign.fit_cache import kept_or_fitted
from dpspin.curator.assign.sentence_evidence import ExampleEvidence
from dpspin.errors import RequestError

LESSONS: Final = 48  # examples from which a theme is known: hundreds of them are fitted in a minute or two
NEAR_MISSES: Final = 6
BACKGROUND: Final = 600  # sentences of the dictionary's subject and of none of its themes
FEWEST: Final = 3  # sentences that a term is in: rarer ones are most of all, and tell little of so many themes
OF_LIKENESS: Final = 1.5  # how fast the odds of a candidate fall with its likeness to the dictionary
LIKE_THE_DICTIONARY: Final = 20  # candidates: the mean likeness of so many is no loss
OF_OWN: Final = 0.5  # and with what it takes of the dictionary's own sentences, …
OWN_TAKEN: Final = 0.001  # … above so much of them
EVERY_TESTED: Final = 3  # one in so many of the dictionary's sentences teaches nothing, and tests that
OF_ANY: Final = 2.0  # the log odds of each class against none before a word is read
WEIGHTS: Final = np.array([1.0, 0.0, 1.0])  # of a cue, of more than one, and of what examples taught
LEAST: Final = TICKS_PER_MASS // 50  # less of a record is nobody's candidate


def with_candidates(atoms: AtomUniverse, candidates: AtomUniverse) -> AtomUniverse:
    """Return the dictionary, then its candidates, as one dictionary and in short."""
    every = (*atoms.atoms, *candidates.atoms)
    taught = {example for atom in every for example in atom.examples}
    return AtomUniverse(  # made anew: a copy would keep the digest of what it was copied from
        name=f"{atoms.name} and {candidates.name}",
        version=candidates.version,
        provenance=candidates.provenance,
        atoms=tuple(_in_short(atom, AtomId(place)) for place, atom in enumerate(every)),
        background=tuple(sentence for sentence in atoms.background[:BACKGROUND] if sentence not in taught),
    )


def _in_short(atom: Atom, number: AtomId) -> Atom:
    near = atom.counter_examples[:NEAR_MISSES]
    return atom.model_copy(update={"id": number, "examples": chosen_examples(atom, LESSONS), "counter_examples": near})


def _fitted(both: AtomUniverse, before: Floats, themes: int) -> CalibratedMap:
    """Fit the map, and lower the odds of candidates by what they take of the dictionary's own sentences."""
    sentences = replace(DictionarySentences.of(both), tells_themes=False, fewest=FEWEST)
    own = sentences.example & ~sentences.expresses[:, themes:].any(axis=1)
    tested = own & (np.cumsum(own) % EVERY_TESTED == 0)
    sources = (CueEvidence.of(both), ExampleEvidence.fit(sentences, ~tested))
    odds = Calibration(WEIGHTS, before)(stacked(sources, [sentences.texts[row] for row in np.flatnonzero(tested)]))
    taken = allocate(odds, Competing(), None)[:, themes:-1].mean(axis=0)
    after = before - np.append(np.zeros(themes), OF_OWN * np.log(np.maximum(taken / OWN_TAKEN, 1.0)))
    return CalibratedMap(
        name="candidates",
        fitted_on=f"the {len(sentences.texts):,} sentences of a dictionary and its candidates",
        universe_digest=both.digest,
        sources=sources,
        calibration=Calibration(WEIGHTS, after),
        allocation=Competing(),
        atoms_per_record=None,
        size=both.size,
        card=None,
    )


def odds_before(atoms: AtomUniverse, candidates: AtomUniverse) -> Floats:
    """Return the log odds of each theme and candidate before a word is read."""
    like = likeness_of((*atoms.atoms, *candidates.atoms))[atoms.size :, : atoms.size].mean(axis=1)
    most = np.sort(like)[-LIKE_THE_DICTIONARY:].mean()
    loss = np.log(np.maximum(like, 1e-6) / max(most, 1e-6))
    return OF_ANY + np.concatenate([np.zeros(atoms.size), OF_LIKENESS * loss])


@dataclass(frozen=True)
class NearestCandidate:
    """The map over a dictionary of so many themes and its candidates."""

    facet: CandidateFacet
    themes: int
    fitted: ContributionMap = field(repr=False)

    @classmethod
    def of(cls, candidates: AtomUniverse, atoms: AtomUniverse) -> "NearestCandidate":
        """Fit the map; refuse where there is nothing to learn from."""
        if not (candidates.has_examples and atoms.has_examples):
            raise RequestError(
                "each candidate, and each theme of the dictionary, needs three examples: they compete for every "
                "record, and one without would lose to the others. Write some, or leave `records.candidates` out",
                code="request.candidates-examples",
                field="records.candidates",
            )
        both, before = with_candidates(atoms, candidates), odds_before(atoms, candidates)
        fitted = kept_or_fitted(both, ["candidates", before.tolist()], partial(_fitted, both, before, atoms.size))
        facet = CandidateFacet(
            names=tuple(atom.label for atom in candidates.atoms),
            dictionary=candidates.digest,
            contribution_map=fitted.statement.digest,
            asked_of="every record",
        )
        return cls(facet, atoms.size, fitted)

    def __call__(self, texts: pa.StringArray) -> Contributions:
        """Return what each record gives to candidates, at most mass one; all the rest is of none of them."""
        given = self.fitted(texts)
        places = given.atoms - self.themes
        none = len(self.facet.names)
        told = (places >= 0) & (places < none) & (given.ticks >= LEAST)
        masses = np.zeros((given.records, none + 1), np.int64)
        masses[given.rows[told], places[told]] = given.ticks[told]
        np.add.at(masses[:, none], given.rows[~told], given.ticks[~told])
        rows, atoms = np.nonzero(masses)
        offsets = np.append(0, np.cumsum(np.bincount(rows, minlength=given.records))).astype(np.int64)
        return Contributions(offsets, atoms, masses[rows, atoms], none + 1, None)
