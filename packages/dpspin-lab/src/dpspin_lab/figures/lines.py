"""Curves with their spread: one per group of rows, over one column of a table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from dpspin_lab.figures.style import DASHES, LINEAR_BELOW, colour_of, label_of, title_of
from dpspin_lab.figures.tables import Table
from dpspin_lab.runs.mechanism import MechanismName

THOUSAND = 1000
RATES = (
    "overlap",
    "mass_retained",
    "j_kp",
    "cos_tfidf",
    "truth_overlap",
    "truth_tv",
    "probe_admission",
    "probe_mention",
)


@dataclass(frozen=True, slots=True)
class Curve:
    """The rows of one line, and how it looks."""

    table: Table
    colour: str
    mechanism: str


def draw(axes: Axes, curves: Iterable[Curve], x: str, y: str) -> None:
    """Draw mean and one standard deviation over seeds, and set up both axes for what they show."""
    for curve in curves:
        _line(axes, curve, x, y)
    _across(axes, x)
    _upwards(axes, y)


def legend(figure: Figure, colours: Mapping[str, str], mechanisms: Sequence[str]) -> None:
    """Put one legend below all panels: what the colours are, and what the dashes."""
    lines = [Line2D([], [], color=colour, label=label) for label, colour in colours.items()]
    lines += [Line2D([], [], color="#555555", linestyle=dash_of(name), label=title_of(name)) for name in mechanisms]
    figure.legend(handles=lines, loc="outside lower center", ncols=3, frameon=False, fontsize=7)


def legend_of_mechanisms(figure: Figure, mechanisms: Sequence[str]) -> None:
    """Put a legend below all panels where each mechanism has a colour and a dash of its own."""
    every = [name.value for name in MechanismName]
    lines = [
        Line2D([], [], color=colour_of(name, every), linestyle=dash_of(name), label=title_of(name))
        for name in mechanisms
    ]
    figure.legend(handles=lines, loc="outside lower center", ncols=3, frameon=False, fontsize=7)


def per_mechanism(rows: Table, mechanisms: Sequence[str]) -> list[Curve]:
    """Return one curve for each mechanism, in its own colour."""
    every = [name.value for name in MechanismName]
    return [Curve(rows.where(mechanism=name), colour_of(name, every), name) for name in mechanisms]


def dash_of(mechanism: str) -> Any:  # noqa: ANN401  matplotlib's own type
    """Return the dashes of a mechanism."""
    return DASHES[MechanismName(mechanism)]


def short(value: float) -> str:
    """Write a number for an axis.

    >>> short(0.25), short(500), short(20000)
    ('0.25', '500', '20k')
    """
    return f"{value / THOUSAND:g}k" if value >= THOUSAND else f"{value:g}"


def _line(axes: Axes, curve: Curve, x: str, y: str) -> None:
    rows = sorted(curve.table.measured(y).rows, key=lambda row: row[x])
    if not rows:
        return
    across, means = [row[x] for row in rows], [row[y] for row in rows]
    spread = [row[f"{y}_sd"] or 0.0 for row in rows]
    axes.plot(across, means, color=curve.colour, linestyle=dash_of(curve.mechanism), marker="o", markersize=2.5)
    low, high = ([mean + sign * sd for mean, sd in zip(means, spread, strict=True)] for sign in (-1, 1))
    if y in RATES:
        low, high = [max(0.0, value) for value in low], [min(1.0, value) for value in high]
    axes.fill_between(across, low, high, color=curve.colour, alpha=0.12, linewidth=0)


def _across(axes: Axes, x: str) -> None:
    axes.set_xlabel(label_of(x))
    ticks = sorted({float(value) for line in axes.get_lines() for value in _numbers(line.get_xdata())})
    if x in {"epsilon", "n_records", "n_users"}:
        axes.set_xscale("log")
    if x == "probe_support":
        axes.set_xscale("symlog", linthresh=5)
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))


def _upwards(axes: Axes, y: str) -> None:
    axes.set_ylabel(label_of(y))
    if y in RATES:
        axes.set_ylim(-0.03, 1.03)
    if y == "support_mass_loss":
        axes.set_yscale("symlog", linthresh=LINEAR_BELOW)
        axes.set_ylim(bottom=0)


def _numbers(data: Any) -> Sequence[float]:  # noqa: ANN401  matplotlib's array-likes
    return [float(value) for value in data]
