"""Candidate themes: what records have of themes that a dictionary may lack, by one map over both."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from dpspin.boundary.facets.base import MOST_VALUES, TextFacet

NO_CANDIDATE = "none of the candidates"
Label = Annotated[str, StringConstraints(min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$")]


class CandidateFacet(TextFacet):
    """How much of a record goes to each candidate, by a map over these and the themes of the dictionary.

    >>> CandidateFacet(names=("gift cards",), dictionary="sha256:…", contribution_map="sha256:…").places
    ('gift cards', 'none of the candidates')
    """

    stands_alone: ClassVar[bool] = True
    later: ClassVar = {"asked_of"}
    kind: Literal["candidate"] = "candidate"
    names: tuple[Label, ...] = Field(min_length=1, max_length=MOST_VALUES)
    dictionary: str  # the digest of the list of candidates
    contribution_map: str  # the digest of the map
    asked_of: Literal["none of these", "every record"] = "none of these"  # plans of before decision 31 do not say it

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

    def measured(self, atoms: int) -> slice:  # noqa: ARG002  whatever their number
        """Measure one row: no theme of the dictionary is told apart."""
        return slice(0, 1)
