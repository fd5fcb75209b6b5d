"""Where a reader sits: which record lies there, what an answer means, and how answers are taken back.

The reader is never shown what the map said. A second reader reads the same sample in a folder of their own: how often
the two agree is for the curator's eyes, and is not released.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dpspin.boundary.atoms import Atom
from dpspin.boundary.safe_files import read_plain, write_private
from dpspin.curator.aggregate.read_sample import Drawn
from dpspin.curator.aggregate.reading_folder import ReadingFolder, SampledRecord, open_reading, write_sample
from dpspin.curator.assign.llm.theme_question import NONE
from dpspin.errors import RequestError

NUMBERS: Final = re.compile(r"[\d\s,;|]+")
TAKEN_BACK: Final = "desk.json"
MOST_TAKEN_BACK: Final = 100


@dataclass
class ReadingDesk:
    """A desk with one record on it (by its place; None: all are read), and the answers that can be taken back."""

    folder: ReadingFolder
    at: int | None = None
    given: list[tuple[str, str]] = field(default_factory=list, repr=False)  # records, with what stood there before

    def turn_to_unread(self) -> None:
        """Turn to the next record that nobody has read, from here on and then from the start."""
        records, start = self.folder.records(), -1 if self.at is None else self.at
        places = (*range(start + 1, len(records)), *range(start + 1))
        self.at = next((place for place in places if not records[place].themes), None)

    def go_back(self) -> None:
        """Turn to the record before this one."""
        here = len(self.folder.records()) if self.at is None else self.at
        self.at = max(0, here - 1) if here or self.at is not None else None

    def take_back(self) -> bool:
        """Undo the last answer and turn to its record; tell whether there was one."""
        if not self.given:
            return False
        record, before = self.given.pop()
        self.folder.read(record, before)
        self.at = [each.id for each in self.folder.records()].index(record)
        return True

    def answer(self, words: str) -> str | None:
        """Write down an answer, if the words are one: ids or labels, or none. Return how it is spelled."""
        cell = ";".join(re.split(r"[\s,]+", words.strip())) if NUMBERS.fullmatch(words) else words
        try:
            places = self.folder.places_in(NONE if words.strip() == "n" else cell)
        except RequestError:
            return None
        if places is None or self.at is None:
            return ""
        record, themes = self.folder.records()[self.at], self.folder.cell_of(places)
        self.given.append((record.id, record.themes))
        self.folder.read(record.id, themes)
        self.turn_to_unread()
        return themes

    def found(self, words: str) -> list[Atom]:
        """Look for themes whose name, group or description has all these words."""
        sought = words.casefold().split()
        known = ((atom, f"{atom.label} {atom.parent or ''} {atom.description}") for atom in self.folder.atoms.atoms)
        return [atom for atom, text in known if all(word in text.casefold() for word in sought)]


def taken_up(folder: ReadingFolder) -> ReadingDesk:
    """Sit down where somebody stood up: what can be taken back is kept in the folder."""
    file = folder.path / TAKEN_BACK
    kept = json.loads(read_plain(file)) if file.exists() else []
    return ReadingDesk(folder, given=[(str(record), str(before)) for record, before in kept])


def keep(desk: ReadingDesk) -> None:
    """Keep what can be taken back."""
    write_private(desk.folder.path / TAKEN_BACK, json.dumps(desk.given[-MOST_TAKEN_BACK:]).encode())


def for_second_reader(first: ReadingFolder, place: Path) -> ReadingFolder:
    """Lay out the same sample for somebody else, who does not see what the first one read."""
    if place.exists():
        return open_reading(place)
    return write_sample(place, first.drawing, [Drawn(each.id, "", each.text) for each in first.records()])


def agreement(first: ReadingFolder, second: ReadingFolder) -> tuple[int, int]:
    """Count the records that both have read, and those in which they found the same themes. Private."""
    one, other = first.readings(), second.readings()
    both = one.keys() & other.keys()
    return len(both), sum(one[each] == other[each] for each in both)


def unread(records: tuple[SampledRecord, ...]) -> int:
    """Count what nobody has read yet."""
    return sum(not each.themes for each in records)
