"""Say a predicate of its themes: what "high", "ranks third" and "cannot be told apart" write down."""

import re
from collections.abc import Callable
from dataclasses import replace

from dpspin.public.stage3_narrate.verify import counting
from dpspin.public.stage3_narrate.verify.items import BIN, THEME, Item
from dpspin.public.stage3_narrate.verify.passages import Role
from dpspin.public.stage3_narrate.verify.reading.state import Reading
from dpspin.public.stage3_narrate.verify.reading.waiting import Atoms, Waiting
from dpspin.public.stage3_narrate.verify.statements import (
    Beside,
    Certain,
    Clear,
    Counted,
    Extreme,
    InBins,
    Inseparable,
    Ranked,
    SameBin,
    Statement,
    Unexplained,
)

_COUNTABLE = frozenset({BIN, "clear", "buried"})
_GIVES_RANKS = frozenset({"highest", "leads_alone", "ranked_first", "rank", "ordinal"})
_NEAR = 6  # how many items may stand between a superlative and the bin it is of
_WITHIN = frozenset({"of", "among", "amongst", "in", "within"})
_OF_ALL_KNOWN = re.compile(
    r"\s+(?:theme|entry|support|one|mass)?\s*(?:of|in|from)\s+(?:the|its)\s+(?:\w+\s+)?dictionary\b", re.IGNORECASE
)
_LOOSELY = ("among", "one of", "amongst", "among the", "one of the")


def apply(reading: Reading, predicate: Waiting, atoms: Atoms) -> None:
    """Write down what a predicate says of its themes."""
    kind = predicate.item.kind
    reading.last = reading.discourse.last = predicate
    reading.discourse.said = kind
    reading.spoken_of += atoms
    reading.ranking = reading.ranking or kind in _GIVES_RANKS
    reading.say(*_SAYS.get(kind, _unknown)(reading, predicate, atoms))
    if predicate.only and kind not in {BIN, "clear", "buried"}:
        reading.leave_unexplained(predicate.item, "only")  # "only A lies above its baseline"
    if kind in _COUNTABLE:
        _count(reading, predicate, atoms)


def close_waiting(reading: Reading) -> None:
    """Say a predicate that waits of the themes after it, else of the subject; without any it is refused."""
    waiting, reading.waiting = reading.waiting, None
    if waiting is None:
        return
    if waiting.atoms:
        atoms = tuple(dict.fromkeys(waiting.atoms))
        apply(reading, waiting, atoms)
        reading.subject, reading.open = atoms, False
    elif waiting.count is not None and waiting.item.kind in _COUNTABLE:
        reading.discourse.last, reading.discourse.said = waiting, waiting.item.kind
        _count(reading, waiting, ())
    elif reading.subject:
        apply(reading, waiting, reading.subject)
    elif _needs_nobody(reading, waiting.item):
        return
    elif subject := _spoken_of_before(reading):
        apply(reading, waiting, subject)
    else:
        reading.leave_unexplained(waiting.item, waiting.item.kind)


def _spoken_of_before(reading: Reading) -> Atoms:
    """Read "Bin: high" and "Highest in the plan." of what the text spoke of before; a heading of what follows."""
    return () if reading.passage.role is Role.HEADING else reading.discourse.subject


def _needs_nobody(reading: Reading, item: Item) -> bool:
    """Tell a public rule, and "at the upper end of the list" where nothing was listed by it."""
    if item.kind in {"upper_end", "lower_end"} or reading.denies_in_general():
        return True
    return counting.is_public_rule(item, reading.items, reading.passage, reading.plan)


def _count(reading: Reading, predicate: Waiting, atoms: Atoms) -> None:
    """Read "three themes have high support" and "two themes stand clear of the noise"."""
    count = predicate.count
    if count is None or count.number is None:
        return
    bins = predicate.item.bins if predicate.item.kind == BIN else None
    clear = None if bins else (predicate.item.kind == "clear") != predicate.denied
    if bins:
        reading.discourse.group = reading.atoms_in(bins)
        reading.referred += () if atoms else reading.discourse.group
    partial = counting.is_partial(count, reading.passage)
    reading.say(Counted(reading.span(count), count.number, bins=bins, clear=clear, listed_here=atoms, partial=partial))


# -- what each kind of predicate says


def _bin(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    span, bins = reading.span(predicate.item), predicate.item.bins
    return [InBins(span, atoms, bins, denied=predicate.denied, only=predicate.only)]


def _clear(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    up = (predicate.item.kind == "clear") != predicate.denied
    return [Clear(reading.span(predicate.item), atoms, up=up, only=predicate.only)]


def _highest(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    return _extreme(reading, predicate, atoms, high=True)


def _lowest(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    return _extreme(reading, predicate, atoms, high=False)


def _top_set(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    """Read "the top three themes" of three themes."""
    item = predicate.item
    if item.place and item.place != len(atoms):
        return [Unexplained(reading.span(item), "count", item.text)]
    return _highest(reading, predicate, atoms)


def _end(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    """Read "at the upper end of the list"."""
    high = predicate.item.kind == "upper_end"
    return [Extreme(reading.span(predicate.item), atoms, high=high, loosely=True, denied=predicate.denied)]


def _first(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    return _ranks(reading, replace(predicate, item=replace(predicate.item, place=1)), atoms)


def _nth_highest(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    """Read "the third-highest support", and "the runner-up" as the second."""
    item = predicate.item
    return [Ranked(reading.span(item), atoms, item.place or 2, by_support=True, denied=predicate.denied)]


def _last(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    """Read "B ranks last": a released rank."""
    return [Ranked(reading.span(predicate.item), atoms, len(reading.plan.entries), denied=predicate.denied)]


def _ranks(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    """Read "A ranks fifth", and "A and B rank fifth and sixth" one by one."""
    item, span, denied = predicate.item, reading.span(predicate.item), predicate.denied
    following = [each for each in reading.rest if each.kind == "ordinal"][: len(atoms) - 1]
    if len(atoms) > 1 and len(following) == len(atoms) - 1 and not reading.theme_follows():
        reading.spend(*following)
        places = [each.place or 0 for each in (item, *following)]
        return [Ranked(span, (atom,), place, denied=denied) for atom, place in zip(atoms, places, strict=True)]
    return [Ranked(span, atoms, item.place or 0, denied=denied)]


def _same_bin(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    together = atoms if len(atoms) > 1 else reading.discourse.many(reading.here, None)
    return [SameBin(reading.span(predicate.item), together, denied=predicate.denied)]


def _certain(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    return [Certain(reading.span(predicate.item), atoms)]


def _tie(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    return [Inseparable(reading.span(predicate.item), atoms)]


def _beside(reading: Reading, predicate: Waiting, atoms: Atoms) -> list[Statement]:
    above = predicate.item.kind == "baseline_above"
    return [Beside(reading.span(predicate.item), atoms, above=above, denied=predicate.denied)]


def _unknown(reading: Reading, predicate: Waiting, _atoms: Atoms) -> list[Statement]:
    return [Unexplained(reading.span(predicate.item), predicate.item.kind, predicate.item.text)]


_SAYS: dict[str, Callable[[Reading, Waiting, Atoms], list[Statement]]] = {
    BIN: _bin,
    "clear": _clear,
    "buried": _clear,
    "highest": _highest,
    "leads_alone": _highest,
    "lowest": _lowest,
    "list_end": _lowest,
    "upper_end": _end,
    "lower_end": _end,
    "top_set": _top_set,
    "ranked_first": _first,
    "ranked_last": _last,
    "nth_highest": _nth_highest,
    "rank": _ranks,
    "ordinal": _ranks,
    "same_bin": _same_bin,
    "order_certain": _certain,
    "tie": _tie,
    "baseline_above": _beside,
    "baseline_below": _beside,
}


# -- superlatives


def _extreme(reading: Reading, predicate: Waiting, atoms: Atoms, *, high: bool) -> list[Statement]:
    """Read "the highest", "among the highest", "the lowest of the moderate themes"."""
    item, span = predicate.item, reading.span(predicate.item)
    if _OF_ALL_KNOWN.match(reading.masked, item.end) and reading.plan.noisy_sketch is None:
        return _unknown(reading, predicate, atoms)  # of themes that nobody released
    loosely = reading.masked[: item.start].casefold().rstrip().endswith(_LOOSELY)
    within = extreme_within(reading, item)
    among = within or _of_so_many(reading) or reading.among
    said = Extreme(
        span,
        atoms,
        high=high,
        among=among or None,
        beyond=counting.says_of_more_than_the_plan(reading.masked),
        loosely=loosely,
        denied=predicate.denied,
    )
    if within is None:
        return [said]
    bins = frozenset(entry.bin for entry in reading.plan.entries if entry.atom_id in within)
    return [InBins(span, atoms, bins), said]


def _of_so_many(reading: Reading) -> Atoms:
    """Read "the highest support of the three": of the three that were named."""
    for place, each in enumerate(reading.rest[:_NEAR]):
        if each.kind == "these" and each.place and reading.items[reading.at + place].text in _WITHIN:
            named = reading.discourse.many(reading.here, each.place)
            return named if set(reading.here) <= set(named) and len(named) < len(reading.plan.entries) else ()
        if each.kind == THEME:
            break
    return ()


def extreme_within(reading: Reading, item: Item) -> Atoms | None:
    """Read "tops the moderate bin" and "the lowest of the moderate themes": of that bin."""
    for place, each in enumerate(reading.rest[:_NEAR]):
        before = {other.text for other in reading.rest[max(0, place - 4) : place]}
        if each.kind == BIN and before & _WITHIN:
            reading.spend(each)
            return reading.atoms_in(each.bins)
        if each.kind == THEME or each.text in {"and", ",", "but", "which"}:
            break
    following = [each for each in reading.rest[:2] if each.text != "the"]
    if following and following[0].kind == BIN and item.text.endswith(("tops", "leads", "leading", "heads")):
        return reading.atoms_in(following[0].bins)
    return None
