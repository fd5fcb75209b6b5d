"""Orders: "A has more support than B", "above", "followed by", "compared with"."""

from dpspin.public.stage3_narrate.verify.items import BIN, NUMBER, THEME, Item
from dpspin.public.stage3_narrate.verify.reading import numbers
from dpspin.public.stage3_narrate.verify.reading.closing import boundary, close_relation
from dpspin.public.stage3_narrate.verify.reading.saying import close_waiting, extreme_within
from dpspin.public.stage3_narrate.verify.reading.state import Handler, Reading
from dpspin.public.stage3_narrate.verify.reading.waiting import Atoms, Relation
from dpspin.public.stage3_narrate.verify.reading.words import ASKING, RELATIONS
from dpspin.public.stage3_narrate.verify.statements import Order


def read_order(reading: Reading, item: Item) -> None:
    """Read "above", "below", "more support", "less support"."""
    if _is_part_of_a_tie(reading, item) or _is_part_of_a_bin(reading, item):
        return
    if reading.numbers.together:
        reading.leave_unexplained(item, item.kind)  # the sum of several themes against another
        return
    numbers.close(reading)
    close_relation(reading)
    left = _first_side(reading)
    relation = reading.relation = Relation(item, RELATIONS[item.kind], reading.take_denied(), left)
    relation.on_right = item.kind in {"above", "below"}
    relation.on_left = not left and not relation.on_right
    if relation.on_right and _compares_with_a_number(reading):
        reading.numbers.ahead = True  # "exceeds the 301.9 of B"
    reading.open = False
    within = extreme_within(reading, item) if left and not relation.on_right else None
    if within is not None:
        relation.right = [atom for atom in within if atom not in left]
        close_relation(reading)  # "A has the lower support of the two moderate themes"
    elif reading.compared:
        relation.right, reading.compared = reading.compared, None
        close_relation(reading)


def _first_side(reading: Reading) -> list[int]:
    """Return the themes under the predicate just said, else the subject."""
    if not reading.waiting or not reading.waiting.atoms:
        return list(reading.subject)
    left = list(reading.waiting.atoms)
    close_waiting(reading)
    return left


def _is_part_of_a_bin(reading: Reading, item: Item) -> bool:
    """Tell the "above" of "moderate or above"."""
    near = reading.items[max(0, reading.at - 4) : reading.at]
    return reading.text_before == "or" and any(each.kind == BIN for each in near) and item.place is None


def _is_part_of_a_tie(reading: Reading, item: Item) -> bool:
    """Tell "which of the two is higher cannot be determined", where "higher" says nothing by itself."""
    complete = any(each.kind in {"than", "compared"} for each in reading.rest)
    tied = any(each.kind == "tie" for each in reading.items)
    asked = ASKING.search(reading.masked, 0, item.start) is not None
    return tied and (asked or (item.kind in {"more", "less"} and not complete))


def read_bin_order(reading: Reading, item: Item) -> None:
    """Read "A is in a higher bin than B"."""
    close_relation(reading)
    _begin(reading, item, reading.subject, above=item.kind == "more_bin")


def _begin(reading: Reading, item: Item, left: Atoms, *, above: bool) -> None:
    """Begin an order whose other side follows."""
    reading.relation = Relation(item, above, reading.take_denied(), list(left), on_right=True)
    reading.open = False


def read_then(reading: Reading, item: Item) -> None:
    """Read "A, followed by B, then C", and "…, with B after it"."""
    left = reading.last_object or (tuple(reading.relation.right) if reading.relation else ()) or reading.subject
    numbers.close(reading)
    close_relation(reading)
    close_waiting(reading)
    left = reading.last_object or left or reading.discourse.subject
    if reading.theme_follows():
        if left:
            _begin(reading, item, left, above=True)
    elif reading.open and (reading.last_object or reading.discourse.subject):
        before, skipping = reading.last_object or reading.discourse.subject, reading.skips(item, reading.subject)
        reading.say(Order(reading.span(item), before, reading.subject, skipping=skipping))


def read_follows(reading: Reading, item: Item) -> None:
    """Read "B follows" as below what was spoken of before."""
    before = reading.discourse.subject
    close_relation(reading)
    if reading.subject and before:
        left, right = list(reading.subject), list(before)
        reading.relation = Relation(item, above=False, denied=reading.take_denied(), left=left, right=right)
        reading.open = False
        close_relation(reading)
    else:
        read_then(reading, item)


def read_than(reading: Reading, item: Item) -> None:
    """Read "than": the other side follows; "more than 20%" is a bound, not a released value."""
    relation = reading.relation
    if relation is None:
        if reading.open and reading.subject and not _is_part_of_a_tie(reading, item):
            reading.leave_unexplained(item, "than")  # "…, and B than C"
        return
    if _compares_with_a_number(reading):
        reading.numbers.ahead = True  # "higher than the 352.6 recorded for B"
        relation.on_left, relation.on_right = False, True
        return
    second = relation.on_right and relation.right  # "A is higher than B, and B than C"
    if second or (reading.after is not None and reading.after.kind == NUMBER):
        reading.leave_unexplained(item, "than")
    relation.on_left, relation.on_right = False, True


def _compares_with_a_number(reading: Reading) -> bool:
    """Tell "than the 352.6 of B", where the number is B's."""
    rest = [each for each in reading.rest if each.text not in _ABOUT][:4]
    return bool(rest) and rest[0].kind == NUMBER and any(each.kind == THEME for each in rest[1:])


def read_compared(reading: Reading, _item: Item) -> None:
    """Read "compared with B", "Compared with B, A …", "20%, compared with 10% for B"."""
    after = reading.after_skipping(_ABOUT)
    kind = after.kind if after else ""
    if kind == NUMBER:
        numbers.read_compared_number(reading)
    elif kind == BIN:
        boundary(reading)
    elif reading.relation and reading.relation.left:
        reading.relation.on_right = True
    elif not reading.subject or not reading.open:
        reading.compared, reading.comparing = [], True


_ABOUT = frozenset({"about", "around", "roughly", "approximately", "some", "a", "the", "just"})
_LISTED = frozenset({"listed", "released", "admitted", "reported", "included", "named", "mentioned", "shown"})


def read_word(reading: Reading, item: Item) -> None:
    """Read "Behind A are B and C": the verb turns an order round. "A is listed" says all there is to say of A."""
    if item.text in _LISTED and reading.text_before in {"is", "are", "was", "were"}:
        reading.open = False
    relation = reading.relation
    inverted = relation is not None and relation.on_right and not relation.left and relation.right
    if relation and inverted and item.text in {"is", "are", "come", "comes", "stand", "stands", "we", "follow"}:
        relation.on_left, relation.on_right = True, False


HANDLERS: dict[str, Handler] = {
    "above": read_order,
    "below": read_order,
    "more": read_order,
    "less": read_order,
    "more_bin": read_bin_order,
    "less_bin": read_bin_order,
    "then": read_then,
    "follows": read_follows,
    "than": read_than,
    "compared": read_compared,
    "word": read_word,
}
