"""Any theme or area of a release, looked up: what is known of it, in sentences that were read back and hold.

A reader names it as it is called, by its marker, by what else the dictionary calls it, or by words of its description.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from typing import Final

from dpspin.boundary.atoms import Atom, AtomUniverse
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.plan_fields import ANY_MARKER
from dpspin.boundary.printable import printable
from dpspin.errors import RequestError
from dpspin.public.narrate.claims.areas import AreaInterval, LargestArea
from dpspin.public.narrate.claims.beside_baseline import AboveBaseline, BelowBaseline
from dpspin.public.narrate.claims.certainty import SortsThemeRight, doubts_of
from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.orders import Largest
from dpspin.public.narrate.claims.readings import MapFiles, ReadLargest, ReadShare, ReadUnlisted
from dpspin.public.narrate.claims.themes import IntervalOf, Means, Unclear, Unlisted
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.outline import duties, lines_of, what_a_share_is
from dpspin.public.narrate.verify import SentenceVerdict, Status, check_sentence
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


def found(facts: Facts, question: str) -> tuple[Place, ...]:
    """Return what is meant, the largest first: the first way of looking that finds anything decides."""
    require_question(question)
    every = list(_names(facts))
    for meant in _ways(question):
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


MOST: Final = 5  # matches of one question that are answered
NEAREST: Final = 3


class Found(FrozenModel):
    """A theme (by its id) or an area that was meant, and what is known of it; ``note`` says why there is no share."""

    name: str
    theme: int | None
    sentences: tuple[SentenceVerdict, ...]
    note: str | None = None


class Answer(FrozenModel):
    """What a question found, the best first; without anything found, the nearest names of the dictionary."""

    question: str
    found: tuple[Found, ...]
    others: tuple[str, ...] = ()  # names that match as well, beyond those that are answered
    nearest: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yield the answer as lines of text."""
        for each in self.found:
            yield from (sentence.text for sentence in each.sentences)
            yield from filter(None, (each.note,))
        if self.others:
            yield f"{len(self.others)} more names match, such as {_listed(self.others[:NEAREST])}."
        if not self.found:
            yield f"{_quoted(self.question)} is not in this dictionary."
        if self.nearest:
            yield f"The nearest names in it: {_listed(self.nearest)}."


class Asked(FrozenModel):
    """All answers; ``before`` and ``after`` hold for every one of them."""

    before: tuple[SentenceVerdict, ...]
    answers: tuple[Answer, ...]
    after: tuple[SentenceVerdict, ...]

    @property
    def all_found(self) -> bool:
        """Whether every question found something."""
        return all(answer.found for answer in self.answers)

    def lines(self) -> Iterator[str]:
        """Yield everything as lines of text; where nothing was found, nothing is said of the release."""
        said = any(answer.found for answer in self.answers)
        yield from (each.text for each in self.before if said)
        for answer in self.answers:
            yield from answer.lines()
        yield from (each.text for each in self.after if said)


def ask(plan: SemanticPlan, atoms: AtomUniverse, *questions: str) -> tuple[str, ...]:
    """Look up themes and areas by name or by words, and answer in lines of text."""
    return tuple(asked(plan, atoms, *questions).lines())


def asked(plan: SemanticPlan, atoms: AtomUniverse, *questions: str) -> Asked:
    """Look up themes and areas by name or by words, and answer as data."""
    language = Language(Facts(plan, atoms), Mode.DISPLAY)
    answers = tuple(_answer(language, question) for question in questions)
    kinds = {kind for answer in answers for each in answer.found for told in each.sentences for kind in told.claims}
    return Asked(
        before=_told(language, [*duties(language.facts)]),
        answers=answers,
        after=_told(language, [*doubts_of(kinds, language.facts), *what_a_share_is(language.facts)]),
    )


def _answer(language: Language, question: str) -> Answer:
    places, labels = found(language.facts, question), language.facts.labels
    return Answer(
        question=question,
        found=tuple(_found(language, place) for place in places[:MOST]),
        others=tuple(place if isinstance(place, str) else labels[place] for place in places[MOST:]),
        nearest=() if places else nearest(language.facts, question, NEAREST),
    )


def _found(language: Language, place: Place) -> Found:
    facts = language.facts
    if isinstance(place, str):
        name, theme, has_share = place, None, place in facts.area_estimates and facts.read is None
    else:
        name, theme, has_share = facts.labels[place], place, place in facts.masses
    told = _told(language, _of_area(facts, place) if isinstance(place, str) else _of_theme(place))
    note = None if has_share and facts.has_shares else _note(facts, name)
    return Found(name=name, theme=theme, sentences=told, note=note)


def _of_theme(theme: int) -> list[Claim]:
    read: list[Claim] = [ReadShare(theme), ReadUnlisted(theme), ReadLargest(theme), MapFiles(theme)]
    filed: list[Claim] = [IntervalOf(theme), Unlisted(theme), Largest(theme), Unclear((theme,))]
    return [*read, *filed, Means(theme), AboveBaseline(theme), BelowBaseline(theme), SortsThemeRight(theme)]


def _of_area(facts: Facts, area: str) -> list[Claim]:
    return [
        AreaInterval(area),
        LargestArea(area),
        *lines_of((theme for theme in facts.ranked if theme in facts.areas[area]), facts),
    ]


def _told(language: Language, claims: list[Claim]) -> tuple[SentenceVerdict, ...]:
    """Write the claims that hold, and keep what is verified when read back."""
    texts = map(language.written, holding(claims, language.facts))
    read = ([check_sentence(sentence, language) for sentence in language.read(text)] for text in texts)
    return tuple(one for one, *more in read if not more and one.status is Status.VERIFIED)


def _note(facts: Facts, name: str) -> str:
    """Say why something of the dictionary has no share."""
    if not facts.has_shares:
        return f"{_quoted(name)} is in this dictionary, but without a share."
    if facts.plan.noisy_sketch is None:
        return f"{_quoted(name)} is in this dictionary, but without a share: only listed themes have values here."
    if facts.read is not None:
        return f"{_quoted(name)} is an area without a share: what was read says how much single themes hold."
    return f"{_quoted(name)} is an area without a share: one {facts.plan.statement.unit.kind} may count in many themes."


def _quoted(words: str) -> str:
    return f"“{' '.join(printable(words).split())}”"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(_quoted, names))
