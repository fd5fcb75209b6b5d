"""Themes by everything that the dictionary says of them: names, cues, descriptions, and sentences that express them.

Words are compared by their base forms, so that crashing finds crashes. A theme is meant only if its own vocabulary has
every word that is asked for: what it does not know is not its matter.
"""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from dpspin.boundary.atoms import Atom
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.look_up import Place
from dpspin.text.stems import base_form
from dpspin.text.words import unaccented, words_of

IN_NAME, IN_MEANING = 6.0, 3.0
OFTEN: Final = 0.08  # of its sentences: a word that so many have belongs to a theme though its name lacks it

OPPOSITES: Final = tuple(
    (one.split(), other.split())
    for one, other in (
        ("good great nice excellent tasty best", "bad poor awful terrible worst"),
        ("fast quick prompt rapid", "slow late long delay"),
        ("early punctual", "late delay"),
        ("long", "short brief"),
        ("high", "low weak"),
        ("more", "less fewer"),
        ("much", "little"),
        ("work fix repair mend", "fail break broken crash stop faulty"),
        ("accept approve", "decline reject refuse deny"),
        ("find found", "miss missing lose lost"),
        ("single once", "double twice duplicate"),
        ("cheap inexpensive affordable", "expensive overpriced"),
        ("correct right true accurate", "wrong incorrect false"),
        ("easy simple", "hard difficult confuse"),
        ("clean", "dirty"),
        ("safe", "dangerous overheat"),
        ("friendly polite kind", "rude"),
        ("open", "close shut"),
        ("flexible", "rigid"),
        ("interest exciting", "boring"),
        ("unlock", "lock"),
        ("happy satisfy glad", "unhappy complaint angry"),
        ("fresh warm hot", "stale cold"),
        ("quiet", "loud noisy"),
    )
)
NOT: Final = frozenset(("not", "no", "never"))
DENYING: Final = ("un", "in", "dis", "non", "mis")
SHORTEST, LONGEST_ENDING = 4, 3  # letters of a word, and of what may be added to it


@lru_cache(maxsize=2**16)
def bases(text: str) -> frozenset[str]:
    """Return the base forms of the words of a text.

    >>> sorted(bases("The app keeps crashing"))
    ['app', 'crash', 'keep', 'the']
    """
    return frozenset(base_form(word) for word in words_of(unaccented(text)))


def themes_with(facts: Facts, words: Sequence[str]) -> tuple[int, ...]:
    """Return the theme whose vocabulary has all of these words, by the rarest of them; none where none has all.

    A single word must stand in its name: what a description mentions by the way is not its matter.
    """
    wanted = frozenset(base_form(word) for word in words)
    fitting = [
        (likeness, theme)
        for likeness, theme, each in _by_likeness(facts, wanted)
        if each.keys() >= wanted
        and (max(each.values(), default=0) >= IN_NAME or (len(wanted) > 1 and min(each.values()) >= IN_MEANING))
    ]
    return (max(fitting)[1],) if fitting and wanted else ()


def nearest_meant(facts: Facts, words: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the names of the themes to which most of these words belong, the rarer of them counting for more."""
    found = [each for each in _by_likeness(facts, frozenset(map(base_form, words))) if each[0] > 0]
    return tuple(facts.labels[theme] for _, theme, _ in sorted(found, key=lambda each: -each[0])[:most])


def _by_likeness(facts: Facts, wanted: frozenset[str]) -> list[tuple[float, int, dict[str, float]]]:
    """Return how well each theme fits words, the theme, and how much each of the words belongs to it."""
    known = [(int(atom.id), weights(atom, wanted)) for atom in facts.atoms.atoms]
    rarity = {word: math.log(1 + len(known) / max(1, sum(word in each for _, each in known))) for word in wanted}
    return [(sum(weight * rarity[word] for word, weight in each.items()), theme, each) for theme, each in known]


def weights(atom: Atom, wanted: frozenset[str]) -> dict[str, float]:
    """Return how much each of the wanted words belongs to a theme, as far as its vocabulary has it."""
    name, meaning = bases(atom.label), bases(" ".join((atom.description, *atom.cues)))
    found = {word: IN_NAME for word in wanted if _has(name, word)}
    found.update({word: IN_MEANING for word in wanted - found.keys() if _has(meaning, word)})
    rest = wanted - found.keys()
    if rest:
        sentences = [bases(each) for each in atom.examples]
        for word in rest:
            told = sum(word in each for each in sentences)
            if told:
                found[word] = min(1.0, told / (OFTEN * len(sentences)))
    return found


def _has(known: frozenset[str], word: str) -> bool:
    """Tell whether a word is among others, or is made of one of them: failure of fail.

    >>> _has(frozenset(["fail", "card"]), "failure"), _has(frozenset(["fail", "card"]), "care")
    (True, False)
    """
    return word in known or any(_is_made_of(word, each) or _is_made_of(each, word) for each in known)


def _is_made_of(longer: str, shorter: str) -> bool:
    return len(shorter) >= SHORTEST and 0 < len(longer) - len(shorter) <= LONGEST_ENDING and longer.startswith(shorter)


def explained(facts: Facts, places: Iterable[Place], words: Iterable[str], *, by_examples: bool) -> frozenset[str]:
    """Return those of the words that belong to what was found.

    Beside a theme that is wholly named, a word that only its examples have says something else: who, or where.
    """
    meant = {theme for place in places for theme in (facts.areas[place] if isinstance(place, str) else (place,))}
    wanted = {word: base_form(word) for word in words}
    known = [weights(atom, frozenset(wanted.values())) for atom in facts.atoms.atoms if atom.id in meant]
    areas = frozenset[str]().union(*(bases(place) for place in places if isinstance(place, str)))
    least = 0.0 if by_examples else IN_MEANING
    return frozenset(
        word for word, base in wanted.items() if base in areas or any(each.get(base, -1.0) >= least for each in known)
    )


def named_in(facts: Facts, places: Iterable[Place], words: Iterable[str]) -> frozenset[str]:
    """Return those of the words that stand in the very names of what was found."""
    names = [bases(place if isinstance(place, str) else facts.labels[place]) for place in places]
    return frozenset(word for word in words if any(_has(name, base_form(word)) for name in names))


def is_named(facts: Facts, words: Sequence[str]) -> bool:
    """Tell whether several words stand together in the name of one theme."""
    wanted = frozenset(base_form(word) for word in words)
    return len(wanted) > 1 and any(wanted <= bases(label) for label in facts.labels.values())


def not_opposed(facts: Facts, places: Iterable[Place], question: str) -> tuple[Place, ...]:
    """Leave out themes of which a question asks for the opposite: clear of unclear instructions, found of missing."""
    places = tuple(places)
    of_all = frozenset(word for place in places for word in _name(facts, place))
    asked = _spelled(question)
    return tuple(place for place in places if not _denies(_name(facts, place), asked, asked - of_all))


def _name(facts: Facts, place: Place) -> frozenset[str]:
    return frozenset() if isinstance(place, str) else _spelled(facts.labels[place])


def _spelled(text: str) -> frozenset[str]:
    """Return the words of a text as they are, and their base forms: an ending may hide a prefix."""
    return bases(text) | frozenset(words_of(unaccented(text)))


def _denies(name: frozenset[str], asked: frozenset[str], beside: frozenset[str]) -> bool:
    """Tell whether what is asked is the opposite of a name; ``beside`` are its words that stand in no name."""
    unsaid = bool(name & NOT) and not asked & NOT and name - NOT <= asked  # as described, of not as described
    return unsaid or any(_is_opposite(word, other) for word in beside for other in name)


def _is_opposite(word: str, other: str) -> bool:
    """Tell whether one word denies the other, or the two are opposites.

    >>> _is_opposite("clear", "unclear"), _is_opposite("early", "late"), _is_opposite("clear", "late")
    (True, True, False)
    """
    denied = any(one == f"{prefix}{two}" for prefix in DENYING for one, two in ((word, other), (other, word)))
    return denied or any(
        (word in one and other in two) or (word in two and other in one) for one, two in _OPPOSITE_BASES
    )


_OPPOSITE_BASES: Final = tuple((bases(" ".join(one)), bases(" ".join(other))) for one, other in OPPOSITES)
