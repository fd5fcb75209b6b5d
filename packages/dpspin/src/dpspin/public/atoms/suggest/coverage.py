"""Which atom of a dictionary already speaks of a phrase, so that people see what is new."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.public.atoms.suggest.canonical import Key, keys_in

OWN_WORDS, AN_EXAMPLE = 2, 1  # label, description and cues define an atom; one example may mention anything
ENOUGH = 2


class Coverage:
    """The phrases of all atoms of a dictionary."""

    def __init__(self, universe: AtomUniverse) -> None:
        self._labels = {atom.id: atom.label for atom in universe.atoms}
        self._weights: dict[Key, Counter[int]] = defaultdict(Counter)
        for atom in universe.atoms:
            for key, weight in _phrases(atom):
                self._weights[key][atom.id] += weight

    def of(self, keys: Iterable[Key]) -> str | None:
        """Return the label of the atom that says the phrase most, the first one where several do; None if none does."""
        total = sum((self._weights[key] for key in keys if key in self._weights), Counter[int]())
        best = max(self._labels, key=lambda atom_id: total[atom_id])
        return self._labels[best] if total[best] >= ENOUGH else None


def _phrases(atom: Atom) -> Iterable[tuple[Key, int]]:
    for text in (atom.label, atom.description, *atom.cues):
        yield from ((key, OWN_WORDS) for key in keys_in(text))
    for text in atom.examples:
        yield from ((key, AN_EXAMPLE) for key in keys_in(text))
