"""Any theme or area of a release, looked up: what is known of it, in sentences that were read back and hold."""

from collections.abc import Iterator
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.model_base import Sealed
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.printable import printable
from dpspin.public.narrate.claims.areas import AreaInterval, LargestArea
from dpspin.public.narrate.claims.baseline import AboveBaseline, BelowBaseline
from dpspin.public.narrate.claims.certainty import SortsThemeRight, doubts_of
from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.orders import Largest
from dpspin.public.narrate.claims.themes import IntervalOf, Means, Unclear, Unlisted
from dpspin.public.narrate.duties import duties, what_a_share_is
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.lookup import Place, found, nearest
from dpspin.public.narrate.policy import Mode
from dpspin.public.narrate.verdict import SentenceVerdict, Status
from dpspin.public.narrate.verify import judged

MOST: Final = 5  # matches of one question that are answered
NEAREST: Final = 3


class Found(Sealed):
    """A theme (by its id) or an area that was meant, and what is known of it; ``note`` says why there is no share."""

    name: str
    theme: int | None
    sentences: tuple[SentenceVerdict, ...]
    note: str | None = None


class Answer(Sealed):
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


class Asked(Sealed):
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
        name, theme, has_share = place, None, place in facts.area_estimates
    else:
        name, theme, has_share = facts.labels[place], place, place in facts.masses
    told = _told(language, _of_area(facts, place) if isinstance(place, str) else _of_theme(place))
    note = None if has_share and facts.has_shares else _note(facts, name)
    return Found(name=name, theme=theme, sentences=told, note=note)


def _of_theme(theme: int) -> list[Claim]:
    either: list[Claim] = [IntervalOf(theme), Unlisted(theme), Largest(theme), Unclear((theme,)), Means(theme)]
    return [*either, AboveBaseline(theme), BelowBaseline(theme), SortsThemeRight(theme)]


def _of_area(facts: Facts, area: str) -> list[Claim]:
    return [
        AreaInterval(area),
        LargestArea(area),
        *map(IntervalOf, (t for t in facts.listed if t in facts.areas[area])),
    ]


def _told(language: Language, claims: list[Claim]) -> tuple[SentenceVerdict, ...]:
    """Write the claims that hold, and keep what is verified when read back."""
    texts = map(language.written, holding(claims, language.facts))
    read = ([judged(sentence, language) for sentence in language.read(text)] for text in texts)
    return tuple(one for one, *more in read if not more and one.status is Status.VERIFIED)


def _note(facts: Facts, name: str) -> str:
    """Say why something of the dictionary has no share."""
    if not facts.has_shares:
        return f"{_quoted(name)} is in this dictionary, but without a share."
    if facts.plan.noisy_sketch is None:
        return f"{_quoted(name)} is in this dictionary, but without a share: only listed themes have values here."
    return f"{_quoted(name)} is an area without a share: one {facts.plan.statement.unit.kind} may count in many themes."


def _quoted(words: str) -> str:
    return f"“{' '.join(printable(words).split())}”"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(_quoted, names))
