"""Fitting a calibrated map on the dictionary and on labelled auxiliary text; the protected records play no part."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dpspin.boundary.atoms import FEWEST_EXAMPLES, AtomUniverse
from dpspin.curator.assign.calibrated_map import CalibratedMap, Lessons
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.deal_out_mass import (
    Allocation,
    Calibration,
    Competing,
    Exclusive,
    Expressed,
    allocate,
    calibrate_competing,
    calibrate_exclusive,
    calibrate_expressed,
    calibrate_stacked,
)
from dpspin.curator.assign.dictionary_learners import (
    Learner,
    composed_layers,
    embedding_learner,
    learn_from_words,
    learn_one_by_one,
)
from dpspin.curator.assign.dictionary_sentences import DictionarySentences, Flags
from dpspin.curator.assign.domain_evidence import Elsewhere
from dpspin.curator.assign.evidence_sources import (
    CueEvidence,
    Evidence,
    folds_of,
    over_the_same_classes,
    silent_rows,
    stacked,
)
from dpspin.curator.assign.grade_map import card_of
from dpspin.curator.assign.labelled_texts import (
    ClassEvidence,
    LabelledTexts,
    TaughtEvidence,
    held_out_scores,
    log_chance,
)
from dpspin.curator.assign.name_evidence import NameEvidence
from dpspin.curator.assign.sentence_evidence import Embedder
from dpspin.errors import DictionaryError, RequestError

EXPRESSED = Expressed(threshold=1 / 3)  # at least half as likely expressed as not
CARD_FOLDS = 5
OF_A_NAME = 20.0  # how fast odds rise with the part of a name that a sentence holds; at half of it they are even


@dataclass(frozen=True, slots=True)
class Truth:
    """Held-out truth, and how odds are calibrated to it."""

    shares: Floats = field(repr=False)
    target: Floats = field(repr=False)
    calibrate: Callable[[Floats, Floats], Calibration]
    silent: Flags = field(repr=False)  # texts of which no source knows a word: none of these, whatever the odds
    real_text: bool = True


@dataclass(frozen=True, slots=True)
class Fitting:
    """A map that any K can be cut from, and held-out texts: scored by sources that did not learn from them."""

    whole: CalibratedMap
    universe: AtomUniverse = field(repr=False)
    layers: Floats = field(repr=False)
    truth: Truth = field(repr=False)
    measured_on: str
    texts: tuple[str, ...] = field(default=(), repr=False)  # that taught it; none where examples were put together
    corrects: bool = False  # its card says how to mend shares
    from_elsewhere: int = 0  # so many last texts taught it silence on other subjects; no card is about them

    def cut(self, atoms_per_record: int | None) -> CalibratedMap:
        """Return the map to at most so many atoms per record, with its report card."""
        fitted, truth = replace(self.whole, atoms_per_record=atoms_per_record), self.truth
        weights = self.held_out(atoms_per_record)
        kind = {"real_text": truth.real_text, "corrects": self.corrects}
        own = len(weights) - self.from_elsewhere
        card = card_of(self.universe, weights[:own], truth.shares[:own], self.measured_on, **kind)
        row_of = {text: row for row, text in enumerate(self.texts)}
        return replace(fitted, card=card, lessons=Lessons(row_of, weights, atoms_per_record) if row_of else None)

    def held_out(self, atoms_per_record: int | None) -> Floats:
        """Return what it gives to texts from which neither its classifiers nor its calibration learned."""
        layers, truth = self.layers, self.truth
        fold = folds_of(layers.shape[1], CARD_FOLDS)
        weights = np.zeros(truth.shares.shape)
        for held in range(CARD_FOLDS):
            test = fold == held
            calibration = _calibrated(layers, truth, fold != held)
            weights[test] = allocate(calibration(layers[:, test]), self.whole.allocation, atoms_per_record)
        weights[truth.silent] = np.append(np.zeros(self.universe.size), 1.0)
        return weights


def fit_cues(
    universe: AtomUniverse,
    atoms_per_record: int | None = None,
    learners: Sequence[Learner] = (learn_one_by_one,),
) -> CalibratedMap:
    """Fit on the dictionary alone: cues, examples, near misses, background; calibrated on composed records."""
    return _fit_dictionary(universe, atoms_per_record, (CueEvidence.of(universe),), learners, "cues")


def fit_embedding(universe: AtomUniverse, embedder: Embedder, atoms_per_record: int | None = None) -> CalibratedMap:
    """Fit on the dictionary alone, as `fit_cues` does, but judge by the embedder's vectors and by nothing else."""
    return _fit_dictionary(universe, atoms_per_record, (), (embedding_learner(embedder),), name="embedding")


def _fit_dictionary(  # noqa: PLR0917  what judges, and all that goes with it
    universe: AtomUniverse,
    atoms_per_record: int | None,
    fixed: tuple[Evidence, ...],
    learners: Sequence[Learner],
    name: str,
    elsewhere: Elsewhere = Elsewhere({}),  # noqa: B008  a frozen value
) -> CalibratedMap:
    require_examples(universe)
    sentences = DictionarySentences.of(universe)
    layers, shares, from_elsewhere = composed_layers(sentences, fixed, learners, elsewhere)
    truth = Truth(shares, shares, calibrate_competing, np.zeros(len(shares), dtype=bool), real_text=False)
    everything = _all(sentences)
    fitted = CalibratedMap(
        name=name,
        fitted_on=_dictionary_words(sentences) + ("; everyday sentences on other subjects" if elsewhere.walks else ""),
        universe_digest=universe.digest,
        sources=(
            *fixed,
            *(learn(sentences, everything) for learn in learners),
            *elsewhere.evidence(sentences, everything, elsewhere.walks),
        ),
        calibration=_calibrated(layers, truth),
        allocation=Competing(),
        atoms_per_record=None,
        size=universe.size,
        card=None,
    )
    on = f"{len(shares) - from_elsewhere:,} records composed of held-out examples"
    return Fitting(fitted, universe, layers, truth, on, from_elsewhere=from_elsewhere).cut(atoms_per_record)


def fit_taught(
    universe: AtomUniverse,
    labelled: LabelledTexts,
    atoms_per_record: int | None = None,
    learners: Sequence[Learner] = (),
    name: str = "taught",
) -> CalibratedMap:
    """Fit on labelled auxiliary text, several atoms per text; ``learners`` add what the dictionary offers."""
    return _taught(universe, labelled, learners, name).cut(atoms_per_record)


def _taught(universe: AtomUniverse, labelled: LabelledTexts, learners: Sequence[Learner], name: str) -> Fitting:
    scores, silent = held_out_scores(labelled, labelled.flags)
    taught = TaughtEvidence.fit(labelled.texts, labelled.flags)
    truth = Truth(labelled.shares, labelled.flags, calibrate_expressed, silent)
    return _stacked(universe, labelled, learners, name, taught, scores[None], truth, EXPRESSED)


def fit_supervised(
    universe: AtomUniverse, labelled: LabelledTexts, atoms_per_record: int | None = None, name: str = "supervised"
) -> CalibratedMap:
    """Fit on auxiliary text in which each record has one label, as in a taxonomy: the whole vector counts."""
    return _supervised(universe, labelled, (), name).cut(atoms_per_record)


def _supervised(universe: AtomUniverse, labelled: LabelledTexts, learners: Sequence[Learner], name: str) -> Fitting:
    if not labelled.exclusive:
        raise RequestError("the supervised map needs one label per auxiliary record; use the taught map for several")
    scores, silent = held_out_scores(labelled, labelled.shares)
    classes = ClassEvidence(TaughtEvidence.fit(labelled.texts, labelled.shares))
    calibrate = calibrate_stacked if learners else calibrate_exclusive
    truth = Truth(labelled.shares, labelled.shares, calibrate, silent)
    return _stacked(universe, labelled, learners, name, classes, log_chance(scores[None]), truth, Exclusive())


def _stacked(  # noqa: PLR0917  what labels taught, and all that goes with it
    universe: AtomUniverse,
    labelled: LabelledTexts,
    learners: Sequence[Learner],
    name: str,
    taught: Evidence,
    layers: Floats,
    truth: Truth,
    allocation: Allocation,
) -> Fitting:
    """Put what the dictionary says, where anything is to learn from it, beside what labels taught."""
    # Labels teach each atom by itself when to keep silent; "any theme" beside them cost precision where measured.
    sentences = replace(DictionarySentences.of(universe), tells_themes=False)
    known: tuple[Evidence, ...] = ()
    if learners:
        known = (CueEvidence.of(universe), *(learn(sentences, _all(sentences)) for learn in learners))
        of_known = stacked(known, labelled.texts)
        layers = over_the_same_classes([of_known, layers])
        truth = replace(truth, silent=truth.silent & silent_rows(of_known, stacked(known, [""])))
    fitted = CalibratedMap(
        name=name,
        fitted_on=labelled.description + (f"; {_dictionary_words(sentences)}" if known else ""),
        universe_digest=universe.digest,
        sources=(*known, taught),
        calibration=_calibrated(layers, truth),
        allocation=allocation,
        atoms_per_record=None,
        size=universe.size,
        card=None,
        trusts=labelled.trusts,
    )
    return Fitting(fitted, universe, layers, truth, labelled.description, labelled.texts, corrects=bool(known))


def fit_hybrid(
    universe: AtomUniverse,
    labelled: LabelledTexts | None,
    atoms_per_record: int | None = None,
    learners: Sequence[Learner] = (learn_from_words,),
) -> CalibratedMap:
    """Use what there is: names, or the dictionary's own sentences and, beside them, one label per record or several."""
    if labelled is None and not universe.has_examples and tuple(learners) == (learn_from_words,):
        return fit_names(universe, atoms_per_record)
    if labelled is None:
        cues = (CueEvidence.of(universe),)
        return _fit_dictionary(universe, atoms_per_record, cues, learners, "hybrid", Elsewhere.of(universe))
    return hybrid_fitting(universe, labelled, learners).cut(atoms_per_record)


def fit_names(universe: AtomUniverse, atoms_per_record: int | None) -> CalibratedMap:
    """Take the dictionary's names at their word, where there is nothing to learn from and to be tested on."""
    return CalibratedMap(
        name="names",
        fitted_on="the dictionary's own words and public English word frequencies",
        universe_digest=universe.digest,
        sources=(NameEvidence.of(universe),),
        calibration=Calibration(np.array([OF_A_NAME]), np.full(universe.size, -OF_A_NAME / 2)),
        allocation=Competing(),
        atoms_per_record=atoms_per_record,
        size=universe.size,
        card=None,
    )


def hybrid_fitting(
    universe: AtomUniverse, labelled: LabelledTexts, learners: Sequence[Learner] = (learn_from_words,)
) -> Fitting:
    """Fit the hybrid on labels once, for any K, and to know what it gives texts that it did not learn from."""
    fit = _supervised if labelled.exclusive else _taught
    return fit(universe, labelled, learners, "hybrid")


def require_examples(universe: AtomUniverse) -> None:
    """Refuse a dictionary from which no sentence classifier can be taught and tested."""
    if not universe.has_examples:
        raise DictionaryError(
            f"this map learns from example sentences: give every atom at least {FEWEST_EXAMPLES} `examples`, "
            "or labelled auxiliary text (`records.auxiliary.label`), or use `records.map: paper`"
        )


def _calibrated(layers: Floats, truth: Truth, rows: Flags | None = None) -> Calibration:
    """Calibrate on texts that say something, all of them or some rows."""
    spoken = ~truth.silent if rows is None else rows & ~truth.silent
    if not spoken.any():
        raise RequestError("the labelled texts have too few words in common to learn from; label more of them")
    return truth.calibrate(layers[:, spoken], truth.target[spoken])


def _all(sentences: DictionarySentences) -> Flags:
    return np.ones(len(sentences.texts), dtype=bool)


def _dictionary_words(sentences: DictionarySentences) -> str:
    return f"the dictionary's {len(sentences.texts):,} labels, cues, examples and other sentences"
