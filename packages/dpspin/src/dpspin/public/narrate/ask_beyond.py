"""What no release can say, told by how a question is built: why, who, what somebody wrote, what will be, what to do.

A question is answered only where everything that it asks for was measured. So the shape of a question is looked at
before its words are looked up: a theme that stands in a question about a cause makes the cause no better known.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final

from dpspin.public.narrate.look_up import stems


class Beyond(StrEnum):
    """Why there is no answer, in fixed sentences."""

    CAUSE = "This release cannot say why: it measures how much was filed under which theme, and no cause or reason."
    PERSON = "This release cannot say who: nobody is named or singled out in it, and it was made so that nobody can be."
    RECORD = "This release cannot say what anybody wrote: no record is in it, and none can be shown."
    FUTURE = "This release cannot say what will be, or would be: it is about records that had been written."
    ADVICE = "This release cannot say what to do: it measures shares of themes, and gives no advice."
    OTHERS = (
        "This release cannot say anything about others: it is about its own records, and compares with nothing else."
    )
    ASSUMED = "This release cannot say that: the question takes for granted what was not measured."
    UNMEASURED = (
        "This release cannot say that: only shares of its themes and areas were measured, and nothing else about them."
    )
    NEGATED = (
        "This release cannot say that: a share is of what was filed under a theme, and what texts do not say was not "
        "measured."
    )
    OPPOSITE = "This release cannot say that: the nearest theme is about the opposite of what the question asks for."
    NO_PLACE = "This release cannot say where: no view of it is by that, or it cannot tell that apart within the noise."
    NO_TIME = "This release cannot say that of a time: it has no value for it, or the noise hides the change."
    NO_SHARE = "This release cannot say how much: it released no value for that."
    UNKNOWN = "This release cannot say that: the question has words that none of its themes, areas or views knows."


def _words(text: str) -> frozenset[str]:
    return frozenset(stems(text))


DENIES: Final = _words("not no never without except neither nor hardly")
WRITERS: Final = _words(
    "people person customer client user guest diner visitor reviewer employee staff colleague worker respondent "
    "patient student buyer shopper member reader writer caller subscriber passenger tenant citizen everybody everyone "
    "anybody anyone somebody someone they we you others folk"
)
RECORDS: Final = _words(
    "record ticket review complaint message text chat conversation comment answer response email letter post entry "
    "survey feedback report"
)
ITSELF: Final = _words("release report dictionary plan data it")
ASKED_FOR: Final = _words(
    "theme topic issue problem area subject thing point category heading concern share percentage percent proportion "
    "part fraction number rate is are was were do does did has have of in the a an be one epsilon delta loss "
    "confidence about else more most larger bigger largest biggest smaller got get become grew grow rose fell change "
    "kind sort type and or view changed happen comes come stands main top"
)
QUANTITY: Final = _words(
    "many much often common frequent frequently big large small widespread popular prevalent important serious certain "
    "sure likely private do does did is are was were far about come high low"
)
COUNTABLE: Final = (
    WRITERS
    | RECORDS
    | _words(
        "of ask asks mention mentions say says report reports want wants complain complains talk write wrote think "
        "feel have had has are is were was do did time times find found use try get got"
    )
)
LEVELS: Final = _words("high low long short")
SHARE_ASKED: Final = _words("share percentage percent proportion part fraction rate noise epsilon loss confidence")
PAID: Final = _words("fee charge price discount pay cost refund salary bill invoice subscription")
TROUBLE: Final = _words("trouble problem complain complaining noise privacy")
SAYS_DID: Final = _words("do does did")
SHOWS: Final = _words("show give quote print copy read display paste output reveal see repeat recite share")
ONE: Final = _words("a an one the that this third first second newest oldest last every each raw individual")
LISTS: Final = _words("name list identify show give find")
NUMBERS: Final = _words("one two three four five ten some all the every each any")
BEFORE_A_NOUN: Final = _words("the our my your their these those most all many some other a an of")

# By a single word that names nothing else in the question, in the order of the reasons.
BY_WORD: Final = {
    Beyond.CAUSE: _words("why because reason reasons due explanation"),
    Beyond.PERSON: _words("who whose whom mr mrs ms dr"),
    Beyond.FUTURE: _words("will shall tomorrow next predict prediction forecast if"),
    Beyond.ADVICE: _words("should ought"),
    Beyond.ASSUMED: _words("doubled double tripled triple halved halve quadrupled quadruple"),
    Beyond.NEGATED: DENIES,
    Beyond.OTHERS: _words("rival rivals competitor competitors another elsewhere industry sector"),
}
# By how a part of it is put together.
BY_SHAPE: Final = {
    Beyond.ASSUMED: r"^\W*(?:since|because|given|now that|considering|seeing that|as|after)\b[^?]*,",
    Beyond.CAUSE: r"\b(?:what|which)\W+(?:\w+\W+)?caus|\bcaus\w+ (?:of|for|by)\b|\b(?:leads?|led) to\b|\baffects?\b",
    Beyond.PERSON: r"\b(?:phone|telephone|mobile|account|card|order|customer|serial|reference|tracking|id|security|"
    r"contract|policy|invoice|room|booking|member\w*|employee|ticket|case|user) numbers?\b(?! one\b)",
    Beyond.RECORD: r"word for word|verbatim|exact words|\bthat (?:some|any)(?:one|body) (?:asked|wrote|said|sent)\b",
    Beyond.FUTURE: r"\bwould happen\b",
    Beyond.UNMEASURED: r"\b(?:of|among) (?:those|people|customers|users|guests|employees|the ones)\b.*\balso\b|"
    r"^\W*(?:how many|what (?:share|percentage|proportion|part))\b.*\balso\b",
    Beyond.NEGATED: r"\b(?:anything|everything|all) but\b",
    Beyond.OTHERS: r"\bthan (?:before|usual|normal|last (?:year|time))\b",
    Beyond.ADVICE: r"\b(?:can|could|would|will) you\b(?! (?:please )?(?:tell|show|say|list|give|summari[sz]e))",
}
NAMES_ONE: Final = re.compile(r"\b(?=\w*\d\w*\d)(?=\w*[A-Za-z])\w+\b")  # u000123: letters and at least two digits
A_PERIOD: Final = re.compile(r"\b\d{4}-?(?:Q\d|W\d\d?|\d\d)\b|\b(?:Q\d|W\d\d?)\b", re.IGNORECASE)


def beyond(question: str, words: Sequence[str], free: Sequence[int], facets: frozenset[str]) -> Beyond | None:
    """Return why a question asks for what no release tells; ``free`` are the places of words that name nothing.

    ``facets`` are the words by which the views of this release may be asked for.
    """
    return next(_reasons(question, words, free, facets), None)


def _reasons(question: str, words: Sequence[str], free: Sequence[int], facets: frozenset[str]) -> Iterator[Beyond]:
    yield from (why for why, shape in BY_SHAPE.items() if re.search(shape, question, re.IGNORECASE))
    said = {words[place] for place in free if not _tells_which(words, place)}
    yield from (why for why, known in BY_WORD.items() if said & known)
    if NAMES_ONE.search(A_PERIOD.sub("", question)) or _lists_people(words):
        yield Beyond.PERSON
    if _shows_a_record(words):
        yield Beyond.RECORD
    yield from _asked_for(words, facets)
    if _counts_others(words, free):
        yield Beyond.UNMEASURED


def _tells_which(words: Sequence[str], place: int) -> bool:
    """Tell whether a `who` stands behind those who wrote, of whom it says more, and asks for nobody."""
    return words[place] == "who" and place > 0 and words[place - 1] in WRITERS


def _lists_people(words: Sequence[str]) -> bool:
    """Tell whether people are to be named: a verb of listing, and behind it so many of those who wrote."""
    behind = [words[at + 1 :] for at, word in enumerate(words) if word in LISTS]
    return any(next((word for word in later if word not in NUMBERS), "") in WRITERS for later in behind)


def _shows_a_record(words: Sequence[str]) -> bool:
    """Tell whether one record is to be shown: a verb of showing, and behind it a single record."""
    behind = [words[at + 1 : at + 6] for at, word in enumerate(words) if word in SHOWS]
    return any(one in ONE and noun in RECORDS for later in behind for one, noun in pairwise(later))


def _asked_for(words: Sequence[str], facets: frozenset[str]) -> Iterator[Beyond]:
    """Yield why what stands behind the word that asks (which, what, how) was not measured."""
    for at, (word, behind) in enumerate(pairwise(words)):
        if word == "which" and behind in WRITERS | RECORDS - facets:
            yield Beyond.PERSON
        elif word == "what" and behind in SAYS_DID and not _are_all_who_wrote(words[at + 2 :], facets):
            yield Beyond.RECORD
        elif (
            (word == "how" and behind in LEVELS and not SHARE_ASKED & {*words})
            or (word == "much" and words[at - 1] == "how" and _is_an_amount(words, behind))
            or (word == "which" and behind not in ASKED_FOR | facets)
            or (word == "how" and behind not in QUANTITY)
            or (word == "much" and behind in SAYS_DID | {"money", "time"})
        ):
            yield Beyond.UNMEASURED


def _is_an_amount(words: Sequence[str], behind: str) -> bool:
    """Tell whether an amount of something is asked for, and not how much of what was filed: storage, a fee."""
    if behind in ASKED_FOR:
        return behind in {"is", "are", "was", "were"} and bool(PAID & {*words})
    return behind not in RECORDS | TROUBLE


def _are_all_who_wrote(later: Sequence[str], facets: frozenset[str]) -> bool:
    """Tell whether nobody is singled out: what do our customers mention?."""
    subject = [word for word in later if word not in BEFORE_A_NOUN][:2]  # customers, or bank customers
    return bool({*subject[:1]} & (WRITERS | RECORDS | ITSELF | facets) or {*subject[1:]} & WRITERS)


def _counts_others(words: Sequence[str], free: Sequence[int]) -> bool:
    """Tell whether behind `how many` stands neither who wrote, nor the name of a theme: nobody counted that."""
    counted = [at + 1 for at, word in enumerate(words[:-1]) if word == "many"]
    return any(at in free and words[at] not in COUNTABLE for at in counted)
