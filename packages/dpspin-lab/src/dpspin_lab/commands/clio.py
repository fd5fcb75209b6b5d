"""``dpspin lab clio``: a Clio-like pipeline on public or generated records; ``clio-leaks``: what it leaves open."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import options, writing
from dpspin.cli.terminal import say
from dpspin_lab.commands.place import OutOption
from dpspin_lab.commands.references import RecordsArgument, chat_here

if TYPE_CHECKING:
    from dpspin_lab.baselines.clio.pipeline import Tools

EmbedderOption = Annotated[
    str,
    typer.Option("--embedder", help="words (TF-IDF, needs nothing), static, minilm, or a BERT model's folder."),
]


def clio(
    records: RecordsArgument,
    text: options.TextOption,
    out: OutOption,
    user: Annotated[str | None, typer.Option("--user", help="The column with the user id.")] = None,
    min_records: Annotated[int, typer.Option("--min-records", min=1, help="The smallest published group.")] = 25,
    min_users: Annotated[int, typer.Option("--min-users", min=1, help="With --user: its fewest users.")] = 15,
    per_group: Annotated[int, typer.Option("--per-group", min=1, help="Records per group on average.")] = 50,
    embedder: EmbedderOption = "words",
    llm_url: options.LlmUrlOption = None,
    llm_model: options.LlmModelOption = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the groups and the model.")] = 0,
) -> None:
    """Run what people run today: facets, clusters, thresholds, names, audit. The result is NOT private.

    Without a language model code does every step. With one, it must be on this machine.
    """
    from dpspin_lab.baselines.clio.pipeline import Thresholds
    from dpspin_lab.baselines.clio.pipeline import clio as run_clio
    from dpspin_lab.baselines.records import read_records
    from dpspin_lab.baselines.references.source import refer, write

    thresholds, tools = Thresholds(min_records, min_users, per_group), _tools(embedder, llm_url, llm_model, seed)
    read = read_records(records, text, user)
    report = run_clio(read.texts, read.users, thresholds=thresholds, tools=tools, seed=seed)
    reference = refer(report, chat_here(llm_url, llm_model, seed))
    say(f"NOT PRIVATE: wrote {write(out, reference)}", err=True)
    for group in report.groups:
        say(f"{group.records:>7,}  {group.title}  (in: {group.parent})")
    say(f"held back: {report.too_small} too small, {report.failed_audit} refused by the audit\n{reference.text}")


def clio_leaks(
    trials: Annotated[int, typer.Option("--trials", min=1, help="How many generated corpora.")] = 40,
    embedder: EmbedderOption = "words",
    llm_url: options.LlmUrlOption = None,
    llm_model: options.LlmModelOption = None,
    seed: writing.LlmSeedOption = 0,
) -> None:
    """Measure on generated tickets whether such a report betrays that one person's record was read."""
    from dpspin_lab.baselines.clio.membership import leaks

    for leak in leaks(trials, tools=_tools(embedder, llm_url, llm_model, seed)):
        say(json.dumps(asdict(leak)))


def _tools(embedder: str, url: str | None, model: str | None, seed: int) -> "Tools":
    from dpspin.curator.assign.calibrated.embedders import installed
    from dpspin_lab.baselines.clio.pipeline import Tools, with_model
    from dpspin_lab.baselines.grouping import term_points

    points, chat = term_points if embedder == "words" else installed(embedder), chat_here(url, model, seed)
    return Tools(points=points) if chat is None else with_model(chat, points)
