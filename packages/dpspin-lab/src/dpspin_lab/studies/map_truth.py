"""Is the mapping true? Each table compares maps on labels that none of them learned from. Nothing here is private.

One of them asks whether a report follows the world: an atom's true share is doubled and another's halved by resampling.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from dpspin.boundary.corrected_shares import corrected, corrected_shares
from dpspin.boundary.report_card import ReportCard
from dpspin.curator.assign.calibrated_fits import fit_hybrid, fit_names
from dpspin.curator.assign.contribution import ContributionMap, Floats
from dpspin.curator.assign.labelled_texts import LabelledTexts
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.assign.recipes import PAPERS_K, weights_of
from dpspin.demo.synthetic import generate_tickets
from dpspin.public.atoms import packs
from dpspin_lab.datasets import phrase_labels
from dpspin_lab.datasets.cfpb import NEW_ERA, crosswalk, read_complaints
from dpspin_lab.datasets.split import split_by_time
from dpspin_lab.metrics.error_parts import shares as shares_of_masses
from dpspin_lab.metrics.plan import overlap_at, total_variation
from dpspin_lab.studies.lessons import Lesson, halves, labels_of, lesson_of

LARGEST = 10
EPSILON = 1.0
APART = 3  # the halved atom is the third next of the ten largest
Case = tuple[LabelledTexts, LabelledTexts, ContributionMap, ContributionMap]  # taught, target, hybrid, the paper's
TOP = 10
SEEDS = range(5)
SIZES = (50, 100)


@dataclass(frozen=True, slots=True)
class Followed:
    """How far the shares went, as a part of the true way; one is all of it, zero is not at all."""

    method: str
    doubled: float
    halved: float
    total_variation: float  # to the shifted truth


def follow(cases: Sequence[Case]) -> Iterator[Followed]:
    """Compare the noisy shares (Laplace, epsilon one) of several methods, each atom of the ten largest doubled once."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for seed, (taught, target, hybrid, papers) in enumerate(cases):
        chance = np.random.default_rng(seed)
        for method, shares in _share_methods(taught, target, hybrid, papers, chance).items():
            found.setdefault(method, []).extend(_ways(shares, taught, target, chance))
    for method, ways in found.items():
        doubled, halved, distance = np.mean(ways, axis=0)
        yield Followed(method, float(doubled), float(halved), float(distance))


class _Shares:
    """A way to estimate shares from the records that were drawn."""

    def __init__(self, weights: Floats, chance: np.random.Generator, card: ReportCard | None = None) -> None:
        self._weights, self._chance, self._card = weights, chance, card

    def __call__(self, rows: np.ndarray) -> Floats:
        noise = self._chance.laplace(scale=1 / EPSILON, size=self._weights.shape[1])
        masses = self._weights[rows].sum(axis=0) + noise
        if self._card is None:
            return shares_of_masses(masses[:-1])
        found = corrected_shares(masses[:-1].tolist(), masses[-1], self._card, noise_std=2**0.5 / EPSILON, beta=0.05)
        return shares_of_masses(np.array([one.share for one in found]))


def _share_methods(
    taught: LabelledTexts,
    target: LabelledTexts,
    hybrid: ContributionMap,
    papers: ContributionMap,
    chance: np.random.Generator,
) -> dict[str, _Shares]:
    of_hybrid = weights_of(hybrid, target.texts, target.size)
    of_paper = weights_of(papers, target.texts, target.size)
    same = np.tile(taught.shares.mean(axis=0), (len(target.texts), 1))
    return {
        "auxiliary shares alone": _Shares(same, chance),
        "the paper's": _Shares(of_paper, chance),
        "hybrid, raw masses": _Shares(of_hybrid, chance),
        "hybrid, corrected": _Shares(of_hybrid, chance, hybrid.statement.card),
    }


def _ways(
    shares: _Shares, taught: LabelledTexts, target: LabelledTexts, chance: np.random.Generator
) -> Iterator[tuple[float, float, float]]:
    truth = target.shares
    largest = np.argsort(-taught.shares[:, :-1].sum(axis=0), kind="stable")[:LARGEST]
    for place, up in enumerate(largest):
        down = largest[(place + APART) % len(largest)]
        rows = _resampled(truth, up, down, chance)
        before, after = (shares(each) for each in (np.arange(len(truth)), rows))
        true_before, true_after = (
            shares_of_masses(truth[each, :-1].sum(axis=0)) for each in (np.arange(len(truth)), rows)
        )
        way = (after - before) / np.where(true_after == true_before, 1.0, true_after - true_before)
        yield float(way[up]), float(way[down]), total_variation(after, true_after)


def _resampled(truth: Floats, up: int, down: int, chance: np.random.Generator) -> np.ndarray:
    """Draw as many records as there are, one atom's twice and another's half as likely, the rest adjusted."""
    return chance.choice(len(truth), size=len(truth), p=shifted(truth, up, down))


def shifted(truth: Floats, up: int, down: int) -> Floats:
    """Return how likely each record is to be drawn, if one atom's share doubles and another's halves."""
    now = truth.mean(axis=0)
    rest = (1 - 2 * now[up] - now[down] / 2) / (1 - now[up] - now[down])
    factor = np.full(truth.shape[1], rest)
    factor[up], factor[down] = 2.0, 0.5
    weights = truth @ factor
    likely: Floats = weights / weights.sum()
    return likely


@dataclass(frozen=True, slots=True)
class MappingScore:
    """The truth metrics of one map on one labelled corpus."""

    precision: float  # of the assigned mass, the part on atoms that the text expresses
    recall: float  # of the atoms that K = 3 could name, the part among the three heaviest
    total_variation: float
    overlap: float  # of the true ten largest atoms, the part among the ten largest by the map
    covered: float
    covered_in_truth: float


def score(weights: Floats, truth: LabelledTexts) -> MappingScore:
    """Score weights over the atoms and "none of these" against labels."""
    atoms, shares = weights[:, :-1], truth.shares[:, :-1]
    assigned, true = atoms.sum(axis=0), shares.sum(axis=0)
    return MappingScore(
        precision=float((atoms * (shares > 0)).sum() / (atoms.sum() or 1.0)),
        recall=recall_within(atoms, truth, PAPERS_K),
        total_variation=total_variation(assigned / (assigned.sum() or 1.0), true / true.sum()),
        overlap=overlap_at(true, assigned, min(TOP, len(true))),
        covered=float(assigned.sum() / len(weights)),
        covered_in_truth=float(true.sum() / len(weights)),
    )


def recall_within(atoms: Floats, truth: LabelledTexts, most: int) -> float:
    """Return the part of the true atoms, at most ``most`` per text, that are among the map's ``most`` heaviest.

    >>> two = LabelledTexts(texts=("x",) * 20, atoms=(frozenset({0, 2}),) * 20, size=3)
    >>> recall_within(np.array([[0.6, 0.4, 0.0]] * 20), two, most=2)
    0.5
    """
    best = np.argsort(-atoms, axis=1, kind="stable")[:, :most]
    found = sum(
        len({place for place in row if weights[place] > 0} & expressed)
        for row, weights, expressed in zip(best.tolist(), atoms, truth.atoms, strict=True)
    )
    return found / sum(min(most, len(expressed)) for expressed in truth.atoms)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: what was measured on what, averaged over seeds where there are several."""

    corpus: str
    method: str
    scores: MappingScore


def complaints_table(folder: Path, seeds: Sequence[int] = SEEDS) -> Iterator[Row]:
    """Score CFPB, random halves and a split by time; the auxiliary shares alone stand beside, hard to beat."""
    complaints, today = read_complaints(folder), read_complaints(folder, crosswalk())
    for size in SIZES:
        lessons = [lesson_of(halves(complaints, seed), size) for seed in seeds]
        yield from _compared(f"CFPB, m = {size}, random halves", lessons)
        era = split_by_time(complaints, NEW_ERA)
        yield from _compared(f"CFPB, m = {size}, older to newer", [lesson_of(era, size)])
        named = split_by_time(today, NEW_ERA)
        yield from _compared(f"CFPB, m = {size}, older to newer, names followed", [lesson_of(named, size)])


def shift_table(folder: Path, size: int = 50, seeds: Sequence[int] = SEEDS) -> Iterator[Followed]:
    """Score CFPB with one atom doubled and another halved: how far the shares follow."""
    complaints = read_complaints(folder)
    lessons = [lesson_of(halves(complaints, seed), size) for seed in seeds]
    yield from follow([(lesson.taught, lesson.target, lesson.hybrid(), lesson.paper()) for lesson in lessons])


def phrases_table(folder: Path) -> Iterator[Row]:
    """Score the paper's phrases on reviews labelled by reading, on the half that was held back."""
    for corpus in (phrase_labels.AMAZON, phrase_labels.YELP):
        universe = phrase_labels.dictionary(corpus)
        taught, held = (phrase_labels.labelled(corpus, folder, part) for part in ("taught", "held"))
        printed = phrase_labels.published(corpus)
        maps: dict[str, ContributionMap] = {
            "labels as published, the paper's": NgramMap.fit(printed, PublicWordIdf()),
            "labels as published, names": fit_names(printed, None),
            "the paper's": NgramMap.fit(universe, PublicWordIdf()),
            "hybrid, dictionary alone": fit_hybrid(universe, None),
            "hybrid, taught": fit_hybrid(universe, taught),
            "hybrid, taught, K = 3": fit_hybrid(universe, taught, 3),
        }
        words, taught_map = f"{corpus.name}, {len(held.texts)} held back", maps["hybrid, taught"]
        yield Row(words, "labelled shares alone", score(_same_for_all(taught.shares.mean(axis=0), held), held))
        for method, fitted in maps.items():
            yield Row(words, method, _score(fitted, held))
        yield Row(words, "hybrid, taught, corrected", score(_corrected(taught_map, held), held))


def packs_table(folder: Path) -> Iterator[Row]:
    """Score the ready packs on real records labelled by reading; even shares and the labelled half's stand beside."""
    for corpus in phrase_labels.OF_PACKS:
        universe = phrase_labels.dictionary(corpus)
        taught, held = (phrase_labels.labelled(corpus, folder, part) for part in ("taught", "held"))
        same = {
            "even shares, no data at all": np.full(universe.size + 1, 1 / (universe.size + 1)),
            "the other half's shares alone": taught.shares.mean(axis=0),
        }
        for method, shares in same.items():
            yield Row(f"{corpus.name}, held back", method, score(_same_for_all(shares, held), held))
        alone = fit_hybrid(universe, None)
        yield Row(f"{corpus.name}, held back", "hybrid, pack alone", _score(alone, held))
        yield Row(f"{corpus.name}, held back", "hybrid, taught", _score(fit_hybrid(universe, taught), held))
        yield Row(f"{corpus.name}, the other half", "hybrid, pack alone", _score(alone, taught))


def names_table(folder: Path) -> Iterator[Row]:
    """Score dictionaries without examples on the same held-back halves: bare labels, and with cues and descriptions."""
    taken = {"examples": (), "counter_examples": ()}
    for corpus in (phrase_labels.AMAZON, phrase_labels.YELP, *phrase_labels.OF_PACKS):
        whole, held = phrase_labels.dictionary(corpus), phrase_labels.labelled(corpus, folder, "held")
        for words, away in (("bare labels", {**taken, "cues": (), "description": ""}), ("no examples", taken)):
            atoms = tuple(atom.model_copy(update=away) for atom in whole.atoms)
            bare = whole.model_copy(update={"atoms": atoms, "background": ()})
            even = np.full(bare.size + 1, 1 / (bare.size + 1))
            yield Row(f"{corpus.name}, {words}", "even shares, no data at all", score(_same_for_all(even, held), held))
            yield Row(f"{corpus.name}, {words}", "the paper's", _score(NgramMap.fit(bare, PublicWordIdf()), held))
            yield Row(f"{corpus.name}, {words}", "names", _score(fit_hybrid(bare, None), held))


def tickets_table(tickets: int = 5000, seeds: Sequence[int] = SEEDS) -> Iterator[Row]:
    """Score generated tickets with known truth; the maps know the pack and nothing else."""
    universe = packs.load("support-tickets")
    papers = NgramMap.fit(universe, PublicWordIdf())
    maps: dict[str, ContributionMap] = {"the paper's": papers, "hybrid, pack alone": fit_hybrid(universe, None)}
    corpora = [labels_of(generate_tickets(tickets, seed)) for seed in seeds]
    for method, fitted in maps.items():
        scores = [_score(fitted, corpus) for corpus in corpora]
        yield Row(f"generated tickets, {len(seeds)} x {tickets:,}", method, mean(scores))


def _compared(corpus: str, lessons: Sequence[Lesson]) -> Iterator[Row]:
    yield Row(corpus, "auxiliary shares alone", mean([score(_labelled_shares(one), one.target) for one in lessons]))
    yield Row(corpus, "the paper's", mean([_score(one.paper(), one.target) for one in lessons]))
    maps = [one.hybrid() for one in lessons]
    pairs = list(zip(maps, (one.target for one in lessons), strict=True))
    yield Row(corpus, "hybrid, supervised", mean([_score(fitted, target) for fitted, target in pairs]))
    yield Row(corpus, "hybrid, corrected", mean([score(_corrected(*pair), pair[1]) for pair in pairs]))


def _labelled_shares(lesson: Lesson) -> Floats:
    return _same_for_all(lesson.taught.shares.mean(axis=0), lesson.target)


def _same_for_all(shares: Floats, truth: LabelledTexts) -> Floats:
    """Give every text the same weights: shares that no text was read for have no better ones."""
    return np.tile(shares, (len(truth.texts), 1))


def _corrected(fitted: ContributionMap, truth: LabelledTexts) -> Floats:
    """Return the map's shares as its card corrects them."""
    card, mapped = fitted.statement.card, weights_of(fitted, truth.texts, truth.size).mean(axis=0)
    return _same_for_all(corrected(mapped, card.corrections) if card else mapped, truth)


def _score(fitted: ContributionMap, truth: LabelledTexts) -> MappingScore:
    return score(weights_of(fitted, truth.texts, truth.size), truth)


def mean(scores: Sequence[MappingScore]) -> MappingScore:
    """Average scores over seeds."""
    return MappingScore(*(float(np.mean([getattr(one, part.name) for one in scores])) for part in fields(MappingScore)))
