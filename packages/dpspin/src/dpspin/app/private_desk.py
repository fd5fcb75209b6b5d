"""The reading desk's work: one record at a time, with the same answers file as the command line."""

from pathlib import Path
from typing import Final

from dpspin.app.answers import DeskView, Order, Theme
from dpspin.curator.aggregate.reading_desk import ReadingDesk, agreement, for_second_reader, keep, taken_up, unread
from dpspin.curator.aggregate.reading_folder import open_reading

SECOND: Final = 2
NO_THEME = "No theme has this number or these words."
TAKEN_BACK, NOTHING = "Taken back.", "There is nothing to take back."


def at_desk(first: str, second: str, order: Order) -> DeskView:
    """Do what a reader ordered, and show what lies on the desk then."""
    folder = open_reading(first)
    if order.reader == SECOND:
        folder = for_second_reader(folder, Path(second))
    desk = taken_up(folder)
    desk.at = order.place if order.place is not None and order.place < len(folder.records()) else None
    if desk.at is None:
        desk.turn_to_unread()
    said, found = _ordered(desk, order)
    keep(desk)
    return _view(desk, said, found, _agreement(first, second))


def _ordered(desk: ReadingDesk, order: Order) -> tuple[str, frozenset[int]]:
    match order.what:
        case "undo":
            return (TAKEN_BACK if desk.take_back() else NOTHING), frozenset()
        case "back":
            desk.go_back()
        case "none":
            desk.answer("none")
        case "save":
            return _saved(desk, order.words.strip())
        case "show":
            pass
    return "", frozenset()


def _saved(desk: ReadingDesk, words: str) -> tuple[str, frozenset[int]]:
    """Take an answer; words that are none look for themes, and no words at all leave the record for later."""
    if not words:
        desk.turn_to_unread()
    elif desk.answer(words) is None:
        found = frozenset(int(atom.id) for atom in desk.found(words))
        return ("" if found else NO_THEME), found
    return "", frozenset()


def _view(desk: ReadingDesk, said: str, found: frozenset[int], agreed: str) -> DeskView:
    records = desk.folder.records()
    record = None if desk.at is None else records[desk.at]
    return DeskView(
        place=desk.at,
        text="" if record is None else record.text,
        read_as="" if record is None else record.themes,
        number=len(records),
        read=len(records) - unread(records),
        themes=tuple(
            Theme(int(each.id), each.label, each.description, each.parent or "") for each in desk.folder.atoms.atoms
        ),
        found=found,
        said=said,
        can_undo=bool(desk.given),
        agreement=agreed,
    )


def _agreement(first: str, second: str) -> str:
    if not Path(second).exists():
        return ""
    both, same = agreement(open_reading(first), open_reading(second))
    return f"Both have read {both:,} records, and found the same themes in {same:,} of them." if both else ""
