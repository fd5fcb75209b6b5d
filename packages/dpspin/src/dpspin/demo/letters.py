"""One ticket: greeting, small talk, themes with their sentences, a near-miss, a goodbye, as its writer types it.

The phrases are written apart from the cues of the pack, so that a map must understand.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Annotated

from pydantic import BeforeValidator

from dpspin.boundary.atoms import AtomId
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.strict_yaml import parse_yaml
from dpspin.demo.chance import Chance, pick, pick_several

MARK = re.compile(r"<([^<>]*)>")
CHANNELS = ("email",) * 9 + ("form",) * 5 + ("chat",) * 4 + ("app",) * 2
SENTENCES = (1,) * 9 + (2,) * 7 + (3,) * 4  # per theme
NEAR_MISS = 0.2
AHEAD = 0.5
ANGRY = 0.15
LINKED = 0.55  # how often a new theme is announced ("Also, …")


def variants(template: str) -> tuple[str, ...]:
    """Write out ``<a|b>`` as all its alternatives and ``<slot>`` as ``{slot}``.

    >>> variants("<Is|Was> the <gadget> late?")
    ('Is the {gadget} late?', 'Was the {gadget} late?')
    """
    pieces = MARK.split(template)  # literal, mark, literal, mark, … literal
    options = [_options(piece) if position % 2 else [piece] for position, piece in enumerate(pieces)]
    return tuple("".join(choice) for choice in product(*options))


def filled(phrase: Sequence[str], slots: dict[str, str], chance: Chance) -> str:
    """Pick a variant and fill its slots."""
    return pick(phrase, chance).format_map(slots)


def _options(mark: str) -> list[str]:
    return mark.split("|") if "|" in mark else [f"{{{mark}}}"]


Phrase = Annotated[tuple[str, ...], BeforeValidator(variants)]  # of one sentence, with {slots}
Phrases = tuple[Phrase, ...]


class SpokenTheme(FrozenModel):
    """How customers speak of one atom: opening it, going on about it, and using its words for something else."""

    say: Phrases
    more: Phrases
    near: Phrases


class Bank(FrozenModel):
    """All phrases, ready to be filled in."""

    popularity: tuple[AtomId, ...]
    apart: tuple[tuple[frozenset[AtomId], frozenset[AtomId]], ...]  # themes of two sides do not meet
    calm: frozenset[AtomId]
    slots: dict[str, tuple[str, ...]]
    openings: dict[str, Phrases]
    closings: dict[str, Phrases]
    small_talk: Phrases
    outbursts: Phrases
    follow_ups: tuple[str, ...]
    off_topic: Phrases
    themes: dict[AtomId, SpokenTheme]

    def keeps_apart(self, one: AtomId, other: AtomId) -> bool:
        """Tell whether two themes never stand in one ticket."""
        return any((one in a and other in b) or (one in b and other in a) for a, b in self.apart)


@cache
def ticket_bank() -> Bank:
    """Return the bank of the support tickets."""
    return Bank.model_validate(parse_yaml((files("dpspin.demo") / "tickets.yaml").read_text(encoding="utf-8")))


@dataclass(frozen=True, slots=True)
class Manner:
    """How likely the frame of a message is, by channel."""

    opening: float
    small_talk: float  # not in off-topic messages, which come straight to their point
    closing: float


MANNERS = {
    "email": Manner(opening=0.85, small_talk=0.45, closing=0.8),
    "form": Manner(opening=0.2, small_talk=0.2, closing=0.4),
    "chat": Manner(opening=0.4, small_talk=0.05, closing=0.3),
    "app": Manner(opening=0.2, small_talk=0.1, closing=0.3),
}


@dataclass(frozen=True, slots=True)
class Letter:
    """A text, and the theme of each of its sentences that has one."""

    text: str
    sentence_themes: tuple[AtomId, ...]


def letter_about(themes: Sequence[AtomId], channel: str, chance: Chance) -> Letter:
    """Write one ticket; without themes it is off-topic."""
    bank = ticket_bank()
    slots = _slot_values(bank, chance)
    said = {theme: _sentences(bank.themes[theme], slots, chance) for theme in themes}
    body = _joined(list(said.values()), bank, chance) or [filled(pick(bank.off_topic, chance), slots, chance)]
    if themes:
        body = _with_asides(body, themes, slots, chance)
        body = _with_small_talk(body, MANNERS[channel], slots, chance)
    text = " ".join(_framed(body, channel, slots, chance))
    return Letter(text, tuple(theme for theme, sentences in said.items() for _ in sentences))


def _slot_values(bank: Bank, chance: Chance) -> dict[str, str]:
    """Fix all slots for one ticket, so that it speaks of one product and one order throughout."""
    values = {name: pick(options, chance) for name, options in bank.slots.items()}
    return values | {"product": f"{values['brand']} {values['gadget']}"}


def _sentences(theme: SpokenTheme, slots: dict[str, str], chance: Chance) -> list[str]:
    phrases = [pick(theme.say, chance), *pick_several(theme.more, pick(SENTENCES, chance) - 1, chance)]
    return [_capitalised(filled(phrase, slots, chance)) for phrase in phrases]


def _joined(themes: list[list[str]], bank: Bank, chance: Chance) -> list[str]:
    """Put the themes one after the other; a later one may be announced."""
    body: list[str] = []
    for sentences in themes:
        first, *rest = sentences
        if body and chance.random() < LINKED:
            first = _announced(first, pick(bank.follow_ups, chance), bank)
        body += [first, *rest]
    return body


def _announced(sentence: str, announcement: str, bank: Bank) -> str:
    """Put "Also, " in front, in lower case unless the sentence starts with a name, an acronym or "I"."""
    first = sentence.split(" ", 1)[0]
    keeps_case = first.split("'")[0] == "I" or (first.isupper() and len(first) > 1) or first in bank.slots["brand"]
    return announcement + (sentence if keeps_case else sentence[0].lower() + sentence[1:])


def _with_asides(body: list[str], themes: Sequence[AtomId], slots: dict[str, str], chance: Chance) -> list[str]:
    """Add what is about no theme: a near-miss before or after the matter, an outburst at the end."""
    bank, other = ticket_bank(), pick(ticket_bank().popularity, chance)
    if chance.random() < NEAR_MISS and all(other != theme and not bank.keeps_apart(other, theme) for theme in themes):
        aside = _capitalised(filled(pick(bank.themes[other].near, chance), slots, chance))
        body = [aside, *body] if chance.random() < AHEAD else [*body, aside]
    if chance.random() < ANGRY and bank.calm.isdisjoint(themes):
        body = [*body, filled(pick(bank.outbursts, chance), slots, chance)]
    return body


def _with_small_talk(body: list[str], manner: Manner, slots: dict[str, str], chance: Chance) -> list[str]:
    if chance.random() >= manner.small_talk:
        return body
    return [_capitalised(filled(pick(ticket_bank().small_talk, chance), slots, chance)), *body]


def _framed(body: list[str], channel: str, slots: dict[str, str], chance: Chance) -> list[str]:
    """Put a greeting before the body and a goodbye after it, as the channel has it."""
    bank, manner = ticket_bank(), MANNERS[channel]
    if chance.random() < manner.opening:
        body = [filled(pick(bank.openings[channel], chance), slots, chance), *body]
    if chance.random() < manner.closing:
        body = [*body, filled(pick(bank.closings[channel], chance), slots, chance)]
    return body


def _capitalised(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


# How people type: slips of the finger, lost apostrophes, all lower case, or all capitals.

KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
NEIGHBOURS = {
    letter: row[max(0, place - 1) : place] + row[place + 1 : place + 2]
    for row in KEYBOARD
    for place, letter in enumerate(row)
}
SHORTEST_SLIP = 4  # short words are rarely mistyped, and a slip in one often makes another word
SHOUTING = 0.02


@dataclass(frozen=True, slots=True)
class Handwriting:
    """The habits of one customer; ``slips`` is the chance of a slip per word."""

    slips: float
    apostrophes: bool
    lower_case: bool


CAREFUL = Handwriting(slips=0.0, apostrophes=True, lower_case=False)
HASTY = Handwriting(slips=0.03, apostrophes=True, lower_case=False)
SLOPPY = Handwriting(slips=0.05, apostrophes=False, lower_case=False)
THUMBS = Handwriting(slips=0.03, apostrophes=False, lower_case=True)
HABITS = (CAREFUL,) * 11 + (HASTY,) * 5 + (SLOPPY,) * 2 + (THUMBS,) * 2


def handwritten(text: str, habit: Handwriting, chance: Chance) -> str:
    """Return the text as that customer would have typed it.

    >>> from dpspin.demo.chance import chance_of
    >>> handwritten("It doesn't work.", THUMBS, chance_of(1))
    'it doesnt work'
    """
    if habit.slips:
        text = " ".join(_slip(word, chance) if chance.random() < habit.slips else word for word in text.split(" "))
    if not habit.apostrophes:
        text = text.replace("'", "")
    if habit.lower_case:
        return text.lower().rstrip(".")
    return text.upper() if chance.random() < SHOUTING else text


def _slip(word: str, chance: Chance) -> str:
    if len(word) < SHORTEST_SLIP or not word.isalpha():
        return word
    place = 1 + int(chance.random() * (len(word) - 2))  # first letters are seldom wrong
    before, letter, after = word[:place], word[place], word[place + 1 :]
    return pick(
        (
            before + after,
            before + letter + letter + after,
            before + after[0] + letter + after[1:],
            before + pick(NEIGHBOURS.get(letter, letter), chance) + after,
        ),
        chance,
    )
