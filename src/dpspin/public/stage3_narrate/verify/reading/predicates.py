"""Predicates: what is said of themes, before or after they are named."""

import re
from dataclasses import replace

from dpspin.public.stage3_narrate.verify.items import BIN, THEME, Item
from dpspin.public.stage3_narrate.verify.reading.closing import close_relation
from dpspin.public.stage3_narrate.verify.reading.saying import apply, close_waiting
from dpspin.public.stage3_narrate.verify.reading.state import Handler, Reading
from dpspin.public.stage3_narrate.verify.reading.waiting import Waiting
from dpspin.public.stage3_narrate.verify.reading.words import (
    ANNOUNCES,
    CONSISTS_OF,
    MAKES_UP,
    ORDERING,
    PLACING,
    PREDICATES,
    THEMES,
)
from dpspin.public.stage3_narrate.verify.statements import Equal, Order

_NEAR, _PAIR = 5, 2
_JUST_LISTED = frozenset({"listed", "included", "named", "mentioned", "there", "released", "admitted", "reported"})
_BEGINS = frozenset({"", ";", ",", "and", "while", "whereas"})
_GAP = re.compile(r"\b(?:difference|gap|distance)s?\s+between\b[^.;]*$", re.IGNORECASE)
_OF_OTHERS = re.compile(
    r"\b(?:many|some|several|most)\s+(?:of\s+)?(?:the\s+)?(?:other|remaining)?\s*$|\b(?:other|remaining)\s+$",
    re.IGNORECASE,
)
_SAYS_A_PLACE = frozenset({"is", "are", "comes", "come", "as", "in", "placed", "also"})


def read_predicate(reading: Reading, item: Item) -> None:
    """Say a predicate of the subject, or let it wait for the themes that follow."""
    if item is reading.settled:
        return
    beside = reading.before is not None and reading.before.kind == THEME and item.text.startswith("in ")
    beside = beside or (reading.text_before == "with" and reading.items[reading.at - 2].kind == THEME)
    if reading.relation and reading.relation.right and beside:
        apply(reading, Waiting(item), tuple(reading.relation.right[-1:]))
        return  # "behind B in fourth place", "followed by B with moderate support"
    close_relation(reading)
    if reading.waiting and reading.waiting.atoms:
        close_waiting(reading)
    denied, only = reading.take_denied(), reading.take_only() or _fills_the_bin(reading, item)
    _say_or_wait(reading, Waiting(item, denied, only, _take_count(reading, item)))
    reading.sharing = False


def _take_count(reading: Reading, item: Item) -> Item | None:
    """Give "three themes" to "have high support"; of a superlative it counts nothing."""
    if item.kind not in {BIN, "clear", "buried"} or reading.numbers.parentheses:
        return None
    count = reading.count
    listing = count is not None and any(e.kind == THEME and e.start > count.start for e in reading.items[: reading.at])
    if listing and count and count.number and 0 < len(reading.subject) < count.number.value:
        return None  # "Two themes speak of X: A, moderate, and B, low"
    reading.count = None
    return count


def _say_or_wait(reading: Reading, predicate: Waiting) -> None:
    if _is_said_of_subject(reading, predicate.item):
        apply(reading, predicate, reading.subject)
        reading.open = False
    else:
        close_waiting(reading)
        reading.waiting = predicate


def _is_said_of_subject(reading: Reading, item: Item) -> bool:
    """Tell "A is high" from "A leads. High support is found for B", and from "High: A and B"."""
    if not reading.subject or reading.open:
        return bool(reading.subject)
    announces = reading.theme_follows() and (item.kind != BIN or ANNOUNCES.match(reading.masked, item.end) is not None)
    return not announces and reading.text_after != ":"


def _fills_the_bin(reading: Reading, item: Item) -> bool:
    """Read "A and B make up the high bin" and "the high bin consists of A and B": nobody else is in it."""
    before = MAKES_UP.search(reading.masked, 0, item.start)
    return item.kind == BIN and bool(before or CONSISTS_OF.match(reading.masked, item.end))


# -- ranks


def read_ordinal(reading: Reading, item: Item) -> None:
    """Read "A ranks first, B second", "A is fourth", "it places A first", "Second is B"."""
    if item.start in reading.spent:
        return
    if reading.ranking or _announces_a_place(reading) or _says_a_place(reading):
        reading.ranking = True
        read_predicate(reading, item)
    elif reading.at or reading.text_after != ",":  # "First, …" is no rank
        reading.leave_unexplained(item, "rank")


def _announces_a_place(reading: Reading) -> bool:
    """Tell "Second is B"."""
    return reading.text_before in _BEGINS and reading.text_after in {"is", "comes", "come", "are"}


def _says_a_place(reading: Reading) -> bool:
    """Tell "A is fourth" and "it places A first"."""
    placed = PLACING.search(reading.masked, 0, reading.items[reading.at].start) is not None
    named = reading.before is not None and reading.before.kind == THEME
    ends = reading.text_after in {"", ",", ";", "and"}
    return reading.text_before in _SAYS_A_PLACE or (named and (placed or ends))  # "A first, B second"


def read_descending(reading: Reading, item: Item) -> None:
    """Read "in descending order of support" of the themes of the sentence, once they are known."""
    tied = any(each.kind == "tie" for each in reading.items)
    if not reading.take_denied() and not tied:  # "cannot be ordered by support"
        reading.sorted = item


def read_ascending(reading: Reading, item: Item) -> None:
    """Read "from lowest to highest"."""
    read_descending(reading, replace(item, kind="ascending"))


# -- ties


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


# -- likeness


def read_same_bin(reading: Reading, item: Item) -> None:
    """Read "A is in the same bin as B" of both."""
    if reading.text_after in {"as", "with"} and reading.theme_follows():
        close_relation(reading)
        close_waiting(reading)
        reading.waiting = Waiting(item, reading.take_denied(), atoms=list(reading.subject))
    else:
        read_predicate(reading, item)


def read_equal(reading: Reading, item: Item) -> None:
    """Read "A and B have equal support", which no noisy plan can say of anyone."""
    reading.say(Equal(reading.span(item)))


def read_also(reading: Reading, item: Item) -> None:
    """Read "… as does B", and "the same holds for B" in a sentence of its own."""
    if item.text == "likewise" and not reading.is_followed_by_theme() and _goes_on_with_a_predicate(reading):
        return  # "B likewise has high support"
    if _goes_on_listing(reading):
        return  # "A together with B", "for A as well as for B"
    if not reading.at and item.text.startswith(("together", "along")):
        return  # "Together with A, …"
    close_relation(reading)
    before = reading.discourse.last
    if reading.last is not None and reading.last.item.kind == "tie":
        reading.waiting = Waiting(reading.last.item)
    elif reading.last is not None:
        reading.sharing = True
    elif before is not None:
        reading.waiting = Waiting(before.item, before.denied)


def _goes_on_listing(reading: Reading) -> bool:
    """Tell "A as well as B", where A still waits for what is said of it, or was named for what was said."""
    listing = reading.open or (reading.waiting is not None and bool(reading.waiting.atoms))
    after = reading.after_skipping({"for", "with", "by", "the", "of", "in", "on"})
    joined = reading.before is not None and reading.before.kind == THEME and after is not None and after.kind == THEME
    return listing and joined


def _goes_on_with_a_predicate(reading: Reading) -> bool:
    return any(each.kind in PREDICATES for each in reading.rest[:_NEAR])


def read_too(reading: Reading, _item: Item) -> None:
    """Read "B does too", "B also.": what was said last is said of B."""
    before = reading.discourse.last
    if _goes_on_with_a_predicate(reading) or reading.text_before in _JUST_LISTED:
        return  # "B is listed too"; "it too falls in the low bin" says for itself what it says
    if reading.last is None and before is not None and reading.subject and reading.here:
        apply(reading, Waiting(before.item, before.denied), reading.subject)
        reading.open = False
    elif reading.last is not None and reading.open and reading.subject:
        apply(reading, Waiting(reading.last.item, reading.last.denied), reading.subject)


def read_exception(reading: Reading, item: Item) -> None:
    """Read "five are clear of the noise; the exception is B": what was said is not so of B."""
    last = reading.last or reading.discourse.last
    if last is None or not reading.theme_follows():
        reading.leave_unexplained(item, "only")
    else:
        reading.waiting = Waiting(last.item, denied=not last.denied)


def read_between(reading: Reading, item: Item) -> None:
    """Let "the order between A and B" stand; that B lies between two others is a claim nobody judges."""
    if any(each.kind in {"tie", "tie_gap", "unsure", "order_certain"} for each in reading.items):
        return
    sides = [each for each in reading.rest if each.kind == THEME][:2]
    if len(reading.subject) != 1 or len(sides) != _PAIR or reading.rest[0].kind != THEME:
        reading.leave_unexplained(item, "between")
        return
    high, low = sorted((each.atoms for each in sides), key=reading.rank_of)  # "B lies between A and C"
    reading.say(Order(reading.span(item), high, reading.subject), Order(reading.span(item), reading.subject, low))
    reading.excepted |= {*high, *low}


HANDLERS: dict[str, Handler] = {
    "clear": read_predicate,
    "buried": read_buried,
    "highest": read_predicate,
    "lowest": read_predicate,
    "leads_alone": read_predicate,
    "upper_end": read_predicate,
    "lower_end": read_predicate,
    "top_set": read_predicate,
    "list_end": read_predicate,
    "ranked_first": read_predicate,
    "nth_highest": read_predicate,
    "rank": read_predicate,
    "baseline_above": read_predicate,
    "baseline_below": read_predicate,
    "ordinal": read_ordinal,
    "descending": read_descending,
    "ascending": read_ascending,
    "exception": read_exception,
    "tie": read_tie,
    "tie_gap": read_tie_gap,
    "unsure": read_unsure,
    "order_certain": read_order_certain,
    "same_bin": read_same_bin,
    "equal": read_equal,
    "also": read_also,
    "too": read_too,
    "between": read_between,
    "ranked_last": read_predicate,
}
