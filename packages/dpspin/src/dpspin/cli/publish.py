"""What a release tells at the terminal: the verified summary on stdout, the rest on stderr."""

from pathlib import Path

from dpspin.boundary.accounting import cost_of
from dpspin.cli.terminal import draws_blocks, say, width
from dpspin.pipeline import Released
from dpspin.public.narrate.facts import Facts
from dpspin.public.report.finding import shown_sentences
from dpspin.public.report.on_terminal import terminal_page
from dpspin.public.wording.promise import on_trust


def tell_release(out: Path, released: Released) -> None:
    """Show the summary, what was on trust, what is left of the budget, and which folder is which."""
    plan, dataset = released.plan, released.dataset
    summary = shown_sentences(released.texts.display.verdict) if released.texts else []
    say(terminal_page(Facts(plan, released.atoms), summary, width(), plain=not draws_blocks()))
    if released.answer.diagnostics is None:
        say("\nThese numbers were released before: read again, at no cost.", err=True)
    for sentence in on_trust(plan.statement):
        say(f"\n{sentence}", err=True)
    budget = released.ledger.require_budget(dataset)
    more = budget.reports_left(cost_of(plan.statement, plan.rules.size, plan.denominator))
    spent, cap = budget.words(budget.spent), budget.words(budget.cap)
    say(f"\nBudget of {dataset}: spent {spent} of {cap}; {more} more like this one.", err=True)
    say(f"Publish: {out / 'release'} (open report.html)", err=True)
    say(f"Keep private: {out / 'curator'} (diagnostics.json tells how many records could be used)", err=True)
