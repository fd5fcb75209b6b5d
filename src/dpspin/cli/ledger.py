"""``dpspin ledger``: decide budgets, and see what was spent."""

import json
from typing import Annotated

import typer

from dpspin.cli.options import JsonOption, LedgerOption

app = typer.Typer(help="Privacy budgets: decide them, and see what was spent.", no_args_is_help=True)

DatasetOption = Annotated[str, typer.Option("--dataset", help="The dataset's name, as given to `dpspin release`.")]


@app.command("init")
def init(
    dataset: DatasetOption,
    epsilon: Annotated[float, typer.Option("--epsilon", help="All releases together may cost this much.")],
    delta: Annotated[float, typer.Option("--delta", help="… and this much delta.")] = 0.0,
    note: Annotated[str, typer.Option("--note", help="Who decided it, and why; kept with the change.")] = "",
    ledger: LedgerOption = None,
) -> None:
    """Set or change the total budget of a dataset. Every change is kept."""
    from dpspin.boundary.privacy import PrivacyLoss
    from dpspin.cli.book import open_book

    book = open_book(ledger)
    book.set_budget(dataset, PrivacyLoss(epsilon, delta), note)
    typer.echo(f"budget of {dataset!r}: {book.require_budget(dataset).cap}", err=True)


@app.command("show")
def show(
    dataset: Annotated[str | None, typer.Option("--dataset", help="Only this dataset.")] = None,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what every dataset has spent and has left."""
    from dpspin.cli.book import look_into_book

    book = look_into_book(ledger)
    names = () if book is None else book.datasets() if dataset is None else (dataset,)
    budgets = {name: book.require_budget(name) for name in names} if book is not None else {}
    if as_json:
        typer.echo(json.dumps({name: budget.as_json() for name, budget in budgets.items()}, indent=2))
        return
    for name, budget in budgets.items():
        typer.echo(f"{name}\n  budget {budget.cap}\n  spent  {budget.spent}\n  left   {budget.left}")


@app.command("history")
def history(
    dataset: Annotated[str | None, typer.Option("--dataset", help="Only this dataset.")] = None,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """List every budget that was decided, then every release that was charged, each oldest first."""
    from dpspin.cli.book import look_into_book

    book = look_into_book(ledger)
    decisions = () if book is None else book.decisions(dataset)
    rows = () if book is None else book.history(dataset)
    if as_json:
        answer = {"budgets": [made.as_json() for made in decisions], "releases": [row.as_json() for row in rows]}
        typer.echo(json.dumps(answer, indent=2))
        return
    for made in decisions:
        typer.echo(f"{made.day}  budget     {made.cap!s:<24}  {made.dataset}  {made.note}".rstrip())
    for row in rows:
        typer.echo(f"{row.day}  {row.state:<9}  {row.amount!s:<24}  {row.dataset}  {row.mechanism}")
