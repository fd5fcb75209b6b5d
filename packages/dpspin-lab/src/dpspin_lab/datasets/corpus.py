"""A public corpus as the lab sees it: texts with what their publisher says of them, each record once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dpspin.errors import SourceError

NOBODY = ""  # the user of a record that names none


@dataclass(frozen=True, slots=True)
class Corpus:
    """Public records, one place per record in every column. ``users`` is None where the publisher names none.

    ``days`` are ISO dates, empty where unknown. ``categories`` are the publisher's coarse labels (the issue of a
    complaint, the rating bin of a review); ``paths`` the finest ones (the taxonomy path of a complaint), empty where
    there are none. ``ids`` are unique: splits and samples are drawn by their hashes.
    """

    name: str
    ids: tuple[str, ...] = field(repr=False)
    texts: tuple[str, ...] = field(repr=False)
    users: tuple[str, ...] | None = field(repr=False)
    days: tuple[str, ...] = field(repr=False)
    categories: tuple[str, ...] = field(repr=False)
    paths: tuple[str, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    def part(self, rows: Sequence[int]) -> "Corpus":
        """Return some of the records, in the given order.

        >>> beauty = Corpus("beauty", ("a", "b"), ("dry skin", "long hair"), None, ("", ""), ("high", "low"), ("", ""))
        >>> beauty.part([1]).texts
        ('long hair',)
        """

        def chosen(column: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(column[row] for row in rows)

        return Corpus(
            self.name,
            chosen(self.ids),
            chosen(self.texts),
            None if self.users is None else chosen(self.users),
            chosen(self.days),
            chosen(self.categories),
            chosen(self.paths),
        )


class Published(NamedTuple):
    """One record as its publisher has it."""

    id: str
    text: str
    user: str
    day: str
    category: str
    path: str


def gathered(name: str, records: Iterable[Published], *, with_users: bool) -> Corpus:
    """Keep records that have text, the first of each id, in the order of the file."""
    kept: dict[str, Published] = {}
    for record in records:
        if not record.id:
            raise SourceError(f"a record of {name} has no id; keep the file as published")
        if record.text.strip():
            kept.setdefault(record.id, record)
    if not kept:
        raise SourceError(f"no record of {name} has text; the file may be the wrong one")
    ids, texts, users, days, categories, paths = zip(*kept.values(), strict=True)
    return Corpus(name, ids, texts, users if with_users else None, days, categories, paths)
