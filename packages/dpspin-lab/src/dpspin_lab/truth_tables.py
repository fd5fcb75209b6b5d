"""Is the mapping true? Each table compares maps on labels that none of them learned from. Nothing here is private."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.assign.calibrated.fitting import fit_cues, fit_hybrid
from dpspin.curator.assign.calibrated.labels import LabelledTexts, read_labels
from dpspin.curator.assign.contribution import ContributionMap
from dpspin.curator.assign.examine import weights_of
from dpspin.curator.assign.scorers.idf import PublicWordIdf
from dpspin.curator.assign.scorers.ngram import NgramMap
from dpspin.demo.synthetic import SyntheticCorpus, generate_tickets
from dpspin.public.atoms import packs
from dpspin_lab.datasets import phrases
from dpspin_lab.datasets.cfpb import NEW_ERA, read_complaints, taxonomy_atoms
from dpspin_lab.datasets.corpus import Corpus
from dpspin_lab.datasets.split import Split, split_by_hash, split_by_time
from dpspin_lab.mapping import Floats, MappingScore, score
from dpspin_lab.shift import Followed, follow

SEEDS = range(5)
SIZES = (50, 100)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: what was measured on what, averaged over seeds where there are several."""

    corpus: str
    method: str
    scores: MappingScore


def complaints_table(folder: Path, seeds: Sequence[int] = SEEDS) -> Iterator[Row]:
    """Score CFPB, random halves and a split by time; the auxiliary shares alone stand beside, hard to beat."""
    complaints = read_complaints(folder)
    for size in SIZES:
        lessons = [lesson_of(halves(complaints, seed), size) for seed in seeds]
        yield from _compared(f"CFPB, m = {size}, random halves", lessons)
        era = split_by_time(complaints, NEW_ERA)
        yield from _compared(f"CFPB, m = {size}, older to newer", [lesson_of(era, size)])


def shift_table(folder: Path, size: int = 50, seeds: Sequence[int] = SEEDS) -> Iterator[Followed]:
    """Score CFPB with one atom doubled and another halved: how far the shares follow."""
    complaints = read_complaints(folder)
    lessons = [lesson_of(halves(complaints, seed), size) for seed in seeds]
    yield from follow([(lesson.taught, lesson.target, lesson.hybrid(), lesson.paper()) for lesson in lessons])


def phrases_table(folder: Path) -> Iterator[Row]:
    """Score the paper's phrases on reviews labelled by reading, on the half that was held back."""
    for corpus in (phrases.AMAZON, phrases.YELP):
        universe = phrases.dictionary(corpus)
        taught, held = (phrases.labelled(corpus, folder, part) for part in ("taught", "held"))
        maps: dict[str, ContributionMap] = {
            "the paper's": NgramMap.fit(universe, PublicWordIdf()),
            "hybrid, dictionary alone": fit_hybrid(universe, None),
            "hybrid, taught": fit_hybrid(universe, taught),
            "hybrid, taught, K = 3": fit_hybrid(universe, taught, 3),
        }
        for method, fitted in maps.items():
            yield Row(f"{corpus.name}, {len(held.texts)} held back", method, _score(fitted, held))


def tickets_table(tickets: int = 5000, seeds: Sequence[int] = SEEDS) -> Iterator[Row]:
    """Score generated tickets with known truth; the maps know the pack and nothing else."""
    universe = packs.load("support-tickets")
    papers = NgramMap.fit(universe, PublicWordIdf())
    maps: dict[str, ContributionMap] = {"the paper's": papers, "hybrid, pack alone": fit_cues(universe)}
    corpora = [labels_of(generate_tickets(tickets, seed)) for seed in seeds]
    for method, fitted in maps.items():
        scores = [_score(fitted, corpus) for corpus in corpora]
        yield Row(f"generated tickets, {len(seeds)} x {tickets:,}", method, mean(scores))


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


def _compared(corpus: str, lessons: Sequence[Lesson]) -> Iterator[Row]:
    yield Row(corpus, "auxiliary shares alone", mean([score(_shares_of(one), one.target) for one in lessons]))
    yield Row(corpus, "the paper's", mean([_score(one.paper(), one.target) for one in lessons]))
    yield Row(corpus, "hybrid, supervised", mean([_score(one.hybrid(), one.target) for one in lessons]))


def _shares_of(lesson: Lesson) -> Floats:
    return np.tile(lesson.taught.shares.mean(axis=0), (len(lesson.target.texts), 1))


def _score(fitted: ContributionMap, truth: LabelledTexts) -> MappingScore:
    return score(weights_of(fitted, truth.texts, truth.size), truth)


def mean(scores: Sequence[MappingScore]) -> MappingScore:
    """Average scores over seeds."""
    return MappingScore(*(float(np.mean([getattr(one, part.name) for one in scores])) for part in fields(MappingScore)))
