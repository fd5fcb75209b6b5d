"""Questions about a series: what changed and since when, of its plans together; anything else, of its last one."""

import re
from collections.abc import Iterator

from dpspin.boundary.series_changes import PlansInTime
from dpspin.public.narrate.ask import Answer, Asked, Found, asked_in, told_in
from dpspin.public.narrate.ask_beyond import Beyond
from dpspin.public.narrate.ask_words import Question, taken_apart
from dpspin.public.narrate.claims.claim import Claim
from dpspin.public.narrate.claims.life_of_series import CountedPart
from dpspin.public.narrate.claims.over_time import DiffersOverTime, NotApartOverTime, SinceWhen, TimeConfidence
from dpspin.public.narrate.claims.release import PublicSentence, Saying
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.look_up import require_question
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.outline_of_series import headline, latest
from dpspin.public.narrate.view_names import period_words


def ask_series(facts: Facts, *questions: str) -> Asked:
    """Answer questions about a series as data; what holds for several of them is said once."""
    language = Language(facts, Mode.DISPLAY)
    each = [asked_of_series(language, question) for question in questions]
    return Asked(
        before=tuple(dict.fromkeys(one for asked in each for one in asked.before)),
        answers=tuple(answer for asked in each for answer in asked.answers),
        after=tuple(dict.fromkeys(one for asked in each for one in asked.after)),
    )


def asked_of_series(language: Language, question: str) -> Asked:
    """Answer a question in the language of a series."""
    facts, time = language.facts, language.facts.time
    assert time is not None  # noqa: S101  it is the language of a series
    require_question(question)
    last = Language(facts.each[-1], language.mode)
    question = re.sub(
        rf"(?:in |of )?the (?:latest|last|newest) {time.places[time.last].terms.every.every}\b", "", question
    )
    asked = taken_apart(last.facts, question)
    periods = [period_words(place.period, place.terms.every) for place in time.places.values()]
    if asked.beyond is not None or not asked.asks_when or not {*asked.unknown} <= frozenset[str]().union(*periods):
        return asked_in(last, question)
    claims = [*_of_themes(asked, time)] if asked.themes else [*headline(facts, time), *latest(facts, time)]
    told = told_in(language, claims)
    found = Found(name="over time", theme=None, sentences=told, beyond=None if told else Beyond.NO_TIME)
    after = (CountedPart(time.last), TimeConfidence(), PublicSentence(Saying.NOT_A_COUNT))
    return Asked(
        before=(), answers=(Answer(question=question, found=(found,)),), after=told_in(language, after) if told else ()
    )


def _of_themes(asked: Question, time: PlansInTime) -> Iterator[Claim]:
    """Yield since when each theme is above or below, and each of its steps; those that are not told apart last."""
    for theme in asked.themes:
        yield SinceWhen(theme)
        for step in time.steps.values():
            yield DiffersOverTime(theme, step.period, step.earlier)
        yield from (NotApartOverTime((theme,), step.period, step.earlier) for step in time.steps.values())
