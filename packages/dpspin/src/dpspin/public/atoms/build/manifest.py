"""How a dictionary was built: what anyone needs to build it again, or to doubt it.

Supports are exact counts of auxiliary records, never of protected ones. A manifest stays with the curator; a release
publishes the dictionary alone, without exact counts and without the salt, which is not in the manifest either.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from dpspin.boundary.atoms import AtomId, AtomUniverse, AuxiliaryText, Line
from dpspin.boundary.model_base import Sealed, digest_of

Count = Annotated[int, Field(ge=0)]


class TaxonomyRules(Sealed):
    """Paths of a taxonomy, as the publisher's own labels have them."""

    kind: Literal["taxonomy"] = "taxonomy"
    levels: tuple[Line, ...]


class PhraseRules(Sealed):
    """Two-word phrases under the rules of a domain profile."""

    kind: Literal["phrases"] = "phrases"
    profile: Line
    profile_digest: Line
    canonical_labels: dict[Line, tuple[Line, ...]]  # what is said, by the label that it counts for


class Step(Sealed):
    """One step of the construction, and how many candidates it left."""

    name: Line
    candidates: Count


class Supported(Sealed):
    """An atom with its auxiliary support."""

    id: AtomId
    label: Line
    support: Count


class Manifest(Sealed):
    """The record of a construction."""

    dictionary: Line
    dictionary_digest: Line
    rules: Annotated[TaxonomyRules | PhraseRules, Field(discriminator="kind")]
    descriptions: Line  # how they were made, in words
    refinement: Literal["rules"] = "rules"  # nobody, and no model, has changed the list by hand
    auxiliary: AuxiliaryText | None
    documents: Count
    support_counts: Literal["documents", "users"]
    min_support: Annotated[int, Field(ge=1)]
    requested_size: int | None
    size: int
    steps: tuple[Step, ...]
    supports: tuple[Supported, ...]

    @property
    def digest(self) -> str:
        """Identify the construction by content."""
        return digest_of(self.model_dump(mode="json"))

    def to_json(self) -> str:
        """Write the manifest."""
        return self.model_dump_json(indent=2) + "\n"


@dataclass(frozen=True, slots=True)
class Built:
    """A dictionary, and how it came about."""

    universe: AtomUniverse
    manifest: Manifest


def supports_of(universe: AtomUniverse, support: Mapping[str, int]) -> tuple[Supported, ...]:
    """Return the support of each atom, in dictionary order."""
    return tuple(Supported(id=atom.id, label=atom.label, support=support[atom.label]) for atom in universe.atoms)
