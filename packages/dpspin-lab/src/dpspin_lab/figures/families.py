"""The figure families: one name each, for the command line."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from dpspin.errors import RequestError
from dpspin_lab.figures import ablations, overviews
from dpspin_lab.figures.curves import Drawn, write_figure
from dpspin_lab.figures.summary_tables import Table, as_in_the_paper, read_tables

Family = Callable[[Sequence[Table]], Iterator[Drawn]]

OF_RUNS: Final[Mapping[str, Family]] = MappingProxyType(
    {
        "utility": overviews.utility,
        "loss": overviews.support_loss,
        "n": overviews.unit_counts,
        "beyond": overviews.beyond,
        "epsilon": ablations.over_epsilon,
        "m": ablations.over_m,
        "bound": ablations.over_bound,
        "heat": ablations.heat,
    }
)
OF_VARIANTS: Final[Mapping[str, Family]] = MappingProxyType({"time": overviews.over_time, "map": overviews.by_map})
OF_THE_PROBE: Final[Mapping[str, Family]] = MappingProxyType({"probe": overviews.probe, "rank": overviews.rank})
FAMILIES: Final = (*OF_RUNS, *OF_VARIANTS, *OF_THE_PROBE)


def draw_family(name: str, out: Path) -> list[Path]:
    """Draw one family from the summaries under ``out``, into ``out/figures``."""
    if name not in FAMILIES:
        raise RequestError(f"there is no figure family {name!r}; there are {', '.join(FAMILIES)}")
    family = {**OF_RUNS, **OF_VARIANTS, **OF_THE_PROBE}[name]
    tables = read_tables(out, probe=name in OF_THE_PROBE)
    drawn = family(tables if name in OF_VARIANTS else [as_in_the_paper(table) for table in tables])
    return [path for figure in drawn for path in write_figure(figure, out / "figures")]


def draw_all(out: Path) -> list[Path]:
    """Draw every family."""
    return [path for name in FAMILIES for path in draw_family(name, out)]
