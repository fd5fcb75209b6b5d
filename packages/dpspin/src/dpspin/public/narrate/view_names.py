"""Names of themes, of facets and of their values in the words of a question; months also by what they are called."""

from calendar import month_name
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from dpspin.boundary.facets import MISSING, AnyFacet, PeriodFacet
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.look_up import Place, stems

BEFORE: Final = frozenset(("", *stems("in than between from to and by since for versus vs is are")))  # a value
Name = tuple[str, ...]  # its words
Meaning = tuple[str, str]  # a facet and one of its values


@dataclass(frozen=True, slots=True)
class Span:
    """Words that name a value: of one facet, or of several that have one of this name."""

    meant: tuple[Meaning, ...]

    @property
    def facets(self) -> frozenset[str]:
        """The facets that have it."""
        return frozenset(facet for facet, _ in self.meant)


@dataclass(frozen=True, slots=True)
class NamesInQuestion:
    """What the words of a question name, and the places of those that name nothing."""

    words: tuple[str, ...]
    places: tuple[Place, ...]  # themes and areas
    values: tuple[Span, ...]
    facets: tuple[str, ...]
    free: tuple[int, ...]


def names_in_question(facts: Facts, words: tuple[str, ...], *, areas: bool = False) -> NamesInQuestion:
    """Find themes, values and facets by their whole names, and areas if asked to; the longest name wins."""
    values, titles = _values(facts, words), {**_steps(facts), **{stems(title): title for title in facts.views}}
    places: dict[Name, Place] = {stems(area): area for area in facts.areas if areas}
    places.update((stems(label), theme) for theme, label in facts.labels.items())
    alone = {name: place for name, place in places.items() if name not in values and name not in titles}
    free = [*range(len(words))]
    taken = _taken([*alone, *values, *(title for title in titles if title not in values)], words, free)
    return NamesInQuestion(
        words,
        tuple(alone[name] for name in taken if name in alone),
        tuple(Span(values[name]) for name in taken if name in values),
        tuple(titles[name] for name in taken if name in titles and name not in values),
        tuple(free),
    )


def period_words(value: str, facet: PeriodFacet) -> frozenset[str]:
    """Return every word by which a period is called."""
    return frozenset(word for name in (value, *_other_names(value, facet)) for word in stems(name))


def _steps(facts: Facts) -> dict[Name, str]:
    """Return what the periods of a view are called (month, week): they name it, where no other has such."""
    every = [(table.view.facet, title) for title, table in facts.views.items()]
    steps = [((facet.every,), title) for facet, title in every if isinstance(facet, PeriodFacet)]
    return {step: title for step, title in steps if [each for each, _ in steps].count(step) == 1}


def _taken(known: Iterable[Name], words: Sequence[str], free: list[int]) -> list[Name]:
    """Find names among the words that are free, the longest first, and take their words; in the order of the words."""
    taken: list[tuple[int, Name]] = []
    for name in sorted(filter(None, known), key=len, reverse=True):
        for start in range(len(words) - len(name) + 1):
            places = range(start, start + len(name))
            if tuple(words[place] for place in places) == name and all(place in free for place in places):
                taken.append((start, name))
                free[:] = [place for place in free if place not in places]
    return [name for _, name in sorted(taken)]


def _values(facts: Facts, words: Sequence[str]) -> dict[Name, tuple[Meaning, ...]]:
    """Return every name of every value; one that two values of a facet have names neither.

    What is missing is a value where it stands as one, and else a word of a theme: missing alerts.
    """
    found: dict[Name, list[Meaning]] = {}
    for title, table in facts.views.items():
        names = [
            (stems(name), value) for value in table.values for name in (value, *_other_names(value, table.view.facet))
        ]
        meant = {name: {value for each, value in names if each == name} for name, _ in names}
        for name, values in meant.items():
            found.setdefault(name, []).extend((title, value) for value in values if len(values) == 1)
    absent = stems(MISSING)
    stands = any(pair[1] == absent[0] and pair[0] in BEFORE for pair in pairwise(("", *words)))
    return {name: tuple(each) for name, each in found.items() if each and (name != absent or stands)}


def _other_names(value: str, facet: AnyFacet) -> Iterator[str]:
    """Yield what a period is called besides its name.

    >>> when = PeriodFacet(column="date", every="month", first="2026-05", last="2026-06")
    >>> list(_other_names("2026-05", when)), list(_other_names("2026-06", when))
    (['May 2026', 'May'], ['last month', 'latest month', 'June 2026', 'June'])
    """
    if not isinstance(facet, PeriodFacet) or value not in facet.declared:
        return
    if value == facet.declared[-1]:
        yield from (f"last {facet.every}", f"latest {facet.every}")
    year, _, part = value.partition("-")
    name = month_name[int(part)] if facet.every == "month" else part if facet.every in {"quarter", "week"} else ""
    if name:
        yield from (f"{name} {year}", name)
