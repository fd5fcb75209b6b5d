"""Opening the ledger from the command line: a new one is announced, and looking never makes one."""

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from dpspin.curator.ledger.ledger import Ledger


def open_book(chosen: str | None) -> "Ledger":
    """Open the ledger to spend or decide; say so when that makes a new one, because it knows of no spending."""
    from dpspin.curator.ledger.ledger import open_ledger
    from dpspin.curator.ledger.location import ledger_path
    from dpspin.pipeline import default_ledger

    path = ledger_path(chosen or default_ledger())
    if not path.exists():
        typer.echo(f"New ledger: {path}", err=True)
    return open_ledger(path)


def look_into_book(chosen: str | None) -> "Ledger | None":
    """Open the ledger to look, or say that there is none."""
    from dpspin.curator.ledger.ledger import open_ledger
    from dpspin.curator.ledger.location import ledger_path
    from dpspin.pipeline import default_ledger

    path = ledger_path(chosen or default_ledger())
    if path.exists():
        return open_ledger(path)
    typer.echo(f"no ledger yet at {path}: the first release makes one", err=True)
    return None
