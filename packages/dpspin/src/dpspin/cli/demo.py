"""``dpspin demo``: a generated corpus, the whole pipeline, and the report. No key, no model, no network."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli.terminal import say

if TYPE_CHECKING:
    from dpspin.boundary.plan import SemanticPlan
    from dpspin.demo.synthetic import SyntheticCorpus

SEED = 2024
CUSTOMERS_PER_TICKET = 0.5


def demo(
    out: Annotated[Path, typer.Option("--out", help="Where everything is written.")] = Path("demo"),
    tickets: Annotated[int, typer.Option("--tickets", min=200, help="How many support tickets to generate.")] = 20_000,
) -> None:
    """Generate support tickets, release a plan that protects every customer, and write its report."""
    from dpspin import pipeline
    from dpspin.boundary.safe_files import today
    from dpspin.cli.attend import AtTheTerminal, tell_release
    from dpspin.curator.release.curator_folder import require_single
    from dpspin.demo.synthetic import generate_tickets, write_csv
    from dpspin.request import ReleaseRequest

    dataset = f"demo tickets ({tickets})"
    require_single(out, dataset)
    say(f"Generating {tickets:,} support tickets …", err=True)
    corpus = generate_tickets(tickets, SEED)
    (out / "corpus").mkdir(parents=True, exist_ok=True)
    write_csv(corpus, out / "corpus" / "tickets.csv")
    request = ReleaseRequest.of(
        str(out / "corpus" / "tickets.csv"),
        text="text",
        user="user_id",
        unit="user",
        quantity="prevalence",
        atoms=corpus.universe,
        epsilon=1,
        denominator=int(tickets * CUSTOMERS_PER_TICKET),
        title="What customers wrote to support (generated data)",
        source="a generator of made-up tickets",
        date=today(),
        dataset=dataset,
        ledger=str(out / "curator" / "ledger.db"),
    )
    released = pipeline.run(request, out, AtTheTerminal())
    tell_release(out, released)
    say(_truth_line(released.plan, corpus), err=True)


def _truth_line(plan: "SemanticPlan", corpus: "SyntheticCorpus") -> str:
    """Say how well the plan found the planted themes: possible only because this corpus is generated."""
    from dpspin.boundary.postprocess import top
    from dpspin.demo.synthetic import true_mentions

    planted = {corpus.universe.ids[place] for place in top(true_mentions(corpus).tolist(), len(plan.entries))}
    found = sum(entry.atom_id in planted for entry in plan.entries)
    return f"Truth check (generated data only): {found} of {len(plan.entries)} released themes are true top themes."
