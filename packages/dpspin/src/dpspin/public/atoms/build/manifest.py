"""How a dictionary was built: what anyone needs to build it again, or to doubt it.

Supports are exact counts of auxiliary records, never of protected ones. A manifest stays with the curator; a release
publishes the dictionary alone, without exact counts and without the salt, which is not in the manifest either.

A description is one plain sentence of what the builder knows. It holds the atom's own public words and nothing else:
the levels of a path, or a phrase and the ways to say it, never text of a single record. What bounds its exposure is
what bounds a label's: the auxiliary text is public or of other people than the protected, and each way to say a phrase
has the minimum support by itself. No privacy loss is spent, and no noise covers it. Between the atom's words stand
stop words alone. By that a map knows a description that is for readers only, and does not count the same words twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from pydantic import Field

from dpspin.boundary.atoms import Atom, AtomId, AtomUniverse, AuxiliaryText, Line, Provenance
from dpspin.boundary.model_base import FrozenModel, digest_of

Count = Annotated[int, Field(ge=0)]


class TaxonomyRules(FrozenModel):
    """Paths of a taxonomy, as the publisher's own labels have them."""

    kind: Literal["taxonomy"] = "taxonomy"
    levels: tuple[Line, ...]


class PhraseRules(FrozenModel):
    """Two-word phrases under the rules of a domain profile."""

    kind: Literal["phrases"] = "phrases"
    profile: Line
    profile_digest: Line
    canonical_labels: dict[Line, tuple[Line, ...]]  # what is said, by the label that it counts for


class Step(FrozenModel):
    """One step of the construction, and how many candidates it left."""

    name: Line
    candidates: Count


class Supported(FrozenModel):
    """An atom with its auxiliary support."""

    id: AtomId
    label: Line
    support: Count


class Manifest(FrozenModel):
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


def built(
    atoms: Sequence[Atom],
    support: Mapping[str, int],
    *,
    name: str,
    note: str,
    auxiliary: AuxiliaryText | None,
    steps: Mapping[str, int],
    **choices: object,
) -> Built:
    """Make the dictionary of these atoms, and its manifest; ``support`` is by label, ``choices`` the rest of it."""
    provenance = Provenance(source="auxiliary", note=note, auxiliary=auxiliary)
    universe = AtomUniverse(name=name, version="1", provenance=provenance, atoms=tuple(atoms))
    known = {
        "dictionary": name,
        "dictionary_digest": universe.digest,
        "auxiliary": universe.published.provenance.auxiliary,
        "size": universe.size,
        "steps": tuple(Step(name=step, candidates=count) for step, count in steps.items()),
        "supports": tuple(Supported(id=atom.id, label=atom.label, support=support[atom.label]) for atom in atoms),
    }
    return Built(universe, Manifest.model_validate(known | choices))


OF_PATHS: Final = "the levels of the path, the narrowest first"
OF_PHRASES: Final = "the phrase, and its variants that have the minimum support by themselves"


def of_path(levels: Sequence[str]) -> str:
    """Say a path of a taxonomy; the broadest level comes first in a path and last in a sentence.

    >>> of_path(["Debt collection", "Attempts to collect debt not owed", "Debt is not yours"])
    'Anything about “Debt is not yours”, part of “Attempts to collect debt not owed”, part of “Debt collection”.'
    >>> of_path(["Mortgage"])
    'Anything about “Mortgage”.'
    """
    return f"Anything about {', part of '.join(map(_quoted, reversed(levels)))}."


def of_phrase(label: str, variants: Sequence[str]) -> str:
    """Say a phrase with the other ways to say it.

    >>> of_phrase("dry skin", ["skin dry", "dryness of skin"])
    'Anything about “dry skin”, also as “skin dry” or “dryness of skin”.'
    """
    others = " or ".join(map(_quoted, variants))
    return f"Anything about {_quoted(label)}{f', also as {others}' if others else ''}."


def _quoted(words: str) -> str:
    return f"“{words}”"
