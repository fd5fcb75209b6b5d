"""Questions about where and since when, answered by claims about views.

Nothing is guessed: what names no theme, no value and no facet of the release is said to be unknown, with what is known.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Final

from dpspin.boundary.view_tables import ViewTable
from dpspin.public.narrate.ask_beyond import Beyond
from dpspin.public.narrate.ask_words import EXTREMES, WHEN, WHERE, Question
from dpspin.public.narrate.claims.areas import AreaInterval
from dpspin.public.narrate.claims.between_values import DiffersBetween, OthersBetween, TimesBetween, between
from dpspin.public.narrate.claims.by_facet import DiffersHere, OthersHere, TimesHere
from dpspin.public.narrate.claims.claim import Claim, holding
from dpspin.public.narrate.claims.in_values import PartHere, ShareHere
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.outline_of_views import beside_views, view_claims
from dpspin.text.words import listing

MOST_NAMED: Final = 12  # values of a facet that are listed
MOST_PARTS: Final = 3  # values of which it is told how much lies there
MOST_SHARES: Final = 3  # themes of which it is told how large they are in a value
MOST_TOLD: Final = 6  # sentences about one view
ONE, TWO = 1, 2
BOTH: Final = (True, False)  # larger, and smaller
NO_VIEW: Final = (
    "This release cannot say where or since when: it has no views. Declare the values of a column, or periods, "
    "as a view of the next release."
)
NO_PERIODS: Final = (
    "This release cannot say since when: none of its views is by a date. Declare periods as a view of the next release."
)
NO_COUNT: Final = "How many records or users there are is not told: a release measures which part lies in which theme."
LISTED_ONLY: Final = (
    "Views speak of the listed themes only: the next release lists more with a larger size, and views.csv of this one "
    "has the noisy mass of every theme."
)
TELL_MORE: Final = "A larger part of epsilon for this view, or more records, would tell smaller differences."


@dataclass(frozen=True, slots=True)
class OfViews:
    """What is said to a question about views: claims that hold, or why there are none."""

    name: str
    theme: int | None
    claims: tuple[Claim, ...] = ()
    note: str | None = None
    beyond: Beyond | None = None  # why what is asked is not told, whatever else is known


def asked_of_views(facts: Facts, asked: Question) -> tuple[OfViews, ...] | None:
    """Answer a question about where or since when; None where it is about something else."""
    named = asked.values or asked.facets
    if not (asked.has(WHERE | WHEN) or named or (asked.themes and asked.introduced)):
        return None
    if asked.unknown and not (asked.introduced or asked.values):
        return None
    if len(asked.places) == TWO and not named and not asked.unknown and not asked.has(WHEN):
        return None  # one theme beside another, wherever
    if not facts.views:
        return _without_views(facts, asked)
    return tuple(_unknown(facts, asked) if asked.unknown else _answers(facts, asked))


def _without_views(facts: Facts, asked: Question) -> tuple[OfViews, ...]:
    why = Beyond.NO_TIME if asked.asks_when else Beyond.NO_PLACE
    if not asked.themes:
        return (OfViews("where", None, note=NO_VIEW, beyond=why),)
    return tuple(OfViews(facts.labels[theme], theme, note=NO_VIEW, beyond=why) for theme in asked.themes)


def _unknown(facts: Facts, asked: Question) -> Iterator[OfViews]:
    """Say which words are not known here, and what is; of a theme what is known without views is told all the same."""
    name = " ".join(asked.unknown)
    note = f"No view of this release knows “{name}”. {_known(facts)}"
    for place, theme in enumerate(asked.themes):
        yield OfViews(facts.labels[theme], theme, note=None if place else note, beyond=Beyond.UNKNOWN)
    if not asked.themes:
        yield OfViews(name, None, note=note, beyond=Beyond.UNKNOWN)


def _known(facts: Facts) -> str:
    """List the views with their values."""
    known = (f"by “{title}”: {_quoted(table.values)}" for title, table in facts.views.items())
    return f"Its views are {'; '.join(known)}. Others have to be declared with the next release."


def _answers(facts: Facts, asked: Question) -> Iterator[OfViews]:
    tables = [*_tables(facts, asked)]
    if not tables:
        why = Beyond.NO_TIME if asked.asks_when else Beyond.NO_PLACE
        yield OfViews("where", None, note=_no_table(facts, asked), beyond=why)
    elif asked.places and not asked.themes:
        yield from (OfViews(str(area), None, (AreaInterval(str(area)),), LISTED_ONLY) for area in asked.places)
    elif not asked.themes:
        yield from (_of_all(facts, asked, table) for table in tables)
    else:
        yield from (_of_theme(facts, asked, tables, theme) for theme in asked.themes)


def _tables(facts: Facts, asked: Question) -> Iterator[ViewTable]:
    """Return the views that are asked about: those with all values that are named, else by name, else of that kind."""
    for title, table in facts.views.items():
        named = not asked.facets or title in asked.facets
        holds = all(title in span.facets for span in asked.values)
        if named and holds and (asked.values or asked.facets or table.is_of_periods or not asked.asks_when):
            yield table


def _no_table(facts: Facts, asked: Question) -> str:
    if asked.values or asked.facets:
        return f"No view of this release has all of these values: a view is by one facet. {_known(facts)}"
    return NO_PERIODS


def _segments(asked: Question, table: ViewTable) -> list[str]:
    """Return the values that are named, those of periods from the later to the earlier one."""
    title = table.view.facet.title
    named = [*dict.fromkeys(value for span in asked.values for facet, value in span.meant if facet == title)]
    return sorted(named, key=table.values.index, reverse=True) if table.is_of_periods else named


def _of_theme(facts: Facts, asked: Question, tables: Sequence[ViewTable], theme: int) -> OfViews:
    name = facts.labels[theme]
    if theme not in facts.listed:
        return OfViews(name, theme, note=LISTED_ONLY, beyond=Beyond.NO_PLACE)
    tried = (tuple(_told(facts, asked, tables, [theme], sides)) for sides in (asked.sides, BOTH))
    claims = next(filter(None, tried), ())  # of the side that is asked for, or else of the other one
    shares = holding(
        (claim for table in tables for claim in _shares(asked, table, theme, everywhere=not claims)), facts
    )
    notes = dict.fromkeys(_why_not(name, asked, table) for table in tables)
    told = (*shares, *claims)
    return OfViews(name, theme, told, None if claims else " ".join(notes), None if told else Beyond.NO_PLACE)


def _shares(asked: Question, table: ViewTable, theme: int, *, everywhere: bool) -> Iterator[Claim]:
    """Yield the theme's own share in each value that is named, where a difference would not tell it.

    Of a view that is named without a value, where it has few, in all of them: if nothing else is told of it.
    """
    segments = _segments(asked, table)
    if everywhere and not segments and table.view.facet.title in asked.facets and len(table.values) <= MOST_TOLD:
        segments = [*table.values]
    places = [table.values.index(segment) for segment in segments]
    apart = table.between(theme, *places) if len(places) == TWO else None
    if apart is None or not table.tells_apart(apart):
        yield from (ShareHere(table.view.facet.title, segment, theme) for segment in segments)


def _of_all(facts: Facts, asked: Question, table: ViewTable) -> OfViews:
    title, segments = table.view.facet.title, _segments(asked, table)
    if not segments:
        told = [*_parts(asked, table), *view_claims(title, facts)]
        beside = [*holding(beside_views(told), facts)]  # said once, below all answers
        return OfViews(title, None, tuple(claim for claim in holding(told, facts) if claim not in beside))
    part = holding((PartHere(title, segment) for segment in segments), facts)
    if asked.asks_how_many:
        return OfViews(segments[0], None, tuple(part), NO_COUNT)
    rest = [*holding([_others(asked, table, segments)], facts)]
    claims = (*_told(facts, asked, [table], table.themes, BOTH), *rest) if rest else ()
    large = [] if asked.has(WHERE | WHEN) or not rest else [*_largest_in(table, segments)]
    more = LISTED_ONLY if large and len(facts.listed) < len(facts.labels) else None
    note = more if rest else _why_not("", asked, table)
    return OfViews(segments[0], None, (*part, *large, *claims), note)


def _largest_in(table: ViewTable, segments: Sequence[str]) -> Iterator[Claim]:
    """Yield the largest shares of listed themes in each value, as far as they stand clear of the noise."""
    for segment in segments:
        here = [(cell.atom_id, cell.share) for cell in table.cells if table.values[cell.place] == segment]
        clear = [(share.value, theme) for theme, share in here if share is not None and share.low > 0]
        for _, theme in sorted(clear, reverse=True)[:MOST_SHARES]:
            yield ShareHere(table.view.facet.title, segment, theme)


def _parts(asked: Question, table: ViewTable) -> list[Claim]:
    """Return how much lies in each value, where most or least is asked for: the one that is asked for first."""
    parts = [(part.value, value) for place, value in enumerate(table.values) if (part := table.part_of_all([place]))]
    if len(asked.sides) > ONE or asked.asks_when:
        return []
    ordered = sorted(parts, key=lambda each: each[0], reverse=asked.sides[0])
    return [PartHere(table.view.facet.title, value) for _, value in ordered[:MOST_PARTS]]


def _others(asked: Question, table: ViewTable, segments: Sequence[str]) -> Claim:
    """Return what tells how far all other themes differ: between two values, since the period before, or here."""
    title, place = table.view.facet.title, table.values.index(segments[0])
    if len(segments) > ONE:
        return OthersBetween(title, segments[0], segments[1])
    if asked.asks_when and table.is_of_periods and place and table.compares(place, place - 1):
        return OthersBetween(title, segments[0], table.values[place - 1])
    return OthersHere(title, segments[0])


def _told(
    facts: Facts, asked: Question, tables: Iterable[ViewTable], themes: Sequence[int], sides: tuple[bool, ...]
) -> Iterator[Claim]:
    for table in tables:
        yield from islice(holding(_about(asked, table, themes, sides), facts), MOST_TOLD)


def _about(asked: Question, table: ViewTable, themes: Sequence[int], sides: tuple[bool, ...]) -> Iterator[Claim]:
    """Yield what might be said of themes in the values that are named, or in all of them; the surest first."""
    title, segments, alone = table.view.facet.title, _segments(asked, table), len(themes) == ONE
    if len(segments) == TWO:
        one, other = segments
        yield from (DiffersBetween(title, one, other, theme) for theme in _surest(table, themes, one, other))
        yield from (TimesBetween(title, *pair, themes[0]) for pair in ((one, other), (other, one)) if alone)
        return
    moves = [*_moves(table, themes, segments)] if asked.asks_when and table.is_of_periods else []
    if not moves or asked.has(EXTREMES):
        yield from _from_elsewhere(table, themes, segments, sides)
    yield from moves


def _from_elsewhere(
    table: ViewTable, themes: Sequence[int], segments: Sequence[str], sides: tuple[bool, ...]
) -> Iterator[Claim]:
    """Yield where shares differ from elsewhere, the larger ones first."""
    title, alone = table.view.facet.title, len(themes) == ONE
    for cell in sorted(table.apart, key=lambda each: each.difference is None or each.difference.low <= 0):
        value = table.values[cell.place]
        wanted = cell.difference is not None and (cell.difference.low > 0) in sides
        if cell.atom_id in themes and wanted and (not segments or value in segments):
            yield DiffersHere(title, value, cell.atom_id)
            yield from (TimesHere(title, value, cell.atom_id),) if alone else ()


def _surest(table: ViewTable, themes: Sequence[int], one: str, other: str) -> list[int]:
    """Put themes in the order of how surely their shares in two values differ."""
    told = {theme: between(table, theme, one, other) for theme in themes}
    return sorted(themes, key=lambda theme: -1.0 if (each := told[theme]) is None else -each.certain)


def _moves(table: ViewTable, themes: Sequence[int], segments: Sequence[str]) -> Iterator[Claim]:
    """Yield what rose or fell from one period to the next; to or from one that is named."""
    for theme, step in product(themes, table.steps):
        told, (later, earlier) = table.between(theme, *step), (table.values[place] for place in step)
        wanted = not segments or {*segments} & {later, earlier}
        if wanted and told is not None and table.tells_apart(told):
            yield DiffersBetween(table.view.facet.title, later, earlier, theme)


def _why_not(name: str, asked: Question, table: ViewTable) -> str:
    """Say why a view has no answer, and what would give one."""
    title, segments = table.view.facet.title, _segments(asked, table)
    places = [table.values.index(segment) for segment in segments]
    if not table.has_shares:
        return f"By “{title}” this release counts who mentions a theme: only declared sizes would make shares of it."
    if len(segments) > TWO:
        return "Ask for one value, or for two."
    if len(segments) == TWO and not table.compares(places[0], places[1]):
        which = "neighbouring periods" if table.is_of_periods else "declared values"
        return f"By “{title}” only {which} are compared with each other: ask for each step, or for one value."
    if any(not table.is_known(place) for place in places):
        return f"By “{title}” too little was filed in {_quoted(segments)} to tell anything."
    return f"By “{title}” this release does not tell {_apart(name, segments)}, as far as the noise reaches. {TELL_MORE}"


def _apart(name: str, segments: Sequence[str]) -> str:
    """Name what was asked, and no more: between other values the same release may tell the theme apart."""
    if not segments:
        return f"“{name}” apart" if name else "anything apart"
    beside = f"“{segments[1]}”" if len(segments) == TWO else "the rest"
    theme = f" in their shares of “{name}”" if name else ""
    return f"“{segments[0]}” from {beside}{theme}"


def _quoted(names: Sequence[str]) -> str:
    """List names, of many the first ones."""
    more = [] if len(names) <= MOST_NAMED else [f"{len(names) - MOST_NAMED} more"]
    return listing([*(f"“{name}”" for name in names[:MOST_NAMED]), *more])
