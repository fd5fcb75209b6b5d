"""Candidate themes for what fits no theme: a record's mass of "none of these" goes to the nearest of a public list."""

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from dpspin.boundary.facets.base import MOST_VALUES, TextFacet

NO_CANDIDATE = "none of the candidates"
Label = Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$")]


class CandidateFacet(TextFacet):
    """Which candidate is nearest to a record, by a fixed map; `none of the candidates` where that says none.

    >>> CandidateFacet(names=("gift cards",), dictionary="sha256:…", contribution_map="sha256:…").places
    ('gift cards', 'none of the candidates')
    """

    kind: Literal["candidate"] = "candidate"
    names: tuple[Label, ...] = Field(min_length=1, max_length=MOST_VALUES)
    dictionary: str  # the digest of the list of candidates
    contribution_map: str  # the digest of the map that finds the nearest

    @model_validator(mode="after")
    def _are_different(self) -> Self:
        if len({NO_CANDIDATE, *self.names}) <= len(self.names):
            raise ValueError(f"a candidate is named twice, or is called {NO_CANDIDATE!r}, which is always there")
        return self

    @property
    def title(self) -> str:
        """What tables call it."""
        return "candidates"

    @property
    def bought(self) -> str:
        """What its part of epsilon paid for."""
        return "themes that the dictionary lacks"

    @property
    def places(self) -> tuple[str, ...]:
        """The candidates, and one place for none of them."""
        return (*self.names, NO_CANDIDATE)

    def measured(self, atoms: int) -> slice:
        """Measure "none of these" alone: what a theme took is no one's candidate."""
        return slice(atoms, atoms + 1)
