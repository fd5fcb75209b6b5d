"""Where prose speaks of themes, by marker or label, and what a summary never holds: pieces of records, importance."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.plan_fields import ANY_MARKER
from dpspin.public.narrate.verify import Span
from dpspin.text.personal import ADDRESSES, TITLED_NAME, Patterns

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
_HOLDER = r"(?:account|acct|case|order|ticket|invoice|claim|policy|booking|transaction|tracking|card|customer|patient)"
RAW_RECORDS: Final[Patterns] = {
    **ADDRESSES,
    "a social security number": re.compile(r"\b\d{3}-\d{2}-\d{4}\b"),
    "a phone number": re.compile(r"(?<![\w.,])(?:\+\d{1,3}[\s.-]?)?(?:\(\d{2,4}\)|\d{2,4})[\s.-]\d{3}[\s.-]\d{3,4}\b"),
    "an identifier": re.compile(
        rf"(?i:\b{_HOLDER}s?\s*(?:number|no\.?|id)?\s*[:#]?\s*#?[a-z]{{0,4}}-?\d[\w-]{{2,}})|\b[A-Z]{{2,}}-?\d{{3,}}\b"
    ),
    "a date": re.compile(
        rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}\b|\b{_MONTH}\.?\s+\d{{1,4}}(?:st|nd|rd|th)?\b"
        rf"|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b"
    ),
    "a day": re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"),
    "a long number": re.compile(r"(?<![\d.,])\d{7,}(?!\d|[.,]\d)"),
    "a person's name": re.compile(rf"{TITLED_NAME}|\b(?:named|called|by the name of)\s+[A-Z]\w+"),
    "a quotation": re.compile(r"[“\"«](?:[^\s“”\"«»]+\s+){4,}[^\s“”\"«»]+[”\"»]"),
}
IMPORTANCE: Final = re.compile(
    r"\b(?:more|most|less|least|very|highly|equally)\s+(?:significant|serious|pressing|relevant|severe)\b"
    r"|\b(?:un)?importan(?:t|ce)\b(?!\s+to\s+note\b)|\bmatters?\s+(?:the\s+)?(?:most|more|less|least)\b"
    r"|\bpriorit(?:y|ies)\b|\b(?:crucial|critical|paramount)\b",
    re.IGNORECASE,
)
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_PLACE = rf"{'|'.join(_PLACES)}|(?:number\s+|no\.\s*|#)?\d{{1,6}}(?:st|nd|rd|th)?"
COMPARISON: Final = re.compile(
    r"\b(?P<exceeds>exceeds?|outweighs?|outranks?|surpass(?:es)?)\b|"
    r"\b(?P<up>higher|greater|larger|stronger|more)?(?P<down>lower|smaller|weaker|less)?(?<=\w)"
    r"(?:\s+(?:released|semantic|noisy|overall))*\s+(?:support|mass|rank|weight)\s+than\b|"
    r"\bis\s+(?:(?P<is_up>higher|larger|greater)|(?P<is_down>lower|smaller))\s+than\b",
    re.IGNORECASE,
)
_FREQUENT = (
    r"(?:common|discussed|dominant|frequent|mentioned|predominant|prevalent|prominent|recurring|reported|supported"
    r"|widespread)"
)
SUPERLATIVE: Final = re.compile(  # or a rank: `place` is the one that is claimed, the first where there is none
    rf"(?:\b(?P<place>{_PLACE})[\s-]+)?\b(?:highest|largest|greatest|strongest|most)"
    r"(?:\s+(?:released|semantic|noisy|overall))*\s+(?:support|mass|rank|weight|theme)\b|\btop-ranked\b"
    rf"|\brank(?:s|ed)?\s+(?:highest|(?P<rank>{_PLACE}))\b"
    rf"|(?<!of )(?<!among )\bthe\s+(?:(?P<nth>{_PLACE})[\s-]+)?most\s+(?:\w+ly\s+)?{_FREQUENT}\b(?!\s+\w+s\b)"
    r"|\bthe\s+(?:top|leading|dominant|main|primary|principal|predominant)\s+(?:theme|concern|issue|topic|complaint)\b",
    re.IGNORECASE,
)
FIGURE: Final = re.compile(
    r"(?<![\w.,])(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)(?P<percent>\s?%|\s+percent\b)?(?!\w)"
    r"(?P<themes>(?=\s+(?:\w+\s+)?themes\b))?"
)


def claimed_rank(superlative: re.Match[str]) -> int:
    """Return the rank that a superlative or a rank claim speaks of.

    >>> [claimed_rank(found) for found in SUPERLATIVE.finditer("highest support, second-highest mass, ranked 3rd")]
    [1, 2, 3]
    >>> [claimed_rank(found) for found in SUPERLATIVE.finditer("the most common one, the second most common one")]
    [1, 2]
    """
    said = (superlative["place"] or superlative["rank"] or superlative["nth"] or "first").casefold()
    return _PLACES.index(said) + 1 if said in _PLACES else int("".join(filter(str.isdecimal, said)))


def raw_records_in(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield what looks like a piece of a record, and where it stands."""
    for what, pattern in RAW_RECORDS.items():
        yield from ((what, found.span()) for found in pattern.finditer(text))


CLAUSE: Final = re.compile(r"(?:[^.;\n]|\.(?=\d))+")
TURN: Final = re.compile(r"\s*,?\s+(?:while|whereas|but)\s+")


@dataclass(frozen=True, slots=True)
class Mention:
    """One theme at one place; ``marked`` where it is its marker."""

    atom: int
    span: Span
    marked: bool


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence, with the themes that it speaks of, in order."""

    text: str
    start: int
    mentions: tuple[Mention, ...]

    def beside(self, place: int) -> tuple[list[int], list[int]]:
        """Return the themes before and behind a place of the text."""
        before = dict.fromkeys(mention.atom for mention in self.mentions if mention.span[0] < place)
        behind = dict.fromkeys(mention.atom for mention in self.mentions if mention.span[0] >= place)
        return list(before), list(behind)


@dataclass(frozen=True)
class Prose:
    """A text, and where it speaks of the themes of a dictionary."""

    text: str
    atoms: AtomUniverse

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """All of them, in order; of labels that overlap the longest."""
        markers = [Mention(int(found[1]), found.span(), marked=True) for found in ANY_MARKER.finditer(self.text)]
        known = {atom.label.casefold(): int(atom.id) for atom in self.atoms.atoms}
        words = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
        pattern = re.compile(rf"(?<!\w)({words})s?(?!\w)", re.IGNORECASE)
        labels = [
            Mention(known[found[1].casefold()], found.span(1), marked=False) for found in pattern.finditer(self.text)
        ]
        return tuple(sorted((*markers, *labels), key=lambda each: each.span))

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of the text: a sentence may turn to other themes."""
        return tuple(self._clauses())

    def _clauses(self) -> Iterator[Clause]:
        for sentence in CLAUSE.finditer(self.blotted):
            start = sentence.start()
            turns = [found.end() for found in TURN.finditer(sentence[0])]
            for begin, end in zip([0, *turns], [*turns, len(sentence[0])], strict=True):
                inside = (start + begin, start + end)
                own = tuple(each for each in self.mentions if inside[0] <= each.span[0] < inside[1])
                yield Clause(self.text[slice(*inside)], inside[0], own)

    def named_beside(self, place: int) -> set[int]:
        """Return the themes of the clause at a place of the text."""
        clauses = (each for each in self.clauses if each.start <= place < each.start + len(each.text))
        return {mention.atom for clause in clauses for mention in clause.mentions}

    @cached_property
    def blotted(self) -> str:
        """The text with its themes blotted out, so that a label's own words say nothing."""
        letters = list(self.text)
        for mention in self.mentions:
            letters[slice(*mention.span)] = "\u2022" * (mention.span[1] - mention.span[0])
        return "".join(letters)
