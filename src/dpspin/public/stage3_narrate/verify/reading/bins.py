"""Bins: "high support" says something of themes, names a group of them, or states a public rule."""

from dataclasses import replace

from dpspin.public.stage3_narrate.verify.items import BIN, THEME, Item
from dpspin.public.stage3_narrate.verify.reading.predicates import read_predicate
from dpspin.public.stage3_narrate.verify.reading.state import Handler, Reading
from dpspin.public.stage3_narrate.verify.reading.words import OR_BEYOND, STARTS_AT, WITHIN
from dpspin.public.stage3_narrate.verify.statements import Counted, InBins

_GROUPS = ("the", "these", "all", "both", "two", "three", "those")
_SAID_OF_GROUPS = frozenset({"tie", "clear", "buried", "order_certain", "highest", "lowest"})
_THEMES = frozenset({"themes", "topics", "entries", "ones"})


def read_bin(reading: Reading, item: Item) -> None:
    """Read the name of a bin."""
    if _is_read_already(reading, item) or _reads_one_by_one(reading):
        return
    if STARTS_AT.match(reading.masked, item.end):
        return  # "the high bin starts at 15%" is a public rule
    if _names_a_group(reading, item):
        _speak_of_group(reading, item)
        return
    joined = _joined(reading, item)
    relation = reading.relation
    if relation and relation.on_right and not relation.right and reading.theme_follows():
        _keep_as_attribute(reading, joined)
    else:
        read_predicate(reading, joined)


def _is_read_already(reading: Reading, item: Item) -> bool:
    """Tell a bin read ahead of its turn, and "within the low bin, several themes cannot be told apart"."""
    kinds = {each.kind for each in reading.items}
    return item is reading.settled or item.start in reading.spent or ("most" in kinds and THEME not in kinds)


def _reads_one_by_one(reading: Reading) -> bool:
    """Read "A and B are high and moderate respectively" one by one."""
    bins = [each for each in reading.items[reading.at :] if each.kind == BIN]
    fitting = len(bins) == len(reading.subject) > 1
    if not fitting or "respective" not in reading.masked.casefold():
        return False
    pairs = zip(bins, reading.subject, strict=True)
    reading.say(*(InBins(reading.span(each), (atom,), each.bins) for each, atom in pairs))
    reading.spend(*bins)
    reading.open = False
    return True


def _names_a_group(reading: Reading, item: Item) -> bool:
    """Tell "of the high themes, …" and "the two moderate themes cannot …" from "A and B are moderate themes"."""
    after = [each.text for each in reading.rest[:3]]
    within = WITHIN.search(reading.masked, 0, item.start) is not None
    grouped = reading.text_before.startswith(_GROUPS) and not _THEMES.isdisjoint(after)
    judged = any(each.kind in _SAID_OF_GROUPS for each in reading.rest)
    return not reading.open and ((within and "," in after) or (judged and (within or grouped)))


def _speak_of_group(reading: Reading, item: Item) -> None:
    """Speak of all themes of a bin; "the three moderate themes" must be as many."""
    reading.among = reading.atoms_in(item.bins)
    before = reading.before
    if before is not None and before.place and before.place != len(reading.among):
        reading.leave_unexplained(before, "count")
    reading.subject = reading.among


def _keep_as_attribute(reading: Reading, item: Item) -> None:
    """Read "outranked by two high-support themes, A and B": the bin is the other side's."""
    reading.attribute = item
    count = reading.count
    if count is None or count.number is None:
        return
    after = tuple(atom for each in reading.items[reading.at :] if each.kind == THEME for atom in each.atoms)
    reading.say(Counted(reading.span(count), count.number, bins=item.bins, listed_here=after, partial=True))
    reading.count = None


def _joined(reading: Reading, item: Item) -> Item:
    """Read "high or moderate" and "moderate or above" as one public coarsening."""
    if reach := OR_BEYOND.match(reading.masked, item.end):
        return replace(item, bins=_beyond(reading, item, up=reach["up"] is not None))
    after = [each for each in reading.rest[:3] if each.text not in {"the", "support", "bin"}]
    if len(after) > 1 and after[0].text in {"or", "to"} and after[1].kind == BIN:
        reading.spend(after[1])
        return replace(item, bins=item.bins | after[1].bins)
    return item


def _beyond(reading: Reading, item: Item, *, up: bool) -> frozenset[str]:
    """Return the bins of "moderate or above"."""
    names = [support_bin.name for support_bin in reading.plan.rules.bins]
    places = [names.index(name) for name in item.bins]
    return frozenset(names[: max(places) + 1] if up else names[min(places) :])


def read_that_bin(reading: Reading, item: Item) -> None:
    """Read "in that bin" as the bin that was spoken of last."""
    last = reading.last or reading.heading or reading.discourse.last
    if last is not None and last.item.kind == BIN:
        read_bin(reading, replace(item, kind=BIN, bins=last.item.bins))


HANDLERS: dict[str, Handler] = {BIN: read_bin, "that_bin": read_that_bin}
