"""The phrase bank behind the tickets: written apart from the cues of the pack, so that a map must understand."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

import yaml

from dpspin.boundary.atoms import AtomId
from dpspin.demo.chance import Chance, pick

Phrase = tuple[str, ...]  # the variants of one sentence, with {slots}

MARK = re.compile(r"<([^<>]*)>")


@dataclass(frozen=True, slots=True)
class Theme:
    """How customers speak of one atom: opening it, going on about it, and using its words for something else."""

    say: tuple[Phrase, ...]
    more: tuple[Phrase, ...]
    near: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Bank:
    """All phrases, ready to be filled in."""

    popularity: tuple[AtomId, ...]
    apart: frozenset[tuple[AtomId, AtomId]]
    calm: frozenset[AtomId]
    slots: dict[str, tuple[str, ...]]
    openings: dict[str, tuple[Phrase, ...]]
    closings: dict[str, tuple[Phrase, ...]]
    small_talk: tuple[Phrase, ...]
    outbursts: tuple[Phrase, ...]
    follow_ups: tuple[str, ...]
    off_topic: tuple[Phrase, ...]
    themes: dict[AtomId, Theme]


@cache
def ticket_bank() -> Bank:
    """Return the bank of the support tickets."""
    raw: Any = yaml.safe_load((files("dpspin.demo") / "tickets.yaml").read_text(encoding="utf-8"))
    return Bank(
        popularity=tuple(raw["popularity"]),
        apart=frozenset(
            pair for left, right in raw["apart"] for pair in [*product(left, right), *product(right, left)]
        ),
        calm=frozenset(raw["calm"]),
        slots={name: tuple(values) for name, values in raw["slots"].items()},
        openings={channel: _phrases(lines) for channel, lines in raw["openings"].items()},
        closings={channel: _phrases(lines) for channel, lines in raw["closings"].items()},
        small_talk=_phrases(raw["small_talk"]),
        outbursts=_phrases(raw["outbursts"]),
        follow_ups=tuple(raw["follow_ups"]),
        off_topic=_phrases(raw["off_topic"]),
        themes={
            atom: Theme(_phrases(theme["say"]), _phrases(theme["more"]), _phrases(theme["near"]))
            for atom, theme in raw["themes"].items()
        },
    )


def variants(template: str) -> Phrase:
    """Write out ``<a|b>`` as all its alternatives and ``<slot>`` as ``{slot}``.

    >>> variants("<Is|Was> the <gadget> late?")
    ('Is the {gadget} late?', 'Was the {gadget} late?')
    """
    pieces = MARK.split(template)  # literal, mark, literal, mark, … literal
    options = [_options(piece) if position % 2 else [piece] for position, piece in enumerate(pieces)]
    return tuple("".join(choice) for choice in product(*options))


def filled(phrase: Phrase, slots: dict[str, str], chance: Chance) -> str:
    """Pick a variant and fill its slots."""
    return pick(phrase, chance).format_map(slots)


def _options(mark: str) -> list[str]:
    return mark.split("|") if "|" in mark else [f"{{{mark}}}"]


def _phrases(lines: list[str]) -> tuple[Phrase, ...]:
    return tuple(variants(line) for line in lines)
