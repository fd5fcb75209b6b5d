"""Where a text speaks of themes: canonical markers, and literal labels of the whole dictionary."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.markers import ANY_MARKER
from dpspin.public.narrate.verdict import Span

CLAUSE: Final = re.compile(r"(?:[^.;\n]|\.(?=\d))+")
TURN: Final = re.compile(r"\s*,?\s+(?:while|whereas|but)\s+")


@dataclass(frozen=True, slots=True)
class Mention:
    """One theme at one place; ``marked`` where it is its marker."""

    atom: int
    span: Span
    marked: bool


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence, with the themes that it speaks of, in order."""

    text: str
    start: int
    mentions: tuple[Mention, ...]

    def beside(self, place: int) -> tuple[list[int], list[int]]:
        """Return the themes before and behind a place of the text."""
        before = dict.fromkeys(mention.atom for mention in self.mentions if mention.span[0] < place)
        behind = dict.fromkeys(mention.atom for mention in self.mentions if mention.span[0] >= place)
        return list(before), list(behind)


@dataclass(frozen=True)
class Prose:
    """A text, and where it speaks of the themes of a dictionary."""

    text: str
    atoms: AtomUniverse

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """All of them, in order; of labels that overlap the longest."""
        markers = [Mention(int(found[1]), found.span(), marked=True) for found in ANY_MARKER.finditer(self.text)]
        known = {atom.label.casefold(): int(atom.id) for atom in self.atoms.atoms}
        words = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
        pattern = re.compile(rf"(?<!\w)({words})s?(?!\w)", re.IGNORECASE)
        labels = [
            Mention(known[found[1].casefold()], found.span(1), marked=False) for found in pattern.finditer(self.text)
        ]
        return tuple(sorted((*markers, *labels), key=lambda each: each.span))

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of the text: a sentence may turn to other themes."""
        return tuple(self._clauses())

    def _clauses(self) -> Iterator[Clause]:
        for sentence in CLAUSE.finditer(self.blotted):
            start = sentence.start()
            turns = [found.end() for found in TURN.finditer(sentence[0])]
            for begin, end in zip([0, *turns], [*turns, len(sentence[0])], strict=True):
                inside = (start + begin, start + end)
                own = tuple(each for each in self.mentions if inside[0] <= each.span[0] < inside[1])
                yield Clause(self.text[slice(*inside)], inside[0], own)

    @cached_property
    def blotted(self) -> str:
        """The text with its themes blotted out, so that a label's own words say nothing."""
        letters = list(self.text)
        for mention in self.mentions:
            letters[slice(*mention.span)] = "\u2022" * (mention.span[1] - mention.span[0])
        return "".join(letters)
