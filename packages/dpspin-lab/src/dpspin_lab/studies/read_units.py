"""Labelled units as grounding sees them: what the map and the reader made of each, and what each adds to the sums.

The product's own code adds up one unit after another. A sample's sums are the sums of its units' terms, so that
thousands of samples can be drawn at once; a test holds them against the product's sums over a whole sample.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse, Provenance
from dpspin.boundary.privacy import MASS, Adjacency, AnyQuantity, RecordUnit, UserUnit
from dpspin.boundary.statement import Apart, MapStatement, Separation
from dpspin.curator.aggregate.read_sample import Drawn, sums_over
from dpspin.curator.aggregate.sketch import SketchOrigin
from dpspin.curator.assign.contribution import Contributions, Floats

RECORD = RecordUnit()
PUBLIC = Separation(map_text=Apart.DECLARED_PUBLIC, dictionary_text=Apart.DECLARED_PUBLIC)


@dataclass(frozen=True, slots=True)
class ReadUnits:
    """One row for each unit, one column for each coordinate of the sketch: whole numbers of ticks, exact as floats."""

    origin: SketchOrigin
    names: tuple[tuple[int, str], ...]
    mapped: Floats = field(repr=False)
    read: Floats = field(repr=False)
    squares: Floats = field(repr=False)
    moved: Floats = field(repr=False)
    auxiliary: Floats = field(repr=False)  # the shares of the themes in auxiliary labels, which are the rival


def read_units(
    origin: SketchOrigin,
    names: Sequence[tuple[int, str]],
    mapped: Contributions,
    themes: Sequence[frozenset[int]],
    *,
    auxiliary: Floats,
    users: Sequence[str] | None = None,
) -> ReadUnits:
    """Let the product add up each unit alone: with the map's contributions, and without, which leaves the reader's."""
    units: dict[str, list[int]] = {}
    for row, unit in enumerate(map(str, range(len(themes))) if users is None else users):
        units.setdefault(unit, []).append(row)
    read, squares, corrections, moved = [], [], [], []
    for rows in units.values():
        drawn = tuple(Drawn(id=str(row), unit="one", text="") for row in rows)
        readings = {str(row): themes[row] for row in rows}
        both = sums_over(drawn, readings, rows_of(mapped, rows), origin)
        read.append(sums_over(drawn, readings, rows_of(mapped, rows, silent=True), origin).corrections)
        corrections.append(both.corrections)
        squares.append(both.squares)
        moved.append(both.moved)
    of_reader = np.array(read, np.float64)
    return ReadUnits(
        origin,
        tuple(names),
        mapped=of_reader - np.array(corrections, np.float64),
        read=of_reader,
        squares=np.array(squares, np.float64),
        moved=np.array(moved, np.float64),
        auxiliary=auxiliary,
    )


def rows_of(mapped: Contributions, rows: Sequence[int], *, silent: bool = False) -> Contributions:
    """Return some records' contributions, or as many records that contribute nothing."""
    parts = [slice(mapped.offsets[row], mapped.offsets[row] if silent else mapped.offsets[row + 1]) for row in rows]
    return Contributions(
        np.r_[0, np.cumsum([part.stop - part.start for part in parts])].astype(np.int64),
        np.concatenate([mapped.atoms[part] for part in parts]),
        np.concatenate([mapped.ticks[part] for part in parts]),
        mapped.universe_size,
        mapped.atoms_per_record,
    )


def names_of(universe: AtomUniverse) -> tuple[tuple[int, str], ...]:
    """Return ids and labels in the dictionary's order."""
    return tuple((atom.id, atom.label) for atom in universe.atoms)


def origin_of(
    universe: AtomUniverse,
    statement: MapStatement,
    unit: RecordUnit | UserUnit = RECORD,
    quantity: AnyQuantity = MASS,
) -> SketchOrigin:
    """Measure a dictionary with a map; everything in the laboratory is public."""
    return SketchOrigin.of(universe, statement, unit, Adjacency.ADD_DROP, quantity, separation=PUBLIC)


def made_up(weights: Floats, themes: Sequence[frozenset[int]]) -> ReadUnits:
    """Return records with a made-up map, whose weights end with "none of these"; the rival is even shares."""
    size = weights.shape[1] - 1
    universe = AtomUniverse(
        name="made up",
        version="1",
        provenance=Provenance(source="handwritten", note="made up for a simulation"),
        atoms=tuple(Atom(id=AtomId(place), label=f"theme {place}") for place in range(size)),
    )
    statement = MapStatement(
        name="made up", fitted_on="nothing", atoms_per_record=None, digest="sha256:made-up", answers_none=True
    )
    records, places = np.nonzero(weights)
    mapped = Contributions.from_weights(
        np.r_[0, np.cumsum(np.bincount(records, minlength=len(weights)))].astype(np.int64),
        places,
        weights[records, places],
        universe_size=size + 1,
        atoms_per_record=None,
    )
    rival = np.full(size, 1 / size)
    return read_units(origin_of(universe, statement), names_of(universe), mapped, themes, auxiliary=rival)
