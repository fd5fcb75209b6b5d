"""Typed claims as JSON: the schema a plan allows, and the reading of an answer. Nothing here is believed yet."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import pairwise, product
from typing import Any, Final

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.claims.baseline import AgainstBaseline, BaselineCount
from dpspin.public.stage3_narrate.claims.claim import Claim
from dpspin.public.stage3_narrate.claims.counts import CountInBin, Listed
from dpspin.public.stage3_narrate.claims.orders import (
    CloseThemes,
    Compare,
    Highest,
    MarginOrder,
    RankOf,
    Tie,
    WholeOrder,
)
from dpspin.public.stage3_narrate.claims.public_text import PublicText, Saying
from dpspin.public.stage3_narrate.claims.themes import BinGroup, InBin, Mention, Unclear
from dpspin.public.stage3_narrate.claims.values import Coverage, HowSure, IntervalOf, MassOf, RollUp, SupportOf
from dpspin.public.stage3_narrate.policy import Mode

KINDS: Final[Mapping[str, type[Any]]] = {
    "bin_group": BinGroup,
    "in_bin": InBin,
    "highest": Highest,
    "tie": Tie,
    "compare": Compare,
    "close_themes": CloseThemes,
    "whole_order": WholeOrder,
    "margin_order": MarginOrder,
    "unclear": Unclear,
    "roll_up": RollUp,
    "coverage": Coverage,
    "against_baseline": AgainstBaseline,
    "baseline_count": BaselineCount,
    "listed": Listed,
    "count_in_bin": CountInBin,
    "support": SupportOf,
    "interval": IntervalOf,
    "how_sure": HowSure,
    "mass": MassOf,
    "rank": RankOf,
    "mention": Mention,
    "public_text": PublicText,
}
CONNECTIVES: Final = ("", "Also", "However", "Overall")
_IN_AUDIT_ONLY = frozenset(("mass", "rank"))
_MOST = {"paragraph": 6, "bullets": 6}  # claims; a small model that loops is stopped here


@dataclass(frozen=True, slots=True)
class Drafted:
    """A claim as a model chose it, and the word that leads over to it."""

    claim: Claim
    connective: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A model's choice and order of claims; ``malformed`` items name no claim at all."""

    paragraph: tuple[Drafted, ...] = ()
    bullets: tuple[Drafted, ...] = ()
    malformed: int = 0


def allowed(plan: SemanticPlan, mode: Mode) -> dict[str, dict[str, list[Any]]]:
    """Return the kinds of claims that can hold for the plan at all, and for each field the values that can."""
    found = {
        name: _choices(kind, plan) for name, kind in KINDS.items() if mode is Mode.AUDIT or name not in _IN_AUDIT_ONLY
    }
    return {name: choices for name, choices in found.items() if choices is not None}


def schema(plan: SemanticPlan, mode: Mode) -> dict[str, object]:
    """Constrain the answer to claims over the plan's own atoms and bins."""
    item = {"anyOf": [_claim_schema(name, choices) for name, choices in allowed(plan, mode).items()]}
    return _object({part: {"type": "array", "items": item, "maxItems": most} for part, most in _MOST.items()})


def read(answer: str) -> Draft | None:
    """Read the claims of an answer; None where it has none.

    Words around the JSON do no harm, and an answer that was cut off keeps what it said before: every claim is judged
    by itself, so nothing false can come of it.

    >>> read('Sure! {"paragraph": [{"claim": "highest", "atom": 17}, {"claim": "cause", "atom": 17}, {"cla')
    Draft(paragraph=(Drafted(claim=Highest(atom=17), connective=''),), bullets=(), malformed=1)
    """
    paragraph, _, bullets = answer.partition('"bullets"')
    drafted = {
        name: [_drafted(item) for item in _items(part)] for name, part in zip(_MOST, (paragraph, bullets), strict=True)
    }
    if not any(drafted.values()):
        return None
    readable = {name: tuple(item for item in items if item is not None) for name, items in drafted.items()}
    malformed = sum(item is None for items in drafted.values() for item in items)
    return Draft(**readable, malformed=malformed)


def as_json(claim: Claim) -> dict[str, Any]:
    """Write a claim in the form in which a model names it.

    >>> as_json(InBin((17, 42), "high"))
    {'claim': 'in_bin', 'atoms': [17, 42], 'bin': 'high'}
    """
    name = next(name for name, kind in KINDS.items() if isinstance(claim, kind))
    values = {field.name: getattr(claim, field.name) for field in fields(KINDS[name])}
    return {"claim": name, **{key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}}


def _choices(kind: type[Any], plan: SemanticPlan) -> dict[str, list[Any]] | None:
    """Return the values that occur in claims that hold, tried on a theme and its neighbour; None where none holds."""
    names = [field.name for field in fields(kind)]
    holding = [tried for tried in _tried(names, plan) if kind(*tried).holds(plan)]
    if not holding:
        return None
    return {name: _distinct(tried[place] for tried in holding) for place, name in enumerate(names)}


def _tried(names: list[str], plan: SemanticPlan) -> Iterable[tuple[Any, ...]]:
    """Try every value; of pairs in order only those with the first or the last theme, which hold if any pair does."""
    if names == ["higher", "lower"]:
        ids = [entry.atom_id for entry in plan.entries]
        return [*((one, ids[-1]) for one in ids), *((ids[0], one) for one in ids)]
    return product(*(_values(name, plan) for name in names))


def _values(field: str, plan: SemanticPlan) -> list[Any]:
    ids = [entry.atom_id for entry in plan.entries]
    match field:
        case "atoms":
            return [*((one,) for one in ids), *pairwise(ids)]
        case "bin":
            return list(dict.fromkeys(entry.bin for entry in plan.entries))
        case "parent":
            return list(dict.fromkeys(entry.parent for entry in plan.entries if entry.parent))
        case "saying":
            return [saying for saying in Saying if saying is not Saying.OPENING]  # every text opens with it anyway
        case _:
            return ids


def _distinct(values: Iterator[Any]) -> list[Any]:
    """Flatten tuples of themes: a list of them is constrained item by item."""
    flat = (each for value in values for each in (value if isinstance(value, tuple) else (value,)))
    return list(dict.fromkeys(flat))


def _claim_schema(name: str, choices: dict[str, list[Any]]) -> dict[str, object]:
    named = {field: _field_schema(field, values) for field, values in choices.items()}
    return _object({"claim": {"enum": [name]}, **named, "connective": {"enum": list(CONNECTIVES)}})


def _field_schema(field: str, values: list[Any]) -> dict[str, object]:
    one: dict[str, object] = {"enum": values}
    return {"type": "array", "items": one, "minItems": 1, "maxItems": len(values)} if field == "atoms" else one


def _object(properties: dict[str, Any]) -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _items(part: str) -> Iterator[object]:
    """Find the innermost objects: a claim has no object inside."""
    for found in re.findall(r"\{[^{}]*\}", part):
        try:
            yield json.loads(found)
        except (ValueError, RecursionError):
            yield None


def _drafted(item: object) -> Drafted | None:
    if not isinstance(item, dict) or not isinstance(item.get("claim"), str) or item["claim"] not in KINDS:
        return None
    kind, connective = KINDS[item["claim"]], item.get("connective", "")
    values = {field.name: _value(field.name, item.get(field.name)) for field in fields(kind)}
    if any(value is None for value in values.values()):
        return None
    return Drafted(kind(**values), connective if connective in CONNECTIVES else "")


def _value(field: str, given: object) -> object:
    """Read one field; None where it cannot be meant."""
    match field:
        case "atoms":
            return tuple(dict.fromkeys(given)) if isinstance(given, list) and all(map(_is_id, given)) else None
        case "saying":
            return Saying(given) if isinstance(given, str) and given in set(Saying) else None
        case "bin" | "parent":
            return given if isinstance(given, str) else None
        case _:
            return given if _is_id(given) else None


def _is_id(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)
