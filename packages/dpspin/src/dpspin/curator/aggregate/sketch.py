"""The exact semantic sketch: private, integer, and the owner of its own sensitivity."""

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Self

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.facets import AnyFacet, CandidateFacet
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
from dpspin.boundary.views import MOST_CELLS
from dpspin.curator.aggregate.joint_cells import Marginal, marginals
from dpspin.curator.assign.contribution import Ints, sealed
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
    facets: tuple[AnyFacet, ...] = ()  # one view for each

    def __post_init__(self) -> None:
        if self.joint_cells > MOST_CELLS:
            raise RequestError(
                "these views have too many cells together: declare fewer values, or fewer views at once",
                code="request.view-cells",
                field="records.views",
            )
        if any(isinstance(facet, CandidateFacet) and facet.asked_of != "every record" for facet in self.facets):
            raise RequestError("an earlier version looked for these candidates in another way: make the sketch again")
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
        facets: tuple[AnyFacet, ...] = (),
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
        measured = (universe.digest, universe.size, contribution_map)
        return cls(*measured, unit, adjacency, quantity, sampling, separation, facets)

    @property
    def coordinates(self) -> int:
        """The length of the vector: the m atoms and then, where the map measures them, "none of these", "not read"."""
        return self.universe_size + self.contribution_map.besides

    @property
    def marginals(self) -> tuple[Marginal, ...]:
        """The totals, then one view for each facet."""
        return marginals(self.coordinates, self.facets)

    @property
    def joint_cells(self) -> int:
        """How many cells there are while the sketch is made, those of facets that stand alone among them."""
        return max(marginal.stop for marginal in self.marginals)

    @property
    def sensitivity(self) -> Sensitivity:
        """How far one protected unit can move a sketch of this origin, or any one view of it.

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
    ``views`` has one value per cell of each facet's view; over the values of a facet they add up to ``ticks``, exactly,
    but for a facet that stands alone.
    ``wanted`` is what a period of a series would hold, in ticks, if no allowance were used up; None elsewhere.
    """

    ticks: Ints = field(repr=False)
    origin: SketchOrigin
    units: int | None = field(default=None, repr=False)
    views: tuple[Ints, ...] = field(default=(), repr=False)
    wanted: int | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        ticks = sealed(self.ticks)
        object.__setattr__(self, "ticks", ticks)
        object.__setattr__(self, "views", tuple(map(sealed, self.views)))
        if ticks.shape != (self.origin.coordinates,) or (ticks < 0).any():
            raise BoundViolation(
                "a sketch needs one nonnegative coordinate per atom, and one for none where the map answers it"
            )
        if sum(ticks.tolist()) > MOST_TICKS:
            raise RequestError(
                "the corpus is too large for one sketch: more than 2^32 units of mass; release it in parts"
            )
        for view, marginal in zip_longest(self.views, self.origin.marginals[1:]):
            if view is None or marginal is None or not self._adds_up(view, marginal):
                raise BoundViolation("a view has one nonnegative value per cell, which add up to the totals")

    def _adds_up(self, view: Ints, marginal: Marginal) -> bool:
        shaped = view.shape == (marginal.size,) and bool((view >= 0).all())
        if marginal.start:  # the mass of the same units, dealt out anew
            return shaped
        return shaped and bool((view.reshape(marginal.coordinates, -1).sum(axis=1) == self.ticks).all())

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
        views = tuple(one + another for one, another in zip(self.views, other.views, strict=True))
        return Sketch(self.ticks + other.ticks, self.origin, units, views)


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
        "views": one.facets == other.facets,
    }
    if differing := [name for name, same in names.items() if not same]:
        raise RequestError(f"these sketches cannot be merged: they differ in {', '.join(differing)}")
