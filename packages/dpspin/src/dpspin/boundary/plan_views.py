"""A plan at a glance: one line, a table in a notebook, a data frame, a bar chart. Hostile words are only words."""

import io
import textwrap
import warnings
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN
from html import escape
from typing import TYPE_CHECKING, Any, Final, cast

from dpspin.boundary.percentages import decimals_as_read, decimals_of, has_shares, outward, rounded
from dpspin.boundary.printable import printable
from dpspin.errors import MissingExtra, RequestError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dpspin.boundary.grounded_shares import GroundedTheme, GroundedValue
    from dpspin.boundary.plan_fields import PlanEntry, PlanFields, Uncovered


HEADINGS: Final = ("rank", "theme", "share", "without the privacy noise", "", "support")
HEADINGS_AS_READ: Final = ("rank", "theme", "a reader would file", "best guess", "", "the map alone")
UNKNOWN: Final = "unknown"  # a share of what may be noise alone
NAMED, LONGEST = 3, 40  # themes of the short form, and characters of each
BLUE: Final = "#4477aa"
BAR: Final = f"height:0.8em;background:{BLUE}"
LEFT: Final = ' style="text-align:left"'


def one_line(words: str) -> str:
    r"""Show words of others in one line.

    >>> one_line("a\nb\u202e")
    'a b\\u202e'
    """
    return " ".join(printable(words).split())


def percent(plan: "PlanFields", share: float) -> str:
    """Write a share with the decimals that the noise allows."""
    return f"{rounded(share, decimals_of(plan), ROUND_HALF_EVEN):,f}%" if has_shares(plan) else UNKNOWN


def interval_words(plan: "PlanFields", value: "PlanEntry | Uncovered") -> str:
    """Write the interval of a share."""
    low, high = outward(value.support_low, value.support_high, decimals_of(plan))
    return f"{low:,f}% to {high:,f}%" if has_shares(plan) else UNKNOWN


def listed_in(plan: "PlanFields") -> "tuple[PlanEntry | GroundedTheme, ...]":
    """Return the themes that a plan lists, by rank: those of the reading, where a sample was read."""
    return plan.entries if plan.grounded is None else plan.grounded.themes


def range_as_read(plan: "PlanFields", value: "GroundedValue") -> str:
    """Write what a reader would file."""
    low, high = outward(value.support_low, value.support_high, decimals_as_read(plan))
    return f"{low:,f}% to {high:,f}%" if has_shares(plan) else UNKNOWN


def _shown(plan: "PlanFields", value: "PlanEntry | GroundedTheme") -> str:
    """Write what is known of a listed theme, in short."""
    return percent(plan, value.support) if plan.grounded is None else range_as_read(plan, cast("GroundedValue", value))


def filed_by_map(plan: "PlanFields") -> dict[int, float]:
    """Return the shares of all themes as the map alone filed them."""
    return {int(each.atom_id): max(0.0, each.noisy_mass) / plan.denominator.value for each in plan.noisy_sketch or ()}


def protection_words(plan: "PlanFields") -> str:
    """Say whom a release protects and how much, or that it protects nobody."""
    if not plan.is_private:
        return f"{plan.statement.randomness}: the numbers are simulated and protect nobody"
    loss = plan.statement.loss
    delta = f", delta {loss.delta:g}" if loss.delta else ""
    return f"protects each {plan.statement.unit.kind} with epsilon {loss.epsilon:g}{delta}"


def name_of(plan: "PlanFields") -> str:
    """Return the title, or where there is none the name of the dictionary."""
    return one_line(plan.title) or one_line(plan.dictionary.name)


def short_form(plan: "PlanFields") -> Iterator[tuple[str, object]]:
    """Yield what the short form of a plan shows, by name."""
    if not plan.is_private:
        yield "randomness", str(plan.statement.randomness)
    yield "title", name_of(plan)
    yield "epsilon", plan.statement.loss.epsilon
    yield "unit", plan.statement.unit.kind
    listed = listed_in(plan)
    yield "listed", len(listed)
    named = [f"{one_line(each.label)[:LONGEST]} {_shown(plan, each)}" for each in listed[:NAMED]]
    yield "themes", ", ".join([*named, "…"] if len(listed) > NAMED else named)


def html_table(plan: "PlanFields") -> str:
    """Return the values as a table with shares, intervals and bars; what is no theme comes first."""
    rows, headings = (_rows(plan), HEADINGS) if plan.grounded is None else (_rows_as_read(plan), HEADINGS_AS_READ)
    head = "".join(f"<th{LEFT}>{name}</th>" for name in headings)
    caption = escape(f"{name_of(plan)} ({protection_words(plan)})")
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _rows_as_read(plan: "PlanFields") -> list[str]:
    assert plan.grounded is not None  # noqa: S101  asked for where a sample was read only
    read, filed, none = plan.grounded, filed_by_map(plan), plan.grounded.none
    longest = max(each.best_guess for each in (*read.themes, *filter(None, [none])))

    def row(rank: str, name: str, value: "GroundedValue", mapped: float) -> str:
        words = (rank, one_line(name), range_as_read(plan, value), percent(plan, value.best_guess))
        return _line([escape(each) for each in words], value.best_guess, longest, percent(plan, mapped))

    uncovered = 0.0 if plan.uncovered is None else plan.uncovered.support
    beside = [] if none is None else [row("", "none of these", none, uncovered)]
    return [*beside, *(row(str(each.rank), each.label, each, filed[int(each.atom_id)]) for each in read.themes)]


def _rows(plan: "PlanFields") -> list[str]:
    beside = (("not in a language that the map reads", plan.not_read), ("none of these", plan.uncovered))
    rows = [_row(plan, "", name, value, "") for name, value in beside if value is not None]
    return rows + [_row(plan, str(each.rank), each.label, each, each.bin) for each in plan.entries]


def _row(plan: "PlanFields", rank: str, name: str, value: "PlanEntry | Uncovered", support: str) -> str:
    longest = max(each.support for each in (*plan.entries, plan.not_read, plan.uncovered) if each is not None)
    words = (rank, one_line(name), percent(plan, value.support), interval_words(plan, value))
    return _line([escape(each) for each in words], value.support, longest, one_line(support))


def _line(cells: list[str], size: float, longest: float, last: str) -> str:
    width = round(10 * size / longest, 2) if longest else 0
    bar = f'<div style="{BAR};width:{width:g}em"></div>'
    return f"<tr>{''.join(f'<td{LEFT}>{cell}</td>' for cell in (*cells, bar, escape(last)))}</tr>"


FRAME_COLUMNS: Final[dict[str, type]] = {  # the columns, and what is in them: known also where there are no rows
    "atom_id": int,
    "label": str,
    "description": str,
    "parent": str,
    "noisy_mass": float,
    "mass": float,
    "support": float,
    "bin": str,
    "rank": int,
    "low": float,
    "high": float,
    "support_low": float,
    "support_high": float,
    "clears_noise": bool,
}


COLUMNS_AS_READ: Final[dict[str, type]] = {
    "atom_id": int,
    "label": str,
    "rank": int,
    **dict.fromkeys(("noisy_mass", "mass", "low", "high", "support", "support_low", "support_high"), float),
    "best_guess": float,
    "filed_by_map": float,
}


def _frame(plan: "PlanFields") -> tuple[list[dict[str, Any]], dict[str, type]]:
    """Return the rows of a data frame, and its columns."""
    if plan.grounded is None:
        return [entry.model_dump() for entry in plan.entries], FRAME_COLUMNS
    filed = filed_by_map(plan)
    rows = [{**theme.model_dump(), "filed_by_map": filed[int(theme.atom_id)]} for theme in plan.grounded.themes]
    return rows, COLUMNS_AS_READ


def pandas_frame(plan: "PlanFields") -> "pd.DataFrame":
    """Return one row per listed theme."""
    try:
        import pandas as pd  # noqa: PLC0415  optional
    except ImportError as missing:
        raise MissingExtra("plan.to_frame()", extra="frames") from missing
    rows, columns = _frame(plan)
    return pd.DataFrame(rows, columns=list(columns))


def polars_frame(plan: "PlanFields") -> "pl.DataFrame":
    """Return one row per listed theme."""
    try:
        import polars as pl  # noqa: PLC0415  optional
    except ImportError as missing:
        raise MissingExtra("plan.to_polars()", extra="frames") from missing
    rows, columns = _frame(plan)
    return pl.DataFrame(rows, schema=columns)


MOST: Final = 60  # bars that fit on one sheet
WIDTH, PER_BAR, MARGIN = 8.0, 0.34, 1.7  # inches
ROOM: Final = 1.15  # of the axis, for the number behind the longest bar
LABEL_WIDTH, TITLE_WIDTH, LINES = 38, 46, 2
NOISE: Final = "#222222"
AS_FILED: Final = "whiskers: what the privacy noise leaves open"
AS_READ: Final = "bars: best guess; whiskers: what a reader would file"
NO_THEME: Final = "no theme stands clear of the noise"
AS_TEXT: Final[dict[str, Any]] = {"parse_math": False, "usetex": False}  # a dollar sign is a dollar sign
STYLE: Final[Any] = {"svg.hashsalt": "dpspin", "svg.fonttype": "none", "savefig.dpi": 150}  # an SVG keeps its letters
UNDATED: Final[dict[str, Any]] = {"svg": {"Date": None}, "png": {}, "pdf": {"CreationDate": None}}  # by kind of file
MISSING: Final = "Glyph .* missing from font"  # how the library warns of a letter that it cannot draw


def plot(plan: "PlanFields", ax: "Axes | None" = None) -> "Axes":
    """Draw the listed themes, the largest on top, each with its interval; on new axes unless some are given."""
    shown = listed_in(plan)[:MOST]
    ax = ax or _sheet(len(shown)).add_subplot()
    _bars(ax, plan, shown)
    _words(ax, plan, len(shown))
    return ax


def _sheet(bars: int) -> "Figure":
    """Return an empty figure that no window and no list of open figures knows of."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  optional
    except ImportError as missing:
        raise MissingExtra("a chart of a plan", extra="plot") from missing
    return Figure(figsize=(WIDTH, MARGIN + PER_BAR * max(2, bars)), layout="constrained")


def _bars(ax: "Axes", plan: "PlanFields", shown: "tuple[PlanEntry | GroundedTheme, ...]") -> None:
    places, shares = range(len(shown)), [100 * each.support for each in shown]
    arms = [
        [max(0.0, 100 * (each.support - each.support_low)) for each in shown],
        [max(0.0, 100 * (each.support_high - each.support)) for each in shown],
    ]
    bars = [100 * theme.best_guess for theme in plan.grounded.themes[:MOST]] if plan.grounded else shares
    ax.barh(places, bars, color=BLUE, height=0.7)
    ax.errorbar(shares, places, xerr=arms, fmt="none", ecolor=NOISE, capsize=3)
    if not shown:
        ax.text(0.5, 0.5, NO_THEME, ha="center", va="center", transform=ax.transAxes)
    for place, each in enumerate(shown):  # apart from the label: one that is read from the right would move the number
        end = (100 * each.support_high, place)
        ax.annotate(_shown(plan, each), end, (5, 0), textcoords="offset points", va="center", **AS_TEXT)
    ax.set_yticks(places, [_wrapped(each.label, LABEL_WIDTH) for each in shown], **AS_TEXT)
    ax.set_ylim(max(0.5, len(shown) - 0.5), -0.5)
    longest = max((100 * each.support_high for each in shown), default=0.0)
    ax.set_xlim(0, ROOM * longest or 1.0)


def _words(ax: "Axes", plan: "PlanFields", shown: int) -> None:
    listed = len(listed_in(plan))
    part = f"\nthe {shown} largest of {listed} listed themes" if shown < listed else ""
    covered = protection_words(plan) if plan.is_private else str(plan.statement.randomness)
    title = f"{_wrapped(name_of(plan), TITLE_WIDTH)}{part}\n{covered}"
    ax.set_title(title, loc="left", fontsize="medium", **AS_TEXT)
    ax.set_xlabel(f"share in percent ({AS_FILED if plan.grounded is None else AS_READ})", **AS_TEXT)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _wrapped(words: str, width: int) -> str:
    return "\n".join(textwrap.wrap(one_line(words), width, max_lines=LINES, placeholder=" …"))


def picture(plan: "PlanFields", kind: str) -> bytes:
    """Return the chart as a file of this kind (svg, png or pdf), whatever the reader's own settings are.

    Equal plans give equal files. A letter that the font lacks is a box and a warning, but in an SVG the letter itself.
    """
    if kind not in UNDATED:
        raise RequestError(f"a chart is an .svg, a .png or a .pdf file, not {kind!r}: change its name")
    figure = _sheet(min(MOST, len(listed_in(plan))))
    from matplotlib import style  # noqa: PLC0415  optional

    content = io.BytesIO()
    with style.context(["default", STYLE]), warnings.catch_warnings():
        if kind == "svg":
            warnings.filterwarnings("ignore", MISSING)
        plot(plan, figure.add_subplot())
        figure.savefig(content, format=kind, metadata=UNDATED[kind])
    return content.getvalue()
