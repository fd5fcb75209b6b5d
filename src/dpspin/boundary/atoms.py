"""The fixed atom universe (the paper's assumption 1): public concepts, ordered, with provenance and a digest."""

from functools import cached_property
from typing import Annotated, Literal, NewType, Self

from pydantic import Field, StringConstraints, model_validator

from dpspin.boundary.sealed import Sealed, digest_of

AtomId = NewType("AtomId", int)

FEWEST_EXAMPLES = 3  # different sentences from which an atom can be taught and tested

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, pattern=r"^[^\x00-\x1f\x7f]*$")]


class Atom(Sealed):
    """One public concept. Its label and description are what a reader and a decoder see."""

    id: Annotated[AtomId, Field(ge=0)]
    label: Annotated[Line, StringConstraints(max_length=300)]
    description: str = ""
    cues: tuple[Line, ...] = ()
    examples: tuple[Line, ...] = ()  # sentences that express it
    counter_examples: tuple[Line, ...] = ()  # near misses: its words, but not its meaning
    parent: Line | None = None

    @property
    def text(self) -> str:
        """Label, description and cues as one text: what the paper's map compares a record with."""
        return ". ".join(part for part in (self.label, self.description, *self.cues) if part)


class Provenance(Sealed):
    """Where a dictionary comes from: the proof needs it to be independent of the protected records."""

    source: Literal["pack", "taxonomy", "auxiliary", "handwritten"]
    note: Line


class AtomUniverse(Sealed):
    """The dictionary: at least one atom, unique ids and labels, order fixed (it breaks ties).

    >>> universe = AtomUniverse(
    ...     name="tiny", version="1", provenance=Provenance(source="handwritten", note="written for a doctest"),
    ...     atoms=(Atom(id=17, label="long wait"), Atom(id=42, label="friendly staff")))
    >>> universe.size, universe.ids
    (2, (17, 42))
    """

    name: Line
    version: Line
    provenance: Provenance
    atoms: tuple[Atom, ...] = Field(min_length=1, max_length=100_000)
    background: tuple[Line, ...] = ()  # sentences of the domain that express none of the atoms

    @model_validator(mode="after")
    def _ids_and_labels_are_unique(self) -> Self:
        _refuse_repeats("id", [str(atom.id) for atom in self.atoms])
        _refuse_repeats("label", [atom.label.casefold() for atom in self.atoms])
        return self

    @property
    def size(self) -> int:
        """The paper's m."""
        return len(self.atoms)

    @property
    def ids(self) -> tuple[AtomId, ...]:
        """Atom ids in dictionary order."""
        return tuple(atom.id for atom in self.atoms)

    @property
    def has_examples(self) -> bool:
        """Whether every atom can be learned from the dictionary alone."""
        return all(len(set(atom.examples)) >= FEWEST_EXAMPLES for atom in self.atoms)

    @cached_property
    def digest(self) -> str:
        """Identify the dictionary by content: same atoms in the same order, same digest."""
        return digest_of(self.model_dump(mode="json"))


def _refuse_repeats(what: str, values: list[str]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise ValueError(f"two atoms share the {what} {value!r}; every atom needs its own")
        seen.add(value)
