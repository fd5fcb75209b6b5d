"""A look at views before anything is paid: how many records have each declared value, and how many have none of them.

Exact, and for the curator's eyes only. Which cells are `other` is not told: a view is declared by what is public, and
whoever wants to know how a value is spelt looks into the column.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import pyarrow.compute as pc

from dpspin.boundary.facets import MISSING, OTHER, ColumnFacet, NumberFacet, PeriodFacet, RecordFacet
from dpspin.boundary.model_base import FrozenModel
from dpspin.boundary.request_terms import Protection, placed, read_as
from dpspin.curator.check.doubts import Doubt
from dpspin.curator.records.columns import TEXT, facet_column
from dpspin.curator.records.corpus import ProtectedCorpus

MOST: Final = 0.5  # of the records: if so many have no declared value, the declaration hardly fits
MOST_NAMED: Final = 5  # values that no record has


class _Asked(FrozenModel):
    records: Protection


def facets_asked(views: object) -> tuple[RecordFacet, ...]:
    """Read views as a release reads them, and return what they are by."""
    asked = read_as(_Asked, placed({"records.unit": "record", "records.views": views}))
    return tuple(choice.facet for choice in asked.records.views)


@dataclass(frozen=True, slots=True)
class ViewLook:
    """How many records lie in each value of a facet, in the order of its places. Private."""

    facet: RecordFacet
    counts: tuple[int, ...]

    def __repr__(self) -> str:
        return "ViewLook(<private>)"

    @property
    def by_value(self) -> dict[str, int]:
        """The number of records by the names of values, `other` and `missing` last."""
        return dict(zip(self.facet.places, self.counts, strict=True))


def look_at_views(
    corpus: ProtectedCorpus, facets: Sequence[RecordFacet], tell: Callable[[int], None] | None = None
) -> tuple[ViewLook, ...]:
    """Read everything once, and count the records in each value."""
    counts = [[0] * len(facet.places) for facet in facets]
    for batch in corpus.batches():
        for facet, count in zip(facets, counts, strict=True):
            cells = batch.column(TEXT if facet.column is None else facet_column(facet.column))
            for each in pc.value_counts(cells).to_pylist():
                count[facet.place(each["values"])] += each["counts"]
        if tell is not None:
            tell(batch.num_rows)
    return tuple(ViewLook(facet, tuple(count)) for facet, count in zip(facets, counts, strict=True))


def doubts_about_views(looks: Sequence[ViewLook]) -> list[Doubt]:
    """Judge whether what was declared fits the records."""
    return [doubt for look in looks if sum(look.counts) for doubt in _doubts_about(look)]


def _doubts_about(look: ViewLook) -> list[Doubt]:
    found, records, title = [], sum(look.counts), look.facet.title
    if look.by_value[OTHER] > MOST * records:
        share = f"{look.by_value[OTHER] / records:.0%}"
        found.append(Doubt(f"By {title!r}, {share} of the records are in {OTHER!r}.", _why_other(look.facet)))
    if look.by_value[MISSING] > MOST * records:
        share = f"{look.by_value[MISSING] / records:.0%}"
        found.append(
            Doubt(
                f"By {title!r}, {share} of the records have nothing there.",
                "Is that the column (`records.views`)? What is missing is paid for, and tells nothing.",
            )
        )
    nobody = [value for value in look.facet.declared if not look.by_value[value]]
    if nobody and isinstance(look.facet, ColumnFacet):
        named = ", ".join(map(repr, nobody[:MOST_NAMED])) + (", …" if len(nobody) > MOST_NAMED else "")
        found.append(Doubt(f"By {title!r}, no record has {named}.", _why_other(look.facet)))
    return found


def _why_other(facet: RecordFacet) -> str:
    """Say what makes a cell `other`, and what to look at."""
    match facet:
        case ColumnFacet():
            return "Is that the column, and are the values spelt as they stand in it (`records.views`)?"
        case NumberFacet():
            return "Is that the column (`records.views`)? Cells there that are no plain numbers are other."
        case PeriodFacet():
            return (
                "Is that the column, and the calendar (`records.views`)? Dates that are not written like 2026-05-31, "
                "or lie outside of it, are other."
            )
        case _:
            return "Are these the languages of the text (`records.views`)? Short texts have none that can be told."
