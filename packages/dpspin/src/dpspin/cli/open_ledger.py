"""Opening the ledger from the command line: a new one is announced, and looking never makes one."""

from pathlib import Path
from typing import TYPE_CHECKING

from dpspin.cli.terminal import say

if TYPE_CHECKING:
    from dpspin.curator.ledger.ledger import Ledger


def open_book(chosen: str | None) -> "Ledger":
    """Open the ledger to spend or decide; say so when that makes a new one, because it knows of no spending."""
    from dpspin.curator.ledger.ledger import Ledger
    from dpspin.curator.ledger.stores import store_of
    from dpspin.pipeline import default_ledger

    book = Ledger(store_of(chosen or default_ledger()))
    if book.is_new:
        say(f"{book.announcement}.", err=True)
    return book


def open_book_for(out: Path, chosen: str | None) -> "Ledger":
    """Open the ledger for a release into a folder: it must know the release that it holds, before a record is read."""
    from dpspin.cli.publish import earlier_head
    from dpspin.curator.ledger.refusal import unknown_head
    from dpspin.curator.ledger.stores import store_of
    from dpspin.pipeline import default_ledger

    head, store = earlier_head(out), store_of(chosen or default_ledger())
    if head is not None and not store.exists():  # and none is made
        raise unknown_head(store.location, head, str(out))
    book = open_book(chosen)
    if head is not None:
        book.require_head(head, str(out))
    return book


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
