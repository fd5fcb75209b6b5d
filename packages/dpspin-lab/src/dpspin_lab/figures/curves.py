"""How figures look: curves with their spread over one column of a table; the same bytes for the same tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from dpspin.errors import MissingExtra
from dpspin_lab.figures.summary_tables import Table
from dpspin_lab.not_private import RANDOMNESS, evaluation_folder
from dpspin_lab.runs.config import TITLES, MechanismName

try:
    import matplotlib as mpl
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
except ImportError as missing:
    raise MissingExtra("a figure of the lab", extra="lab") from missing

COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
DASHES: Final = {
    MechanismName.LAPLACE: "-",
    MechanismName.GAUSSIAN: "--",
    MechanismName.PRIVATE_TOP_L: ":",
    MechanismName.TIGHT_TOP_L: (0, (3, 1, 1, 1)),
    MechanismName.SET_EM: "-.",
    MechanismName.AUTO: (0, (5, 3)),
    MechanismName.LAPLACE_EB: (0, (1, 1)),
    MechanismName.PUBLIC_ONLY: (0, (8, 2)),
}
LABELS: Final = {
    "overlap": "Overlap@L",
    "mass_retained": "MassRetained",
    "support_mass_loss": "Loss_L (mass)",
    "j_kp": "keyphrase Jaccard",
    "cos_tfidf": "TF-IDF cosine",
    "truth_overlap": "Overlap@L with the truth",
    "truth_tv": "TV from the truth",
    "probe_admission": "plan admission rate",
    "probe_mention": "summary mention rate",
    "probe_rank": "non-private rank",
    "epsilon": "ε",
    "probe_support": "probe support s",
    "m": "dictionary size m",
    "B": "user bound B",
    "n_records": "records n",
    "n_users": "users u",
}
LINEAR_BELOW: Final = 1.0  # of a symlog axis: losses below one mass are drawn to scale
SETTINGS: Final[Any] = {  # matplotlib types each key
    "font.size": 8.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "dpspin",
    "svg.fonttype": "none",
    "savefig.dpi": 130,
}
THOUSAND = 1000
RATES = {
    *("overlap", "mass_retained", "j_kp", "cos_tfidf", "truth_overlap", "truth_tv"),
    *("probe_admission", "probe_mention"),
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure under the name of its file, and what a caption must say."""

    name: str
    caption: str
    figure: Figure = field(repr=False)


def sheet(rows: int, columns: int, *, width: float = 2.6, height: float = 2.1) -> tuple[Figure, list[list[Axes]]]:
    """Return an empty figure with a grid of panels."""
    with mpl.rc_context(SETTINGS):
        figure = Figure(figsize=(max(4.0, width * columns), height * rows + 0.9), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots(rows, columns, squeeze=False)
    return figure, [list(line) for line in axes]


def write_figure(drawn: Drawn, folder: Path) -> list[Path]:
    """Write a figure in both formats, with its caption beside it; each says by itself what it is."""
    evaluation_folder(folder)
    with mpl.rc_context(SETTINGS):
        for ending in ("svg", "png"):
            dated = {"Date": None} if ending == "svg" else {}
            metadata = {**dated, "Description": RANDOMNESS}
            drawn.figure.savefig(folder / f"{drawn.name}.{ending}", metadata=metadata)
    (folder / f"{drawn.name}.txt").write_text(f"{drawn.caption}\n{RANDOMNESS}\n", encoding="utf-8")
    return [folder / f"{drawn.name}.{ending}" for ending in ("svg", "png", "txt")]


def colour_of(value: object, among: Sequence[object]) -> str:
    """Return the colour of a value in a legend."""
    return COLOURS[list(among).index(value) % len(COLOURS)]


def title_of(mechanism: str) -> str:
    """Return the paper's name of a mechanism."""
    return TITLES[MechanismName(mechanism)]


def label_of(column: str) -> str:
    """Return the name of a column on an axis."""
    return LABELS[column]


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
    _put_below(figure, lines)


def legend_of_mechanisms(figure: Figure, mechanisms: Sequence[str]) -> None:
    """Put a legend below all panels where each mechanism has a colour and a dash of its own."""
    looks = ((title_of(name), own_colour(name), dash_of(name)) for name in mechanisms)
    _put_below(figure, [Line2D([], [], color=colour, linestyle=dash, label=title) for title, colour, dash in looks])


def own_colour(mechanism: str) -> str:
    """Return the colour of a mechanism where each has one."""
    return colour_of(mechanism, list(MechanismName))


def per_mechanism(rows: Table, mechanisms: Sequence[str]) -> list[Curve]:
    """Return one curve for each mechanism, in its own colour."""
    return [Curve(rows.where(mechanism=name), own_colour(name), name) for name in mechanisms]


def dash_of(mechanism: str) -> Any:  # noqa: ANN401  matplotlib's own type
    """Return the dashes of a mechanism."""
    return DASHES[MechanismName(mechanism)]


def short(value: float) -> str:
    """Write a number for an axis.

    >>> short(0.25), short(500), short(20000)
    ('0.25', '500', '20k')
    """
    return f"{value / THOUSAND:g}k" if value >= THOUSAND else f"{value:g}"


def _put_below(figure: Figure, lines: Sequence[Line2D]) -> None:
    figure.legend(handles=lines, loc="outside lower center", ncols=3, frameon=False, fontsize=7)


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
