"""What a model may choose from: the kinds of claims that hold of a plan, and what each can speak of, as closed lists.

A model names what a claim speaks of, and never a figure: those follow from the plan. So whatever it answers, the text
is true; the model can only be dull.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from itertools import pairwise, product
from typing import Any, Final

from dpspin.public.narrate.claims.areas import by_share
from dpspin.public.narrate.claims.claim import LIST_FIELDS, PAIR_FIELDS, THEME_FIELDS, Claim, names_in
from dpspin.public.narrate.claims.release import Saying
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.forms import CLAIM_KINDS
from dpspin.public.narrate.modes import Mode

MOST: Final = {"paragraph": 6, "bullets": 6}  # claims; a small model that loops is stopped here

MOST_RIVALS: Final = 12  # values of a facet, so that not every two of hundreds are tried

Choices = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Draft:
    """A model's choice and order of claims; ``malformed`` items name no claim at all."""

    paragraph: tuple[Claim, ...] = ()
    bullets: tuple[Claim, ...] = ()
    malformed: int = 0


def menu(facts: Facts, mode: Mode) -> dict[str, Choices]:
    """Return the kinds of claims of which some hold, and for each field the values with which they do."""
    offered = (kind for kind in CLAIM_KINDS.values() if mode.shows_exact_values or not kind.audit_only)
    found = {kind.kind: _choices(kind, facts) for kind in offered}
    return {name: choices for name, choices in found.items() if choices is not None}


def subjects_of(kind: type[Claim]) -> list[str]:
    """Return the fields that say what a claim speaks of: those that no plan fills in."""
    return [field.name for field in fields(kind) if field.default is MISSING]


def _choices(kind: type[Claim], facts: Facts) -> dict[str, list[Any]] | None:
    """Return the values that occur in claims that hold; None where none holds."""
    names = subjects_of(kind)
    tried = product(*(_values(name, facts) for name in names))
    holding = [values for values in tried if kind(*values).filled(facts).holds(facts)]
    if not holding:
        return None
    return {name: _distinct(values[place] for values in holding) for place, name in enumerate(names)}


def _values(field: str, facts: Facts) -> list[Any]:
    """Return what a field may be tried with: every theme or area, and a few lists of them."""
    ids, areas = list(facts.ranked), by_share(facts)
    lists: dict[str, list[Any]] = {
        "themes": [*((each,) for each in ids), *pairwise(ids)],
        "items": [((each, None),) for each in ids],
        "area": [*areas],
        "areas": list(pairwise(areas)),
        "area_items": [((each, None),) for each in areas],
        "saying": list(Saying),
        "candidate": [] if facts.candidates is None else list(facts.candidates.lacking),
        "period": [],  # a model writes about one plan
        "earlier": [],
        "facet": list(facts.views),
        "segment": _distinct(table.values for table in facts.views.values()),
        "rival": _distinct(table.values for table in facts.views.values() if len(table.values) <= MOST_RIVALS),
    }
    return lists.get(field, ids)


def _distinct(values: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(name for value in values for name in names_in(value)))


def schema(offered: Mapping[str, Choices]) -> dict[str, object]:
    """Constrain the answer to what is offered."""
    item = item_schema(offered)
    return _object({part: {"type": "array", "items": item, "maxItems": most} for part, most in MOST.items()})


def item_schema(offered: Mapping[str, Choices]) -> dict[str, object]:
    """Constrain one claim to what is offered."""
    return {"anyOf": [_claim_schema(name, choices) for name, choices in offered.items()]}


def _claim_schema(name: str, choices: Choices) -> dict[str, object]:
    named = {field: _field_schema(field, list(values)) for field, values in choices.items()}
    return _object({"claim": {"enum": [name]}, **named})


def _field_schema(field: str, values: list[Any]) -> dict[str, object]:
    one: dict[str, object] = {"enum": values}
    return {"type": "array", "items": one, "minItems": 1, "maxItems": len(values)} if field in LIST_FIELDS else one


def _object(properties: dict[str, Any]) -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def read_draft(answer: str, facts: Facts) -> Draft | None:
    """Read the claims of an answer; None where it has none.

    Words around the JSON do no harm, and an answer that was cut off keeps what it said before: every claim is judged
    by itself, so nothing false can come of it.
    """
    paragraph, _, bullets = answer.partition('"bullets"')
    chosen = {
        name: [claim_in(item, facts) for item in _items(part)]
        for name, part in zip(MOST, (paragraph, bullets), strict=True)
    }
    if not any(chosen.values()):
        return None
    readable = {name: tuple(item for item in items if item is not None) for name, items in chosen.items()}
    malformed = sum(item is None for items in chosen.values() for item in items)
    return Draft(**readable, malformed=malformed)


def claim_in(item: object, facts: Facts) -> Claim | None:
    """Read one claim as a model names it, and fill in its figures; None where it names none."""
    if not isinstance(item, dict) or not isinstance(item.get("claim"), str) or item["claim"] not in CLAIM_KINDS:
        return None
    kind = CLAIM_KINDS[item["claim"]]
    values = {name: _value(name, item.get(name), facts) for name in subjects_of(kind)}
    return None if None in values.values() else kind(**values).filled(facts)


def as_json(claim: Claim) -> dict[str, Any]:
    """Write a claim as a model names it."""
    named = {name: getattr(claim, name) for name in subjects_of(type(claim))}
    return {
        "claim": claim.kind,
        **{name: list(names_in(value)) if name in LIST_FIELDS else value for name, value in named.items()},
    }


def _items(part: str) -> Iterator[object]:
    """Find the innermost objects: a claim has no object inside."""
    for found in re.findall(r"\{[^{}]*\}", part):
        try:
            yield json.loads(found)
        except (ValueError, RecursionError):
            yield None


def _value(field: str, given: object, facts: Facts) -> object:
    """Read one field; None where it cannot be meant."""
    if field in LIST_FIELDS:
        names = given if isinstance(given, list) else []
        read = [_name(field, each, facts) for each in names]
        if not read or None in read:
            return None
        once = dict.fromkeys(read)
        return tuple((each, None) for each in once) if field in PAIR_FIELDS else tuple(once)
    if field == "saying":
        return Saying(given) if isinstance(given, str) and given in set(Saying) else None
    return _name(field, given, facts)


def _name(field: str, given: object, facts: Facts) -> object:
    if field in THEME_FIELDS:
        is_id = isinstance(given, int) and not isinstance(given, bool)
        return given if is_id and given in facts.labels else None
    return given if isinstance(given, str) else None
