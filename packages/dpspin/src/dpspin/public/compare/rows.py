"""The changes as rows: of a table for spreadsheets, of one on a terminal, of the page."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Final

from dpspin.boundary.comparison_fields import Change, Comparison
from dpspin.boundary.percentages import rounded
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.chart import NONE
from dpspin.public.report.csv_tables import NOT_READ, csv_text
from dpspin.public.report.on_terminal import GAP, NARROWEST, WIDEST, cells_of, short_name, wrapped

DIRECTIONS: Final = {"up": "larger in B", "down": "smaller in B", "not_apart": "not told apart"}
SHOWN: Final = 24  # rows of a chart or a terminal; those that are told apart come first
COLUMNS: Final = (
    *("theme", "area", "direction", "beyond_chance", "a_percent", "b_percent", "low_points", "high_points"),
    *("low_value", "high_value", "atom_id"),
)


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A theme, or what belongs to none of them (which has no ``atom_id``): its name, area and change, in words too."""

    name: str
    area: str
    change: Change
    shares: tuple[Decimal, ...]  # in A and in B; none by a reading, which has ends alone
    ends: tuple[Decimal, Decimal]
    atom_id: int | None

    @property
    def moved(self) -> bool:
        """Whether it is told apart."""
        return self.change.direction != "not_apart"

    @property
    def direction(self) -> str:
        """What is certain of it, and whether chance would explain it."""
        by_chance = " (may be chance)" if self.moved and not self.change.beyond_chance else ""
        return DIRECTIONS[self.change.direction] + by_chance

    @property
    def points(self) -> str:
        """Between which ends the difference lies."""
        return f"{self.ends[0]:+,f} to {self.ends[1]:+,f}"

    @property
    def told_shares(self) -> tuple[str, str]:
        """The share in A and the one in B, where there are such."""
        before, after = (f"{share:,f}%" for share in self.shares) if self.shares else ("", "")
        return before, after


def all_rows(facts: Facts, change: Comparison) -> list[ChangeRow]:
    """Return every row: what is told apart with the surest change first, then the others by share, then the rest."""
    areas = {int(atom.id): atom.parent or "" for atom in facts.atoms.atoms}
    ranks = {atom: rank for rank, atom in enumerate(facts.ranked)}
    last = len(ranks)
    ordered = sorted(change.themes, key=lambda each: (ranks.get(each.atom_id, last), -each.share_b))
    filed = change.told == "filed"

    def row(name: str, each: Change, area: str = "", atom_id: int | None = None) -> ChangeRow:
        shares = (rounded(share, change.decimals, ROUND_HALF_EVEN) for share in (each.share_a, each.share_b))
        given = tuple(shares) if filed or each is change.not_read else ()
        return ChangeRow(name, area, each, given, change.ends(each), atom_id)

    beside = ((NONE, change.none), (NOT_READ, change.not_read))
    return [
        *(row(each.label, each, areas[each.atom_id], int(each.atom_id)) for each in ordered),
        *(row(name, each) for name, each in beside if each is not None),
    ]


def shown_rows(facts: Facts, change: Comparison) -> list[ChangeRow]:
    """Return the rows for which a chart has room; what belongs to no theme is always there."""
    rows = all_rows(facts, change)
    themes, beside = ([row for row in rows if (row.atom_id is None) is other] for other in (False, True))
    return [*themes[: SHOWN - len(beside)], *beside]


def change_csv(facts: Facts, change: Comparison) -> str:
    """Return the rows as CSV. Values (masses, or counts of units) have ends where both totals are public."""
    return csv_text(COLUMNS, (tuple(_cells(row)) for row in all_rows(facts, change)))


def _cells(row: ChangeRow) -> Iterator[object]:
    values = row.change.values
    yield from (row.name, row.area, DIRECTIONS[row.change.direction], row.change.beyond_chance)
    yield from (*(row.shares or ("", "")), *row.ends)
    yield from ("", "") if values is None else (round(values.low, 3), round(values.high, 3))
    yield "" if row.atom_id is None else row.atom_id


def terminal_text(facts: Facts, change: Comparison, text: str, width: int) -> str:
    """Return the sentences, wrapped to a width, with the table behind the first paragraph."""
    width = min(WIDEST, max(NARROWEST, width))
    first, *more = wrapped(text.split("\n\n"), width)
    return "\n\n".join((first, "\n".join(_table(facts, change)), *more))


def _table(facts: Facts, change: Comparison) -> Iterator[str]:
    told = [(short_name(row.name), *row.told_shares, row.points, row.direction) for row in shown_rows(facts, change)]
    lines = [("", "A", "B", "points", ""), *told]
    widths = [max(map(cells_of, column)) for column in zip(*lines, strict=True)]
    for name, *numbers, direction in lines:
        padded = name + " " * (widths[0] - cells_of(name))
        figures = (each.rjust(width) for each, width in zip(numbers, widths[1:], strict=False))
        yield GAP.join((padded, *figures, direction)).rstrip()
