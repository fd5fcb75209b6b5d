"""From tokens to claims: every way in which the forms can stand in a text, and what the tokens then say."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from dpspin.public.narrate.claims.claim import Claim
from dpspin.public.narrate.claims.release import Saying
from dpspin.public.narrate.forms import Form, Skeleton, Slot, all_forms
from dpspin.public.narrate.kinds import KINDS
from dpspin.public.narrate.tokens import Figured, Named, Token


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
        return None if None in values.values() else KINDS[self.form.kind](**values)


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
        case "theme" | "area":
            return _name(token, kind)
        case "themes" | "areas":
            return _all(_name(each, kind) for each in (token if isinstance(token, tuple) else (token,)))
        case "items" | "area_items":
            pairs = token if isinstance(token, tuple) else ((token, next(left)),)
            return _all(_pair(each, kind) for each in pairs)
        case "meaning":
            return token
        case _:
            return _figure(token, kind)


def _name(token: Token, kind: str) -> int | str | None:
    if not isinstance(token, Named):
        return None
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
