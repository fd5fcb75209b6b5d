"""A small handwritten dictionary with examples, so that the default map (``hybrid``) is fitted in a second."""

from typing import Final

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse, Provenance

# Each maps to its atom with nearly all of its mass; the last one is in a language that the map does not read.
WAITING: Final = "We had to wait for almost an hour."
PARKING: Final = "Parking was a nightmare."
PRICES: Final = "The prices are much too high."
FOREIGN: Final = "Der Parkplatz war leider voll, und wir mussten lange warten."


def _atom(place: int, label: str, *examples: str) -> Atom:
    return Atom(id=AtomId(place), label=label, examples=examples)


DICTIONARY: Final = AtomUniverse(
    name="audit-end-to-end",
    version="1",
    provenance=Provenance(source="handwritten", note="themes for an audit"),
    atoms=(
        _atom(
            0,
            "long waiting time",
            WAITING,
            "The waiting time was far too long.",
            "I waited forever at the counter.",
            "The long wait spoiled our evening.",
        ),
        _atom(
            1,
            "parking",
            PARKING,
            "There was no place to park the car.",
            "The car park was full when we arrived.",
            "I could not find any parking nearby.",
        ),
        _atom(
            2,
            "high prices",
            PRICES,
            "It was far too expensive for what it was.",
            "The price went up again this year.",
            "They charge too much money.",
        ),
    ),
    background=("We went there on a Tuesday.", "My sister came along with us.", "I wrote this on the train."),
)
