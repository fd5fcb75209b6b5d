"""Themes, named or referred to: each goes where the sentence expects one."""

from dataclasses import replace

from dpspin.public.stage3_narrate.verify.items import THEME, Item
from dpspin.public.stage3_narrate.verify.reading import numbers
from dpspin.public.stage3_narrate.verify.reading.closing import boundary
from dpspin.public.stage3_narrate.verify.reading.saying import apply
from dpspin.public.stage3_narrate.verify.reading.state import Handler, Reading
from dpspin.public.stage3_narrate.verify.reading.waiting import Atoms
from dpspin.public.stage3_narrate.verify.reading.words import VERBAL, VERBS

_GIVES_AN_EXAMPLE = frozenset({"as", "including", "like", "e.g", "them", "example"})
_JOINS = frozenset({"and", ",", ";", "but", "with"})


def read_theme(reading: Reading, item: Item) -> None:
    """Read the name of a theme; an exception or an example is named, but not spoken of."""
    if set(item.atoms) <= reading.excepted:
        reading.excepted -= set(item.atoms)
        reading.name(item.atoms)
    elif _is_an_example(reading):
        reading.name(item.atoms)
    else:
        reading.in_clause = True
        reading.name(item.atoms)
        _take(reading, item.atoms, item, named=True)


def _is_an_example(reading: Reading) -> bool:
    """Tell "all other themes, such as A": said of all of them."""
    listing = reading.open and bool(reading.subject) and not reading.subject_named
    return listing and reading.text_before in _GIVES_AN_EXAMPLE and not reading.waiting and not reading.relation


def refer(reading: Reading, atoms: Atoms, item: Item) -> None:
    """Speak of themes without naming them; a reference to nobody leaves the sentence without a subject."""
    if len(atoms) < len(reading.discourse.listed):
        reading.referred += atoms
    if atoms:
        _take(reading, atoms, item, named=False)
    else:
        reading.subject = ()


def refer_anew(reading: Reading, atoms: Atoms, item: Item) -> None:
    """Begin a new subject by a reference."""
    reading.open = False
    refer(reading, atoms, item)


def _take(reading: Reading, atoms: Atoms, item: Item, *, named: bool) -> None:
    """Put themes where they belong: on a side of an order, under a waiting predicate, or in the subject."""
    if reading.comparing or (reading.on_other_side() and not named):
        reading.numbers.last_theme = atoms  # only parentheses could speak of the other side of an order
    else:
        numbers.bind_before_theme(reading, atoms)
    if _is_complete(reading) and _begins_a_clause(reading, item):
        boundary(reading)
    if not _fills_a_gap(reading, atoms, named=named):
        _become_subject(reading, atoms, named=named)
    reading.subject_named = named


def _is_complete(reading: Reading) -> bool:
    """Tell whether the clause has all the themes it needs; a tie needs two."""
    if reading.relation and reading.relation.on_right and reading.relation.right:
        return True
    waiting = reading.waiting
    return waiting is not None and len(waiting.atoms) > (waiting.item.kind == "tie")


def _begins_a_clause(reading: Reading, item: Item) -> bool:
    """Tell "…, and C has …" (a new clause) from "…, B and C." (a list that goes on)."""
    after = reading.after_themes(reading.at)
    verb = after is not None and (after.text.split()[0] in VERBS or after.kind in VERBAL)
    return verb and reading.text_before in _JOINS and item.kind == THEME


def _fills_a_gap(reading: Reading, atoms: Atoms, *, named: bool) -> bool:
    """Give themes to a comparison, an order or a predicate that waits for them."""
    relation = reading.relation
    if reading.comparing and reading.compared is not None:
        reading.compared += atoms
    elif relation and relation.on_right:
        relation.right += atoms
        relation.named = named
    elif relation and relation.on_left:
        relation.left += atoms
    elif reading.waiting:
        reading.waiting.atoms += atoms
    else:
        return False
    return True


def _become_subject(reading: Reading, atoms: Atoms, *, named: bool) -> None:
    """Begin a subject or go on listing it; "as does B" says the last predicate of B."""
    if reading.sharing and reading.last:
        apply(reading, replace(reading.last, count=None), atoms)
        reading.subject, reading.open = atoms, False
    elif reading.open and (reading.subject_named or not named):
        reading.subject = tuple(dict.fromkeys((*reading.subject, *atoms)))
    else:
        reading.subject, reading.open = atoms, True
        numbers.speak_of(reading, atoms)


def read_order_to(reading: Reading, _item: Item) -> None:
    """Read "its order relative to B" of both; the text goes on about the first."""
    reading.topic = reading.subject
    reading.open = reading.subject_named = True


def read_except(reading: Reading, _item: Item) -> None:
    """Leave the exceptions aside: "every theme except A is clear" says nothing of A."""
    excepted: set[int] = set()
    for each in reading.rest:
        if each.kind == THEME:
            excepted |= set(each.atoms)
        elif each.text not in {"the", "and", ","}:
            break
    reading.excepted = excepted


HANDLERS: dict[str, Handler] = {THEME: read_theme, "order_to": read_order_to, "except": read_except}
