"""What a study learns from and measures on: labelled texts of two corpora in one dictionary."""

from dataclasses import dataclass

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.assign.calibrated_fits import fit_hybrid
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.assign.labelled_texts import LabelledTexts, read_labels
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.demo.synthetic import SyntheticCorpus
from dpspin_lab.datasets.cfpb import taxonomy_atoms
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.split import Split, split_by_hash


def labels_of(corpus: SyntheticCorpus) -> LabelledTexts:
    """Return generated tickets as labelled texts."""
    place = {atom: position for position, atom in enumerate(corpus.universe.ids)}
    atoms: dict[object, set[int]] = {ticket: set() for ticket in corpus.records["ticket_id"].to_pylist()}
    for ticket, atom in zip(corpus.truth["ticket_id"].to_pylist(), corpus.truth["atom_id"].to_pylist(), strict=True):
        atoms[ticket].add(place[atom])
    texts = tuple(corpus.records["text"].to_pylist())
    return LabelledTexts(texts, tuple(frozenset(found) for found in atoms.values()), corpus.universe.size)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A dictionary, and the labels of two corpora in it: one to learn from, one to be measured."""

    universe: AtomUniverse
    taught: LabelledTexts
    target: LabelledTexts

    def hybrid(self) -> ContributionMap:
        """Fit the default map on the labels."""
        return fit_hybrid(self.universe, self.taught)

    def paper(self) -> ContributionMap:
        """Fit the paper's map, which learns from the dictionary alone."""
        return NgramMap.fit(self.universe, PublicWordIdf())


def halves(complaints: Corpus, seed: int) -> Split:
    """Split at random into equal parts; a form letter is in one of them."""
    return split_by_hash(complaints, by_user=False, auxiliary_share=0.5, salt=f"halves {seed}")


def lesson_of(split: Split, size: int) -> Lesson:
    """Take the dictionary from the auxiliary complaints, and label both parts in it."""
    universe = taxonomy_atoms(split.auxiliary, size)
    taught, held = (read_labels(universe, part.texts, part.paths) for part in (split.auxiliary, split.target))
    return Lesson(universe, taught, held)
