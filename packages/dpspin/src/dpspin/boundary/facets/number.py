"""A column of numbers, by declared cut points: stars, age bands, amounts."""

import math
from bisect import bisect_right
from itertools import pairwise
from typing import Literal, Self

from pydantic import Field, model_validator

from dpspin.boundary.facets.base import MOST_VALUES, DeclaredFacet, Word


class NumberFacet(DeclaredFacet):
    """The interval in which the record's number lies; a cell that is no number is `other`.

    >>> age = NumberFacet(column="age", cuts=(18, 65))
    >>> age.declared
    ('below 18', '18 to below 65', '65 or more')
    >>> [age.places[age.place(cell)] for cell in ("17", "18.0", "1e2", "about 30", "nan", "")]
    ['below 18', '18 to below 65', '65 or more', 'other', 'other', 'missing']
    """

    kind: Literal["number"] = "number"
    column: Word
    cuts: tuple[float, ...] = Field(min_length=1, max_length=MOST_VALUES - 1)

    @model_validator(mode="after")
    def _rise(self) -> Self:
        if any(low >= high for low, high in pairwise(self.cuts)):
            raise ValueError("cut points rise from the first to the last")
        return self

    @property
    def declared(self) -> tuple[str, ...]:
        """The intervals, each with its lower end."""
        cuts = [repr(cut).removesuffix(".0") for cut in self.cuts]  # all digits: an end that is rounded is another end
        inner = (f"{low} to below {high}" for low, high in pairwise(cuts))
        return (f"below {cuts[0]}", *inner, f"{cuts[-1]} or more")

    def among_declared(self, cell: str) -> int | None:
        """Find the interval of a number."""
        try:
            number = float(cell)
        except ValueError:
            return None
        return None if math.isnan(number) else bisect_right(self.cuts, number)
