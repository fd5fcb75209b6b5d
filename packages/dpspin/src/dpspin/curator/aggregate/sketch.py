"""The exact semantic sketch: private, integer, and the owner of its own sensitivity."""

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.privacy import (
    EVERYONE,
    MASS,
    Adjacency,
    AnyQuantity,
    AnySampling,
    RecordUnit,
    Sensitivity,
    UserUnit,
    require_fitting_quantity,
    sensitivity_of,
)
from dpspin.boundary.statement import NO_TEXTS, Apart, MapStatement, Separation
from dpspin.curator.assign.contribution import Ints
from dpspin.errors import BoundViolation, DictionaryError, RequestError

MOST_TICKS = 2**62  # far from where int64 sums would wrap silently


@dataclass(frozen=True, slots=True)
class SketchOrigin:
    """What a sketch measures and whom it protects; sketches of different origin cannot be merged."""

    universe_digest: str
    universe_size: int
    contribution_map: MapStatement
    unit: RecordUnit | UserUnit
    adjacency: Adjacency
    quantity: AnyQuantity = MASS
    sampling: AnySampling = EVERYONE
    separation: Separation = NO_TEXTS

    def __post_init__(self) -> None:
        if self.contribution_map.learned_from_auxiliary and self.separation.map_text is Apart.NO_TEXT:
            raise RequestError(
                "this map has learned from auxiliary text: name that text again (`records.auxiliary.source`), so that "
                "it can be compared with the records, or declare it public (`records.auxiliary_is_public`)"
            )

    @classmethod
    def of(  # noqa: PLR0917  one argument for each thing that an origin is
        cls,
        universe: AtomUniverse,
        contribution_map: MapStatement,
        unit: RecordUnit | UserUnit,
        adjacency: Adjacency,
        quantity: AnyQuantity = MASS,
        sampling: AnySampling = EVERYONE,
        separation: Separation = NO_TEXTS,
    ) -> Self:
        """Measure the atoms of a dictionary with a map, and protect a unit."""
        card = contribution_map.card
        if card is not None and [atom.atom_id for atom in card.atoms] != list(universe.ids):
            raise DictionaryError("this map was fitted for another dictionary; fit it again")
        if universe.provenance.needs_comparison and separation.dictionary_text is Apart.NO_TEXT:
            raise RequestError(
                "this dictionary was built from auxiliary records: name them again (`records.atoms_auxiliary`), so "
                "that they can be compared with the protected ones, or declare them public "
                "(`records.atoms_auxiliary_is_public`)"
            )
        require_fitting_quantity(quantity, unit)
        return cls(universe.digest, universe.size, contribution_map, unit, adjacency, quantity, sampling, separation)

    @property
    def coordinates(self) -> int:
        """The length of the vector: the m atoms and then, where the map measures them, "none of these", "not read"."""
        return self.universe_size + self.contribution_map.besides

    @property
    def sensitivity(self) -> Sensitivity:
        """How far one protected unit can move a sketch of this origin.

        "None of these" and "not read" do not change it: a record's atoms and these together have mass one at most, a
        user's B after clipping. Lemmas 1-3 bound the whole vector, however many coordinates it has.
        """
        return sensitivity_of(self.unit, self.adjacency, self.quantity)

    @property
    def none(self) -> int | None:
        """The coordinate of "none of these", where there is one."""
        return self.universe_size if self.contribution_map.answers_none else None


@dataclass(frozen=True, slots=True)
class Sketch:
    """C(D) in ticks, one per coordinate of its origin. It cannot be printed and never leaves the curator.

    ``units`` is the exact number of protected units, for a count that is paid for; None where nobody counted.
    """

    ticks: Ints = field(repr=False)
    origin: SketchOrigin
    units: int | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        ticks = np.array(self.ticks, dtype=np.int64)
        ticks.setflags(write=False)
        object.__setattr__(self, "ticks", ticks)
        if ticks.shape != (self.origin.coordinates,) or (ticks < 0).any():
            raise BoundViolation(
                "a sketch needs one nonnegative coordinate per atom, and one for none where the map answers it"
            )
        if sum(ticks.tolist()) > MOST_TICKS:
            raise RequestError(
                "the corpus is too large for one sketch: more than 2^32 units of mass; release it in parts"
            )

    @property
    def sensitivity(self) -> Sensitivity:
        """How far one protected unit can move this sketch; no caller can pass another one."""
        return self.origin.sensitivity

    def merge(self, other: "Sketch") -> "Sketch":
        """Add the sketch of another part of the corpus.

        At user level a finished sketch has forgotten who is in it: a user in both parts would count twice the bound.
        There, merge the totals before they are clipped.
        """
        require_same_origin(self.origin, other.origin)
        if not isinstance(self.origin.unit, RecordUnit):
            raise RequestError("finished user-level sketches cannot be merged: the same user may be in both")
        units = None if self.units is None or other.units is None else self.units + other.units
        return Sketch(self.ticks + other.ticks, self.origin, units)


def require_same_origin(one: SketchOrigin, other: SketchOrigin) -> None:
    """Refuse to add what measures different things or protects different units."""
    names = {
        "dictionary": one.universe_digest == other.universe_digest and one.universe_size == other.universe_size,
        "map": one.contribution_map == other.contribution_map,
        "protected unit": one.unit == other.unit,
        "adjacency": one.adjacency == other.adjacency,
        "quantity": one.quantity == other.quantity,
        "sampling": one.sampling == other.sampling,
        "the auxiliary text that was named or declared public": one.separation == other.separation,
    }
    if differing := [name for name, same in names.items() if not same]:
        raise RequestError(f"these sketches cannot be merged: they differ in {', '.join(differing)}")
