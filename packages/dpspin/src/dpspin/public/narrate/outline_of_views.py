"""What a text tells of views, by declared values or by the text itself, and what it must not leave out of them."""

from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from dpspin.boundary.view_cells import ViewCell
from dpspin.boundary.view_tables import ViewTable
from dpspin.public.narrate.claims.between_values import DiffersBetween, OthersBetween, TimesBetween
from dpspin.public.narrate.claims.by_facet import DiffersHere, OfView, SizeOf, TimesHere, ToldApart, ViewConfidence
from dpspin.public.narrate.claims.by_text import (
    AmongNearest,
    CandidateConfidence,
    CandidatesSeen,
    ExampleConfidence,
    LacksTheme,
    NearestExample,
)
from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.in_values import AboveSize, HardlyFits
from dpspin.public.narrate.facts import Facts

NAMED_DIFFERENCES = 4
NAMED_EXAMPLES = 3
NAMED_CANDIDATES = 3
MOST_SIZES = 8  # that a text lists; those of the values that it speaks of are always said


def sure_of_text(told: Collection[Claim]) -> Iterator[Claim]:
    """Yield how sure views by the text are, where a text speaks of them."""
    if any(isinstance(claim, NearestExample | AmongNearest) for claim in told):
        yield ExampleConfidence()
    if any(isinstance(claim, LacksTheme) for claim in told):
        yield CandidateConfidence()


def beside_views(told: Iterable[Claim]) -> list[Claim]:
    """Return what belongs to claims about views: how far the declaration fits, and how sure all of it is.

    That are the sizes that their shares are of, those that are too small, and values that hardly anything has.
    """
    views = [claim for claim in told if isinstance(claim, OfView)]
    sizes: list[Claim] = [
        size(claim.facet, segment) for claim in views for segment in claim.segments for size in (SizeOf, AboveSize)
    ]
    sure = (kind(claim.facet) for claim in views for kind in (HardlyFits, ViewConfidence))
    return list(dict.fromkeys([*sizes, *sure]))


def view_claims(view: str, facts: Facts) -> Iterator[Claim]:
    """Tell the surest differences of a view, each theme once, how many there are, and how sure all of it is."""
    table = facts.views[view]
    steps = [*_steps(view, table)]
    wide = [*_from_elsewhere(view, table)] if table.is_of_periods or not table.steps else []
    values = table.view.facet.declared
    sizes = [*(SizeOf(view, value) for value in values[:MOST_SIZES]), *(AboveSize(view, value) for value in values)]
    return holding([HardlyFits(view), *steps, *wide, *sizes, ViewConfidence(view)], facts)


def _from_elsewhere(view: str, table: ViewTable) -> Iterator[Claim]:
    """Tell where the surest differences are: first where a share is larger, which is what people ask for."""
    declared = [cell for cell in table.apart if cell.place < len(table.view.facet.declared)]  # "other" says little
    once = {cell.atom_id: cell for cell in reversed(declared)}  # of each theme the first stays
    surest = [cell for cell in declared if cell is once[cell.atom_id]][
        : 1 if table.is_of_periods else NAMED_DIFFERENCES
    ]
    told = [(table.values[cell.place], cell.atom_id) for cell in sorted(surest, key=_is_smaller)]
    yield from (DiffersHere(view, segment, theme) for segment, theme in told)
    yield from (TimesHere(view, segment, theme) for segment, theme in told[: 0 if table.is_of_periods else 1])
    yield ToldApart(view)


def _is_smaller(cell: ViewCell) -> bool:
    return cell.difference is None or cell.difference.low <= 0


def _steps(view: str, table: ViewTable) -> Iterator[Claim]:
    """Tell what rose or fell from one period to the next, or differs between the only two values; the surest first."""
    every = [(table.between(theme, *step), step) for theme in table.themes for step in table.steps]
    apart = [(each, step) for each, step in every if each is not None and table.tells_apart(each)]
    surest = sorted(apart, key=lambda told: -told[0].certain)
    once = {each.atom_id: (each, step) for each, step in reversed(surest)}
    for each, step in [told for told in surest if told == once[told[0].atom_id]][:NAMED_DIFFERENCES]:
        yield DiffersBetween(view, table.values[step[0]], table.values[step[1]], each.atom_id)
    for each, step in surest[:1]:
        larger, smaller = step if each.difference.low > 0 else step[::-1]
        yield TimesBetween(view, table.values[larger], table.values[smaller], each.atom_id)
    for step in [step for _, step in surest[:1]] or table.steps[-1:]:
        yield OthersBetween(view, table.values[step[0]], table.values[step[1]])


def by_text(facts: Facts) -> Iterator[Claim]:
    """Tell what views by the text itself say."""
    yield from example_claims(facts)
    yield from candidate_claims(facts)


def example_claims(facts: Facts, most: int = NAMED_EXAMPLES) -> Iterator[Claim]:
    """Tell the nearest examples of the first themes that have one, and how sure that is."""
    either = (near(theme) for theme in facts.ranked for near in (NearestExample, AmongNearest))
    return holding((*islice(holding(either, facts), most), ExampleConfidence()), facts)


def candidate_claims(facts: Facts) -> Iterator[Claim]:
    """Tell the largest candidates, how many there are, and how sure that is."""
    first = () if facts.candidates is None else facts.candidates.lacking[:NAMED_CANDIDATES]
    return holding((*map(LacksTheme, first), CandidatesSeen(), CandidateConfidence()), facts)
