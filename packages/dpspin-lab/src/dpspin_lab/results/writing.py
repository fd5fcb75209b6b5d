"""The results page and a few figures as files: SVG alone, small, and marked as what they are."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl

from dpspin.boundary.folders import require_no_release
from dpspin.boundary.safe_files import write_whole
from dpspin_lab.figures.curves import SETTINGS, Drawn
from dpspin_lab.figures.overviews import beyond, by_map, over_time, probe, support_loss, utility
from dpspin_lab.not_private import RANDOMNESS
from dpspin_lab.results.evaluation_tables import Results, read_results
from dpspin_lab.results.page import page_of

_CLIP = re.compile(r"(?<=\.\d{2})\d+")  # of coordinates: a hundredth of a point is enough


def pictures(results: Results) -> Iterator[Drawn]:
    """Draw utility, loss, probe and what lies beyond the paper, from the same tables as the verdicts."""
    yield from utility(results.grids)
    yield from support_loss(results.of_unit("record"))
    yield from probe([table for table in results.probes if table.unit == "record"])
    yield from beyond(results.of_unit("user"))
    yield from over_time(results.whole)
    yield from by_map(results.whole)


def write_picture(drawn: Drawn, folder: Path) -> Path:
    """Write one figure as SVG."""
    require_no_release(folder)
    folder.mkdir(parents=True, exist_ok=True)
    content = io.BytesIO()
    with mpl.rc_context(SETTINGS):
        drawn.figure.savefig(content, format="svg", metadata={"Date": None, "Description": RANDOMNESS})
    write_whole(folder / f"{drawn.name}.svg", _CLIP.sub("", content.getvalue().decode()).encode())
    return folder / f"{drawn.name}.svg"


def write_page(runs: Path, out: Path) -> list[Path]:
    """Read the tables, and write the page and, in a folder of its name beside it, its figures."""
    results = read_results(runs)
    require_no_release(out.parent)
    out.parent.mkdir(parents=True, exist_ok=True)
    drawn = list(pictures(results))
    paths = [write_picture(each, out.with_suffix("")) for each in drawn]
    shown = [(f"{out.stem}/{path.name}", each.caption) for path, each in zip(paths, drawn, strict=True)]
    write_whole(out, page_of(results, shown).encode())
    return [out, *paths]
