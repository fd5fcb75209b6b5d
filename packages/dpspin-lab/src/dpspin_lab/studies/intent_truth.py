"""Domains that no pack was written for: what names, sentences and labels are worth there, alone and together.

Targets have uneven shares: Dirichlet(0.3) over the classes. Labels are drawn from other texts with the same shares,
each text at most once, so that the labelled shares alone are hard to beat. Half of the classes are also left out of
the dictionary: "none of these" must take their texts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import product
from pathlib import Path

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.corrected_shares import corrected
from dpspin.curator.assign.calibrated_fits import fit_hybrid
from dpspin.curator.assign.contribution import ContributionMap, Floats, Ints
from dpspin.curator.assign.labelled_texts import LabelledTexts
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.assign.recipes import weights_of
from dpspin_lab.datasets.intents import BANKING, HOTELS, IntentCorpus, Requests, dictionary, sentences_of
from dpspin_lab.metrics.plan import total_variation

DRAWS = 20
EVENNESS = 0.3  # of the Dirichlet distribution
LABELS: Mapping[str, tuple[int, ...]] = {BANKING.name: (200, 1000), HOTELS.name: (200,)}  # hotels have 504 to draw from


@dataclass(frozen=True, slots=True)
class IntentScore:
    """How true a map is on a target; the mean of draws."""

    precision: float  # of the assigned mass, the part on classes that the text has
    total_variation: float  # of the shares as mapped
    corrected: float  # of the shares as the card corrects them; as mapped without labels
    labels_alone: float  # of the shares of the labelled texts
    left_out: float  # of the mass of texts whose classes the dictionary does not name, the part on "none of these"
    worse: float  # in so many of the draws the corrected shares are farther off than the labelled ones


@dataclass(frozen=True, slots=True)
class IntentRow:
    """One line of the table."""

    corpus: str
    dictionary: str
    labels: int
    scores: IntentScore


def intents_table(folder: Path, draws: Sequence[int] = range(DRAWS)) -> Iterator[IntentRow]:
    """Score names and sentences, alone and with labels, on whole dictionaries and on halves of them."""
    for corpus in (BANKING, HOTELS):
        requests = corpus.requests(folder)
        for half, case in product((False, True), _cases(corpus)):
            found = [_scored(corpus, requests, draw, case, half=half) for draw in draws]
            words = f"{'half of the classes' if half else 'all classes'}, {case.words}"
            yield IntentRow(corpus.name, words, case.labels, _mean(found))


@dataclass(frozen=True, slots=True)
class _Case:
    """What a map is fitted on; without labels and sentences there is the paper's way too."""

    labels: int
    examples: bool
    papers: bool = False

    @property
    def words(self) -> str:
        return "names, the paper's map" if self.papers else "sentences" if self.examples else "names"

    def fit(self, universe: AtomUniverse, taught: LabelledTexts | None) -> ContributionMap:
        return NgramMap.fit(universe, PublicWordIdf()) if self.papers else fit_hybrid(universe, taught)


def _cases(corpus: IntentCorpus) -> Iterator[_Case]:
    yield _Case(0, examples=False, papers=True)
    for examples in (False, True):
        yield from (_Case(labels, examples) for labels in (0, *LABELS[corpus.name]))


def _scored(corpus: IntentCorpus, requests: Requests, draw: int, case: _Case, *, half: bool) -> IntentScore:
    chance = np.random.default_rng(draw)
    named = sorted(sentences_of(corpus.name))
    likely = likely_by_class(requests, chance)
    kept = sorted(chance.permutation(named)[: len(named) // 2].tolist()) if half else named
    universe = dictionary(corpus, kept, examples=case.examples)
    target = np.flatnonzero(requests.held & (likely > 0))
    taught = None
    if case.labels:
        taught = requests.labelled(drawn(requests, likely, case.labels, chance).tolist(), kept)
    fitted = case.fit(universe, taught)
    truth = requests.labelled(target.tolist(), kept)
    return compare(fitted, truth, likely[target] / likely[target].sum(), taught)


def likely_by_class(requests: Requests, chance: np.random.Generator) -> Floats:
    """Draw uneven shares, and share them out to the texts of each class (of none as well, where there are such)."""
    names = sorted({name for classes in requests.classes for name in classes})
    shares = dict(zip(["", *names], chance.dirichlet(np.full(len(names) + 1, EVENNESS)), strict=True))
    found = np.zeros(len(requests.texts))
    for part in (requests.held, ~requests.held):
        rows = np.flatnonzero(part)
        counts: dict[str, int] = {}
        for row in rows:
            for name in requests.classes[row] or {""}:
                counts[name] = counts.get(name, 0) + 1
        for row in rows:
            found[row] = np.mean([shares[name] / counts[name] for name in requests.classes[row] or {""}])
    return found


def drawn(requests: Requests, likely: Floats, labels: int, chance: np.random.Generator) -> Ints:
    """Draw texts to be labelled from those that are not held back."""
    open_texts = np.where(requests.held, 0.0, likely)
    rows: Ints = chance.choice(len(likely), size=labels, replace=False, p=open_texts / open_texts.sum())
    return rows


def compare(fitted: ContributionMap, truth: LabelledTexts, likely: Floats, taught: LabelledTexts | None) -> IntentScore:
    """Score a map on texts that stand for so much of the target each."""
    weights = weights_of(fitted, truth.texts, truth.size)
    atoms, flags = weights[:, :-1], truth.flags > 0
    outside = ~flags.any(axis=1)
    mapped, true = likely @ weights, likely @ truth.shares
    card = fitted.statement.card
    mended = corrected(mapped, card.corrections) if card is not None and card.corrections else mapped
    labels = mapped if taught is None else taught.shares.mean(axis=0)
    distances = [total_variation(_among_atoms(shares), _among_atoms(true)) for shares in (mapped, mended, labels)]
    return IntentScore(
        precision=float(likely @ (atoms * flags).sum(axis=1) / (likely @ atoms.sum(axis=1))),
        total_variation=distances[0],
        corrected=distances[1],
        labels_alone=distances[2] if taught is not None else float("nan"),
        left_out=float(likely[outside] @ (1 - atoms[outside].sum(axis=1)) / likely[outside].sum())
        if outside.any()
        else float("nan"),
        worse=float(distances[1] > distances[2]) if taught is not None else float("nan"),
    )


def _among_atoms(shares: Floats) -> Floats:
    part: Floats = shares[:-1] / shares[:-1].sum()
    return part


def _mean(scores: Sequence[IntentScore]) -> IntentScore:
    return IntentScore(*(float(np.mean([getattr(one, part.name) for one in scores])) for part in fields(IntentScore)))
