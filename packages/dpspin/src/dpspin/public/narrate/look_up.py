"""Names of themes and areas, found by what a reader calls them: the label, its marker, other names, or their words."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from itertools import islice
from typing import Final

from dpspin.boundary.atoms import Atom
from dpspin.boundary.plan_fields import ANY_MARKER
from dpspin.errors import RequestError
from dpspin.public.narrate.facts import Facts
from dpspin.text.stems import singular
from dpspin.text.words import unaccented, words_of

LONGEST: Final = 300  # characters, as of a label
MOST_WORDS: Final = 8  # of a question, that are compared with similar ones
ALIKE: Final = 0.75  # from here on two words may be one, mistyped

Place = int | str  # a theme by its id, or an area by its name


@dataclass(frozen=True, slots=True)
class Named:
    """A theme or an area, with everything it may be found by."""

    place: Place
    name: str
    others: tuple[str, ...] = ()
    description: str = ""

    @property
    def all_words(self) -> frozenset[str]:
        """The words of its names and of its description."""
        return frozenset(word for text in (self.name, *self.others, self.description) for word in stems(text))


Test = Callable[[Named], bool]


def found(facts: Facts, question: str, ways: int | None = None) -> tuple[Place, ...]:
    """Return what is meant, the largest first: the first way of looking that finds anything decides.

    ``ways`` are how many are tried, the surest first; all of them, where nothing is said.
    """
    require_question(question)
    every = list(_names(facts))
    for meant in islice(_ways(question), ways):
        places = [named.place for named in every if meant(named)]
        if places:
            return tuple(sorted(places, key=lambda place: -_size(facts, place)))
    return ()


def nearest(facts: Facts, question: str, most: int) -> tuple[str, ...]:
    """Return the names that share a word with the question, or one that is spelt much like it, the likest first."""
    every = {named.name: stems(named.name) for named in _names(facts)}
    known = sorted({word for words in every.values() for word in words})
    wanted = [_alike(word, known) for word in dict.fromkeys(stems(question)[:MOST_WORDS])]
    likeness = {
        name: sum(max((close.get(word, 0.0) for word in words), default=0.0) for close in wanted)
        for name, words in every.items()
    }
    likest = sorted((name for name in every if likeness[name]), key=lambda name: -likeness[name])
    return tuple(likest[:most])


def _alike(word: str, known: list[str]) -> dict[str, float]:
    """Return the words that this one may be, mistyped, and how like it they are."""
    return {each: SequenceMatcher(None, word, each).ratio() for each in get_close_matches(word, known, cutoff=ALIKE)}


def require_question(question: str) -> None:
    """Refuse a question that names nothing, or that no name can answer to."""
    if not question.strip():
        raise RequestError("an empty question asks for nothing: name a theme, an area, or words of one")
    if len(question) > LONGEST:
        raise RequestError(f"a question has at most {LONGEST} characters: name a theme, an area, or words of one")


@lru_cache(maxsize=2**17)
def stems(text: str) -> tuple[str, ...]:
    """Return the words of a text without capitals, accents and plurals, so that one spelling finds the other.

    >>> stems("RÉFUNDS and crashes"), stems("deliveries of glass")
    (('refund', 'and', 'crash'), ('delivery', 'of', 'glass'))
    """
    return tuple(singular(word) for word in words_of(unaccented(text)))


def _names(facts: Facts) -> Iterator[Named]:
    yield from (_theme(atom) for atom in facts.atoms.atoms)
    yield from (Named(area, area) for area in facts.areas)


def _theme(atom: Atom) -> Named:
    return Named(int(atom.id), atom.label, atom.cues, atom.description)


def _ways(question: str) -> Iterator[Test]:
    """Yield the ways of looking, the surest first."""
    said, marker = question.strip().casefold(), ANY_MARKER.fullmatch(question.strip())
    words = stems(question)
    yield lambda each: each.name.casefold() == said or (marker is not None and each.place == int(marker[1]))
    if words and marker is None:
        yield lambda each: stems(each.name) == words
        yield lambda each: any(stems(other) == words for other in each.others)
        yield lambda each: set(words) <= set(stems(each.name))
        yield lambda each: set(words) <= each.all_words


def _size(facts: Facts, place: Place) -> float:
    """Return the share by which what was found is put in order; what has none comes last."""
    if isinstance(place, str):
        return facts.area_estimates[place].share if place in facts.area_estimates else -1.0
    if facts.read is not None:
        return facts.read.theme(place).share
    return facts.theme(place).share if place in facts.masses else -1.0
