"""A series as rows: of a tidy table for spreadsheets, of the page's tables, and of a terminal."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN
from typing import Final

from dpspin.boundary.percentages import outward, rounded
from dpspin.boundary.series_changes import Step
from dpspin.boundary.view_cells import Range
from dpspin.public.compare.rows import SHOWN
from dpspin.public.report.chart import NONE
from dpspin.public.report.csv_tables import NOT_READ, csv_text
from dpspin.public.report.on_terminal import GAP, NARROWEST, WIDEST, cells_of, short_name, wrapped
from dpspin.public.series.picture import Picture, sign_of

COLUMNS: Final = (
    *("period", "life", "theme", "area", "share_percent", "low_percent", "high_percent", "compared_with"),
    *("change_points", "change_low", "change_high", "direction", "beyond_chance", "atom_id"),
)
DIRECTIONS: Final = {"up": "larger", "down": "smaller", "not_apart": "not told apart"}


def series_csv(picture: Picture) -> str:
    """Return one row for each period and theme: its share, and the change from the released period before."""
    return csv_text(COLUMNS, _tidy(picture))


def _tidy(picture: Picture) -> Iterator[tuple[object, ...]]:
    areas = {int(atom.id): atom.parent or "" for atom in picture.facts.atoms.atoms}
    every: dict[int | str, str] = dict([*picture.facts.labels.items(), ("none", NONE), ("not_read", NOT_READ)])
    named = {theme: (words, picture.level(theme)) for theme, words in every.items() if theme in picture.measured}
    for period, place in picture.time.places.items():
        for theme, (words, level) in named.items():
            area, atom = (areas[theme], theme) if isinstance(theme, int) else ("", "")
            change = _change(picture.time.steps.get(period), theme)
            yield (period, place.life, words, area, *_share(level.get(period), picture), *change, atom)


def _share(level: Range | None, picture: Picture) -> tuple[object, ...]:
    if level is None:
        return ("", "", "")
    decimals = picture.scale.decimals
    return (rounded(level.value, decimals, ROUND_HALF_EVEN), *outward(level.low, level.high, decimals))


def _change(step: Step | None, theme: int | str) -> tuple[object, ...]:
    """Return the change, its ends, and what is certain of it; nothing where there is no period to compare with."""
    if step is None:
        return ("",) * 6
    change = step.changes[theme]
    moved = rounded(change.share_b - change.share_a, step.decimals, ROUND_HALF_EVEN)
    return step.earlier, moved, *step.ends(theme), DIRECTIONS[change.direction], change.beyond_chance


@dataclass(frozen=True, slots=True)
class ThemeRow:
    """A theme, or what is beside the themes, in the first period and the last one; ``since`` says since when."""

    name: str
    area: str
    atom_id: int | None
    first: str
    last: str
    moved: str
    since: str


def theme_rows(picture: Picture) -> list[ThemeRow]:
    """Return a row for everything that was measured, the largest first."""
    themes = [panel.atom_id for panel in picture.themes if panel.atom_id is not None]
    areas = {int(atom.id): atom.parent or "" for atom in picture.facts.atoms.atoms}
    beside = [(NONE, "none"), (NOT_READ, "not_read")]
    return [
        *(_row(picture, picture.facts.labels[atom], atom, areas[atom]) for atom in themes),
        *(_row(picture, words, place) for words, place in beside if place in picture.measured),
    ]


def _row(picture: Picture, name: str, place: int | str, area: str = "") -> ThemeRow:
    time, level = picture.time, picture.level(place)
    first, last = (_told(picture, level.get(period)) for period in (time.periods[0], time.last))
    step, since = time.steps.get(time.last), time.since(place) if isinstance(place, int) else None
    moved = "" if step is None else _points(step, place)
    words = "" if since is None else f"{'above' if since.direction == 'up' else 'below'} since {since.period}"
    return ThemeRow(name, area, place if isinstance(place, int) else None, first, last, moved, words)


def _points(step: Step, place: int | str) -> str:
    low, high = step.ends(place)
    return f"{sign_of(step.changes[place])} {low:+,f} to {high:+,f}".lstrip()


def _told(picture: Picture, level: Range | None) -> str:
    return "" if level is None else picture.scale.interval(level.low, level.high)


@dataclass(frozen=True, slots=True)
class PeriodRow:
    """A released period: where its report lies, what was counted in it, and what changed in it."""

    name: str
    life: int
    report: str
    counted: str
    told: str
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SkippedRow:
    """A period of the calendar that has no report, and will get none."""

    name: str


def period_rows(picture: Picture) -> list[PeriodRow | SkippedRow]:
    """Return a row for each period up to the last released one, the latest first."""
    known = picture.time.plans
    return [_period(picture, name) if name in known else SkippedRow(name) for name in reversed(picture.calendar)]


def _period(picture: Picture, name: str) -> PeriodRow:
    step, part = picture.time.steps.get(name), picture.counted[name]
    labels = picture.facts.labels
    signed = () if step is None else ((sign_of(step.changes[theme]), labels[theme]) for theme in step.beyond_chance)
    told = "" if step is None else f"{len(step.moved)} of {len(step.themes)}"
    counted = "{:f}% to {:f}%".format(*outward(part.low, part.high, 0))
    return PeriodRow(
        name, picture.time.places[name].life, f"{name}/report.html", counted, told, tuple(map(" ".join, signed))
    )


def terminal_text(picture: Picture, text: str, width: int) -> str:
    """Return the sentences, wrapped to a width, with a table of the themes behind the first paragraph."""
    width = min(WIDEST, max(NARROWEST, width))
    first, *more = wrapped(text.split("\n\n"), width)
    return "\n\n".join((first, "\n".join(_table(picture)), *more))


def _table(picture: Picture) -> Iterator[str]:
    time, rows = picture.time, theme_rows(picture)
    shown = [*(row for row in rows if row.atom_id is not None)][:SHOWN] + [row for row in rows if row.atom_id is None]
    step = time.steps.get(time.last)
    heading = ("", time.periods[0], time.last, "" if step is None else f"points from {step.earlier}", "")
    lines = [heading, *((short_name(row.name), row.first, row.last, row.moved, row.since) for row in shown)]
    widths = [max(map(cells_of, column)) for column in zip(*lines, strict=True)]
    for name, *numbers, since in lines:
        padded = name + " " * (widths[0] - cells_of(name))
        figures = (each.rjust(width) for each, width in zip(numbers, widths[1:], strict=False))
        yield GAP.join((padded, *figures, since)).rstrip()
