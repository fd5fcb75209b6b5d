"""Rows that are hard to read: a crowd, and the unit in question with a cell that is unlike all others.

The first crowd of each reader has cells that one could be tempted to read together (all bytes, all numbers, all in one
encoding), and the unit's cell ends that: a reader that decides for a column or a file by its rows then reads the whole
crowd in another way. Motley crowds have every kind of cell from the start. The dictionary is small and has examples,
so that the default map (``hybrid``) is fitted in a second.
"""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from itertools import cycle, islice
from typing import Final

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse, Provenance
from dpspin.boundary.privacy import RecordUnit, UserUnit

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

Row = tuple[object, ...]  # user and text; a malformed one has more or fewer cells
CROWD: Final = 40  # records: two of each user
HEAVY: Final = 40  # records of the user in question, whose bound is 1
NOON: Final = dt.datetime(2024, 1, 1, 12)  # noqa: DTZ001  a wall clock
EASTERN: Final = NOON.replace(tzinfo=dt.timezone(dt.timedelta(hours=-5)))


@dataclass(frozen=True, slots=True)
class Hard:
    """A crowd, and the unit that one of two neighbours lacks: its id, the text of its first record, and of others."""

    crowd: tuple[Row, ...]
    user: object
    text: object
    others: object = WAITING

    def rows(self, unit: RecordUnit | UserUnit, *, complete: bool) -> list[Row]:
        """Return the rows of one neighbour. The unit stands first, where its cells can do most, and last."""
        if not complete:
            return list(self.crowd)
        last: list[Row] = [(self.user, self.others)] * (HEAVY - 1 if isinstance(unit, UserUnit) else 0)
        return [(self.user, self.text), *self.crowd, *last]


def crowd_of(ids: tuple[object, ...], texts: tuple[object, ...]) -> tuple[Row, ...]:
    """Return a crowd that has these ids and texts again and again, in every combination before long."""
    return tuple(islice(zip(cycle(ids), cycle(texts), strict=False), CROWD))


NAMES: Final = tuple(f"guest {place // 2}" for place in range(CROWD))
NUMBERS: Final = tuple(float(place // 2) if place % 2 else place // 2 for place in range(CROWD))  # 7 and 7.0: one user
WRITTEN_NUMBERS: Final = tuple(str(place // 2) if place % 2 else place // 2 for place in range(CROWD))
LATIN_1: Final = f"{PARKING} Caf\xe9.".encode("latin-1")
THE_ONE: Final = "the one in question"

PLAIN = Hard(crowd_of(NAMES, (PARKING, PRICES)), THE_ONE, WAITING)
SEMICOLONS = Hard(crowd_of(NAMES, (PARKING, f"{PRICES} Well, well.")), THE_ONE, WAITING + " ;" * 400)
OPEN_QUOTATION = Hard(PLAIN.crowd, THE_ONE, f'"{WAITING}')
OTHER_ENCODING = Hard(
    crowd_of(tuple(name.encode() for name in NAMES), (LATIN_1,)),
    b"\xff\xfe",
    f"{WAITING} Olé.".encode(),
    WAITING.encode(),
)
ID_IN_WORDS = Hard(crowd_of(NUMBERS, (PARKING, PRICES)), THE_ONE, WAITING)
ID_IN_WORDS_ON_A_SHEET = Hard(crowd_of(WRITTEN_NUMBERS, (PARKING, PRICES)), THE_ONE, WAITING)
A_NUMBER_AMONG_BYTES = Hard(crowd_of(NUMBERS, (PARKING.encode(), PRICES.encode())), THE_ONE, 17, WAITING.encode())

MOTLEY_TEXT = Hard(
    (
        *crowd_of(
            ("u1", " u1", "", "17", "17.0", "bytes:00", "x" * 300, b"Jos\xe9"),
            (PARKING, FOREIGN, "", LATIN_1, f"{PRICES}, {PARKING}; well | well", "\ufeffmark", 'he said "no"'),
        ),
        ("one cell",),
        ("three", PARKING, "cells"),
    ),
    "json:[1]",
    f'{WAITING} "Really", they said; no\\ne | other \xe9',
)
MOTLEY_BYTES = Hard(
    crowd_of(
        (b"u1", b"\xff\xfe", b"", b"17", None, b"x" * 300), (PARKING.encode(), LATIN_1, b"", None, FOREIGN.encode())
    ),
    b"bytes:fffe",
    WAITING.encode(),
    WAITING.encode(),
)
MOTLEY_JSON = Hard(
    crowd_of(
        (17, 17.0, "17", 1.5, True, None, [1], {"a": [1]}, 10**30), (PARKING, 17, None, FOREIGN, "", [PRICES], "\ud800")
    ),
    [[THE_ONE]],
    WAITING,
)
MOTLEY_SHEET = Hard(crowd_of((17, "17", 1.5, True, None, " "), (PARKING, 17, None, FOREIGN, True)), 2.5, WAITING)
MOTLEY_OBJECTS = Hard(
    crowd_of(
        (17, 17.0, Decimal("17.00"), "17", True, NOON.date(), NOON, EASTERN, dt.timedelta(1), b"Jos\xe9", (1, 2), None),
        (PARKING, PARKING.encode(), 17, None, FOREIGN, bytearray(b"\xff"), NOON, PRICES, float("nan")),
    ),
    Decimal("2.50"),
    bytearray(WAITING.encode()),
)
