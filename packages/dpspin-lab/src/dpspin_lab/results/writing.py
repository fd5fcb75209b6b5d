"""The results page and its figures as files."""

from pathlib import Path

from dpspin.boundary.lab_place import require_no_release
from dpspin.boundary.written_files import write_whole
from dpspin_lab.results.page import page_of
from dpspin_lab.results.pictures import pictures, write_picture
from dpspin_lab.results.tables import read_results


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
