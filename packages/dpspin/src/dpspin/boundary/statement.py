"""The statement of a release: everything a reviewer needs to check the guarantee. It travels inside the plan."""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from dpspin.boundary.card import ReportCard
from dpspin.boundary.mechanisms import Mechanism
from dpspin.boundary.model_base import Grown, Sealed
from dpspin.boundary.noise import Noise
from dpspin.boundary.privacy import (
    EVERYONE,
    MASS,
    Adjacency,
    PrivacyLoss,
    ProtectedUnit,
    Quantity,
    Randomness,
    Sampling,
)
from dpspin.boundary.separation import Apart, Separation


class MapStatement(Grown):
    """How records were mapped to atoms: fixed before any protected record was read."""

    later: ClassVar = {"languages", "made_by"}
    name: str
    fitted_on: str
    atoms_per_record: int | None = Field(ge=1)
    digest: str
    answers_none: bool = False  # one more coordinate measures what the dictionary does not cover
    learned_from_auxiliary: bool = False  # then that text must not hold protected records, and this is checked
    trusts: str = ""  # what was declared part of the curator to map records, where that is more than this process
    card: ReportCard | None = None
    languages: tuple[str, ...] = ()  # that it reads; one more coordinate measures text in others. Empty: it reads all
    made_by: Literal["caller"] | None = None  # then all of this is the caller's word; else the map is one of ours

    @property
    def besides(self) -> int:
        """How many coordinates there are besides the atoms: "none of these" and "not read", where they are measured."""
        return self.answers_none + bool(self.languages)


class PrivacyStatement(Sealed):
    """Everything a reviewer needs to check the guarantee; it travels inside the plan."""

    unit: ProtectedUnit
    adjacency: Adjacency
    loss: PrivacyLoss
    mechanism: Mechanism
    noise: Noise
    randomness: Randomness
    contribution_map: MapStatement
    separation: Separation
    quantity: Quantity = MASS
    sampling: Sampling = EVERYONE

    @model_validator(mode="after")
    def _says_how_the_text_was_kept_apart(self) -> Self:
        if self.contribution_map.learned_from_auxiliary and self.separation.map_text is Apart.NO_TEXT:
            raise ValueError("the map has learned from auxiliary text: compared, or declared public?")
        return self
