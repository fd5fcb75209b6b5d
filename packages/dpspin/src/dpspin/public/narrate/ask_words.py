"""The words of a question: what they name, what they ask for, and which of them say nothing.

Questions are read in English, as reports are written. Words are compared by their stems. Every word must be accounted
for: one that belongs neither to what is named nor to the art of asking leaves a question without an answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dpspin.boundary.facets import PeriodFacet
from dpspin.public.narrate.ask_beyond import RECORDS, WRITERS, Beyond, beyond
from dpspin.public.narrate.ask_vocabulary import explained, is_named, named_in, not_opposed, themes_with
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.look_up import Place, found, stems
from dpspin.public.narrate.view_names import NamesInQuestion, Span, names_in_question, period_words

WHERE: Final = frozenset(stems("where than versus vs differ different difference compare compared comparison apart"))
WHEN: Final = frozenset(
    stems(
        "when since between change changed changing rise rose risen rising fall fell fallen falling grow grew grown "
        "growing drop dropped dropping move moved moving increase increased increasing decrease decreased decreasing "
        "trend trending develop developed worse worsen worsening better improve improved improving evolve evolved"
    )
)
LARGER: Final = frozenset(stems("larger higher bigger greater more most largest highest biggest worst"))
SMALLER: Final = frozenset(stems("smaller lower less fewer least smallest lowest best"))
EXTREMES: Final = frozenset(stems("most largest highest biggest worst least smallest lowest best"))
TOP: Final = frozenset(
    stems(
        "biggest largest top main most major worst highest first important frequent common often leading leads lead "
        "principal chief key dominant dominates summarise summarize summary overview listed headline no1"
    )
)
LACKS: Final = frozenset(stems("missing lack lacks lacking gap gaps absent forgot forgotten else none uncovered"))
PROMISES: Final = frozenset(
    stems("private privacy epsilon delta protect protected protects protection anonymous noise promise promises")
)
SORTING: Final = frozenset(
    stems(
        "trust trustworthy sorting sorted classifier classification automatic accuracy accurate precision recall "
        "reliable mistaken"
    )
)
SAMPLES: Final = frozenset(stems("sample sampled"))
AREAS: Final = frozenset(stems("area areas category categories heading headings"))
EXAMPLES: Final = frozenset(stems("example examples quote quotes quotation sentence instance verbatim"))
PARTS: Final = frozenset(stems("percentage percent proportion part fraction share"))
COUNTED: Final = frozenset(
    stems("record records ticket review user users customer customers complaint people total everyone")
)
INTRODUCES: Final = frozenset(stems("in than between from to and by since for versus vs"))  # a value or a facet
SAY_NOTHING: Final = frozenset(
    stems(
        "is are was were be been do does did has have had the a an of on at in to from and or how what which much "
        "many common often frequent share part theme themes by with it its there this that us me about time "
        "period month year week quarter day value for any i we you they he she my our your their can could would "
        "should will please tell show give say see know find look list let explain describe some all every get "
        "getting got become problem issue trouble topic subject complaint complain complains complaining "
        "complained mention mentions mentioned write writes wrote talk talks talking people person customer user "
        "client record ticket review text message dictionary release report data here thing one over like "
        "want big bad good s t large small widespread popular prevalent serious bother bothers bothering annoy annoys "
        "annoying frustrate frustrates frustrating upset upsets upsetting worry worries worrying concern concerns "
        "concerning concerned matter matters care report reports reported raise raised say says said come comes came "
        "up think thinks feel feels felt ask asks asked asking use uses used using draw draws cause trouble lot lots "
        "percentage percent proportion fraction number rate rates amount overall currently now really actually ever "
        "still just also too very quite rather am being not no nor but so if then when point points thing things "
        "important regarding concerning relate relates related about around fit fits belong belongs read spent single "
        "whole help according two three four five ten as something anything nothing everything take takes took make "
        "makes made go goes keep keeps put seem seems forever always never ever sometimes constantly who grumble "
        "grumbles grumbling moan moans moaned moaning gripe gripes contact contacts contacted altogether play plays "
        "figure figures sure brings brought margin error interval certain certainty mean means meaning together human "
        "these those them out rank ranking added add check checked hand"
    )
)
SAID: Final = frozenset().union(
    *(
        SAY_NOTHING,
        WHERE,
        WHEN,
        LARGER,
        SMALLER,
        TOP,
        LACKS,
        EXAMPLES,
        COUNTED,
        PROMISES,
        SORTING,
        SAMPLES,
        AREAS,
        WRITERS,
        RECORDS,
    )
)
BEFORE_A_VALUE: Final = frozenset(
    stems("in by between since at on during among before after")
)  # what stands behind is no mere word of a theme
JOINS: Final = frozenset(stems("or than versus vs and with beside compared"))  # one theme to another
TIMES: Final = re.compile(r"\b(?:19|20)\d\d(?:-\d\d-\d\d)?\b")  # a year, or a day
IN_NAMES: Final = 4  # ways of looking: by a name, its words, another name of the dictionary, or some words of a name
HOW: Final = "ly"  # adverbs say how, and not what
WELL: Final = frozenset(stems("perfectly well fine smoothly flawlessly successfully easily quickly promptly"))
TOP_OF_SO_MANY: Final = re.compile(
    r"\btop (?:\d+|two|three|four|five|six|seven|eight|nine|ten|twenty)\b", re.IGNORECASE
)
FITS_NONE: Final = re.compile(
    r"\b(?:not|n[’']t|never) (?:\w+ )?(?:fit|belong|sorted|filed|categori[sz]ed)\b|\bno (?:theme|category|heading)\b",
    re.IGNORECASE,
)
NUMBER_ONE: Final = re.compile(r"\bnumber (?:one|1)\b|#1\b|\bno\. ?1\b", re.IGNORECASE)
THAN_SO_MUCH: Final = re.compile(r"\bthan (?=\d)", re.IGNORECASE)  # a level, and nothing to compare with
ACRONYM: Final = re.compile(r"\b[A-Z]{2,4}\b")  # IT is no "it", and US not "us"
MOST_THEMES: Final = 5  # that one question is answered for


@dataclass(frozen=True, slots=True)
class Question:
    """A question, taken apart: what it names, and the words that name nothing."""

    words: tuple[str, ...]
    places: tuple[Place, ...]  # themes and areas
    themes: tuple[int, ...]  # the same, areas by their listed themes
    values: tuple[Span, ...]  # each may be a value of several facets
    facets: tuple[str, ...]
    unknown: tuple[str, ...]
    introduced: bool  # what is unknown stands where a value or a facet would
    beyond: Beyond | None = None  # why nobody could answer it
    fits_none: bool = False  # it asks for what no theme took
    left: tuple[str, ...] = ()  # words that belong neither to a whole name nor to the art of asking

    def has(self, words: frozenset[str]) -> bool:
        """Whether any of these words is in it."""
        return bool(words & {*self.words})

    @property
    def asks_when(self) -> bool:
        """Whether it asks for a change in time, and not for a place."""
        return self.has(WHEN) and "where" not in self.words

    @property
    def asks_how_many(self) -> bool:
        """Whether it asks for a number of records or people."""
        of_those = any(
            part in PARTS and of == "of" and who in WRITERS
            for part, of, who in zip(self.words, self.words[1:], self.words[2:], strict=False)
        )
        return of_those or ("many" in self.words and self.has(COUNTED))

    @property
    def sides(self) -> tuple[bool, ...]:
        """Whether larger or smaller shares are asked for, or both."""
        asked = {True: self.has(LARGER), False: self.has(SMALLER)}
        return tuple(side for side, wanted in asked.items() if wanted) or (True, False)

    def introduces(self, word: str) -> bool:
        """Whether a word stands behind one that introduces a value or a facet."""
        return any(self.words[at - 1] in INTRODUCES for at, each in enumerate(self.words) if at and each == word)


def taken_apart(facts: Facts, question: str) -> Question:
    """Find the names in a question; what is left over and follows no preposition may be words of a theme.

    An area is named where nothing else is: beside other words, its own may be words of a theme.
    """
    asked = stems(NUMBER_ONE.sub("no1", THAN_SO_MUCH.sub("", question)))
    names, with_areas = (names_in_question(facts, asked, areas=areas) for areas in (False, True))
    if not names.places and all(names.words[place] in SAID for place in with_areas.free):
        names = with_areas
    words = names.words
    said = SAID - _acronyms(question) | _own_period(facts)
    left = [place for place in names.free if words[place] not in said and not words[place].endswith(HOW)]
    behind = [place for place in left if place and words[place - 1] in INTRODUCES]
    left = [place for place in left if place in behind or not words[place].isdecimal()]  # as in "top 3"
    if {*words} & (TOP | AREAS) and {words[place] for place in left} <= {*stems(facts.plan.title)}:
        left = []  # the title names the whole
    meant = names.places if TOP_OF_SO_MANY.search(question) else _meant(facts, names, left, behind)
    places = not_opposed(facts, meant, question)
    if WELL & {*words} - {word for place in names.places for word in stems(_name(facts, place))}:
        places = ()  # what worked well is no part of what was filed under trouble with it
    left_words = [words[place] for place in left]
    loosely = [place for place in places if place not in names.places]
    known = explained(facts, names.places, left_words, by_examples=False)
    known |= explained(facts, loosely, left_words, by_examples=True)
    named = named_in(facts, places, known)
    unknown = [place for place in left if words[place] not in (named if _narrows(words, place) else known)]
    return Question(
        words,
        places,
        _themes_in(facts, places)[:MOST_THEMES],
        names.values,
        names.facets,
        tuple(words[place] for place in unknown),
        introduced=bool({*behind} & {*unknown}),
        beyond=Beyond.OPPOSITE if meant and not places else _beyond(facts, question, names, places),
        fits_none=FITS_NONE.search(question) is not None,
        left=tuple(left_words),
    )


def _name(facts: Facts, place: Place) -> str:
    return place if isinstance(place, str) else facts.labels[place]


def _acronyms(question: str) -> frozenset[str]:
    """Return words that are spelt in capitals alone, in a question that is not."""
    return (
        frozenset()
        if question.isupper()
        else frozenset(word for one in ACRONYM.findall(question) for word in stems(one))
    )


def _own_period(facts: Facts) -> frozenset[str]:
    """Return the words for the one period that the whole plan is about."""
    series = facts.plan.series
    return frozenset() if series is None else frozenset(period_words(series.period, series.terms.every))


def _beyond(facts: Facts, question: str, names: NamesInQuestion, places: tuple[Place, ...]) -> Beyond | None:
    """Return why nobody could answer it: by its shape, or by a time of which nobody measured a theme."""
    of_sorting = not places and {*names.words} & SORTING
    if of_sorting or FITS_NONE.search(question):
        return None
    by_shape = beyond(question, names.words, names.free, _facet_words(facts))
    if by_shape is None and places and not {*TIMES.findall(question)} <= _times(facts):
        return Beyond.NO_TIME
    return by_shape


def _times(facts: Facts) -> frozenset[str]:
    """Return the years, and the days, that the values of its views and its own words speak of."""
    series = facts.plan.series
    told = [facts.plan.title, *(value for table in facts.views.values() for value in table.view.facet.declared)]
    periods = () if series is None else series.terms.every.declared
    found = {one for text in map(str, (*told, *periods)) for one in TIMES.findall(text)}
    return frozenset(found | {day[:4] for day in found})


def _narrows(words: Sequence[str], place: int) -> bool:
    """Tell whether a word narrows down where, when, or who wrote: then it is more than one of a theme's own words."""
    before, after = (words[each] if 0 <= each < len(words) else "" for each in (place - 1, place + 1))
    return before in BEFORE_A_VALUE or after in WRITERS or (after in RECORDS and words[place].endswith("est"))


def _meant(facts: Facts, names: NamesInQuestion, left: list[int], behind: list[int]) -> tuple[Place, ...]:
    """Return the themes that are meant: by whole names, by all words together, or each side of an `or` by its own."""
    words = names.words
    loose = [words[place] for place in left if place not in behind]
    if not names.places and loose and (by_name := found(facts, " ".join(loose), IN_NAMES)):
        return by_name
    if not names.places and (together := themes_with(facts, [words[place] for place in left])):
        return together
    sides: list[list[str]] = [[]]
    for place, word in enumerate(words):
        if word in JOINS:
            sides.append([])
        elif place in left and not (place and words[place - 1] in BEFORE_A_VALUE):
            sides[-1].append(word)
    known = explained(facts, names.places, [word for side in sides for word in side], by_examples=False)
    each = [
        themes_with(facts, side) for side in sides if side and (not known.issuperset(side) or is_named(facts, side))
    ]
    both = len(sides) > 1 and len(each) + len(names.places) > 1 and all(each)
    return tuple(dict.fromkeys((*names.places, *(theme for one in each for theme in one)))) if both else names.places


def _facet_words(facts: Facts) -> frozenset[str]:
    """Return the words by which the views of a release are asked for."""
    titles = (word for title in facts.views for word in stems(title))
    steps = (table.view.facet.every for table in facts.views.values() if isinstance(table.view.facet, PeriodFacet))
    periods = () if facts.plan.series is None else (facts.plan.series.terms.every.every,)
    return frozenset((*titles, *steps, *periods))


def _themes_in(facts: Facts, places: Sequence[Place]) -> tuple[int, ...]:
    """Return themes; of an area its listed ones are meant."""
    each = (
        [one for one in facts.areas[place] if one in facts.listed] if isinstance(place, str) else [place]
        for place in places
    )
    return tuple(dict.fromkeys(theme for themes in each for theme in themes))
