"""Facets, one file each: a finite set of public values, and a fixed function from one record to one of them.

A new kind is registered by its place in this union. Nothing is ever collected from the records: a cell that the
declaration does not know is `other`, and nothing tells which.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import BeforeValidator, Field

from dpspin.boundary.facets.base import MISSING, OTHER
from dpspin.boundary.facets.candidate import CandidateFacet
from dpspin.boundary.facets.column import ColumnFacet
from dpspin.boundary.facets.example import ExampleFacet
from dpspin.boundary.facets.language import LanguageFacet
from dpspin.boundary.facets.number import NumberFacet
from dpspin.boundary.facets.period import PeriodFacet

RecordFacet = ColumnFacet | NumberFacet | PeriodFacet | LanguageFacet  # a value belongs to a record
AnyTextFacet = ExampleFacet | CandidateFacet  # a place belongs to a record and a coordinate
AnyFacet = RecordFacet | AnyTextFacet
TOLD_BY = {"values": "column", "cuts": "number", "every": "period", "languages": "language"}


def _kind_by_its_field(told: object) -> object:
    """Let a facet be told without its kind: what only one kind has says which.

    >>> _kind_by_its_field({"column": "stars", "cuts": [2, 3]})["kind"]
    'number'
    """
    if not isinstance(told, Mapping) or "kind" in told:
        return told
    found = [kind for field, kind in TOLD_BY.items() if field in told]
    return {**told, "kind": found[0]} if found else told


Facet = Annotated[Annotated[AnyFacet, Field(discriminator="kind")], BeforeValidator(_kind_by_its_field)]
AskedFacet = Annotated[Annotated[RecordFacet, Field(discriminator="kind")], BeforeValidator(_kind_by_its_field)]


def columns_of(facets: Iterable[AnyFacet]) -> tuple[str, ...]:
    """Return the columns that facets are read from, each once."""
    columns = (facet.column for facet in facets if isinstance(facet, RecordFacet))
    return tuple(dict.fromkeys(column for column in columns if column is not None))


__all__ = [
    "MISSING",
    "OTHER",
    "AnyFacet",
    "AnyTextFacet",
    "AskedFacet",
    "CandidateFacet",
    "ColumnFacet",
    "ExampleFacet",
    "Facet",
    "LanguageFacet",
    "NumberFacet",
    "PeriodFacet",
    "RecordFacet",
    "columns_of",
]
