"""Forms: sentences with slots, as data. The same form is filled when a claim is written, and matched when it is read.

A slot names a field of the claim (``{theme}``, ``{share}``); ``{low:points}`` says how it is written. ``{has|have}`` is
one or the other, by the number before it. Every way in which a form can stand in a text is known beforehand, so reading
is looking up a sentence with signs for its tokens, and giving the tokens their meaning.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product
from typing import Any, Final

import yaml

from dpspin.public.narrate.claims import (
    areas,
    beside_baseline,
    between_values,
    by_facet,
    by_text,
    certainty,
    changes,
    in_values,
    life_of_series,
    orders,
    over_time,
    readings,
    release,
    themes,
    wholes,
)
from dpspin.public.narrate.claims.claim import Claim
from dpspin.public.narrate.claims.release import Saying
from dpspin.public.narrate.vocabulary import FIGURE, NUMBER, PERCENT, SIGNS_OF, Figured, Named, Token

FIGURES: Final = re.compile(FIGURE)
PIECE: Final = re.compile(r"\{([^{}]+)\}")
WRITTEN_AS: Final[Mapping[str, str]] = {  # by the name of the field; all others are written as they are called
    "other": "theme",
    "rival": "segment",
    **dict.fromkeys(("earlier", "last"), "period"),
    **dict.fromkeys(("share", "low", "high", "before", "after", "here", "there"), "percent"),
    **dict.fromkeys(("confidence", "precision", "recall", "noticed", "rate"), "percent"),
    **dict.fromkeys(("size", "clear", "rank", "most", "expected"), "count"),
    **dict.fromkeys(("reach", "least", "utmost", "few", "many", "limit"), "points"),
    "reader": "meaning",
    **dict.fromkeys(("epsilon", "delta"), "number"),
}


@dataclass(frozen=True, slots=True)
class Slot:
    """A field of the claim, and how it is written."""

    field: str
    kind: str


@dataclass(frozen=True, slots=True)
class Words:
    """Words that always stand there, or the singular and the plural of some."""

    one: str
    many: str


@dataclass(frozen=True, slots=True)
class Skeleton:
    """One way in which a form stands in a text: with signs for its tokens, which fill slots, or are given numbers.

    ``decided`` are the fields whose values the words say.
    """

    text: str = ""
    decided: tuple[tuple[str, str], ...] = ()
    tokens: tuple[Slot | Decimal, ...] = ()

    def __add__(self, more: "Skeleton") -> "Skeleton":
        return Skeleton(self.text + more.text, self.decided + more.decided, self.tokens + more.tokens)


@dataclass(frozen=True, slots=True)
class Form:
    """One sentence with slots; ``preset`` are fields that its words decide."""

    kind: str
    preset: tuple[tuple[str, str], ...]
    parts: tuple[Slot | Words, ...]

    def skeletons(self, choices: Mapping[str, tuple[str, ...]]) -> Iterator[Skeleton]:
        """Yield every way in which the sentence can stand in a text.

        A slot that has few values (``choices``) is written out with each of them.
        """
        for chosen in product(*(_ways(part, choices) for part in self.parts)):
            yield sum(chosen, Skeleton(decided=self.preset))


def _ways(part: Slot | Words, choices: Mapping[str, tuple[str, ...]]) -> Iterator[Skeleton]:
    match part:
        case Words(one=one, many=many):
            yield from map(Skeleton, dict.fromkeys((one, many)))
        case Slot(kind=kind) if kind in SIGNS_OF:
            yield from (Skeleton(sign, tokens=(part,)) for sign in SIGNS_OF[kind])
        case Slot(kind=kind):
            yield from (_written_out(part, each) for each in choices[kind])


def _written_out(slot: Slot, value: str) -> Skeleton:
    """Put signs for the numbers in a value that is written out; they must be those."""
    figures = tuple(Decimal(found["figure"].replace(",", "")) for found in FIGURES.finditer(value))
    signs = FIGURES.sub(lambda found: PERCENT if found["percent"] else NUMBER, value)
    return Skeleton(signs, ((slot.field, value),), figures)


@cache
def _file() -> bytes:
    return files("dpspin.public.narrate").joinpath("forms.yaml").read_bytes()


def digest_of_forms() -> str:
    """Name the forms by which a text was read."""
    return f"sha256:{hashlib.sha256(_file()).hexdigest()}"


@cache
def all_forms() -> tuple[Form, ...]:
    """Return every form, in the order of the file."""
    stored = yaml.load(_file(), _Loader)  # noqa: S506  one of the two safe ones
    return tuple(form for kind, given in stored.items() for form in _forms(kind, given))


_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _forms(kind: str, given: list[str] | dict[str, dict[str, list[str]]]) -> Iterator[Form]:
    if isinstance(given, list):
        yield from (Form(kind, (), _parts(sentence)) for sentence in given)
        return
    for field, values in given.items():
        for value, sentences in values.items():
            yield from (Form(kind, ((field, value),), _parts(sentence)) for sentence in sentences)


def _parts(sentence: str) -> tuple[Slot | Words, ...]:
    pieces = PIECE.split(sentence)
    return tuple(
        _slot_or_words(piece) if place % 2 else Words(piece, piece) for place, piece in enumerate(pieces) if piece
    )


def _slot_or_words(piece: str) -> Slot | Words:
    if "|" in piece:
        return Words(*piece.split("|"))
    field, _, kind = piece.partition(":")
    return Slot(field, kind or WRITTEN_AS.get(field, field))


@cache
def forms_of(kind: str, preset: tuple[tuple[str, str], ...] = ()) -> tuple[Form, ...]:
    """Return the forms of a kind of claims; of those that differ by a field, the ones for its value."""
    return tuple(form for form in all_forms() if form.kind == kind and form.preset == preset)


@cache
def presets_of(kind: str) -> tuple[str, ...]:
    """Return the fields by which the forms of a kind differ."""
    return tuple(dict.fromkeys(field for form in all_forms() if form.kind == kind for field, _ in form.preset))


def _every() -> Iterator[type[Claim]]:
    views = (by_facet, between_values, in_values, by_text)
    of_a_plan = (readings, themes, orders, areas, wholes, certainty, beside_baseline, *views, release)
    for module in (*of_a_plan, changes, over_time, life_of_series):
        here = (each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__)
        yield from (
            each for each in here if isinstance(each, type) and issubclass(each, Claim) and "kind" in vars(each)
        )


CLAIM_KINDS: Final[Mapping[str, type[Claim]]] = {kind.kind: kind for kind in _every()}


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a sentence can be read."""

    form: Form
    skeleton: Skeleton

    def claim(self, tokens: tuple[Token, ...]) -> Claim | None:
        """Fill the fields of a claim; None where the tokens cannot mean that."""
        values: dict[str, Any] = dict(self.skeleton.decided)
        left = iter(tokens)
        for expected in self.skeleton.tokens:
            if isinstance(expected, Slot):
                values[expected.field] = _value(expected.kind, left)
            elif next(left) != Figured(expected):
                return None
        if "saying" in values:
            values["saying"] = Saying(values["saying"])
        return None if None in values.values() else CLAIM_KINDS[self.form.kind](**values)


@lru_cache(maxsize=64)
def ways_to_read(choices: tuple[tuple[str, tuple[str, ...]], ...]) -> Mapping[str, list[Way]]:
    """Return every sentence with signs, and the ways to read it."""
    index: dict[str, list[Way]] = {}
    for form in all_forms():
        for skeleton in form.skeletons(dict(choices)):
            index.setdefault(folded(skeleton.text), []).append(Way(form, skeleton))
    return index


def folded(words: str) -> str:
    """Let a sentence begin with a capital letter or without one."""
    return words[:1].lower() + words[1:]


def all_named(tokens: Iterable[Token]) -> Iterator[Named]:
    """Yield all names, those in lists too."""
    for token in tokens:
        if isinstance(token, Named):
            yield token
        elif isinstance(token, tuple):
            yield from all_named(token)


def _value(kind: str, left: Iterator[Token]) -> object:
    """Take as many tokens as a slot has, and give them their meaning; None where they cannot mean that."""
    token = next(left)
    match kind:
        case "theme" | "area" | "facet" | "segment" | "candidate":
            return _name(token, kind)
        case "themes" | "areas":
            return _all(_name(each, kind) for each in (token if isinstance(token, tuple) else (token,)))
        case "items" | "area_items":
            pairs = token if isinstance(token, tuple) else ((token, next(left)),)
            return _all(_pair(each, kind) for each in pairs)
        case "meaning" | "example" | "examples" | "period":
            return token
        case _:
            return _figure(token, kind)


def _name(token: Token, kind: str) -> int | str | None:
    if not isinstance(token, Named):
        return None
    if kind in {"facet", "segment", "candidate"}:
        return token.facet_word
    return token.theme if kind in {"theme", "themes", "items"} else token.area


def _pair(token: Token, kind: str) -> tuple[int | str, Decimal] | None:
    match token:
        case (Named() as named, Figured(value=share)) if (name := _name(named, kind)) is not None:
            return name, share
        case _:
            return None


def _all(values: Iterable[object]) -> tuple[object, ...] | None:
    read = tuple(values)
    return None if None in read else read


def _figure(token: Token, kind: str) -> Decimal | int | float | None:
    if not isinstance(token, Figured):
        return None
    value, places = token.value, -int(token.value.as_tuple().exponent)
    match kind:
        case "count":
            return None if places else int(value)
        case "mass":
            return float(value) if places == 1 else None
        case _:
            return value
