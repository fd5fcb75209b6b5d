"""Predicates: what is said of themes, before or after they are named."""

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
    PLACING,
    PREDICATES,
)
from dpspin.public.stage3_narrate.verify.statements import Equal, Order

_NEAR, _PAIR = 5, 2
_JUST_LISTED = frozenset({"listed", "included", "named", "mentioned", "there", "released", "admitted", "reported"})
_BEGINS = frozenset({"", ";", ",", "and", "while", "whereas"})
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
    "same_bin": read_same_bin,
    "equal": read_equal,
    "also": read_also,
    "too": read_too,
    "between": read_between,
    "ranked_last": read_predicate,
}
