"""From text to tokens: names of themes and areas, meanings and numbers become one sign each; the rest stays words.

Every name of the dictionary is known, listed or not. A name that could be mistaken for words of a sentence, or that
holds signs of its own, is only a name in quotation marks.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final

from dpspin.boundary.markers import MARKER
from dpspin.public.narrate.facts import Facts

NAME, NAMES, PERCENT, NUMBER, MEANING, ITEMS = (chr(0xE000 + place) for place in range(6))
SIGNS: Final = NAME + NAMES + PERCENT + NUMBER + MEANING + ITEMS
FIGURE: Final = (
    r"(?<![\w.,])(?P<figure>-?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*)(?:\.\d+)?)(?P<percent>%)?(?![\w%]|[.,]\d)"
)
SIMPLE: Final = re.compile(r"[^\W\d_]+(?:[ '’/-][^\W\d_]+)*")
JOINING: Final = frozenset({"and", "or", "than"})
NOTHING: Final = "(?!)"  # matches nowhere


@dataclass(frozen=True, slots=True)
class Named:
    """A name as it stands in a text: what it may be the name of, and the marker behind it."""

    theme: int | None
    area: str | None
    marker: int | None = None


@dataclass(frozen=True, slots=True)
class Figured:
    """A number as it stands in a text."""

    value: Decimal


Token = Named | Figured | str | tuple["Token", ...]  # a string is a meaning, a tuple a list


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
    """The names of a dictionary, and how they are written and found."""

    def __init__(self, facts: Facts, spoken: str) -> None:
        self._facts, self._spoken = facts, spoken

    @cached_property
    def _themes(self) -> dict[str, int]:
        return {label: atom for atom, label in self._facts.labels.items()}

    @cached_property
    def _plain(self) -> frozenset[str]:
        return frozenset(filter(self._is_plain, {*self._themes, *self._facts.areas}))

    def _is_plain(self, name: str) -> bool:
        """Tell whether a name cannot be mistaken for other words, so that it needs no quotation marks."""
        words = words_of(name)
        return (
            SIMPLE.fullmatch(name) is not None
            and JOINING.isdisjoint(words)
            and unicodedata.is_normalized("NFC", name)
            and f" {' '.join(words)} " not in self._spoken
        )

    def written(self, name: str, *, first: bool) -> str:
        """Write a name as a sentence does; with a capital letter where it begins one."""
        if first and self._named(name[0].upper() + name[1:], None) == self._named(name, None):
            shown = name[0].upper() + name[1:]
        else:
            shown = name
        return shown if name in self._plain else f"“{shown}”"

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        meanings = "|".join(map(re.escape, sorted(set(self._facts.meanings.values()), key=len, reverse=True)))
        plain = "|".join(map(_either_case, sorted(self._plain, key=len, reverse=True)))
        parts = (
            rf"(?<=means: )(?P<meaning>{meanings or NOTHING})(?=\.(?:\s|\Z))",
            rf"(?:“(?P<quoted>[^“”]+)”|(?<![\w-])(?P<plain>{plain or NOTHING})(?![\w-]))(?: {MARKER})?",
            FIGURE,
        )
        return re.compile("|".join(parts))

    def tokenised(self, text: str) -> Tokenised:
        """Replace every name, meaning and number by a sign."""
        matches = ((found.span(), self._token(found)) for found in self._pattern.finditer(text))
        known = ((span, *read) for span, read in matches if read is not None)
        return _with_lists(Tokenised(text, (), tuple(range(len(text) + 1))).replaced(known))

    def _token(self, found: re.Match[str]) -> tuple[str, Token] | None:
        if found["figure"] is not None:
            value = Figured(Decimal(found["figure"].replace(",", "")))
            return (PERCENT if found["percent"] else NUMBER), value
        if found["meaning"] is not None:
            return MEANING, found["meaning"]
        named = self._named(found["quoted"] or found["plain"], found["marker"])
        return None if named is None else (NAME, named)

    def _named(self, name: str, marker: str | None) -> Named | None:
        for spelling in (name, name[0].lower() + name[1:]):
            theme = self._themes.get(spelling)
            area = spelling if spelling in self._facts.areas else None
            if theme is not None or area is not None:
                return Named(theme, area, None if marker is None else int(marker))
        return None


def words_of(text: str) -> list[str]:
    """Return the words of a text, in small letters."""
    return re.findall(r"[^\W_]+", text.casefold())


def _either_case(name: str) -> str:
    first, upper = re.escape(name[0]), re.escape(name[0].upper())
    return (f"(?:{first}|{upper})" if upper != first else first) + re.escape(name[1:])


def _with_lists(read: Tokenised) -> Tokenised:
    """Join what is listed ("a (5%) and b (3%)", "a, b and c") to one token each."""
    for one, sign in ((rf"{NAME} \({PERCENT}\)", ITEMS), (NAME, NAMES)):
        spans = [found.span() for found in re.finditer(rf"{one}(?:, {one})*,? and {one}", read.text)]
        read = read.replaced([(span, sign, _listed(sign, read.part(*span).tokens)) for span in spans])
    return read


def _listed(sign: str, tokens: tuple[Token, ...]) -> Token:
    return tuple(zip(tokens[::2], tokens[1::2], strict=True)) if sign == ITEMS else tokens


def _signs_in(text: str) -> int:
    return sum(map(text.count, SIGNS))
