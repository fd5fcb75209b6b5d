"""Labelled auxiliary text: which atoms each text expresses, as positions in the dictionary."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.stage1_assign.calibrated.fineness import about
from dpspin.curator.stage1_assign.contribution import Floats
from dpspin.errors import RequestError

FEWEST = 20  # fewer labelled texts teach nothing, and cannot be tested


@dataclass(frozen=True)
class LabelledTexts:
    """Auxiliary texts with their atoms; an empty set is a label too: none of these."""

    texts: tuple[str, ...] = field(repr=False)
    atoms: tuple[frozenset[int], ...] = field(repr=False)  # positions, not ids
    size: int  # of the dictionary

    def __post_init__(self) -> None:
        if len(self.texts) < FEWEST:
            raise RequestError(f"a map learns from at least {FEWEST} labelled texts; label more of the auxiliary data")

    @property
    def description(self) -> str:
        """What a plan says of these texts: about how many there are."""
        return f"about {about(len(self.texts)):,} labelled auxiliary texts"

    @property
    def exclusive(self) -> bool:
        """Whether no text has two atoms: then the atoms are classes, as in a taxonomy."""
        return all(len(atoms) <= 1 for atoms in self.atoms)

    @cached_property
    def shares(self) -> Floats:
        """The truth as rows over the atoms and "none of these": a text's mass is spread evenly over its atoms."""
        rows = np.zeros((len(self.texts), self.size + 1))
        for row, atoms in enumerate(self.atoms):
            places = sorted(atoms) or [self.size]
            rows[row, places] = 1 / len(places)
        return rows

    @cached_property
    def flags(self) -> Floats:
        """One where a text expresses an atom."""
        return (self.shares[:, : self.size] > 0).astype(np.float64)

    def part(self, rows: Sequence[int]) -> "LabelledTexts":
        """Return some of the texts."""
        return LabelledTexts(tuple(self.texts[row] for row in rows), tuple(self.atoms[row] for row in rows), self.size)


def read_labels(universe: AtomUniverse, texts: Iterable[str | None], labels: Iterable[str | None]) -> LabelledTexts:
    """Read a label column: atom ids or labels, several of them separated by ``;`` or ``|``, nothing for none.

    A label that the dictionary does not have counts as none of these: its records exist, and must not be learned as
    something else.
    """
    known = {str(atom.id): place for place, atom in enumerate(universe.atoms)}
    known |= {atom.label.casefold(): place for place, atom in enumerate(universe.atoms)}
    kept = [(text, _places(label, known)) for text, label in zip(texts, labels, strict=True) if text]
    found = LabelledTexts(tuple(text for text, _ in kept), tuple(atoms for _, atoms in kept), universe.size)
    if not any(found.atoms):
        raise RequestError(
            "no label of the auxiliary data is an id or a label of the dictionary; check the label column (--aux-label)"
        )
    return found


def _places(label: str | None, known: dict[str, int]) -> frozenset[int]:
    whole = (label or "").strip().casefold()
    if whole in known:
        return frozenset({known[whole]})
    parts = (part.strip() for part in whole.replace("|", ";").split(";"))
    return frozenset(known[part] for part in parts if part in known)
