"""A column with a few declared values: channels, products, regions."""

from typing import Literal, Self

from pydantic import Field, model_validator

from dpspin.boundary.facets.base import MISSING, MOST_VALUES, OTHER, DeclaredFacet, Word


class ColumnFacet(DeclaredFacet):
    """The record's cell in a column, where it is one of the declared ones, letter by letter.

    >>> where = ColumnFacet(column="channel", values=("app", "web"))
    >>> [where.places[where.place(cell)] for cell in ("web", " app ", "fax", None)]
    ['web', 'app', 'other', 'missing']
    """

    kind: Literal["column"] = "column"
    column: Word
    values: tuple[Word, ...] = Field(min_length=1, max_length=MOST_VALUES)

    @model_validator(mode="after")
    def _are_different(self) -> Self:
        if len({*self.values, OTHER, MISSING}) < len(self.values) + 2:
            raise ValueError(f"a value is declared twice, or is called {OTHER} or {MISSING}, which are always there")
        return self

    @property
    def declared(self) -> tuple[str, ...]:
        """The values, as they are written in the column."""
        return self.values

    def among_declared(self, cell: str) -> int | None:
        """Find the very words."""
        return self.values.index(cell) if cell in self.values else None
