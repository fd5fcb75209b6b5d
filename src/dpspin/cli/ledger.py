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
    from dpspin.curator.ledger.ledger import open_ledger
    from dpspin.pipeline import default_ledger

    book = open_ledger(ledger or default_ledger())
    book.set_budget(dataset, PrivacyLoss(epsilon, delta), note)
    typer.echo(f"budget of {dataset!r}: {book.require_budget(dataset).cap}", err=True)


@app.command("show")
def show(ledger: LedgerOption = None, as_json: JsonOption = False) -> None:
    """Show what every dataset has spent and has left."""
    from dpspin.curator.ledger.ledger import open_ledger
    from dpspin.pipeline import default_ledger

    book = open_ledger(ledger or default_ledger())
    budgets = {dataset: book.require_budget(dataset) for dataset in book.datasets()}
    if as_json:
        typer.echo(json.dumps({dataset: budget.as_json() for dataset, budget in budgets.items()}, indent=2))
        return
    for dataset, budget in budgets.items():
        typer.echo(f"{dataset}\n  budget {budget.cap}\n  spent  {budget.spent}\n  left   {budget.left}")
    if not budgets:
        typer.echo("no budget was decided yet: the first release of a dataset sets one", err=True)


@app.command("history")
def history(
    dataset: Annotated[str | None, typer.Option("--dataset", help="Only this dataset.")] = None,
    ledger: LedgerOption = None,
    as_json: JsonOption = False,
) -> None:
    """List every release that was charged and every budget that was decided, oldest first."""
    from dpspin.curator.ledger.ledger import open_ledger
    from dpspin.pipeline import default_ledger

    book = open_ledger(ledger or default_ledger())
    rows, decisions = book.history(dataset), book.decisions(dataset)
    if as_json:
        answer = {"releases": [row.as_json() for row in rows], "budgets": [made.as_json() for made in decisions]}
        typer.echo(json.dumps(answer, indent=2))
        return
    for row in rows:
        typer.echo(f"{row.day}  {row.state:<9}  {row.mechanism:<12}  {row.amount}  {row.dataset}")
    for made in decisions:
        typer.echo(f"{made.day}  budget     {made.note or 'no note':<24}  {made.cap}  {made.dataset}")
