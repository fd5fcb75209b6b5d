"""What is audited, and on which corpora.

What each mechanism states of itself, and what changes the records before any of them; with epsilon near one, and deltas
far above those of a release: counting cannot see an event of chance 10^-6. The code that calibrates and draws is the
same for every epsilon and delta. Neighbouring corpora are those on which a release loses as much privacy as it can: one
unit's whole mass on one atom.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, assert_never

import pyarrow as pa

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse, Provenance
from dpspin.boundary.mechanisms import MECHANISMS, Laplace
from dpspin.boundary.mechanisms.base import Audited
from dpspin.boundary.privacy import Adjacency, PoissonSample, Prevalence, PrivacyLoss, RecordUnit, UserUnit
from dpspin.curator.assign.paper_map import NgramMap, PublicWordIdf
from dpspin.curator.records.columns import TEXT, USER

PREVALENCE = Audited(
    "prevalence, laplace", Laplace(), PrivacyLoss(1.5), size=2, crowd=(1, 1, 1, 1), quantity=Prevalence(most_atoms=2)
)
SAMPLE = Audited(
    "random sample, laplace",
    Laplace(),
    PrivacyLoss(1.5),
    size=2,
    crowd=(0, 0),
    adjacencies=(Adjacency.ADD_DROP,),
    sampling=PoissonSample(rate=0.2),
)
AUDITED: Final = (*(case for mechanism in MECHANISMS for case in mechanism.audited()), PREVALENCE, SAMPLE)
NAMED: Final = {case.name: case for case in AUDITED}

WORDS = ("waiting", "parking", "prices", "staff")  # each is the whole text of a record, and maps to one atom
# A replaced unit moves its mass from the first place to the second; an added one brings the second.
ONE_ATOM, TWO_ATOMS = ((0,), (1,)), ((0, 1), (2, 3))
HEAVY = 12  # records of the user in question: six times the bound below, so that a missing clip shows

RECORD, USERS = RecordUnit(), UserUnit(bound=2.0)
Row = tuple[str, str]  # text and user


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two corpora that differ in one protected unit."""

    before: pa.Table
    after: pa.Table


@cache
def dictionary(size: int) -> AtomUniverse:
    """Return a dictionary of ``size`` one-word atoms."""
    return AtomUniverse(
        name="audit",
        version="1",
        provenance=Provenance(source="handwritten", note="words for an audit"),
        atoms=tuple(Atom(id=AtomId(place), label=word) for place, word in enumerate(WORDS[:size])),
    )


@cache
def paper_map(size: int) -> NgramMap:
    """Return the paper's map for that dictionary: a record of one word has mass one on its atom."""
    return NgramMap.fit(dictionary(size), PublicWordIdf())


def neighbours(
    unit: RecordUnit | UserUnit,
    adjacency: Adjacency,
    crowd: tuple[int, ...],
    places: tuple[tuple[int, ...], tuple[int, ...]] = ONE_ATOM,
) -> Neighbours:
    """Return the pair; ``crowd`` says how many other units have their whole mass on each atom.

    Under add/drop the unit is missing from one corpus (lemma 1: ‖x‖₁ = B is reached). Under replacement its mass
    moves to another atom (lemma 2: ‖x - y‖₁ = 2B and ‖x - y‖₂ = √2·B are reached). A unit with two atoms at each place
    reaches the bounds of prevalence with K = 2.

    >>> pair = neighbours(RecordUnit(), Adjacency.REPLACE, crowd=(1, 0))
    >>> pair.before.column("text").to_pylist(), pair.after.column("text").to_pylist()
    (['waiting', 'waiting'], ['waiting', 'parking'])
    """
    others = [
        row for place, units in enumerate(crowd) for number in range(units) for row in _other(unit, place, number)
    ]
    match adjacency:
        case Adjacency.ADD_DROP:
            before: list[Row] = []
        case Adjacency.REPLACE:
            before = _in_question(unit, places[0])
        case _:
            assert_never(adjacency)
    return Neighbours(_table(others + before), _table(others + _in_question(unit, places[1])))


def _other(unit: RecordUnit | UserUnit, place: int, number: int) -> list[Row]:
    """Return the records of one of the crowd: exactly the bound."""
    return [(WORDS[place], f"other {place} {number}")] * int(unit.bound)


def _in_question(unit: RecordUnit | UserUnit, places: tuple[int, ...]) -> list[Row]:
    records = HEAVY if isinstance(unit, UserUnit) else 1
    return [(" ".join(WORDS[place] for place in places), "the one in question")] * records


def _table(rows: list[Row]) -> pa.Table:
    return pa.table({TEXT: [text for text, _ in rows], USER: [user for _, user in rows]})
