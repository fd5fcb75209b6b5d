"""From text to tokens: names of themes and areas, meanings and numbers become one sign each; the rest stays words.

Every name of the dictionary is known, listed or not. A name stands in quotation marks: without them "no pay rise" or
"all themes" would speak, and no list of words that may stand without them can be closed.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final

from dpspin.boundary.plan_fields import MARKER
from dpspin.boundary.printable import ISOLATES
from dpspin.public.atoms.speakable_names import is_right_to_left, look_of
from dpspin.public.narrate.facts import Facts

ALL_SIGNS: Final = tuple(chr(0xE000 + place) for place in range(9))
NAME, NAMES, PERCENT, NUMBER, MEANING, ITEMS, PERIOD, EXAMPLE, EXAMPLES = ALL_SIGNS
SIGNS: Final = "".join(ALL_SIGNS)
ISOLATED: Final = "{}".join(ISOLATES)  # sets a name apart that is written from right to left
SIGNS_OF: Final[Mapping[str, tuple[str, ...]]] = {  # of slots, by their kinds
    "theme": (NAME,),
    "area": (NAME,),
    "facet": (NAME,),
    "segment": (NAME,),
    "candidate": (NAME,),
    "themes": (NAME, NAMES),
    "areas": (NAME, NAMES),
    "items": (f"{NAME} ({PERCENT})", ITEMS),
    "area_items": (f"{NAME} ({PERCENT})", ITEMS),
    "percent": (PERCENT,),
    "points": (NUMBER,),
    "count": (NUMBER,),
    "mass": (NUMBER,),
    "number": (NUMBER,),
    "meaning": (MEANING,),
    "period": (PERIOD,),
    "example": (EXAMPLE,),
    "examples": (EXAMPLES,),
}
FIGURE: Final = (
    r"(?<![\w.,])(?P<figure>-?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*)(?:\.\d+)?)(?P<percent>%)?(?![\w%]|[.,]\d)"
)
PATTERN: Final = re.compile(
    rf"(?:(?<= stands for “)|(?<= read by “))(?P<meaning>[^“”\n]+)(?=”)|\[(?P<example>[^\[\]\n]+)\]|{FIGURE}|"
    rf"(?:[Tt]he theme )?(?<! stands for )(?<! read by )“(?P<name>[^“”]+)”(?: {MARKER})?"
)

PERIODS: Final = (
    r"(?<![\w.,-])(?P<period>{})(?![\w%-]|[.,]\d)"  # as a calendar names them, and never in quotation marks
)


@dataclass(frozen=True, slots=True)
class Named:
    """A name as it stands in a text: what it may be the name of, and the marker behind it."""

    theme: int | None
    area: str | None
    marker: int | None = None
    facet_word: str | None = None  # the name of a facet, of one of its values, or of a candidate


@dataclass(frozen=True, slots=True)
class Figured:
    """A number as it stands in a text."""

    value: Decimal


Token = Named | Figured | str | tuple["Token", ...]  # a string is a meaning, an example or a period, a tuple a list


@dataclass(frozen=True, slots=True)
class Tokenised:
    """A text with a sign for each token; ``origin`` tells where each of its characters stood, and where it ended."""

    text: str
    tokens: tuple[Token, ...]
    origin: tuple[int, ...]

    def part(self, start: int, end: int) -> "Tokenised":
        """Return a part of the text, with the tokens in it."""
        text, before = self.text[start:end], _signs_in(self.text[:start])
        return Tokenised(text, self.tokens[before : before + _signs_in(text)], self.origin[start : end + 1])

    def replaced(self, found: Iterable[tuple[tuple[int, int], str, Token]]) -> "Tokenised":
        """Put a sign with its token in the place of each span, in order."""
        pieces: list[str] = []
        tokens: list[Token] = []
        origin: list[int] = []
        place = 0
        for (start, end), sign, token in found:
            before = self.part(place, start)
            pieces += [before.text, sign]
            tokens += [*before.tokens, token]
            origin += before.origin
            place = end
        rest = self.part(place, len(self.text))
        return Tokenised("".join((*pieces, rest.text)), (*tokens, *rest.tokens), (*origin, *rest.origin))


class Vocabulary:
    """The names of a dictionary, and how they are written and found: in quotation marks, so that none is a word."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    @cached_property
    def _themes(self) -> dict[str, int]:
        return {label: atom for atom, label in self._facts.labels.items()}

    @cached_property
    def _meanings(self) -> frozenset[str]:
        readers = () if self._facts.read is None else (self._facts.read.reader,)
        return frozenset((*self._facts.meanings.values(), *readers))

    @cached_property
    def _examples(self) -> frozenset[str]:
        known = self._facts.examples
        return frozenset() if known is None else frozenset(each for mine in known.sentences.values() for each in mine)

    def written(self, name: str, *, first: bool) -> str:
        """Write a name as a sentence does; with a capital letter where it begins one."""
        capital = name[0].upper() + name[1:]
        shown = capital if first and self._named(capital, None) == self._named(name, None) else name
        return f"“{ISOLATED.format(shown) if is_right_to_left(name) else shown}”"

    def theme(self, label: str, *, first: bool) -> str:
        """Write the name of a theme; and that it is one, where an area is called the same."""
        if label not in self._also_areas:
            return self.written(label, first=first)
        return f"{'The' if first else 'the'} theme {self.written(label, first=False)}"

    @cached_property
    def _also_areas(self) -> frozenset[str]:
        areas = set(map(look_of, self._facts.areas))
        return frozenset(label for label in self._themes if look_of(label) in areas)

    def tokenised(self, text: str) -> Tokenised:
        """Replace every name, meaning, example, period and number by a sign."""
        matches = ((found.span(), self._token(found)) for found in self._pattern.finditer(text))
        known = ((span, *read) for span, read in matches if read is not None)
        return _with_lists(Tokenised(text, (), tuple(range(len(text) + 1))).replaced(known))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Know the periods of a series before numbers are looked for in them."""
        if self._facts.time is None:
            return PATTERN
        names = "|".join(map(re.escape, self._facts.time.periods))
        return re.compile(f"{PERIODS.format(names)}|{PATTERN.pattern}")

    def _token(self, found: re.Match[str]) -> tuple[str, Token] | None:
        if (period := found.groupdict().get("period")) is not None:
            return PERIOD, period
        if found["figure"] is not None:
            value = Figured(Decimal(found["figure"].replace(",", "")))
            return (PERCENT if found["percent"] else NUMBER), value
        if found["example"] is not None:
            return (EXAMPLE, found["example"]) if found["example"] in self._examples else None
        if found["meaning"] is not None:
            return (MEANING, found["meaning"]) if found["meaning"] in self._meanings else None
        named = self._named(found["name"], found["marker"])
        return None if named is None else (NAME, named)

    def _named(self, quoted: str, marker: str | None) -> Named | None:
        name = quoted.strip(ISOLATES) or quoted
        facet_word = name if name in self._facet_words else None
        for spelling in (name, name[0].lower() + name[1:]):
            theme = self._themes.get(spelling)
            area = spelling if spelling in self._facts.areas else None
            if theme is not None or area is not None:
                return Named(theme, area, None if marker is None else int(marker), facet_word)
        return None if facet_word is None or marker is not None else Named(None, None, None, facet_word)

    @cached_property
    def _facet_words(self) -> frozenset[str]:
        known = self._facts.candidates
        words = (word for title, table in self._facts.views.items() for word in (title, *table.values))
        return frozenset((*words, *(() if known is None else known.facet.names)))


def _with_lists(read: Tokenised) -> Tokenised:
    """Join what is listed ("a (5%) and b (3%)", "a, b and c") to one token each."""
    for one, sign in ((rf"{NAME} \({PERCENT}\)", ITEMS), (NAME, NAMES), (EXAMPLE, EXAMPLES)):
        spans = [found.span() for found in re.finditer(rf"{one}(?:, {one})*,? and {one}", read.text)]
        read = read.replaced([(span, sign, _listed(sign, read.part(*span).tokens)) for span in spans])
    return read


def _listed(sign: str, tokens: tuple[Token, ...]) -> Token:
    return tuple(zip(tokens[::2], tokens[1::2], strict=True)) if sign == ITEMS else tokens


def _signs_in(text: str) -> int:
    return sum(map(text.count, SIGNS))
