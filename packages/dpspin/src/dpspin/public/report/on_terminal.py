"""The page for a terminal: the finding, a table with bars, and the sentences that lead, wrapped to its width."""

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from dpspin.boundary.printable import printable
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language, Pen
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.outline_of_views import by_text, view_claims
from dpspin.public.report.chart import Lane, chart_of
from dpspin.public.report.finding import LEADING, ReportSentence, beside_finding, doubts_of, finding_of
from dpspin.public.report.listed_table import reader_would
from dpspin.public.wording.quantities import denominator_words

NARROWEST, WIDEST = 60, 100
LONGEST_NAME = 34
OF_EACH_VIEW = 3  # sentences, and how sure they are; the page has more, and a picture
GAP = "  "
BLOCK, PLAIN_BLOCK = "█", "#"


def terminal_page(facts: Facts, summary: Sequence[ReportSentence], width: int, *, plain: bool = False) -> str:
    """Return what a terminal shows of a report; ``plain`` draws bars with letters that every terminal has."""
    width = min(WIDEST, max(NARROWEST, width))
    finding = [each.text for each in (*finding_of(facts), *doubts_of(facts))]
    sentences = [each.text for each in beside_finding(facts, summary)]
    shown = sentences[:LEADING]
    pen = Pen(Language(facts, Mode.DISPLAY))
    views = [*_of_views(facts, pen), *map(pen.sentence, by_text(facts))]
    told = [*dict.fromkeys([*shown, *views])]
    parts = [
        printable(facts.plan.title.strip()),
        *wrapped([" ".join(finding)], width),
        "\n".join(_table(facts, width, PLAIN_BLOCK if plain else BLOCK)),
        *wrapped([f"Shares of {denominator_words(facts.plan)}."] if facts.has_shares else [], width),
        *wrapped(told, width),
        _mark(summary, sum(each not in told for each in sentences)),
    ]
    return "\n\n".join(filter(None, parts))


def _of_views(facts: Facts, pen: Pen) -> Iterator[str]:
    """Yield what leads each view by declared values; the last of its sentences says how sure they are."""
    for view in facts.views:
        told = [*map(pen.sentence, view_claims(view, facts))]
        yield from (*told[:OF_EACH_VIEW], *told[OF_EACH_VIEW:][-1:])


def wrapped(sentences: Iterable[str], width: int) -> Iterator[str]:
    """Break each of the sentences into lines of this width."""
    return (textwrap.fill(printable(sentence), width, break_on_hyphens=False) for sentence in sentences)


def _mark(summary: Sequence[ReportSentence], more: int) -> str:
    verified = sum(each.verified for each in summary)
    rest = f" ({more} more in summary.txt)" if more else ""
    return f"{verified} of {len(summary)} sentences verified{rest}"


def _table(facts: Facts, width: int, block: str) -> Iterator[str]:
    """Draw every area and listed theme, and what is beside them: name, share, interval, bar."""
    rows = list(_rows(facts))
    if not rows:
        return
    read = facts.read is not None
    heading = ("", reader_would(facts).lower(), "the map alone") if read else ("", "share", "without the noise")
    columns = [max(cells_of(row[place]) for row in (heading, *(row for row, _ in rows))) for place in range(3)]
    room = max(0, width - sum(columns) - 3 * len(GAP)) if facts.has_shares else 0
    yield f"{_line(heading, columns)}{GAP}{'best guess' if read and room else ''}".rstrip()
    for row, end in rows:
        yield f"{_line(row, columns)}{GAP}{block * round(end * room / 100)}".rstrip()


def _line(row: tuple[str, str, str], columns: list[int]) -> str:
    name, share, interval = row
    padding = " " * (columns[0] - cells_of(name))
    return GAP.join((name + padding, share.rjust(columns[1]), interval.rjust(columns[2])))


def cells_of(text: str) -> int:
    r"""Count the columns that a text takes on a terminal: letters of some scripts take two, marks on letters none.

    >>> cells_of("wait"), cells_of("待ち"), cells_of("e\u0301")
    (4, 4, 1)
    """
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)


def _rows(facts: Facts) -> Iterator[tuple[tuple[str, str, str], float]]:
    chart = chart_of(facts)
    for group in chart.groups:
        if group.area is not None:
            yield _row(group.area, ""), group.area.end
        yield from ((_row(lane, "" if group.area is None else GAP), lane.end) for lane in group.themes)
    yield from ((_row(lane, ""), lane.end) for lane in chart.beside)


def _row(lane: Lane, indent: str) -> tuple[str, str, str]:
    unclear = "" if lane.clear else " (unclear)"
    return indent + short_name(lane.name) + unclear, lane.share, lane.interval


def short_name(name: str) -> str:
    """Return a name that leaves room for the numbers."""
    shown = printable(name)
    return shown if len(shown) <= LONGEST_NAME else f"{shown[: LONGEST_NAME - 1]}…"
