"""A tiny invented dictionary and labelled texts, from which calibrated maps can be fitted in a moment."""

from dataclasses import replace
from functools import cache

import numpy as np

from dpspin.boundary.atoms import Atom, AtomUniverse, Provenance
from dpspin.curator.assign.calibrated_fits import fit_cues, fit_hybrid, fit_supervised, fit_taught
from dpspin.curator.assign.dictionary_learners import learn_from_words
from dpspin.curator.assign.labelled_texts import LabelledTexts

WAIT, STAFF, COLD = range(3)
ATOMS = (
    Atom(
        id=17,
        label="long wait",
        cues=("took forever", "kept us waiting"),
        examples=(
            "We waited forty minutes for a table.",
            "It took an hour until somebody served us.",
            "The queue did not move for half an hour.",
            "Waiting for our drinks lasted an eternity.",
            "After fifty minutes of waiting we left.",
            "An hour passed before the menu came.",
        ),
        counter_examples=("We were seated without any wait.", "The wait was short, five minutes at most."),
    ),
    Atom(
        id=42,
        label="rude staff",
        cues=("snapped at us", "rolled her eyes"),
        examples=(
            "The waiter was rude to my mother.",
            "Staff shouted at a guest in front of everybody.",
            "Our waitress insulted us when we complained.",
            "The manager was unfriendly and arrogant.",
            "Nobody behind the counter was polite to us.",
            "The host treated us like beggars, so impolite.",
        ),
        counter_examples=("The staff was polite and kind.",),
    ),
    Atom(
        id=81,
        label="cold food",
        cues=("stone cold", "lukewarm"),
        examples=(
            "My soup arrived cold.",
            "The steak was cold in the middle.",
            "They served us cold chips and a cold pie.",
            "The food had cooled down before it reached us.",
            "Our pizza was cold when it came.",
            "Even the coffee was tepid and the stew cold.",
        ),
        counter_examples=("The cold beer was lovely.", "A cold starter, as it should be."),
    ),
)
BACKGROUND = (
    "We came here for my birthday.",
    "The place is near the station.",
    "I ordered the pasta and a salad.",
    "There is a garden behind the house.",
    "My sister lives around the corner.",
    "We paid by card.",
    "It was a sunny Sunday.",
    "They have been open since spring.",
    "The walls are painted green.",
    "I read about it in the paper.",
    "Parking is across the street.",
    "We shared a bottle of wine.",
)


def restaurant(atoms=ATOMS, background=BACKGROUND, version="1"):
    """Return the tiny dictionary, or one that differs from it."""
    return AtomUniverse(
        name="tiny restaurant",
        version=version,
        provenance=Provenance(source="handwritten", note="for tests"),
        atoms=tuple(atoms),
        background=background,
    )


UNIVERSE = restaurant()
_SAID = {
    WAIT: ("we waited {} minutes", "waited for {} drinks", "the queue was {} long", "waiting {} again"),
    STAFF: ("the waiter was rude to {}", "rude staff and {}", "they insulted {}", "a rude host with {}"),
    COLD: ("cold soup for {}", "the steak was cold {}", "my {} arrived cold", "cold pizza and {}"),
    None: ("we paid for {}", "a garden with {}", "the walls and {}", "near the station {}"),
}
_FILLERS = ("forty", "friends", "everybody", "dinner", "us", "them")


@cache
def exclusive_texts():
    """One label per text, or none."""
    rows = [(said.format(filler), atom) for filler in _FILLERS for atom, texts in _SAID.items() for said in texts]
    return LabelledTexts(
        tuple(text for text, _ in rows),
        tuple(frozenset() if atom is None else frozenset({atom}) for _, atom in rows),
        UNIVERSE.size,
    )


@cache
def several_texts():
    """One label per text, or none, or two."""
    single = exclusive_texts()
    pairs = [
        (f"{single.texts[row]}, {single.texts[row + 5]}", single.atoms[row] | single.atoms[row + 5])
        for row in range(len(single.texts) - 5)
    ]
    return LabelledTexts(
        single.texts + tuple(text for text, _ in pairs),
        single.atoms + tuple(atoms for _, atoms in pairs),
        UNIVERSE.size,
    )


@cache
def fitted(kind, atoms_per_record=None):
    """Return the map of that kind; fits are shared by all tests, and maps are frozen."""
    if atoms_per_record is not None:
        return replace(fitted(kind), atoms_per_record=atoms_per_record, lessons=None)
    match kind:
        case "cues":
            return fit_cues(UNIVERSE)
        case "taught":
            return fit_taught(UNIVERSE, several_texts())
        case "taught with examples":
            return fit_taught(UNIVERSE, several_texts(), learners=(learn_from_words,))
        case "supervised":
            return fit_supervised(UNIVERSE, exclusive_texts())
        case "supervised with examples":
            return fit_hybrid(UNIVERSE, exclusive_texts())


MAP_KINDS = ("cues", "taught", "taught with examples", "supervised", "supervised with examples")


def dense(contributions):
    """Return contributions as a matrix of masses."""
    out = np.zeros((contributions.records, contributions.universe_size))
    np.add.at(out, (contributions.rows, contributions.atoms), contributions.ticks / 2**30)
    return out
