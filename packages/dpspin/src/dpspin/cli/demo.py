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
    from dpspin.boundary.plan_fields import About
    from dpspin.boundary.privacy import Adjacency, Prevalence, PrivacyLoss, UserUnit
    from dpspin.boundary.written_files import today
    from dpspin.cli.open_ledger import open_book_for
    from dpspin.cli.progress import fitting_words, reading, working
    from dpspin.cli.publish import publish, require_writable
    from dpspin.curator.assign.choice import Recipe
    from dpspin.curator.records.corpus import open_corpus
    from dpspin.curator.records.policy import Columns
    from dpspin.curator.release.draw_plan import ReleaseSpec
    from dpspin.demo.synthetic import generate_tickets, write_csv

    require_writable(out, f"demo tickets ({tickets})")
    say(f"Generating {tickets:,} support tickets …", err=True)
    corpus = generate_tickets(tickets, SEED)
    (out / "corpus").mkdir(parents=True, exist_ok=True)
    write_csv(corpus, out / "corpus" / "tickets.csv")
    ledger = open_book_for(out, str(out / "curator" / "ledger.db"))
    with working(fitting_words(corpus.universe)):
        records = pipeline.records_of(
            open_corpus(out / "corpus" / "tickets.csv", Columns(text="text", user="user_id")),
            atoms=corpus.universe,
            unit=UserUnit(bound=1.0),
            adjacency=Adjacency.ADD_DROP,
            quantity=Prevalence(),
            contribution_map=Recipe(),
            auxiliary=None,
        )
    with reading("reading, mapping and charging") as tell:
        answer = pipeline.release_to_curator(
            records.watched(tell),
            atoms=corpus.universe,
            spec=ReleaseSpec(
                loss=PrivacyLoss(1.0),
                denominator=int(tickets * CUSTOMERS_PER_TICKET),
                title="What customers wrote to support (generated data)",
                about=About(source="a generator of made-up tickets", date=today()),
            ),
            dataset=f"demo tickets ({tickets})",
            snapshot="",
            budget=None,
            ledger=ledger,
        )
    publish(out, answer, corpus.universe, f"demo tickets ({tickets})", ledger)
    say(_truth_line(answer.plan, corpus), err=True)


def _truth_line(plan: "SemanticPlan", corpus: "SyntheticCorpus") -> str:
    """Say how well the plan found the planted themes: possible only because this corpus is generated."""
    from dpspin.boundary.postprocess import top
    from dpspin.demo.synthetic import true_mentions

    planted = {corpus.universe.ids[place] for place in top(true_mentions(corpus).tolist(), len(plan.entries))}
    found = sum(entry.atom_id in planted for entry in plan.entries)
    return f"Truth check (generated data only): {found} of {len(plan.entries)} released themes are true top themes."
