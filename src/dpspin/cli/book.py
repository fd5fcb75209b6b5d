"""Opening the ledger from the command line: a new one is announced, and looking never makes one."""

from typing import TYPE_CHECKING

from dpspin.cli.terminal import say

if TYPE_CHECKING:
    from dpspin.curator.ledger.ledger import Ledger


def open_book(chosen: str | None) -> "Ledger":
    """Open the ledger to spend or decide; say so when that makes a new one, because it knows of no spending."""
    from dpspin.curator.ledger.ledger import Ledger
    from dpspin.curator.ledger.stores import store_of
    from dpspin.pipeline import default_ledger

    store = store_of(chosen or default_ledger())
    if not store.exists():
        say(f"New ledger: {store.location}", err=True)
    return Ledger(store)


def look_into_book(chosen: str | None) -> "Ledger | None":
    """Open the ledger to look, or say that there is none."""
    from dpspin.curator.ledger.ledger import Ledger
    from dpspin.curator.ledger.stores import store_of
    from dpspin.pipeline import default_ledger

    store = store_of(chosen or default_ledger())
    if store.exists():
        return Ledger(store)
    say(f"no ledger yet at {store.location}: the first release makes one", err=True)
    return None
