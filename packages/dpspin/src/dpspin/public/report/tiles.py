"""The tiles of the page: a few figures at a glance, each with what to know about it."""

from collections.abc import Iterator
from dataclasses import dataclass

from dpspin.boundary.percentages import confidence, outward
from dpspin.public.narrate.as_read import AsRead
from dpspin.public.narrate.claims.areas import LargestArea, by_share
from dpspin.public.narrate.claims.certainty import whole_percent
from dpspin.public.narrate.claims.orders import Largest
from dpspin.public.narrate.claims.readings import ReadLargest
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.chart import range_words
from dpspin.public.wording.numbers import out_of, plain_up, scale_of
from dpspin.public.wording.promise import even_guess_becomes


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure with its heading, what it is of, and what to know about it."""

    heading: str
    figure: str
    of: str
    note: str


def tiles_of(facts: Facts) -> tuple[Tile, ...]:
    """Return the tiles that a plan supports; a first place that the noise leaves open is not called the largest."""
    read = facts.read
    themes = (*_area(facts), *_theme(facts)) if read is None else _theme_as_read(facts, read)
    sorting = _sorting(facts) if read is None else _sorting_as_read(facts, read)
    return (*(themes if facts.has_shares else ()), sorting, _privacy(facts))


def _area(facts: Facts) -> Iterator[Tile]:
    for area in by_share(facts)[:1]:
        certain = LargestArea(area).filled(facts).holds(facts)
        share = scale_of(facts.plan).text(facts.area_estimates[area].share)
        count = len(facts.areas[area])
        themes = f"all {count} themes of the area together" if count > 1 else "an area of one theme"
        yield Tile(_place("area", certain=certain), share, area, themes)


def _theme(facts: Facts) -> Iterator[Tile]:
    for atom in [*facts.listed][:1]:
        certain = Largest(atom).filled(facts).holds(facts)
        share = scale_of(facts.plan).text(facts.theme(atom).share)
        yield Tile(_place("theme", certain=certain), share, facts.labels[atom], _meaning(facts, atom))


def _theme_as_read(facts: Facts, read: AsRead) -> Iterator[Tile]:
    for atom in facts.ranked[:1]:
        certain = ReadLargest(atom).filled(facts).holds(facts)
        heading = "Largest by the reading" if certain else "First by the reading"
        yield Tile(heading, range_words(read, read.theme(atom)), facts.labels[atom], _meaning(facts, atom))


def _sorting_as_read(facts: Facts, read: AsRead) -> Tile:
    alike, sure = read.grounded.sorted_alike, f"{confidence(facts.plan.rules.beta)}% confidence"
    if alike is None:
        how = "a sample of them was read, and what the map finds is corrected by it"
        return Tile("Sorting", "corrected", "on these records", how)
    low, high = outward(alike.low, alike.high, 0)
    note = f"of the mass lies where the reader puts it, with {sure}"
    return Tile("Sorted right", f"{low:f}% to {high:f}%", "on these records", note)


def _meaning(facts: Facts, atom: int) -> str:
    return f"in the dictionary: “{facts.meanings[atom]}”" if atom in facts.meanings else ""


def _place(what: str, *, certain: bool) -> str:
    return f"Largest share of all {what}s, as filed" if certain else f"Highest released share of all {what}s"


def _sorting(facts: Facts) -> Tile:
    card = facts.plan.statement.contribution_map.card
    if card is None:
        return Tile("Sorted right", "unknown", "untested map", "Nobody can say how often it is right on these records.")
    where = "labelled test text" if card.real_text else "made-up test text"
    found = f"{whole_percent(card.recall)}% of the themes in it were found"
    note = f"of what was filed belonged there, and {found}; not tested on these records"
    return Tile("Sorted right", f"{whole_percent(card.precision)}%", f"on {where}", note)


def _privacy(facts: Facts) -> Tile:
    statement = facts.plan.statement
    if not facts.plan.is_private:
        return Tile("Privacy", "none", "simulated noise", "It protects nobody: never publish this for private records.")
    limit = out_of(even_guess_becomes(statement.loss))
    of = "" if statement.series is None else " for all periods of the life together"
    return Tile(
        f"Privacy of each {statement.unit.kind}",
        f"50 → {limit}",
        f"at epsilon {plain_up(statement.loss.epsilon)}{of}",
        f"how sure of one {statement.unit.kind} somebody can be, before and at most after; less epsilon protects more",
    )
