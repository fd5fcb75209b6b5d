"""Read numbers out of a passage: digits, percentages, number words, multiples and fractions in words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from dpspin.public.stage3_narrate.verify.passages import Passage

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6}
NUMBER_WORDS = {word: value for value, word in enumerate(_UNITS.split())} | {
    word: 10 * value for value, word in enumerate(_TENS.split(), start=2)
}
_PERCENT = r"\s?(?:%|percent\b|per\s+cent\b|pct\b|percentage\s+points?\b)"

_NUMBER = re.compile(
    r"(?P<digits>(?:(?<![\w.,)\]%])[-−])?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?)"
    rf"(?:(?P<percent>{_PERCENT})|(?P<times>\s?(?:x|×|-?\s?fold|times)\b)|(?P<ordinal>(?:st|nd|rd|th)\b))?",
    re.IGNORECASE,
)
_NUMBER_WORD = rf"(?:{'|'.join(NUMBER_WORDS)})"
_BEFORE_ONE = ("top", "bottom", "higher", "lower", "moderate", "medium", "high", "low", "which", "each", "every")
_NOT_COUNTING = "|".join(rf"(?<={word}\s)" for word in _BEFORE_ONE)
_WORD = re.compile(
    rf"\b(?!(?:{_NOT_COUNTING})one\b)(?!(?:one)\b(?!\s*,|\s+(?:hundred|thousand|in\b|out\b|each\b|was\b|is\b|has\b|with\b|(?:in\s+)?(?:the\s+)?(?:very\s+)?(?:high|moderate|medium|low)\b|shows?\b|falls?\b|reaches\b|lies\b|sits\b|in\b|of\b(?!\s+(?:the|these|those|them|our|its|several)\s+(?!(?:\d|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)))|(?:\w+\s+){{0,2}}?(?:theme|topic|entry|atom)\b)))"
    rf"(?P<words>{_NUMBER_WORD}(?:[\s-]+(?:and\s+)?(?:{_NUMBER_WORD}|hundred|thousand|million))*(?:\s+point(?:\s+{_NUMBER_WORD})+)?)\b"
    rf"(?P<percent>{_PERCENT})?(?P<per>\s+(?:in|out\s+of)\s+(?:every\s+)?(?:{_NUMBER_WORD}|hundred|\d+)\b)?(?P<times>[\s-]+(?:times|fold)\b)?",
    re.IGNORECASE,
)
_SINGLE = re.compile(r"(?<=\ba\s)single(?=\s+(?:\w+\s+){0,2}?(?:theme|topic|entry|atom|concept)\b)", re.IGNORECASE)
_VAGUE = re.compile(
    r"\b(?:half|halves|thirds?(?=\s+of)|(?:a|one)\s+third|two[\s-]thirds|quarters?|twice|thrice|double[sd]?|tripl(?:e[sd]?)"
    r"|quadruple[sd]?|dozens?|hundreds|thousands|millions?|billions?|\d+\s+(?:in|out\s+of)\s+(?:every\s+)?\d+)\b",
    re.IGNORECASE,
)


_HUNDRED = 100
_FLOAT_DUST = 1e-9  # a share that was multiplied by 100 may miss its own decimals by this


class Kind(Enum):
    """How a number is written, which decides what it may stand for."""

    DIGITS = "digits"
    PERCENT = "percent"
    WORD = "word"
    ORDINAL = "ordinal"
    VAGUE = "vague"  # a multiple or a fraction in words: never a released value


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as written: its value, and to how many decimals it was given."""

    kind: Kind
    value: float
    decimals: int
    start: int  # in the passage's masked text
    end: int

    def as_percent(self) -> "Quantity":
        """Read the same number as a percentage."""
        return replace(self, kind=Kind.PERCENT)

    def rounds(self, released: float) -> bool:
        """Tell whether this is the released value, rounded to the decimals written.

        >>> Quantity(Kind.DIGITS, 318.4, 1, 0, 5).rounds(318.4372), Quantity(Kind.DIGITS, 318.4, 1, 0, 5).rounds(318.46)
        (True, False)
        """
        if self.value == 0 and self.decimals == 0 and self.kind is not Kind.PERCENT:
            return released == 0  # "zero support" claims more than "0%"
        slack = 0.5 * 10.0**-self.decimals + 1e-9 * max(1.0, abs(released))
        return abs(self.value - released) <= slack

    def rounds_down(self, released: float) -> bool:
        """Tell whether this is the released value, cut off at the decimals written.

        >>> [Quantity(Kind.PERCENT, value, 1, 0, 5).rounds_down(14.89) for value in (14.7, 14.8, 14.9)]
        [False, True, False]
        """
        return -_FLOAT_DUST <= released - self.value < 10.0**-self.decimals

    def rounds_up(self, released: float) -> bool:
        """Tell whether this is the released value, raised to the decimals written."""
        return -_FLOAT_DUST <= self.value - released < 10.0**-self.decimals

    def equals(self, released: float) -> bool:
        """Tell the same for constants, which an integer must hit exactly: 1 is not epsilon = 0.8."""
        exact = abs(self.value - released) <= 1e-9 * abs(released)
        return exact or (self.decimals > 0 and self.value != 0 and self.rounds(released))


def quantities_of(passage: Passage) -> Iterator[Quantity]:
    """Yield every number of a passage; digits inside labels and markers are masked and claim nothing."""
    for match in _VAGUE.finditer(passage.masked):
        yield Quantity(Kind.VAGUE, 0.0, 0, *match.span())
    for match in _NUMBER.finditer(passage.masked):
        yield _from_digits(match)
    for match in _WORD.finditer(passage.masked):
        yield _from_words(match)
    for match in _SINGLE.finditer(passage.masked):
        yield Quantity(Kind.WORD, 1.0, 0, *match.span())


def _from_words(match: re.Match[str]) -> Quantity:
    if match["per"] or match["times"]:
        return Quantity(Kind.VAGUE, 0.0, 0, *match.span())
    whole, _, decimals = match["words"].casefold().partition(" point ")
    digits = "".join(str(NUMBER_WORDS[word]) for word in decimals.split())
    value = float(f"{spelled(whole)}.{digits or 0}")
    return Quantity(Kind.PERCENT if match["percent"] else Kind.WORD, value, len(digits), *match.span())


def spelled(words: str) -> int:
    """Read a whole number in words.

    >>> spelled("one thousand four hundred"), spelled("twenty-one"), spelled("two hundred and four")
    (1400, 21, 204)
    """
    total = current = 0
    for word in re.split(r"[\s-]+", words.strip()):
        if word in _SCALES:
            current = max(1, current) * _SCALES[word]
            if _SCALES[word] > _HUNDRED:
                total, current = total + current, 0
        elif word != "and":
            current += NUMBER_WORDS[word]
    return total + current


def _from_digits(match: re.Match[str]) -> Quantity:
    digits = match["digits"].replace(",", "").replace("−", "-").casefold()
    mantissa, _, exponent = digits.partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return Quantity(_kind_of(match), float(digits), max(0, decimals), *match.span())


def _kind_of(match: re.Match[str]) -> Kind:
    if match["percent"]:
        return Kind.PERCENT
    if match["times"]:
        return Kind.VAGUE
    return Kind.ORDINAL if match["ordinal"] else Kind.DIGITS
