"""Themes of a field that no profile borders: parts of longer phrases go, and phrases that keep company become one.

A profile's topics decide what is a theme. Without them the text itself must: "reporting act" is nearly always said
inside "credit reporting act", and a form letter says all its phrases together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpspin.public.atoms.build.steps import PHRASE_WORDS, Theme
from dpspin.public.atoms.suggest.candidates import MOST_OF_IT, SAME_COMPANY, Candidate, candidates
from dpspin.public.atoms.suggest.harvest import Harvest

Documents = Mapping[str, frozenset[int]]  # by label


@dataclass(frozen=True, slots=True)
class Settled:
    """What is left, and how many themes each step left."""

    themes: list[Theme]
    steps: dict[str, int]


def settled(themes: Sequence[Theme], said_in: Documents, found: Harvest, fewest: int, named: frozenset[str]) -> Settled:
    """Drop fragments and merge companions; what the profile names stays as it is."""
    longer = [one for one in candidates(found, fewest) if len(one.key) > PHRASE_WORDS]
    whole = without_fragments(themes, said_in, longer, named)
    merged = without_companions(whole, said_in, named)
    return Settled(merged, {"without fragments": len(whole), "without companions": len(merged)})


def without_fragments(
    themes: Sequence[Theme], said_in: Documents, longer: Sequence[Candidate], named: frozenset[str]
) -> list[Theme]:
    """Drop a theme that is mostly said inside a longer phrase, if another part of that phrase stands for it."""
    left = {theme.label: theme for theme in themes}
    for phrase in sorted(longer, key=lambda one: (one.support, one.key)):
        parts = [theme for theme in left.values() if any(set(key) < set(phrase.key) for key in theme.keys)]
        inside = [theme for theme in parts if _is_mostly_in(said_in[theme.label], phrase.documents)]
        free = [theme for theme in inside if theme.label not in named]
        stands = len(parts) > len(inside) or len(inside) > len(free)
        best = None if stands else min(free, key=lambda one: (-len(said_in[one.label]), one.label), default=None)
        for theme in free:
            if theme is not best:
                del left[theme.label]
    return list(left.values())


def without_companions(themes: Sequence[Theme], said_in: Documents, named: frozenset[str]) -> list[Theme]:
    """Merge a theme into one with more support that shares a word with it and stands in mostly the same documents."""
    kept: list[Theme] = []
    for theme in sorted(themes, key=lambda one: (-len(said_in[one.label]), one.label)):
        free = theme.label not in named
        place = next((i for i, better in enumerate(kept) if free and _keep_company(better, theme, said_in)), None)
        if place is None:
            kept.append(theme)
        else:
            kept[place] = kept[place].with_variant(theme)
    return kept


def _keep_company(better: Theme, theme: Theme, said_in: Documents) -> bool:
    if _words(better).isdisjoint(_words(theme)):
        return False
    one, other = said_in[better.label], said_in[theme.label]
    return len(one & other) >= SAME_COMPANY * len(one | other)


def _is_mostly_in(part: frozenset[int], whole: frozenset[int]) -> bool:
    return len(part & whole) >= MOST_OF_IT * len(part)


def _words(theme: Theme) -> set[str]:
    return {word for key in theme.keys for word in key}
