"""Small calibrated maps for tests: real sources, and a calibration that is given instead of fitted."""

from dataclasses import dataclass, replace

import numpy as np

from dpspin.boundary.atoms import Atom
from dpspin.curator.assign.calibrated_map import CalibratedMap
from dpspin.curator.assign.deal_out_mass import Calibration, Competing, Exclusive, Expressed
from dpspin.curator.assign.dictionary_sentences import DictionarySentences
from dpspin.curator.assign.evidence_sources import CueEvidence
from dpspin.curator.assign.labelled_texts import ClassEvidence, TaughtEvidence
from dpspin.curator.assign.sentence_evidence import ExampleEvidence
from factories import universe_of

UNIVERSE = universe_of(
    [
        Atom(
            id=1,
            label="late parcel",
            cues=("has not arrived", "didn't come", "still waiting for my parcel", "rock'n'roll"),
            examples=("My parcel hasn't arrived.", "The parcels are running late again.", "It's 5 days late"),
            counter_examples=("The parcel came early, thanks.",),
        ),
        Atom(
            id=2,
            label="refund missing",
            cues=("where is my money", "no refund", "not paid back"),
            examples=("I'm waiting for the refund.", "You never paid me back!", "Where's my money gone?"),
        ),
        Atom(
            id=3,
            label="app crash",
            cues=("crashed", "crème brûlée", "the app"),
            examples=("The app crashes daily.", "internationalization screens crashed", "App v2 closes by itself"),
        ),
    ]
)
NO_THEME = (
    "I live near the station.",
    "My order number is 12345.",
    "We ordered it in May.",
    "It is a present for my aunt.",
    "I'm writing from my phone.",
    "The weather isn't bad today.",
)
TEXTS = tuple(example for atom in UNIVERSE.atoms for example in atom.examples) * 3


def small_map(kind: str = "examples", atoms_per_record: int | None = None, *, courtesy: bool = True) -> CalibratedMap:
    """Build a map from the dictionary, with or without sentences of no theme, from labelled texts, or from classes."""
    size = UNIVERSE.size
    flags = np.array([[place == row % 9 // 3 for place in range(size)] for row in range(len(TEXTS))], float)
    given = {
        "examples": _Given((_cues(), _examples(courtesy=courtesy)), size, Competing()),
        "themes": _Given((_cues(), _examples(NO_THEME, courtesy=courtesy)), size, Competing()),
        "taught": _Given((TaughtEvidence.fit(TEXTS, flags),), size, Expressed(threshold=1 / 3)),
        "both": _Given((_cues(), _examples(NO_THEME), TaughtEvidence.fit(TEXTS, flags)), size, Competing()),
        "classes": _Given((_classes(flags),), size + 1, Exclusive()),
    }[kind]
    layers = sum(len(source.layers) for source in given.sources)
    return CalibratedMap(
        name="hybrid",
        fitted_on="nothing",
        universe_digest=UNIVERSE.digest,
        sources=given.sources,
        calibration=Calibration(np.linspace(0.5, 1.5, layers), np.linspace(-1, 1, given.classes)),
        allocation=given.allocation,
        atoms_per_record=atoms_per_record,
        size=size,
        card=None,
    )


@dataclass(frozen=True)
class _Given:
    sources: tuple
    classes: int
    allocation: object


def _cues():
    return CueEvidence.of(UNIVERSE)


def _examples(background=(), *, courtesy=True):
    sentences = DictionarySentences.of(UNIVERSE.model_copy(update={"background": background}))
    return replace(ExampleEvidence.fit(sentences), skips_courtesy=courtesy)


def _classes(flags):
    return ClassEvidence(TaughtEvidence.fit(TEXTS, np.column_stack([flags, 1 - flags.max(axis=1)])))
