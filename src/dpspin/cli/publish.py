"""What a release leaves behind: a folder to publish, a folder to keep, and the summary on the terminal."""

from pathlib import Path

import typer

from dpspin.boundary.atoms import AtomUniverse
from dpspin.curator.desk import Answer
from dpspin.curator.ledger.ledger import Ledger
from dpspin.curator.receipt import write_receipt
from dpspin.public.report.folder import write_release


def publish(out: Path, answer: Answer, atoms: AtomUniverse, dataset: str, ledger: Ledger) -> None:
    """Write both folders; stdout gets the verified summary, stderr the rest."""
    budget = ledger.require_budget(dataset)
    write_receipt(out / "curator", answer, dataset, budget)
    texts = write_release(out / "release", answer.plan, atoms)
    typer.echo(texts.display.text)
    if answer.diagnostics is None:
        typer.echo("\nThese numbers were released before: read again, at no cost.", err=True)
    more = budget.reports_left(answer.plan.statement.loss)
    typer.echo(f"\nBudget of {dataset}: spent {budget.spent} of {budget.cap}; {more} more like this one.", err=True)
    typer.echo(f"Publish: {out / 'release'} (open report.html)    Keep private: {out / 'curator'}", err=True)
