"""Bind every number of a passage: to a parameter of the plan, to a count of themes, or to the themes it is said of."""

import re

from dpspin.public.stage3_narrate.verify import counting
from dpspin.public.stage3_narrate.verify.bindings import bound_values
from dpspin.public.stage3_narrate.verify.items import THEME, Item
from dpspin.public.stage3_narrate.verify.quantities import Kind
from dpspin.public.stage3_narrate.verify.reading.saying import close_waiting
from dpspin.public.stage3_narrate.verify.reading.state import Reading
from dpspin.public.stage3_narrate.verify.reading.waiting import Atoms
from dpspin.public.stage3_narrate.verify.reading.words import BETWEEN_ENDS, INTERVAL
from dpspin.public.stage3_narrate.verify.released import is_public_constant
from dpspin.public.stage3_narrate.verify.statements import Constant, Counted, Order, Unexplained, Value

_PAIR = 2
Ends = tuple[Item, Item | None]  # of an interval, or one number


def read_number(reading: Reading, item: Item) -> None:
    """Take one number."""
    numbers, number = reading.numbers, item.number
    if number is None:
        return
    values = bound_values(number, reading.passage, reading.plan)
    if values is not None:
        reading.say(Constant(reading.span(item), number, values))
    elif _is_of_a_description(reading, item):
        pass
    elif number.kind is Kind.VAGUE or (reading.relation and reading.text_before == "by"):  # "exceeds B by 20"
        reading.leave_unexplained(item, "number")
    elif counting.counts_themes(item, reading.passage) or _counts_a_bin(reading, item):
        _count(reading, item)
    elif numbers.parentheses and numbers.last_theme:
        numbers.inside.append(item)
    else:
        numbers.pending.append(item)


def _is_of_a_description(reading: Reading, item: Item) -> bool:
    """Tell the 17 of "iOS 17" in the words of a theme's own description."""
    written = re.compile(rf"(?<![\d.]){re.escape(item.text)}(?![\d.])")
    named = [entry for entry in reading.plan.entries if entry.atom_id in reading.here]
    return any(written.search(f"{entry.label} {entry.description}") for entry in named)


def _counts_a_bin(reading: Reading, item: Item) -> bool:
    """Tell the 3 of "High bin (3): …"."""
    waiting, numbers = reading.waiting, reading.numbers
    heads = waiting is not None and bool(waiting.item.bins) and not waiting.atoms
    whole = item.number is not None and not item.number.decimals
    return heads and whole and bool(numbers.parentheses) and not numbers.last_theme


def _count(reading: Reading, item: Item) -> None:
    """Keep a number of themes for the predicate that says what they are."""
    if reading.on_other_side() and item.number is not None and reading.names_a_theme_later():
        after = tuple(atom for each in reading.rest if each.kind == THEME for atom in each.atoms)
        reading.say(Counted(reading.span(item), item.number, listed_here=after, partial=True))
        return  # "is outranked by three themes, namely …"
    if counting.is_of_the_dictionary(item, reading.passage):
        reading.counts.append(item)  # "seven themes out of a dictionary of nine have …"
        return
    waiting, reading.only = reading.waiting, None
    if waiting and waiting.count is None and not waiting.atoms:
        waiting.count = item
        return
    if waiting and waiting.count is not None:
        close_waiting(reading)
    reading.lay_count_aside()
    if not reading.open:
        reading.subject = ()
    reading.count = item


def read_sign(reading: Reading, item: Item) -> None:
    """Keep track of parentheses: what stands in them is said of the theme before them."""
    numbers = reading.numbers
    if item.text in "([":
        numbers.parentheses += 1
        if reading.before is None or reading.before.kind != THEME:
            numbers.last_theme = numbers.last_theme[-1:]
    elif item.text in ")]" and numbers.parentheses:
        numbers.parentheses -= 1
        _close_parentheses(reading)


def speak_of(reading: Reading, atoms: Atoms) -> None:
    """Begin anew: numbers from here on are said of these themes."""
    numbers = reading.numbers
    numbers.run, numbers.numbered, numbers.last_theme = list(atoms), False, atoms


def bind_before_theme(reading: Reading, atoms: Atoms) -> None:
    """Bind what was said before the next theme."""
    numbers = reading.numbers
    if numbers.pending and (numbers.ahead or not _said_of(reading)):
        numbers.ahead = True
        _bind_ahead(reading, atoms)
    elif numbers.pending:
        close(reading)
    if numbers.numbered:
        numbers.run, numbers.numbered = [], False
    numbers.run += [atom for atom in atoms if atom not in numbers.run]
    numbers.last_theme = atoms


def _bind_ahead(reading: Reading, atoms: Atoms) -> None:
    """Read "318.4 for A", and "… are 318.4 and 271.9 respectively" of the themes before."""
    pending, reading.numbers.pending = reading.numbers.pending, []
    both = reading.discourse.recent if _says_respectively(reading) and len(pending) > 1 else ()
    each = atoms if len(atoms) == len(_paired(reading, pending)) else atoms[:1]
    _bind(reading, pending, both or each)


def _says_respectively(reading: Reading) -> bool:
    return "respective" in reading.masked.casefold()


def _said_of(reading: Reading) -> Atoms:
    """Return whom a number is said of: the themes since the last number, or whom the clause speaks of."""
    return tuple(reading.numbers.run) or reading.subject or reading.numbers.last_theme


def read_compared_number(reading: Reading) -> None:
    """Read "3.04%, compared with 8.68% for B": what follows is said of what comes after it."""
    if len(_sides(reading)) == _PAIR and not reading.names_a_theme_later():
        return  # "A has more support than B: 33.1% compared with 24.1%"
    if reading.numbers.pending:
        close(reading)
        reading.numbers.ahead = True


def _close_parentheses(reading: Reading) -> None:
    """Give what stands in parentheses to the theme before them; "(143.6 compared with 61.3)" to a pair."""
    numbers, inside = reading.numbers, reading.numbers.inside
    numbers.inside = []
    if not inside:
        return
    pair, sides = reading.discourse.pair(reading.here), _sides(reading)
    if numbers.together:
        _bind(reading, inside, tuple(numbers.run) or reading.subject)
    elif len(sides) == len(inside) > 1:
        _bind(reading, inside, sides)  # "A has more support than B (118.2 and 104.9)"
    elif len(numbers.run) == len(inside) == len(_paired(reading, inside)) > 1:
        _bind(reading, inside, tuple(numbers.run))
    elif len(inside) == len(pair) and _are_compared(reading, inside):
        for number, atom in zip(inside, pair, strict=True):
            _bind(reading, [number], (atom,))
    else:
        _bind(reading, inside, numbers.last_theme[-1:])


def _are_compared(reading: Reading, inside: list[Item]) -> bool:
    low, high = inside[0].end, inside[-1].start
    return any(each.kind == "compared" and low <= each.start < high for each in reading.items)


def _sides(reading: Reading) -> Atoms:
    """Return the two sides of the order that was read last, for the numbers given with it."""
    relation = reading.relation
    if relation and relation.left and relation.right:
        return (*relation.left, *relation.right)
    match reading.statements[-1:]:
        case [Order(higher=higher, lower=lower)]:
            return (*higher, *lower) if reading.first_is_higher else (*lower, *higher)
        case _:
            return ()


def close(reading: Reading) -> None:
    """Bind what is left to the themes spoken of."""
    _close_parentheses(reading)
    pending = reading.numbers.pending
    if not reading.here and not reading.subject:
        pending = [each for each in pending if each.number and not is_public_constant(each.number, reading.plan)]
    sides = _sides(reading)
    if pending and len(sides) == len(_paired(reading, pending)) > 1:
        _bind(reading, pending, sides)
    elif pending:
        known = _named_on_the_other_side(reading) or _said_of(reading)
        _bind(reading, pending, known or _spoken_of_before(reading, len(pending)))
        reading.open = False
    reading.numbers.pending, reading.numbers.ahead = [], False


def _named_on_the_other_side(reading: Reading) -> Atoms:
    """Give a number after "… ahead of B" to B; after "… below it" it is not its."""
    relation = reading.relation
    return tuple(relation.right)[-1:] if relation is not None and relation.named else ()


def _spoken_of_before(reading: Reading, how_many: int) -> Atoms:
    """Read "Support is 21%" of the one theme that the text spoke of before; "respectively" of several."""
    discourse = reading.discourse
    if _says_respectively(reading) and len(discourse.recent) == how_many:
        return discourse.recent
    return discourse.subject if len(discourse.subject) == 1 else ()


def _bind(reading: Reading, numbers: list[Item], atoms: Atoms) -> None:
    """Give numbers to themes: one each in order, an interval to each, or all to the same."""
    reading.numbers.numbered = True
    pairs = _paired(reading, numbers)
    one_each = not reading.numbers.together and len(pairs) == len(atoms) > 1
    sharing = [(atom,) for atom in atoms] if one_each else [atoms] * len(pairs)
    for ends, themes in zip(pairs, sharing, strict=True):
        _say(reading, ends, themes)


def _say(reading: Reading, ends: Ends, atoms: Atoms) -> None:
    low, high = ends
    if low.number is None:
        return
    span, together = (reading.span(low)[0], reading.span(high or low)[1]), reading.numbers.together
    if atoms or together:
        reading.say(Value(span, atoms, low.number, high.number if high else None, together=together))
    else:
        reading.say(Unexplained(span, "number", low.text))


def _paired(reading: Reading, numbers: list[Item]) -> list[Ends]:
    """Join the two ends of an interval."""
    pairs: list[Ends] = []
    rest = list(numbers)
    while rest:
        low = rest.pop(0)
        pairs.append((low, rest.pop(0) if rest and _is_interval(reading, low, rest[0]) else None))
    return pairs


def _is_interval(reading: Reading, low: Item, high: Item) -> bool:
    """Tell "20% to 25%" and "between 20% and 25%" from "20% and 25%"."""
    if not BETWEEN_ENDS.fullmatch(reading.masked, low.end, high.start):
        return False
    joined = reading.masked[low.end : high.start].strip(" %").casefold()
    if joined == "," and _says_respectively(reading):
        return False
    return joined not in {"and", ","} or INTERVAL.search(reading.masked, 0, low.start) is not None
