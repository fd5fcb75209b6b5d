"""Labelled auxiliary text, and a classifier of whole records that it teaches."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import digest_of
from dpspin.curator.assign.contribution import Floats
from dpspin.curator.assign.evidence_sources import folds_of, silent_rows
from dpspin.curator.assign.grade_map import about
from dpspin.curator.assign.map_trust import ours
from dpspin.curator.assign.term_classifier import Lesson, Linear, Scorer, TermVectors, fit_linear
from dpspin.curator.assign.term_counts import TermCounts
from dpspin.errors import RequestError

MOST_TEACHERS = 3
LONGEST_NAME = 300
FEWEST = 20  # fewer labelled texts teach nothing, and cannot be tested


@dataclass(frozen=True)
class LabelledTexts:
    """Auxiliary texts with their atoms; an empty set is a label too: none of these."""

    texts: tuple[str, ...] = field(repr=False)
    atoms: tuple[frozenset[int], ...] = field(repr=False)  # positions, not ids
    size: int  # of the dictionary
    labelled_by: str = ""  # a language model, or several; nothing for people

    def __post_init__(self) -> None:
        if len(self.texts) < FEWEST:
            raise RequestError(f"a map learns from at least {FEWEST} labelled texts; label more of the auxiliary data")

    @property
    def description(self) -> str:
        """What a plan says of these texts: about how many there are, and who labelled them, if not people."""
        number = f"about {about(len(self.texts)):,}"
        return (
            f"{number} auxiliary texts, {self.labelled_by}"
            if self.labelled_by
            else f"{number} labelled auxiliary texts"
        )

    @property
    def trusts(self) -> str:
        """Whom a map that learned from these texts relied on."""
        return (
            f"auxiliary texts were {self.labelled_by}; no protected record was read there" if self.labelled_by else ""
        )

    @property
    def exclusive(self) -> bool:
        """Whether no text has two atoms: then the atoms are classes, as in a taxonomy."""
        return all(len(atoms) <= 1 for atoms in self.atoms)

    @cached_property
    def shares(self) -> Floats:
        """The truth as rows over the atoms and "none of these": a text's mass is spread evenly over its atoms."""
        rows = np.zeros((len(self.texts), self.size + 1))
        for row, atoms in enumerate(self.atoms):
            places = sorted(atoms) or [self.size]
            rows[row, places] = 1 / len(places)
        return rows

    @cached_property
    def flags(self) -> Floats:
        """One where a text expresses an atom."""
        return (self.shares[:, : self.size] > 0).astype(np.float64)

    def part(self, rows: Sequence[int]) -> "LabelledTexts":
        """Return some of the texts."""
        texts, atoms = tuple(self.texts[row] for row in rows), tuple(self.atoms[row] for row in rows)
        return replace(self, texts=texts, atoms=atoms)


def read_labels(
    universe: AtomUniverse,
    texts: Iterable[str | None],
    labels: Iterable[str | None],
    teachers: Sequence[str | None] = (),
) -> LabelledTexts:
    """Read a label column: atom ids or labels, several of them separated by ``;`` or ``|``, nothing for none.

    A label that the dictionary does not have counts as none of these: its records exist, and must not be learned as
    something else.
    """
    known = places_by_name(universe)
    kept = [(text, _places(label, known)) for text, label in zip(texts, labels, strict=True) if text]
    found = LabelledTexts(
        tuple(text for text, _ in kept), tuple(atoms for _, atoms in kept), universe.size, _labelled_by(teachers)
    )
    if not any(found.atoms):
        raise RequestError(
            "no label of the auxiliary data is an id or a label of the dictionary; check the label column "
            "(`records.auxiliary.label`)"
        )
    return found


def _labelled_by(teachers: Sequence[str | None]) -> str:
    """Say in words who labelled. The words go into the plan, so they must be a name or two.

    >>> _labelled_by(["the language model m", None])
    'labelled in part by the language model m'
    """
    names = sorted({name.strip() for name in teachers if name and name.strip()})
    if len(names) > MOST_TEACHERS or any(len(name) > LONGEST_NAME or not name.isprintable() for name in names):
        raise RequestError("the auxiliary data's teacher column does not hold what `dpspin atoms teach` writes there")
    some = " in part" if not all(teachers) else ""
    return f"labelled{some} by {' and by '.join(names)}" if names else ""


def places_by_name(universe: AtomUniverse) -> dict[str, int]:
    """Return the places of a dictionary's atoms by what they may be called: their ids, and their labels."""
    known = {str(atom.id): place for place, atom in enumerate(universe.atoms)}
    return known | {atom.label.casefold(): place for place, atom in enumerate(universe.atoms)}


def names_in(cell: str | None, known: Mapping[str, int]) -> list[str]:
    """Split a cell of ids or labels at ``;`` or ``|``, unless it is one label as a whole.

    >>> names_in("Late delivery; 42 |", {"late delivery": 0, "42": 1})
    ['late delivery', '42']
    """
    whole = (cell or "").strip().casefold()
    if whole in known:
        return [whole]
    return [part for each in whole.replace("|", ";").split(";") if (part := each.strip())]


def _places(label: str | None, known: Mapping[str, int]) -> frozenset[int]:
    return frozenset(known[name] for name in names_in(label, known) if name in known)


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
        vectors, rows = TermCounts.of(texts, "record").learned(fewest=FEWEST_TEXTS)
        everything = np.ones(len(texts), dtype=bool)
        lessons = [Lesson(everything, column > 0, np.ones(len(texts))) for column in truth.T]
        return cls(vectors, fit_linear(rows, lessons, STRENGTH))

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
