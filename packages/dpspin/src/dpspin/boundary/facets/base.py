"""What every kind of facet is: declared values, a place for every record, and a name that a report can say."""

from abc import ABC, abstractmethod
from typing import Annotated, Final

from pydantic import StringConstraints

from dpspin.boundary.model_base import FrozenModel

OTHER: Final = "other"
MISSING: Final = "missing"
MOST_VALUES: Final = 500  # of one facet
Word = Annotated[
    str, StringConstraints(min_length=1, max_length=100, strip_whitespace=True, pattern=r"^[^\x00-\x1f\x7f]*$")
]


class DeclaredFacet(FrozenModel, ABC):
    """A finite set of values, public before any record is read, with a function from one record to one of them."""

    name: Word | None = None
    column: Word | None = None  # that is read; None: the text itself

    @property
    def title(self) -> str:
        """What a report calls it."""
        return self.name or self.column or "language"

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
