"""What was named before: pronouns, "both", "the latter" and "the others" refer to it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from dpspin.public.stage3_narrate.verify.reading.waiting import Atoms, Waiting


@dataclass(slots=True)
class Discourse:
    """The themes of the text so far, as a reader keeps them in mind."""

    listed: Atoms  # all entries of the plan
    named: list[int] = field(default_factory=list)  # in the order of the text, each once
    recent: Atoms = ()  # of the last passage that named a theme
    subject: Atoms = ()  # what that passage spoke of last
    last: Waiting | None = None  # the last predicate, for "the same holds for B"
    sorting: list[int] | None = None  # the themes so far of a list that is said to stand in order
    said: str = ""  # the kind of the last predicate, for "B is not."
    group: Atoms = ()  # the themes of a bin that were counted last: "four of them fall in the high bin"

    def remember(self, atoms: Sequence[int], subject: Atoms) -> None:
        """Note the themes that a passage named."""
        if atoms:
            self.recent, self.subject = tuple(dict.fromkeys(atoms)), subject
            self.named = list(dict.fromkeys([*self.named, *atoms]))

    def many(
        self, here: Sequence[int], how_many: int | None, spoken_of: Atoms = (), aside: Sequence[int] = ()
    ) -> Atoms:
        """Resolve "these", "both", "all three".

        So many are whom the sentence speaks of, its themes, those of the sentence before, or the last so many.
        """
        here = tuple(dict.fromkeys(here))
        if how_many is None:
            return here if len(here) > 1 else self.recent
        known = [atom for atom in dict.fromkeys([*self.named, *here]) if atom not in aside]
        recent = tuple(atom for atom in self.recent if atom not in aside)
        for candidate in (spoken_of, here, recent, self.subject, self.group, self.listed, tuple(known[-how_many:])):
            if len(candidate) == how_many:
                return candidate
        return ()

    def series(self, here: Sequence[int], at_least: int = 2) -> Atoms:
        """Resolve "the first", "the second": what this sentence or the last one listed, or what was named last."""
        here = tuple(dict.fromkeys(here))
        for candidate in (here, self.recent):
            if len(candidate) >= at_least:
                return candidate
        known = tuple(dict.fromkeys([*self.named, *here]))
        return known[-at_least:] if len(known) >= at_least else ()

    def pair(self, here: Sequence[int]) -> Atoms:
        """Resolve "the former" and "the latter": the two themes that were named last."""
        return self.series(here)[-2:]

    def others(self, here: Sequence[int], spoken_of: Sequence[int], how_many: int | None) -> Atoms:
        """Resolve "the others": of the series just spoken of in part, else what is listed and was not named yet."""
        series = tuple(atom for atom in self.series(here, 3) if atom not in spoken_of)
        unnamed = tuple(atom for atom in self.listed if atom not in {*self.named, *here})
        partly = bool(spoken_of) and set(spoken_of) < set(self.series(here, 3))
        group = tuple(atom for atom in self.group if atom not in {*self.named, *here})
        rest = tuple(atom for atom in self.listed if atom not in spoken_of) if how_many and spoken_of else ()
        candidates = (series, unnamed, group, rest) if partly else (unnamed, group, rest)
        fitting = [each for each in candidates if each and how_many in {None, len(each)}]
        return fitting[0] if fitting else ()
