"""A few figures for the page: SVG alone, small, and marked as what they are."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl

from dpspin.boundary.lab_place import require_no_release
from dpspin.boundary.written_files import write_whole
from dpspin_lab.figures.probing import probe
from dpspin_lab.figures.style import SETTINGS, Drawn
from dpspin_lab.figures.utility import beyond, support_loss, utility
from dpspin_lab.figures.variants import by_map, over_time
from dpspin_lab.not_private import RANDOMNESS
from dpspin_lab.results.tables import Results

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
