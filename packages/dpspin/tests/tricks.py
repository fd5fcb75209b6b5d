"""Texts about the shop that were written to pass although they mislead, and what may be said instead."""

from dataclasses import dataclass

from completing import complete
from dpspin.boundary.plan import SemanticPlan
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.verify import verify
from shop_plans import CLEAR, SHOP

LISTED = "“App crashes” is listed."
LARGEST = "“App crashes” has the largest share of all themes, as filed (22.1%)."
NOT_A_COUNT = "A share is a bounded noisy measure, not a count of records or users."
VOICE = "Each user counts once at most, divided over what they wrote about: a share is a share of voice, not of users."


@dataclass(frozen=True)
class Trick:
    """A text that must be refused, by which rule, and a text that holds and may stand instead."""

    said: str
    rule: str
    instead: str = LISTED
    plan: SemanticPlan = CLEAR
    mode: Mode = Mode.DISPLAY


def refused_and_held(trick: Trick) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rules that a trick breaks, and those that break what may be said instead: none, but for a fault."""
    whole = (complete(text, trick.plan, SHOP, trick.mode) for text in (trick.said, trick.instead))
    refused, held = (verify(trick.plan, text, trick.mode, SHOP) for text in whole)
    assert (refused.accepted, held.accepted) == (not refused.rules(), not held.rules())
    return refused.rules(), held.rules()
