"""``dpspin ledger alias`` and ``apart``: what only a person can know, declared with a reason that the ledger keeps."""

from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.options import LedgerOption
from dpspin.cli.terminal import say
from dpspin.errors import RequestError

if TYPE_CHECKING:
    from dpspin.curator.ledger.ledger import Ledger

NoteOption = Annotated[str, typer.Option("--note", help="Who decided it, and why; kept in the ledger, with the day.")]


def alias(
    dataset: Annotated[str, typer.Option("--dataset", help="The dataset's name in the ledger.")],
    user_column: Annotated[str, typer.Option("--user-column", help="A column that names the same users, one by one.")],
    note: NoteOption,
    ledger: LedgerOption = None,
) -> None:
    """Declare that a column names the same users as the one before: it was renamed."""
    _book(ledger).add_user_column(dataset, user_column, note)
    say(f"users of {dataset!r} may also be named by {user_column!r}", err=True)


def apart(
    dataset: Annotated[str, typer.Option("--dataset", help="A dataset that the ledger took for another one.")],
    other: Annotated[str, typer.Option("--from", help="The other one, which has an account.")],
    note: NoteOption,
    ledger: LedgerOption = None,
) -> None:
    """Declare that two datasets have budgets of their own although their records or users overlap."""
    _book(ledger).keep_apart(dataset, other, note)
    say(f"{dataset!r} and {other!r} are kept apart", err=True)


def _book(chosen: str | None) -> "Ledger":
    from dpspin.cli.open_ledger import look_into_ledger

    book = look_into_ledger(chosen)
    if book is None:
        raise RequestError("there is no ledger to declare anything in")
    return book
