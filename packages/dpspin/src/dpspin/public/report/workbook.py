"""The release as one Excel workbook: themes, areas, all values, and what they mean. No cell of it is a formula."""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, fields
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from dpspin.boundary.atoms import AtomUniverse
from dpspin.boundary.percentages import confidence
from dpspin.boundary.plan import SemanticPlan
from dpspin.boundary.printable import printable
from dpspin.errors import MissingExtra
from dpspin.public.narrate.claims.claim import Claim
from dpspin.public.narrate.claims.release import PublicSentence, Saying
from dpspin.public.narrate.claims.wholes import FitsNone, Listed, NotRead, RestHolds
from dpspin.public.narrate.facts import Facts
from dpspin.public.narrate.language import Language
from dpspin.public.narrate.modes import Mode
from dpspin.public.narrate.outline import HOW_SURE, what_a_share_is
from dpspin.public.report.csv_tables import COLUMNS, AreaRow, ThemeRow, area_rows, columns_of, theme_rows, tidy_rows
from dpspin.public.report.label import PrivacyLabel, privacy_label
from dpspin.public.report.pair_rows import PairRow, columns_of_pairs, pair_rows
from dpspin.public.report.view_rows import ViewRow, columns_of_views, view_rows
from dpspin.public.wording.quantities import denominator_explained

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet

Cells = Sequence[object]

PERCENT: Final = "_percent"  # how the columns of shares end
WIDEST, NARROWEST = 60, 9  # of a column, in characters
LONGEST_CELL: Final = 32_000  # Excel takes 32,767
EXACT: Final = 2**53  # larger whole numbers are not those in a spreadsheet any more
WRITTEN: Final = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)  # equal plans give equal files


def workbook(plan: SemanticPlan, atoms: AtomUniverse) -> bytes:
    """Return the workbook's file: words are only words, shares are numbers with a percent format."""
    try:
        from xlsxwriter import Workbook  # noqa: PLC0415  optional
    except ImportError:
        raise MissingExtra("an Excel workbook", extra="excel") from None
    content = io.BytesIO()
    with Workbook(content, {"in_memory": True}) as book:
        book.set_properties({"created": WRITTEN})
        _fill(book, Facts(plan, atoms))
    return content.getvalue()


def _fill(book: "Workbook", facts: Facts) -> None:
    mark = "" if facts.plan.is_private else "SIMULATED "  # in every sheet: they may be copied out alone
    decimals = "0" * facts.decimals
    formats = {
        "head": book.add_format({"bold": True, "bottom": 1}),
        "percent": book.add_format({"num_format": f"0.{decimals}%" if decimals else "0%"}),
        "prose": book.add_format({"text_wrap": True, "valign": "top"}),
    }
    of_areas = [field.name for field in fields(AreaRow)]
    tables: dict[str, tuple[Sequence[str], Sequence[ThemeRow | AreaRow | ViewRow | PairRow]]] = {
        "themes": (columns_of(facts), theme_rows(facts)),
        "areas": (of_areas, area_rows(facts)),
        **({"views": (columns_of_views(), view_rows(facts))} if facts.plan.views else {}),
    }
    pairs = pair_rows(facts)
    if pairs:
        tables["pairs of values"] = (columns_of_pairs(), pairs)
    for name, (columns, rows) in tables.items():
        _table(book.add_worksheet(mark + name), columns, [astuple(row) for row in rows], formats)
    _table(book.add_worksheet(f"{mark}tidy values"), COLUMNS, list(tidy_rows(facts)), formats)
    _about(book.add_worksheet(f"{mark}about"), facts, formats)


def _table(sheet: "Worksheet", columns: Sequence[str], rows: Sequence[Cells], formats: dict[str, Any]) -> None:
    """Write a table with a frozen header and a filter."""
    for place, name in enumerate(columns):
        shares = name.endswith(PERCENT)
        heading = name.removesuffix(PERCENT).replace("_", " ")
        sheet.write_string(0, place, heading, formats["head"])
        cells = [_in_hundredths(row[place]) if shares else row[place] for row in rows]
        for line, cell in enumerate(cells, start=1):
            _write(sheet, line, place, cell, formats["percent"] if shares else None)
        sheet.set_column(place, place, _width(heading, cells))
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, max(1, len(rows)), len(columns) - 1)


def _in_hundredths(percent: object) -> object:
    return percent.scaleb(-2) if isinstance(percent, Decimal) else percent


def _write(sheet: "Worksheet", line: int, place: int, cell: object, shown: object = None) -> None:
    """Write a number as a number and everything else as words, which a spreadsheet never runs."""
    match cell:
        case None | "":
            return
        case bool():
            sheet.write_string(line, place, "yes" if cell else "no", shown)
        case Decimal() | float():
            sheet.write_number(line, place, float(cell), shown)
        case int() if abs(cell) <= EXACT:
            sheet.write_number(line, place, cell, shown)
        case _:
            sheet.write_string(line, place, _words(str(cell)), shown)


def _words(text: str) -> str:
    seen = printable(text)
    return seen if len(seen) <= LONGEST_CELL else seen[:LONGEST_CELL] + "…"


def _width(heading: str, cells: Iterable[object]) -> int:
    longest = max(map(len, (heading, *(str(cell) for cell in cells if isinstance(cell, str)))))
    return min(WIDEST, max(NARROWEST, longest) + 2)


def _about(sheet: "Worksheet", facts: Facts, formats: dict[str, Any]) -> None:
    """Say what the numbers are, whom they protect, and how they are read."""
    for line, (heading, content) in enumerate(_said(facts, privacy_label(facts.plan))):
        sheet.write_string(line, 0, heading, formats["head"])
        _write(sheet, line, 1, content, formats["prose"])
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 1, 100)


def _said(facts: Facts, label: PrivacyLabel) -> Iterator[tuple[str, object]]:
    plan, language = facts.plan, Language(facts, Mode.DISPLAY)
    yield "title", plan.title
    yield "privacy", label.headline
    yield "what is protected", label.unit
    yield "epsilon", label.epsilon
    yield "delta", label.delta
    yield "what a share means", _told(language, [*what_a_share_is(facts), PublicSentence(Saying.SAMPLE)])
    yield "what shares refer to", denominator_explained(plan)
    yield "low and high", _interval_words(plan)
    if facts.read is not None:
        yield "reader low and high", "What a reader would file lies between them. Nothing is certified of a best guess."
    yield "the whole", _told(language, [Listed(), RestHolds(), FitsNone(), NotRead()])
    yield (
        "how well it is sorted",
        _told(language, HOW_SURE),
    )
    yield "dictionary", f"{plan.dictionary.name}, version {plan.dictionary.version}"
    yield "made by", plan.software


def _told(language: Language, claims: Iterable[Claim]) -> str:
    """Write those of the claims that hold."""
    filled = (claim.filled(language.facts) for claim in claims)
    return " ".join(language.written(claim) for claim in filled if claim.holds(language.facts))


def _interval_words(plan: SemanticPlan) -> str:
    if not plan.has_shares:
        return ""
    certainty = confidence(plan.rules.beta)
    return (
        "Without the privacy noise a share lies between low and high. For all listed themes together this holds with "
        f"at least {certainty}% probability. It speaks of the noise alone, and not of how well the text is sorted."
    )
