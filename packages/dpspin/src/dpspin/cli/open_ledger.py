"""Opening the ledger from the command line to look: that never makes one."""

from typing import TYPE_CHECKING

from dpspin.cli.terminal import say

if TYPE_CHECKING:
    from dpspin.curator.ledger.ledger import Ledger


def look_into_ledger(chosen: str | None) -> "Ledger | None":
    """Open the ledger to look, or say that there is none."""
    from dpspin.curator.ledger.ledger import Ledger, default_ledger
    from dpspin.curator.ledger.stores import store_of

    store = store_of(chosen or default_ledger())
    if store.exists():
        return Ledger(store)
    say(f"no ledger yet at {store.location}: the first release makes one", err=True)
    return None
