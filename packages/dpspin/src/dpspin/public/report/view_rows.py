"""The views as a table: one row for each theme in each value of a facet, and for what fits no theme."""

from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from decimal import ROUND_HALF_EVEN, Decimal

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.facets.example import NO_EXAMPLE
from dpspin.boundary.percentages import outward, rounded
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.view_cells import Range, ViewCell
from dpspin.boundary.view_tables import ViewTable, tables_of
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.csv_tables import NONE, NOT_READ, csv_text

EXAMPLES = "nearest of our own examples"
CANDIDATES = "nearest candidate"
DECIMALS = 2  # of a percentage: a table is for programs too


@dataclass(frozen=True, slots=True)
class ViewRow:
    """One theme in one value; a listed theme has shares of the value's own mass, and how they differ from elsewhere."""

    view: str
    value: str
    theme: str
    listed: bool
    share_percent: Decimal | None
    low_percent: Decimal | None
    high_percent: Decimal | None
    elsewhere_percent: Decimal | None
    difference_low_percent: Decimal | None
    difference_high_percent: Decimal | None
    clear_of_noise: bool
    noisy_mass: float
    atom_id: int | None


def view_rows(facts: Facts) -> list[ViewRow]:
    """Return all cells of all views: themes in the order of the dictionary, values in that of their facet."""
    declared = (row for table in tables_of(facts.plan) for row in _rows(facts, table))
    return [*declared, *_example_rows(facts), *_candidate_rows(facts)]


def columns_of_views() -> list[str]:
    """Return the columns of the table."""
    return [field.name for field in fields(ViewRow)]


def views_csv(plan: SemanticPlan, atoms: AtomUniverse) -> str:
    """Return the views as CSV text."""
    return csv_text(columns_of_views(), (astuple(row) for row in view_rows(Facts(plan, atoms))))


def _rows(facts: Facts, table: ViewTable) -> Iterator[ViewRow]:
    mapped = facts.plan.statement.contribution_map
    beside = [*([NONE] if mapped.answers_none else []), *([NOT_READ] if mapped.languages else [])]
    ids = [int(item.atom_id) for item in facts.plan.noisy_sketch or ()]
    named: list[tuple[int | None, str]] = [
        *((atom, facts.labels[atom]) for atom in ids),
        *((None, name) for name in beside),
    ]
    told = {(cell.atom_id, cell.place): cell for cell in table.cells}
    for at, (atom, name) in enumerate(named):
        for place, column in enumerate(table.released.columns):
            cell = None if atom is None else told.get((atom, place))
            yield ViewRow(
                view=table.view.facet.title,
                value=column.value,
                theme=name,
                listed=cell is not None,
                **_percentages(cell),
                clear_of_noise=column.noisy_masses[at] > table.threshold,
                noisy_mass=column.noisy_masses[at],
                atom_id=atom,
            )


def _example_rows(facts: Facts) -> Iterator[ViewRow]:
    """Yield the mass of each theme by its examples, which are told as ours and not as anyone's words."""
    table = facts.examples
    if table is None:
        return
    for atom, votes in table.votes.items():
        named = (*(f"our example: {sentence}" for sentence in table.sentences[atom]), NO_EXAMPLE)
        for value, vote in zip(named, votes, strict=True):
            yield ViewRow(
                view=EXAMPLES,
                value=value,
                theme=facts.labels[atom],
                listed=atom in facts.listed,
                **_percentages(None),
                clear_of_noise=vote > table.threshold,
                noisy_mass=vote,
                atom_id=atom,
            )


def _candidate_rows(facts: Facts) -> Iterator[ViewRow]:
    """Yield what lies nearest to candidates, with shares of the whole release."""
    table = facts.candidates
    for column in () if table is None else table.released.columns:
        known = table is not None and column.value in table.masses
        told = facts.nearest_to(column.value) if known and facts.has_shares else None
        low, high = (None, None) if told is None else outward(told.low, told.high, DECIMALS)
        yield ViewRow(
            view=CANDIDATES,
            value=column.value,
            theme=NONE,
            listed=False,
            **_percentages(None)
            | {
                "share_percent": None if told is None else rounded(told.share, DECIMALS, ROUND_HALF_EVEN),
                "low_percent": low,
                "high_percent": high,
            },
            clear_of_noise=table is not None and column.value in table.lacking,
            noisy_mass=column.noisy_masses[0],
            atom_id=None,
        )


def _percentages(cell: ViewCell | None) -> dict[str, Decimal | None]:
    share, elsewhere, difference = (None, None, None) if cell is None else (cell.share, cell.elsewhere, cell.difference)
    low, high = _ends(share)
    below, above = _ends(difference)
    return {
        "share_percent": None if share is None else rounded(share.value, DECIMALS, ROUND_HALF_EVEN),
        "low_percent": low,
        "high_percent": high,
        "elsewhere_percent": None if elsewhere is None else rounded(elsewhere.value, DECIMALS, ROUND_HALF_EVEN),
        "difference_low_percent": below,
        "difference_high_percent": above,
    }


def _ends(interval: Range | None) -> tuple[Decimal | None, Decimal | None]:
    return (None, None) if interval is None else outward(interval.low, interval.high, DECIMALS)
