"""Read a passage from left to right and write down what it says, theme by theme.

The reader keeps what a human reader keeps in mind: whom the sentence speaks of (the subject), a predicate that still
waits for its themes ("High support is found for …"), and an order that still waits for its other side ("… than …"). A
claim phrase that finds nobody to speak of is written down as unexplained, and refused.
"""

import re
from dataclasses import replace

from dpspin.boundary.plan import SemanticPlan
from dpspin.public.stage3_narrate.verify import counting
from dpspin.public.stage3_narrate.verify.discourse import Discourse
from dpspin.public.stage3_narrate.verify.items import NUMBER, SIGN, THEME, Item
from dpspin.public.stage3_narrate.verify.passages import Passage, Role
from dpspin.public.stage3_narrate.verify.reading import (
    bins,
    groups,
    numbers,
    orders,
    predicates,
    quantifiers,
    references,
    themes,
    ties,
)
from dpspin.public.stage3_narrate.verify.reading.closing import boundary
from dpspin.public.stage3_narrate.verify.reading.saying import apply
from dpspin.public.stage3_narrate.verify.reading.state import Handler, Reading
from dpspin.public.stage3_narrate.verify.reading.waiting import Atoms, Waiting
from dpspin.public.stage3_narrate.verify.reading.words import HEADING_KINDS, LEAD_IN, VERBS
from dpspin.public.stage3_narrate.verify.statements import Sorted, Unexplained

_PAIR = 2
_RANKING = re.compile(r"\b(?:ranking|ranked|in\s+order)\b", re.IGNORECASE)
_AMONG = frozenset({"and", "the", "both", "themes"})


def read_passage(
    passage: Passage, items: tuple[Item, ...], plan: SemanticPlan, discourse: Discourse, heading: Waiting | None = None
) -> Reading:
    """Read all items of a passage under its heading; what is left open at the end is closed."""
    reading = Reading(passage, items, plan, discourse, heading)
    if passage.role is Role.HEADER:
        return reading
    for place, item in enumerate(items):
        reading.at = place
        _HANDLERS.get(item.kind, _read_unknown)(reading, item)
    asks = is_question(passage) and not reading.here
    if (asks or _is_a_lead_in(reading)) and reading.waiting and not reading.waiting.atoms:
        reading.heading, reading.waiting = reading.waiting, None
    boundary(reading)
    if asks:  # a question claims nothing; what it asks for is said by the answer
        reading.statements = [e for e in reading.statements if not isinstance(e, Unexplained) or e.kind == "chatter"]
    _say_what_the_whole_passage_says(reading)
    subject = reading.topic or reading.subject or tuple(reading.here)
    discourse.remember([*reading.referred, *reading.here], subject)
    return reading


def is_question(passage: Passage) -> bool:
    """Tell a question, which claims nothing."""
    return passage.text.rstrip(" *_").endswith("?")


def _is_a_lead_in(reading: Reading) -> bool:
    """Tell a heading, or "**Also high.**" before the sentence it heads."""
    if reading.passage.role is not Role.SENTENCE:
        return reading.passage.role is Role.HEADING
    bare = all(item.kind in HEADING_KINDS or item.text in LEAD_IN for item in reading.items)
    return bare and not reading.here and not reading.subject


def _say_what_the_whole_passage_says(reading: Reading) -> None:
    """Write down the order of its themes, its plain counts, and what its heading says of it."""
    here = tuple(reading.here)
    _keep_a_sorted_list(reading, here)
    if reading.sorted is not None and len(here) > 1:
        first_to_last = here[::-1] if reading.sorted.kind == "ascending" else here
        by_support = "mass" not in reading.sorted.text
        reading.say(Sorted(reading.span(reading.sorted), first_to_last, by_support=by_support))
    for count in reading.counts:
        reading.say(counting.plain_count(count, reading.passage, here or reading.subject, reading.discourse))
    if reading.heading and here:
        apply(reading, replace(reading.heading, count=None), here)
        reading.heading.atoms += here


def _keep_a_sorted_list(reading: Reading, here: Atoms) -> None:
    """Read the items under "In descending order of support:" as one order."""
    discourse, role = reading.discourse, reading.passage.role
    if role is Role.HEADING:
        ranked = reading.sorted is not None or _RANKING.search(reading.masked)
        discourse.sorting = [] if ranked else None
    elif role is not Role.BULLET:
        discourse.sorting = None
    elif discourse.sorting is not None and here:
        if discourse.sorting:
            reading.say(Sorted(reading.passage.span, (discourse.sorting[-1], here[0]), by_support=True))
        discourse.sorting += here


def _read_sign(reading: Reading, item: Item) -> None:
    """Read parentheses, "A > B", the end of a clause, and the comma after "Compared with A"."""
    numbers.read_sign(reading, item)
    if item.text == ";" and not _goes_on_listing(reading):
        boundary(reading)
    elif item.text == ">":
        orders.read_order(reading, replace(item, kind="above"))
    elif item.text == "," and _names_a_pair_first(reading):
        reading.among, reading.subject, reading.open = tuple(reading.here), (), False
    elif item.text == "," and _is_inverted(reading):
        _turn_round(reading)
    elif item.text == "," and reading.comparing:
        reading.comparing, reading.subject, reading.open = False, (), False


def _names_a_pair_first(reading: Reading) -> bool:
    """Tell "Of A and B, it is A that has more support" and "Between A and B, …"."""
    before = reading.items[: reading.at]
    plain = all(each.kind == THEME or each.text in _AMONG for each in before[1:])
    return len(reading.here) == _PAIR and plain and before[0].text in {"of", "between", "among"}


def _is_inverted(reading: Reading) -> bool:
    """Tell "Below it, A and B …": the other side came first."""
    relation = reading.relation
    if relation is None or relation.item.kind not in {"above", "below"}:
        return False
    return not relation.left and bool(relation.right) and not relation.named


def _turn_round(reading: Reading) -> None:
    if reading.relation is not None:
        reading.relation.on_left, reading.relation.on_right = True, False


def _goes_on_listing(reading: Reading) -> bool:
    """Tell "A; B; and C" from two statements."""
    theme = reading.after_skipping({"and"})
    if theme is None or theme.kind != THEME or not (reading.waiting or reading.on_other_side()):
        return False
    verb = reading.after_themes(reading.items.index(theme))
    return verb is None or verb.text.split()[0] not in VERBS


def _read_break(reading: Reading, _item: Item) -> None:
    """Read "while", "but": a new clause begins."""
    boundary(reading)


def _read_plain(_reading: Reading, _item: Item) -> None:
    """Pass over a phrase that claims nothing."""


def _read_unknown(reading: Reading, item: Item) -> None:
    """Refuse a claim phrase that no handler reads."""
    reading.leave_unexplained(item, item.kind)


_HANDLERS: dict[str, Handler] = {
    SIGN: _read_sign,
    NUMBER: numbers.read_number,
    "break": _read_break,
    "plain": _read_plain,
    **themes.HANDLERS,
    **references.HANDLERS,
    **groups.HANDLERS,
    **bins.HANDLERS,
    **predicates.HANDLERS,
    **ties.HANDLERS,
    **orders.HANDLERS,
    **quantifiers.HANDLERS,
}
