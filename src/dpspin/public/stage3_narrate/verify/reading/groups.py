"""References to several themes at once: "these", "both", "the others", "all themes"."""

from dataclasses import replace

from dpspin.public.stage3_narrate.verify.items import BIN, THEME, Item
from dpspin.public.stage3_narrate.verify.quantities import Kind, Quantity
from dpspin.public.stage3_narrate.verify.reading import numbers
from dpspin.public.stage3_narrate.verify.reading.closing import boundary
from dpspin.public.stage3_narrate.verify.reading.references import read_relative
from dpspin.public.stage3_narrate.verify.reading.state import Handler, Reading
from dpspin.public.stage3_narrate.verify.reading.themes import refer_anew
from dpspin.public.stage3_narrate.verify.reading.waiting import Atoms
from dpspin.public.stage3_narrate.verify.reading.words import OF_THE_DICTIONARY
from dpspin.public.stage3_narrate.verify.statements import Counted, Scope
from dpspin.public.stage3_narrate.verify.uncovered import NONE

_OF = frozenset({"of", "among", "amongst", "between"})
_OF_ALL = frozenset({"of", "among", "amongst", "in", "across"})
_THEY = frozenset({"their", "they"})
_IS = frozenset({"are", "is", "were", "was"})
_LISTED = frozenset({"listed", "released", "admitted"})


def how_many(item: Item) -> int | None:
    """Return how many themes a reference speaks of, if it says so: "both", "the three".

    >>> how_many(Item("these", 0, 4, "both"))
    2
    """
    return 2 if item.text.startswith(("both", "either", "the pair")) else item.place


# -- these


def read_these(reading: Reading, item: Item) -> None:
    """Read "these", "both of which", "the three themes", "A and B together"."""
    if item.place and reading.before is not None and reading.before.atoms == (NONE,):
        number = Quantity(Kind.WORD, float(item.place), 0, item.start, item.end)
        reading.say(Counted(reading.span(item), number, scope=Scope.DICTIONARY))  # "fits none of the 54 themes"
    elif "together" in item.text:
        _read_together(reading, item)
    elif "which" in item.text:
        read_relative(reading, plural=True)
    elif not (_stresses_a_list(reading, item) or _is_left_to_a_bin(reading, item) or _is_apposed(reading, item)):
        _refer_to_several(reading, item)


def _read_together(reading: Reading, item: Item) -> None:
    """Read "A and B together have 40%"; "more than all others together" is a sum that no plan gives."""
    reading.numbers.together = True
    if reading.relation and reading.relation.everyone:
        reading.leave_unexplained(item, "quantifier")


def _stresses_a_list(reading: Reading, item: Item) -> bool:
    """Tell "both A and B", "A and B both", "those with moderate support are A and B"."""
    if item.text == "those" and reading.text_after in {"with", "in"} and reading.names_a_theme_later():
        return True
    if reading.is_followed_by_theme() and not item.place and reading.text_before not in _OF:
        return True
    return reading.open and len(reading.subject) > 1 and item.place in {None, len(reading.subject)}


def _is_left_to_a_bin(reading: Reading, item: Item) -> bool:
    """Tell "the two moderate themes", where the bin says which; of two moderate themes just named it says nothing."""
    after = reading.after
    if after is None or after.kind != BIN or not item.text.startswith(("the", "these", "all")):
        return False
    known = [*reading.referred, *reading.here]
    spoken = reading.discourse.many(known, item.place, reading.subject) if item.place else ()
    if not spoken or {entry.bin for entry in reading.plan.entries if entry.atom_id in spoken} - after.bins:
        return True
    reading.spend(after)
    return False


def _is_apposed(reading: Reading, item: Item) -> bool:
    """Read "followed by A and B, both with low support" of the two; "…, with both …" begins a clause."""
    relation = reading.relation
    if not relation or not relation.right or not item.text.startswith(("both", "all", "the")):
        return False
    right = tuple(relation.right)
    boundary(reading)
    if reading.text_before != "," or how_many(item) not in {None, len(right)}:
        return False
    reading.subject, reading.open = right, True
    numbers.speak_of(reading, right)
    return True


def _refer_to_several(reading: Reading, item: Item) -> None:
    """Find the themes that "these three" speaks of; "of the two" says among whom."""
    number = how_many(item)
    atoms = _several(reading, number)
    if item.text in _THEY and len(reading.here) == 1 and not reading.on_other_side():
        atoms = tuple(reading.here)  # "discharge papers are clear of the noise, although their support is low"
    elif not number and not reading.discourse.named and not reading.here and reading.text_before not in _OF:
        atoms = reading.discourse.listed  # "Seven themes are listed. Each of them …"
    if number and not atoms:
        later = sum(each.kind == THEME for each in reading.rest)
        if number not in {reading.plan.dictionary.size, later}:  # "six of the ten themes", "the two, A and B"
            _count_instead(reading, item, number)
    elif reading.text_before in _OF and (not reading.waiting or reading.waiting.item.kind in {"highest", "lowest"}):
        reading.among = atoms
    else:
        refer_anew(reading, atoms, item)
        reading.open = True


def _several(reading: Reading, number: int | None) -> Atoms:
    """Return so many themes; the other side of an order is none of its first."""
    aside = reading.relation.left if reading.relation and reading.relation.on_right else []
    everyone = tuple(dict.fromkeys([*reading.referred, *reading.here]))
    if number == len(everyone) and not aside:
        return everyone
    here = [atom for atom in reading.here if atom not in aside]
    return reading.discourse.many(here, number, () if aside else reading.subject, aside)


def _count_instead(reading: Reading, item: Item, number: int) -> None:
    """Read "the remaining three are low" as a number of themes, where nobody knows which."""
    reading.subject, reading.open = (), False
    reading.lay_count_aside()
    reading.count = replace(item, number=Quantity(Kind.WORD, float(number), 0, item.start, item.end))


# -- the others


def read_others(reading: Reading, item: Item) -> None:
    """Read "the others", "the remaining two", "everything else"."""
    if reading.relation and reading.relation.on_right:
        left = reading.relation.left
        series = [atom for atom in reading.discourse.many(reading.here, None) if atom not in left]
        if how_many(item) == len(series):
            reading.relation.right += series
        else:
            reading.relation.everyone = True
    elif reading.after is not None and reading.after.kind == BIN and item.place and reading.names_a_theme_later():
        _count_instead(reading, item, item.place)  # "the other three high-support themes are A, B and C"
    elif not _says_nothing_new(reading, item):
        _refer_to_others(reading, item)


def _says_nothing_new(reading: Reading, item: Item) -> bool:
    """Tell "two others", "A is the other theme", "the others with high support are A and B"."""
    counted = reading.count is not None and reading.before == reading.count
    listing = reading.open and bool(reading.subject)
    heads_a_list = _heads_a_list(reading) and "else" not in item.text
    return counted or listing or heads_a_list or reading.is_followed_by_theme()


def _heads_a_list(reading: Reading) -> bool:
    """Tell "… with high support are A and B"."""
    return reading.text_after in {"in", "with"} and reading.names_a_theme_later()


def _refer_to_others(reading: Reading, item: Item) -> None:
    number = how_many(item)
    atoms = _without_exceptions(reading, reading.discourse.others(reading.here, reading.spoken_of, number))
    if number and not atoms:
        _count_instead(reading, item, number)
    else:
        refer_anew(reading, atoms, item)


def _without_exceptions(reading: Reading, atoms: Atoms) -> Atoms:
    """Leave out the themes after an "except" that follows."""
    rest = reading.rest
    place = next((index for index, each in enumerate(rest) if each.kind == "except"), len(rest))
    excepted = {atom for each in rest[place + 1 : place + 4] if each.kind == THEME for atom in each.atoms}
    return tuple(atom for atom in atoms if atom not in excepted)


# -- all themes


def read_all_themes(reading: Reading, item: Item) -> None:
    """Read "every listed theme", "all six themes", "the released themes"."""
    if reading.relation and reading.relation.on_right:
        reading.relation.everyone = True
    elif _announces_themes(reading, item):
        return
    elif OF_THE_DICTIONARY.match(reading.masked, item.end):
        if not _is_whole_dictionary(reading) or item.place not in {None, reading.plan.dictionary.size}:
            reading.leave_unexplained(item, "quantifier")
    elif _says_that_all_are_listed(reading, item):
        reading.leave_unexplained(item, "quantifier")
    else:
        _refer_to_all(reading, item)


def _announces_themes(reading: Reading, item: Item) -> bool:
    """Tell "the released themes include A", "the listed themes with high support are A", "A leads the themes"."""
    if reading.before is not None and reading.before.kind in {"leads_alone", "highest"}:
        return True
    names = _heads_a_list(reading) or reading.is_followed_by_theme()
    return names and item.text.startswith(("the", "these"))


def _is_whole_dictionary(reading: Reading) -> bool:
    return reading.plan.dictionary.size == len(reading.plan.entries)


def _says_that_all_are_listed(reading: Reading, item: Item) -> bool:
    """Tell "all themes are listed", which is so of a plan that lists its whole dictionary."""
    verb = reading.after_skipping(_IS | {"have", "been"})
    listed = verb is not None and verb.text in _LISTED and reading.text_after in _IS
    return listed and not _is_whole_dictionary(reading) and "listed" not in item.text


def _refer_to_all(reading: Reading, item: Item) -> None:
    atoms = reading.discourse.listed
    if item.place and item.place != len(atoms):
        atoms = reading.discourse.many(reading.here, item.place)
        if not atoms:
            reading.leave_unexplained(item, "count")
            return
    if reading.text_before not in _OF_ALL:
        refer_anew(reading, _without_exceptions(reading, atoms), item)


HANDLERS: dict[str, Handler] = {"these": read_these, "others": read_others, "all_themes": read_all_themes}
