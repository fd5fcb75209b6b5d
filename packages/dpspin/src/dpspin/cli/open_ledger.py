"""The ledger as commands open it, and the options that several of them share."""

from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.terminal import say
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.curator.ledger.ledger import Ledger

NoteOption = Annotated[str, typer.Option("--note", help="Who decided it, and why; kept in the ledger, with the day.")]
OnlyOption = Annotated[str | None, typer.Option("--dataset", help="Only this dataset.")]


def look_into_ledger(chosen: str | None) -> "Ledger | None":
    """Open the ledger to look, or say that there is none."""
    from dpspin.curator.ledger.ledger import Ledger, default_ledger
    from dpspin.curator.ledger.stores import store_of

    store = store_of(chosen or default_ledger())
    if store.exists():
        return Ledger(store)
    say(f"no ledger yet at {store.location}: the first release makes one", err=True)
    return None


def open_there(chosen: str | None) -> "Ledger":
    """Open the ledger, which must be there."""
    book = look_into_ledger(chosen)
    if book is None:
        raise RequestError("there is no ledger yet")
    return book
