"""Close what a clause left open: an order with its two sides, a denial, an "only", a count."""

import re

from dpspin.public.stage3_narrate.verify import counting
from dpspin.public.stage3_narrate.verify.passages import BLOT
from dpspin.public.stage3_narrate.verify.reading import numbers
from dpspin.public.stage3_narrate.verify.reading.saying import close_waiting
from dpspin.public.stage3_narrate.verify.reading.state import Reading
from dpspin.public.stage3_narrate.verify.reading.waiting import Atoms, Relation
from dpspin.public.stage3_narrate.verify.statements import BinOrder, Extreme, InBins, Onlyness, Order, Sorted

_ONLY_THESE = re.compile(
    rf"only\s+[^.;]*{BLOT}\W*\s+(?:is|are|was|were)\s+(?:listed|released|admitted|in\s+the\s+plan)\b", re.IGNORECASE
)
_LED_BY = ("led by", "headed by", "topped by")
_PLACES = frozenset({"behind", "below", "above", "beneath"})  # "above, …" says nothing by itself


def boundary(reading: Reading) -> None:
    """End a clause: whatever it left open finds its themes now, or nobody."""
    numbers.close(reading)
    close_relation(reading)
    close_waiting(reading)
    if reading.denied is not None:
        reading.leave_unexplained(reading.denied, "not")
    _close_only(reading)
    reading.lay_count_aside()
    reading.denied = reading.only = reading.count = reading.compared = None
    reading.in_clause = reading.open = reading.comparing = reading.sharing = False


def _close_only(reading: Reading) -> None:
    """Read "the only theme listed", and refuse an "only" that is said of nothing."""
    only = reading.only
    if only is None:
        return
    if counting.says_only_listed(only, reading.passage) or _ONLY_THESE.match(reading.masked, only.start):
        reading.say(Onlyness(reading.span(only), reading.subject or tuple(reading.here)))
    elif not counting.is_public_only(only, reading.passage, reading.items):
        reading.leave_unexplained(only, "only")


def close_relation(reading: Reading) -> None:
    """Write down an order; a side that was not named is the others, or what was spoken of before."""
    relation, reading.relation = reading.relation, None
    if relation is None:
        return
    left, right = tuple(relation.left), tuple(dict.fromkeys(relation.right))
    if relation.on_left and left:
        reading.subject, reading.open = left, False
    if relation.everyone and left:
        high = relation.above != relation.nobody
        reading.say(_extreme(reading, relation, left, high=high, denied=relation.denied))
    elif left:
        _say_order(reading, relation, left, right or _implied(reading, left))
    elif relation.denied:
        _say_nobody(reading, relation, right)
    elif right and relation.item.text.endswith(_LED_BY):
        reading.say(_extreme(reading, relation, right, high=True))
    elif right and relation.item.text not in _PLACES:
        reading.leave_unexplained(relation.item, relation.item.kind)


def _say_nobody(reading: Reading, relation: Relation, right: Atoms) -> None:
    """Read "nothing has a higher mass than A" and "A leads: no other theme has higher support"."""
    subject = reading.discourse.subject
    right = right or tuple(reading.here)[-1:] or (subject if len(subject) == 1 else ())
    if right:
        reading.say(_extreme(reading, relation, right, high=relation.above))


def _extreme(reading: Reading, relation: Relation, atoms: Atoms, *, high: bool, denied: bool = False) -> Extreme:
    beyond = counting.says_of_more_than_the_plan(reading.masked)
    return Extreme(reading.span(relation.item), atoms, high=high, beyond=beyond, denied=denied)


def _say_order(reading: Reading, relation: Relation, left: Atoms, right: Atoms) -> None:
    """Read "A has more support than B" and "A is in a higher bin than B"."""
    higher, lower = (left, right) if relation.above else (right, left)
    span = reading.span(relation.item)
    if not right:
        reading.leave_unexplained(relation.item, relation.item.kind)
    elif relation.item.kind in {"more_bin", "less_bin"}:
        reading.say(BinOrder(span, higher, lower))
    else:
        if "followed by" in relation.item.text and len(right) > 1 and relation.named:
            reading.say(Sorted(span, (*left, *right)))  # "A, followed by B and C"
        skipping = relation.item.kind == "then" and reading.skips(relation.item, lower)
        reading.say(Order(span, higher, lower, denied=relation.denied, skipping=skipping))
        reading.first_is_higher = relation.above
        _say_attribute(reading, right)
        reading.last_object = right
        if relation.item.kind == "then":
            reading.subject = right


def _say_attribute(reading: Reading, right: Atoms) -> None:
    """Read "… than two high-support themes, A and B": the other side is high, too."""
    attribute, reading.attribute = reading.attribute, None
    if attribute is not None:
        reading.say(InBins(reading.span(attribute), right, attribute.bins))


def _implied(reading: Reading, left: Atoms) -> Atoms:
    """Return what "A has less support" compares A with: the set it was said of, or what was named just before."""
    for known in (reading.among, tuple(reading.here), reading.discourse.recent):
        rest = tuple(atom for atom in known if atom not in left)
        if rest:
            return rest
    return ()
