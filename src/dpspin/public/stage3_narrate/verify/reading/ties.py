"""Ties and certain orders: "cannot be told apart", "the gap is within the noise", "their order is certain"."""

import re
from dataclasses import replace

from dpspin.public.stage3_narrate.verify.items import THEME, Item
from dpspin.public.stage3_narrate.verify.reading.closing import close_relation
from dpspin.public.stage3_narrate.verify.reading.predicates import read_predicate
from dpspin.public.stage3_narrate.verify.reading.saying import apply, close_waiting
from dpspin.public.stage3_narrate.verify.reading.state import Handler, Reading
from dpspin.public.stage3_narrate.verify.reading.waiting import Waiting
from dpspin.public.stage3_narrate.verify.reading.words import ORDERING, THEMES

_GAP = re.compile(r"\b(?:difference|gap|distance)s?\s+between\b[^.;]*$", re.IGNORECASE)
_OF_OTHERS = re.compile(
    r"\b(?:many|some|several|most)\s+(?:of\s+)?(?:the\s+)?(?:other|remaining)?\s*$|\b(?:other|remaining)\s+$",
    re.IGNORECASE,
)


def read_tie(reading: Reading, item: Item) -> None:
    """Read "A and B cannot be told apart", and "A cannot be told apart from B"."""
    if item is reading.settled:
        return
    close_relation(reading)
    reading.denied = None
    if reading.waiting and reading.waiting.item.kind == "tie" and len(reading.waiting.atoms) > 1:
        close_waiting(reading)  # "no order is given between A and B, as these two cannot be told apart"
    atoms = reading.subject if len(reading.subject) > 1 else ()
    if not atoms and (reading.theme_follows() or _refers_later(reading)):
        _wait_for_the_tied(reading, item)
        return
    atoms = atoms or reading.among or reading.discourse.many(reading.here, 2 if "two" in item.text else None)
    if atoms or not item.text.startswith("no "):  # "no ranking to report"
        apply(reading, Waiting(item), atoms)
        reading.open = False


def _refers_later(reading: Reading) -> bool:
    kinds = {each.kind for each in reading.rest}
    return bool(kinds & {"these", "by_rank", "last_of_these", "first_of_these"}) or {"it", THEME} <= kinds


def _wait_for_the_tied(reading: Reading, item: Item) -> None:
    """Read "A cannot be told apart from …" and "neither can be told apart from …"."""
    close_waiting(reading)
    first = reading.subject if reading.text_after in {"from", "against", "with"} else ()
    if item.text.startswith("neither"):
        first = reading.discourse.many(reading.here, 2)
    reading.waiting = Waiting(item, atoms=list(first))


def read_tie_gap(reading: Reading, item: Item) -> None:
    """Read "the gap between A and B is within the noise"; of "many of the remaining differences" nobody is named."""
    if _OF_OTHERS.search(reading.masked, 0, item.start):
        return
    read_tie(reading, replace(item, kind="tie"))


def read_buried(reading: Reading, item: Item) -> None:
    """Read "B is lost in the noise", and "the difference between A and B is within the noise" as a tie."""
    if _GAP.search(reading.masked, 0, item.start):
        read_tie_gap(reading, item)
    else:
        read_predicate(reading, item)


def read_unsure(reading: Reading, item: Item) -> None:
    """Read "the order of A and B is uncertain"; that a value is uncertain is so of all of them."""
    if ORDERING.search(reading.masked, 0, item.start):
        read_tie_gap(reading, item)


def read_order_certain(reading: Reading, item: Item) -> None:
    """Read "their order is certain"; not "three levels can be distinguished"."""
    if reading.is_followed_by_theme():
        close_waiting(reading)
        reading.waiting = Waiting(item)  # "the plan distinguishes A from B"
        return
    known = reading.here or reading.subject or reading.among
    if not known and "order" not in item.text and not THEMES.search(reading.masked):
        return
    several = len(reading.subject) > 1
    atoms = reading.subject if several else reading.among or reading.discourse.many(reading.here, None)
    apply(reading, Waiting(item), atoms if len(atoms) > 1 else reading.discourse.listed)


HANDLERS: dict[str, Handler] = {
    "tie": read_tie,
    "tie_gap": read_tie_gap,
    "buried": read_buried,
    "unsure": read_unsure,
    "order_certain": read_order_certain,
}
