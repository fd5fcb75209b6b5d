"""Two values of a facet beside each other, as a table: one row for each listed theme and each pair that is compared.

Of periods these are neighbours, the later one first. All rows of a view hold together, with all else that it says.
"""

import math
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from itertools import combinations

from dpspin.boundary.percentages import outward, rounded
from dpspin.boundary.view_cells import Contrast
from dpspin.boundary.view_tables import ViewTable, tables_of
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.csv_tables import csv_text
from dpspin.public.report.view_rows import DECIMALS

HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class PairRow:
    """A listed theme in one value and in another: by how much its shares differ, and how many times one is the other.

    ``times_high`` is empty where the other share may be zero.
    """

    view: str
    value: str
    other_value: str
    theme: str
    share_percent: Decimal
    other_share_percent: Decimal
    difference_low_percent: Decimal
    difference_high_percent: Decimal
    times_low: Decimal
    times_high: Decimal | None
    told_apart: bool
    atom_id: int


def pair_rows(facts: Facts) -> list[PairRow]:
    """Return all pairs of all views, the themes by rank."""
    return [row for table in tables_of(facts.plan) for row in _rows(facts, table)]


def columns_of_pairs() -> list[str]:
    """Return the columns of the table."""
    return [field.name for field in fields(PairRow)]


def pairs_csv(facts: Facts) -> str:
    """Return the pairs as CSV text."""
    return csv_text(columns_of_pairs(), (astuple(row) for row in pair_rows(facts)))


def _rows(facts: Facts, table: ViewTable) -> Iterator[PairRow]:
    pairs = [*combinations(range(len(table.view.facet.declared)), 2)]
    for atom in table.themes:
        for first, second in pairs:
            here, there = (second, first) if table.is_of_periods else (first, second)
            contrast = table.between(atom, here, there)
            if contrast is not None:
                yield _row(facts, table, contrast, (table.values[here], table.values[there]))


def _row(facts: Facts, table: ViewTable, contrast: Contrast, values: tuple[str, str]) -> PairRow:
    low, high = outward(contrast.difference.low, contrast.difference.high, DECIMALS)
    few, many = contrast.times
    return PairRow(
        view=table.view.facet.title,
        value=values[0],
        other_value=values[1],
        theme=facts.labels[contrast.atom_id],
        share_percent=rounded(contrast.here.value, DECIMALS, ROUND_HALF_EVEN),
        other_share_percent=rounded(contrast.there.value, DECIMALS, ROUND_HALF_EVEN),
        difference_low_percent=low,
        difference_high_percent=high,
        times_low=Decimal(few).quantize(HUNDREDTH, ROUND_FLOOR),
        times_high=None if math.isinf(many) else Decimal(many).quantize(HUNDREDTH, ROUND_CEILING),
        told_apart=table.tells_apart(contrast),
        atom_id=contrast.atom_id,
    )
