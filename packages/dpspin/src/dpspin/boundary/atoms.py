"""The fixed atom universe (the paper's assumption 1): public concepts, ordered, with provenance and a digest."""

import hashlib
from functools import cached_property
from typing import Annotated, ClassVar, Literal, NewType, Self

from pydantic import Field, StringConstraints, model_validator

from dpspin.boundary.model_base import FrozenModel, GrownModel, digest_of
from dpspin.text.languages import spoken_in

AtomId = NewType("AtomId", int)

FEWEST_EXAMPLES = 3  # different sentences from which an atom can be taught and tested

Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, pattern=r"^[^\x00-\x1f\x7f]*$")]

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Atom(FrozenModel):
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


class AuxiliaryText(GrownModel):
    """The auxiliary records that a dictionary was built from: enough for the curator to know them again.

    ``content`` is sha256(salt || digest of the files). Whoever knows all of the records but one could test guesses of
    that one against a bare digest; without the salt, 32 random bytes in the curator's own copy of the dictionary,
    nobody can. Dictionaries of earlier versions have no salt, and the bare digest.
    """

    later: ClassVar = {"salt"}
    content: Sha256
    text: Line  # the column with their words
    user: Line | None = None  # the column with their users
    salt: Sha256 | None = Field(None, repr=False)

    @classmethod
    def hidden_by(cls, salt: bytes, files: str, *, text: str, user: str | None) -> Self:
        """Name records by the digest of their files, readable to those who have the salt."""
        return cls(content=_salted(salt, files), text=text, user=user, salt=salt.hex())

    def is_of(self, files: str) -> bool:
        """Tell whether these are the records with that digest; of a published copy nobody can."""
        return self.content == (files if self.salt is None else _salted(bytes.fromhex(self.salt), files))

    @property
    def published(self) -> Self:
        """What may be published of it: all but the salt."""
        return self.model_copy(update={"salt": None})


class Provenance(GrownModel):
    """Where a dictionary comes from: the proof needs it to be independent of the protected records.

    One that was built from auxiliary records names them, and a release compares them with the protected ones.
    """

    later: ClassVar = {"auxiliary"}
    source: Literal["pack", "taxonomy", "auxiliary", "handwritten"]
    note: Line
    auxiliary: AuxiliaryText | None = None

    @property
    def needs_comparison(self) -> bool:
        """Whether the choice of atoms depends on records, which could be protected ones."""
        return self.source == "auxiliary"

    @model_validator(mode="after")
    def _only_auxiliary_records_are_named(self) -> Self:
        if self.auxiliary is not None and self.source != "auxiliary":
            raise ValueError("only a dictionary of the source 'auxiliary' names auxiliary records")
        return self


class AtomUniverse(FrozenModel):
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

    @property
    def published(self) -> Self:
        """The copy that may be published: without the secret by which the curator knows the auxiliary records again."""
        behind = self.provenance.auxiliary
        if behind is None or behind.salt is None:
            return self
        return self.model_copy(
            update={"provenance": self.provenance.model_copy(update={"auxiliary": behind.published})}
        )

    def without_examples(self) -> Self:
        """Return what a reader of records needs: names and what they mean, not the sentences that a map learns from."""
        told = {"cues": (), "examples": (), "counter_examples": ()}
        named = tuple(atom.model_copy(update=told) for atom in self.atoms)
        return type(self)(name=self.name, version=self.version, provenance=self.provenance, atoms=named)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages of its own sentences, which a map that learns from them can read; empty: they cannot be told.

        Labels alone are too short to judge one by one.
        """
        labels = ". ".join(atom.label for atom in self.atoms)
        taught = (sentence for atom in self.atoms for sentence in (atom.description, *atom.examples))
        return spoken_in((*taught, *self.background)) or spoken_in([labels])

    @cached_property
    def digest(self) -> str:
        """Identify the dictionary by content: same atoms in the same order, same digest; that of its published copy."""
        return digest_of(self.published.model_dump(mode="json"))


def _salted(salt: bytes, files: str) -> str:
    return hashlib.sha256(salt + bytes.fromhex(files)).hexdigest()


def _refuse_repeats(what: str, values: list[str]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise ValueError(f"two atoms share the {what} {value!r}; every atom needs its own")
        seen.add(value)
