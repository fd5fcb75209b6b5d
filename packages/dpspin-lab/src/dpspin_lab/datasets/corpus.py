"""A public corpus as the lab sees it: texts with what their publisher says of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field


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
