"""The listed themes as a bar chart. Labels are drawn as text, whatever they hold; no window is opened."""

import io
import textwrap
import warnings
from typing import TYPE_CHECKING, Any, Final

from dpspin.boundary.plan_views import name_of, one_line, percent, protection_words
from dpspin.errors import MissingExtra, RequestError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dpspin.boundary.plan_fields import PlanEntry, PlanFields

MOST: Final = 60  # bars that fit on one sheet
WIDTH, PER_BAR, MARGIN = 8.0, 0.34, 1.7  # inches
ROOM: Final = 1.15  # of the axis, for the number behind the longest bar
LABEL_WIDTH, TITLE_WIDTH, LINES = 38, 46, 2
BAR, NOISE = "#4477aa", "#222222"
NO_THEME: Final = "no theme stands clear of the noise"
AS_TEXT: Final[dict[str, Any]] = {"parse_math": False, "usetex": False}  # a dollar sign is a dollar sign
STYLE: Final[Any] = {"svg.hashsalt": "dpspin", "svg.fonttype": "none", "savefig.dpi": 150}  # an SVG keeps its letters
UNDATED: Final[dict[str, Any]] = {"svg": {"Date": None}, "png": {}, "pdf": {"CreationDate": None}}  # by kind of file
MISSING: Final = "Glyph .* missing from font"  # how the library warns of a letter that it cannot draw


def plot(plan: "PlanFields", ax: "Axes | None" = None) -> "Axes":
    """Draw the listed themes, the largest on top, each with its interval; on new axes unless some are given."""
    shown = plan.entries[:MOST]
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


def _bars(ax: "Axes", plan: "PlanFields", shown: "tuple[PlanEntry, ...]") -> None:
    places, shares = range(len(shown)), [100 * each.support for each in shown]
    arms = [
        [max(0.0, 100 * (each.support - each.support_low)) for each in shown],
        [max(0.0, 100 * (each.support_high - each.support)) for each in shown],
    ]
    ax.barh(places, shares, color=BAR, height=0.7)
    ax.errorbar(shares, places, xerr=arms, fmt="none", ecolor=NOISE, capsize=3)
    if not shown:
        ax.text(0.5, 0.5, NO_THEME, ha="center", va="center", transform=ax.transAxes)
    for place, each in enumerate(shown):  # apart from the label: one that is read from the right would move the number
        end = (100 * each.support_high, place)
        ax.annotate(percent(plan, each.support), end, (5, 0), textcoords="offset points", va="center", **AS_TEXT)
    ax.set_yticks(places, [_wrapped(each.label, LABEL_WIDTH) for each in shown], **AS_TEXT)
    ax.set_ylim(max(0.5, len(shown) - 0.5), -0.5)
    longest = max((100 * each.support_high for each in shown), default=0.0)
    ax.set_xlim(0, ROOM * longest or 1.0)


def _words(ax: "Axes", plan: "PlanFields", shown: int) -> None:
    part = f"\nthe {shown} largest of {len(plan.entries)} listed themes" if shown < len(plan.entries) else ""
    covered = protection_words(plan) if plan.is_private else str(plan.statement.randomness)
    title = f"{_wrapped(name_of(plan), TITLE_WIDTH)}{part}\n{covered}"
    ax.set_title(title, loc="left", fontsize="medium", **AS_TEXT)
    ax.set_xlabel("share in percent (whiskers: what the privacy noise leaves open)", **AS_TEXT)
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
    figure = _sheet(min(MOST, len(plan.entries)))
    from matplotlib import style  # noqa: PLC0415  optional

    content = io.BytesIO()
    with style.context(["default", STYLE]), warnings.catch_warnings():
        if kind == "svg":
            warnings.filterwarnings("ignore", MISSING)
        plot(plan, figure.add_subplot())
        figure.savefig(content, format=kind, metadata=UNDATED[kind])
    return content.getvalue()
