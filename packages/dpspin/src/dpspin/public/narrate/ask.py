"""Questions about a release: any theme or area, looked up, or where and since when; answered in sentences that hold.

A reader names a theme as it is called, by its marker, by what else the dictionary calls it, or by words of its
description. Every sentence was read back.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.printable import printable
from dpspin.public.narrate.ask_beyond import Beyond
from dpspin.public.narrate.ask_views import OfViews, asked_of_views
from dpspin.public.narrate.ask_vocabulary import nearest_meant
from dpspin.public.narrate.ask_whole import asked_of_whole, untold
from dpspin.public.narrate.ask_words import JOINS, taken_apart
from dpspin.public.narrate.claims.areas import AreaInterval, LargestArea
from dpspin.public.narrate.claims.beside_baseline import AboveBaseline, BelowBaseline
from dpspin.public.narrate.claims.certainty import SortsThemeRight, doubts_of
from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.orders import Gap, Larger, Largest, Tie
from dpspin.public.narrate.claims.readings import (
    MapFiles,
    ReadLarger,
    ReadLargest,
    ReadOverlap,
    ReadShare,
    ReadUnlisted,
)
from dpspin.public.narrate.claims.themes import IntervalOf, Means, Unclear, Unlisted
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.look_up import Place, found, nearest, stems
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.outline import SIMULATED, duties, lines_of, what_a_share_is
from dpspin.public.narrate.outline_of_views import beside_views
from dpspin.public.narrate.verify import SentenceVerdict, Status, check_sentence

MOST: Final = 5  # matches of one question that are answered
NEAREST: Final = 3
TWO: Final = 2
EXACTLY: Final = 3  # ways of looking: by the name itself, its words, or another name of the dictionary
HOW_TO_ASK: Final = (
    "Name a theme or an area, or ask in English, as: what is the biggest problem? where is it larger? since when? what "
    "is missing? show me an example."
)


class Found(FrozenModel):
    """A theme (by its id) or an area that was meant, and what is known of it; ``note`` says why there is no share."""

    name: str
    theme: int | None
    sentences: tuple[SentenceVerdict, ...]
    note: str | None = None
    beyond: Beyond | None = None  # what is asked is not told, though something else is known


class Answer(FrozenModel):
    """What a question found, the best first; without anything found, the nearest names of the dictionary."""

    question: str
    found: tuple[Found, ...]
    others: tuple[str, ...] = ()  # names that match as well, beyond those that are answered
    nearest: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()  # words that no name of the dictionary was found by
    beyond: Beyond | None = None

    @property
    def cannot_say(self) -> str | None:
        """Why there is no answer, in one of the fixed sentences; nothing where there is one."""
        beside = next((each.beyond for each in self.found if each.beyond is not None), None)
        told = any(each.sentences for each in self.found)
        why = self.beyond or beside or (None if told else Beyond.NO_SHARE if self.found else Beyond.UNKNOWN)
        return None if why is None else why.value

    def lines(self) -> Iterator[str]:
        """Yield the answer as lines of text."""
        told = (line for each in self.found for line in (*(said.text for said in each.sentences), each.note))
        yield from dict.fromkeys(filter(None, told))  # an area tells its themes, which may be found by themselves too
        if self.others:
            yield f"{len(self.others)} more names match, such as {_listed(self.others[:NEAREST])}."
        if self.beyond is not None:
            yield self.beyond.value
        elif not self.found and self.unknown:
            yield f"No theme, area or view of this release is found by the words {_listed(self.unknown)}."
        elif not self.found:
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
        """Whether every question was answered: to name something and to say nothing of it is no answer."""
        return all(any(each.sentences for each in answer.found) for answer in self.answers)

    def lines(self) -> Iterator[str]:
        """Yield everything as lines of text, the answers first; where nothing was found, nothing of the release."""
        return chain.from_iterable(self.paragraphs())

    def paragraphs(self) -> Iterator[tuple[str, ...]]:
        """Yield the same lines, each answer apart from the next one and from what holds for all of them."""
        said = any(answer.found for answer in self.answers)
        yield tuple(each.text for each in self.before if said)
        yield from (tuple(answer.lines()) for answer in self.answers)
        yield tuple(each.text for each in self.after if said)
        yield () if all(answer.found for answer in self.answers) else (HOW_TO_ASK,)


def ask(plan: SemanticPlan, atoms: AtomUniverse, *questions: str) -> tuple[str, ...]:
    """Look up themes and areas by name or by words, say where and since when, and answer in lines of text."""
    return tuple(asked(plan, atoms, *questions).lines())


def asked(plan: SemanticPlan, atoms: AtomUniverse, *questions: str) -> Asked:
    """Look up themes and areas by name or by words, say where and since when, and answer as data."""
    return asked_in(Language(Facts(plan, atoms), Mode.DISPLAY), *questions)


def asked_in(language: Language, *questions: str) -> Asked:
    """Answer questions in the language of a plan, which takes a while to learn, and lasts."""
    answers = tuple(_answer(language, question) for question in questions)
    said = [told for answer in answers for each in answer.found for told in each.sentences]
    claims = [claim for told in said for sentence in language.read(told.text) for claim in sentence.claims or ()]
    doubts = doubts_of({claim.kind for claim in claims}, language.facts)
    after = [*beside_views(claims), *duties(language.facts), *doubts, *what_a_share_is(language.facts)]
    return Asked(
        before=told_in(language, [SIMULATED]),
        answers=answers,
        after=told_in(language, (claim for claim in after if claim not in (*claims, SIMULATED))),
    )


def _answer(language: Language, question: str) -> Answer:
    facts, left = language.facts, tuple[str, ...]()
    if not found(facts, question, EXACTLY):
        asked = taken_apart(facts, question)
        left = asked.left
        if asked.beyond is not None:
            return Answer(question=question, found=(), beyond=asked.beyond)
        of_release = asked_of_whole(facts, asked) or asked_of_views(facts, asked)
        if of_release is not None:
            return Answer(question=question, found=tuple(_found_of_release(language, each) for each in of_release))
        if asked.places and not asked.unknown:
            told = _looked_up(language, question, asked.places, untold(facts, asked))
            both = len(asked.themes) == len(asked.places) == TWO and asked.has(JOINS)
            return told.model_copy(update={"found": (*told.found, _beside(language, *asked.themes))}) if both else told
    told = _looked_up(language, question, found(facts, question))
    if told.found or not left or len(stems(question)) <= TWO:  # a name, and no sentence
        return told
    return told.model_copy(
        update={"unknown": tuple(dict.fromkeys(left)), "nearest": nearest_meant(facts, left, NEAREST)}
    )


def _looked_up(language: Language, question: str, places: tuple[Place, ...], remark: str | None = None) -> Answer:
    told, labels = [_found(language, place) for place in places[:MOST]], language.facts.labels
    if told and remark is not None:
        told[0] = told[0].model_copy(update={"note": " ".join(filter(None, (told[0].note, remark)))})
    return Answer(
        question=question,
        found=tuple(told),
        others=tuple(place if isinstance(place, str) else labels[place] for place in places[MOST:]),
        nearest=() if places else nearest(language.facts, question, NEAREST),
    )


def _found(language: Language, place: Place) -> Found:
    facts = language.facts
    if isinstance(place, str):
        name, theme, has_share = place, None, place in facts.area_estimates and facts.read is None
    else:
        name, theme, has_share = facts.labels[place], place, place in facts.masses
    told = told_in(language, _of_area(facts, place) if isinstance(place, str) else _of_theme(place))
    note = None if has_share and facts.has_shares else _note(facts, name)
    return Found(name=name, theme=theme, sentences=told, note=note)


def _beside(language: Language, one: int, other: int) -> Found:
    """Tell which of two themes is larger, or that their intervals overlap; where neither is listed, nothing."""
    pairs = ((one, other), (other, one))
    filed: list[Claim] = [*(Gap(*pair) for pair in pairs), *(Larger(*pair) for pair in pairs), Tie((one, other))]
    read: list[Claim] = [*(ReadLarger(*pair) for pair in pairs), ReadOverlap((one, other))]
    return Found(name="the two", theme=None, sentences=told_in(language, [*read, *filed]))


def _found_of_release(language: Language, answer: OfViews) -> Found:
    """Tell what a view or the whole says; of a theme of which none says anything, what is known without views."""
    claims = answer.claims or (() if answer.theme is None else _of_theme(answer.theme))
    return Found(
        name=answer.name,
        theme=answer.theme,
        sentences=told_in(language, claims),
        note=answer.note,
        beyond=answer.beyond,
    )


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


def told_in(language: Language, claims: Iterable[Claim]) -> tuple[SentenceVerdict, ...]:
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
