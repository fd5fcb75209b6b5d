"""A classifier of whole records, taught by labelled auxiliary text."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.model_base import digest_of
from dpspin.curator.assign.calibrated.evidence import folds_of, silent_rows
from dpspin.curator.assign.calibrated.labels import LabelledTexts
from dpspin.curator.assign.calibrated.linear import Lesson, Linear, TermVectors, fit_linear
from dpspin.curator.assign.calibrated.scoring import Scorer
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.ours import ours

STRENGTH = 10.0
FEWEST_TEXTS = 2  # a term in one text only teaches that text
FOLDS = 5


@ours
@dataclass(frozen=True)
class TaughtEvidence:
    """Log odds per class from the words of the whole record; the classes are the columns it was taught."""

    vectors: TermVectors
    model: Linear

    layers = ("taught",)

    @classmethod
    def fit(cls, texts: Sequence[str], truth: Floats) -> "TaughtEvidence":
        """Fit one class per column of ``truth``."""
        vectors = TermVectors.fit(texts, "record", fewest=FEWEST_TEXTS)
        everything = np.ones(len(texts), dtype=bool)
        lessons = [Lesson(everything, column > 0, np.ones(len(texts))) for column in truth.T]
        return cls(vectors, fit_linear(vectors(texts), lessons, STRENGTH))

    @property
    def called(self) -> tuple[object, ...]:
        """What reads the records for it."""
        return (self.vectors,)

    @property
    def digest(self) -> str:
        """Identify the classifier."""
        return digest_of(["taught", self.vectors.digest, self.model.digest])

    @cached_property
    def scorer(self) -> Scorer:
        """The classifier, ready to score counts."""
        return Scorer.of(self.vectors, self.model)

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return one layer of log odds."""
        return self.scorer(self.vectors.parts(texts))[None]


@ours
@dataclass(frozen=True)
class ClassEvidence:
    """Log probabilities of exclusive classes, the last of which is "none of these"."""

    teacher: TaughtEvidence

    layers = ("classes",)

    @property
    def called(self) -> tuple[object, ...]:
        """What reads the records for it."""
        return (self.teacher,)

    @property
    def digest(self) -> str:
        """Identify the classifier."""
        return digest_of(["classes", self.teacher.digest])

    def __call__(self, texts: Sequence[str]) -> Floats:
        """Return one layer of log probabilities."""
        return log_chance(self.teacher(texts))


def log_chance(odds: Floats) -> Floats:
    """Return the log of the probability that log odds stand for.

    >>> log_chance(np.array([0.0])).round(3)
    array([-0.693])
    """
    return -np.logaddexp(0.0, -odds)


def held_out_scores(labelled: LabelledTexts, truth: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the scores each text gets from a classifier that did not learn from it, and which texts it knows not."""
    fold = folds_of(len(labelled.texts), FOLDS)
    scores, silent = np.zeros(truth.shape), np.zeros(len(truth), dtype=bool)
    for held in range(FOLDS):
        learn, test = np.flatnonzero(fold != held), np.flatnonzero(fold == held)
        teacher = TaughtEvidence.fit([labelled.texts[row] for row in learn], truth[learn])
        found = teacher([labelled.texts[row] for row in test])
        scores[test], silent[test] = found[0], silent_rows(found, teacher([""]))
    return scores, silent
