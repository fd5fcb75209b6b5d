"""``--out`` of every command of the lab that writes: refused in or beside a release, before anything is read."""

from pathlib import Path
from typing import Annotated

import typer


def without_release(out: Path | None) -> Path | None:
    """Refuse a release's folder, its neighbours and whatever lies in it."""
    from dpspin.boundary.lab_place import require_no_release

    if out is not None:
        require_no_release(out)
    return out


OutOption = Annotated[
    Path, typer.Option("--out", callback=without_release, help="Where results go; never in or beside a release.")
]
