"""A theme's own public examples: each record's mass of a theme goes to the example that is nearest to it."""

from typing import Literal, Self

from pydantic import Field

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.facets.base import TextFacet
from dpspin.boundary.model_base import digest_of
from dpspin.boundary.public_examples import MOST_EXAMPLES, chosen_examples
from dpspin.errors import RequestError

NO_EXAMPLE = "none of them"


class ExampleFacet(TextFacet):
    """Which of at most six examples of a theme is nearest to a record; `none of them` where none shares a word with it.

    ``sentences`` identifies the examples that were chosen, for all themes: a dictionary that gives others is refused.

    >>> ExampleFacet(sentences="sha256:…", most=2).places
    ('example 1', 'example 2', 'none of them')
    """

    kind: Literal["example"] = "example"
    sentences: str
    most: int = Field(MOST_EXAMPLES, ge=2, le=MOST_EXAMPLES)

    @classmethod
    def of(cls, atoms: AtomUniverse, most: int = MOST_EXAMPLES) -> Self:
        """Take the examples of a dictionary; refuse one that has none to choose from, or none of its authors' own."""
        if atoms.provenance.needs_comparison:
            raise RequestError(
                "this dictionary was built from records, and its examples may be the words of those who wrote them: a "
                "report could not call them ours. Leave `records.examples` out",
                code="request.examples-quoted",
                field="records.examples",
            )
        chosen = [chosen_examples(atom, most) for atom in atoms.atoms]
        if not any(len(each) > 1 for each in chosen):
            raise RequestError(
                "no theme of this dictionary has two examples that a report can show: write some, or leave "
                "`records.examples` out",
                code="request.no-examples",
                field="records.examples",
            )
        return cls(sentences=digest_of(chosen), most=most)

    def is_of(self, atoms: AtomUniverse) -> bool:
        """Tell whether a dictionary gives these very examples."""
        return self == type(self).of(atoms, self.most)

    @property
    def title(self) -> str:
        """What tables call it."""
        return "examples"

    @property
    def bought(self) -> str:
        """What its part of epsilon paid for."""
        return "which of our examples are nearest"

    @property
    def places(self) -> tuple[str, ...]:
        """One place for each example, by its number, and one for none."""
        return (*(f"example {number}" for number in range(1, self.most + 1)), NO_EXAMPLE)

    def measured(self, atoms: int) -> slice:
        """Measure the themes, which have examples, and nothing beside them."""
        return slice(0, atoms)
