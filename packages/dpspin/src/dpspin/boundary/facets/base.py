"""What every kind of facet is: declared values, a place for every record, and a name that a report can say.

A value belongs to a record, by one of its cells or its language; or to a record and a coordinate of the sketch, by the
text. Both are fixed functions of one record, so that a record's mass of a coordinate lies in one cell of the view.
"""

from abc import ABC, abstractmethod
from typing import Annotated, ClassVar, Final

from pydantic import StringConstraints

from dpspin.boundary.model_base import FrozenModel, GrownModel

OTHER: Final = "other"
MISSING: Final = "missing"
MOST_VALUES: Final = 500  # of one facet
Word = Annotated[
    str, StringConstraints(min_length=1, max_length=100, strip_whitespace=True, pattern=r"^[^\x00-\x1f\x7f]*$")
]


class DeclaredFacet(FrozenModel, ABC):
    """A finite set of values, public before any record is read, with a function from one record to one of them."""

    stands_alone: ClassVar[bool] = False
    name: Word | None = None
    column: Word | None = None  # that is read; None: the text itself

    @property
    def title(self) -> str:
        """What a report calls it."""
        return self.name or self.column or "language"

    @property
    def bought(self) -> str:
        """What its part of epsilon paid for."""
        return f"the themes by {self.title}"

    def measured(self, atoms: int) -> slice:  # noqa: ARG002  whatever their number
        """Measure every coordinate of the sketch."""
        return slice(None)

    @property
    @abstractmethod
    def declared(self) -> tuple[str, ...]:
        """The names of the values that were declared, in their order."""

    @property
    def places(self) -> tuple[str, ...]:
        """The declared values, then `other` and `missing`, which are always there: so every record has a value."""
        return (*self.declared, OTHER, MISSING)

    def place(self, cell: str | None) -> int:
        """Return the position of a record's value: by its own cell alone, whatever the other records are."""
        told = "" if cell is None else cell.strip()
        found = self.among_declared(told) if told else len(self.declared) + 1
        return len(self.declared) if found is None else found

    @abstractmethod
    def among_declared(self, cell: str) -> int | None:
        """Return the position of the declared value that a cell has, or None where it has none."""


class TextFacet(GrownModel, ABC):
    """Public places for the mass that a record has of a coordinate: the record's text and the coordinate decide.

    One that stands alone deals out a record's whole mass anew, among its own places, whatever the coordinates have.
    """

    stands_alone: ClassVar[bool] = False

    @property
    @abstractmethod
    def title(self) -> str:
        """What tables call it."""

    @property
    @abstractmethod
    def bought(self) -> str:
        """What its part of epsilon paid for."""

    @property
    @abstractmethod
    def places(self) -> tuple[str, ...]:
        """The names of the places, the last for what fits none of the others."""

    @property
    def declared(self) -> tuple[str, ...]:
        """All places but the last."""
        return self.places[:-1]

    @abstractmethod
    def measured(self, atoms: int) -> slice:
        """Say which coordinates of the sketch are measured by place: a part of a vector moves no further than all."""
