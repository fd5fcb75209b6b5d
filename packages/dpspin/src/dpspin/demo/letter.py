"""One ticket: greeting, small talk, themes with their sentences, a near-miss, a goodbye."""

from collections.abc import Sequence
from dataclasses import dataclass

from dpspin.boundary.atoms import AtomId
from dpspin.demo.bank import Bank, Theme, filled, ticket_bank
from dpspin.demo.chance import Chance, pick, pick_several

CHANNELS = ("email",) * 9 + ("form",) * 5 + ("chat",) * 4 + ("app",) * 2
SENTENCES = (1,) * 9 + (2,) * 7 + (3,) * 4  # per theme
NEAR_MISS = 0.2
AHEAD = 0.5
ANGRY = 0.15
LINKED = 0.55  # how often a new theme is announced ("Also, …")


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


def _sentences(theme: Theme, slots: dict[str, str], chance: Chance) -> list[str]:
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
    if chance.random() < NEAR_MISS and all(other != theme and (other, theme) not in bank.apart for theme in themes):
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
