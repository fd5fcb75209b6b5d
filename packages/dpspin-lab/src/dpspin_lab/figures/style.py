"""How figures look, and how they are written: SVG and PNG, the same bytes for the same tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dpspin.errors import MissingExtra
from dpspin_lab.not_private import RANDOMNESS, evaluation_folder
from dpspin_lab.runs.mechanism import TITLES, MechanismName

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
