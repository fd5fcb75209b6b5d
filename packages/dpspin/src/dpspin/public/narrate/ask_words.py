"""The words of a question: what they name, what they ask for, and which of them say nothing.

Questions are read in English, as reports are written. Words are compared by their stems.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.look_up import Place, found, stems
from dpspin.public.narrate.view_names import Span, names_in_question

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
TOP: Final = frozenset(stems("biggest largest top main most major worst highest first important frequent common often"))
LACKS: Final = frozenset(stems("missing lack lacks lacking gap gaps absent forgot forgotten else"))
EXAMPLES: Final = frozenset(stems("example examples quote quotes quotation sentence instance verbatim"))
COUNTED: Final = frozenset(
    stems("record records ticket review user users customer customers complaint people total everyone")
)
UNTOLD: Final = frozenset(stems("why who whose whom"))
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
        "want big bad good s t"
    )
)
SAID: Final = SAY_NOTHING | WHERE | WHEN | LARGER | SMALLER | TOP | LACKS | EXAMPLES | COUNTED | UNTOLD
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
        return "many" in self.words and self.has(COUNTED)

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

    Beside a theme that is named, a word that nobody knows says nothing; alone it is what the question is about. An area
    is named where nothing else is: beside other words, its own may be words of a theme.
    """
    names, with_areas = (names_in_question(facts, stems(question), areas=areas) for areas in (False, True))
    if not names.places and all(names.words[place] in SAID for place in with_areas.free):
        names = with_areas
    words = names.words
    left = [place for place in names.free if words[place] not in SAID]
    behind = [place for place in left if place and words[place - 1] in INTRODUCES]
    left = [place for place in left if place in behind or not words[place].isdecimal()]  # as in "top 3"
    loose = [words[place] for place in left if place not in behind]
    places: tuple[Place, ...] = names.places or (found(facts, " ".join(loose)) if loose else ())
    unknown = behind if places else left
    return Question(
        words,
        places,
        _themes_in(facts, places)[:MOST_THEMES],
        names.values,
        names.facets,
        tuple(words[place] for place in unknown),
        introduced=bool({*behind} & {*unknown}),
    )


def _themes_in(facts: Facts, places: Sequence[Place]) -> tuple[int, ...]:
    """Return themes; of an area its listed ones are meant."""
    each = (
        [one for one in facts.areas[place] if one in facts.listed] if isinstance(place, str) else [place]
        for place in places
    )
    return tuple(dict.fromkeys(theme for themes in each for theme in themes))
