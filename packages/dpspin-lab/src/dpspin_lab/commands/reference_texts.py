"""``dpspin lab references``, ``reference``, ``clio`` and ``clio-leaks``: what is written from records. NOT private."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import narrate as writing
from dpspin.cli.narrate import ModeOption
from dpspin.cli.terminal import say
from dpspin.errors import RequestError
from dpspin.public.narrate.modes import Mode
from dpspin_lab.commands import options
from dpspin_lab.commands.options import OutOption, RecordsArgument, chat_of

if TYPE_CHECKING:
    from dpspin.llm.chat import Chat
    from dpspin_lab.baselines.clio import Tools
    from dpspin_lab.baselines.exact_plan import ReferencePlan

EmbedderOption = Annotated[
    str,
    typer.Option("--embedder", help="words (TF-IDF, needs nothing), static, minilm, or a BERT model's folder."),
]


def references(
    records: RecordsArgument,
    text: options.TextOption,
    out: OutOption,
    atoms: Annotated[
        str | None, typer.Option("--atoms", help="A dictionary (pack or file): adds the non-private plan.")
    ] = None,
    denominator: Annotated[
        int | None, typer.Option("--denominator", min=1, help="With --atoms: what support is relative to.")
    ] = None,
    size: Annotated[int, typer.Option("--size", "-L", min=1, help="How many themes the plan has.")] = 10,
    sample: Annotated[int, typer.Option("--sample", min=1, help="How many records are shown to the writer.")] = 60,
    clusters: Annotated[int, typer.Option("--clusters", min=1, help="How many groups are made.")] = 10,
    llm_url: options.LlmUrlOption = None,
    llm_model: options.LlmModelOption = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the sample, the groups and the model.")] = 0,
    llm_endpoint_is_trusted: options.TrustOption = False,
    records_are_public: options.PublicOption = False,
) -> None:
    """Write what is NOT private beside which private texts are judged: raw and redacted sample, clusters, plan.

    Without a language model a template extracts the texts. One elsewhere needs --llm-endpoint-is-trusted or
    --records-are-public.
    """
    from dpspin_lab.baselines.exact_plan import plan_source
    from dpspin_lab.baselines.references import read_records, write
    from dpspin_lab.baselines.references import references as all_references

    if (atoms is None) != (denominator is None):
        raise RequestError("--atoms and --denominator go together: the plan's support is relative to it")
    exact = _plan(records, text, atoms, denominator, size) if atoms and denominator else None
    plan = None if exact is None else plan_source(exact)
    chat = chat_of(llm_url, llm_model, seed, trusted=llm_endpoint_is_trusted)
    texts, _ = read_records(records, text)
    for reference in all_references(
        texts, plan, chat, records=sample, clusters=clusters, seed=seed, records_are_public=records_are_public
    ):
        say(f"NOT PRIVATE: wrote {write(out, reference)}", err=True)
        say(f"{reference.method} ({reference.writer}):\n{reference.text}\n")


def reference(
    records: RecordsArgument,
    atoms: Annotated[str, typer.Option("--atoms", help="A pack's name or a dictionary file.")],
    text: options.TextOption,
    denominator: Annotated[int, typer.Option("--denominator", min=1, help="What support is relative to.")],
    llm_url: Annotated[str, typer.Option("--llm-url", help="An OpenAI-compatible endpoint.")],
    llm_model: Annotated[str, typer.Option("--llm-model", help="The model's name there.")],
    out: OutOption,
    size: Annotated[int, typer.Option("--size", "-L", min=1, help="How many themes.")] = 10,
    mode: ModeOption = Mode.DISPLAY,
    temperature: writing.TemperatureOption = 0.0,
    seed: writing.LlmSeedOption = 0,
    llm_endpoint_is_trusted: options.TrustOption = False,
    records_are_public: options.PublicOption = False,
) -> None:
    """Put EXACT masses into words, as the paper does to compare with. The result is not private and not verified."""
    from dpspin.llm.chat import Chat
    from dpspin_lab.baselines.exact_plan import plan_source, write_reference
    from dpspin_lab.baselines.references import refer
    from dpspin_lab.not_private import endpoint_at

    chat = Chat(endpoint_at(llm_url, llm_model, trusted=llm_endpoint_is_trusted), temperature, seed)
    plan = _plan(records, text, atoms, denominator, size)
    written = refer(plan_source(plan, mode), chat, records_are_public=records_are_public)
    say(f"NOT PRIVATE: wrote {write_reference(out, written)}", err=True)
    say(written.text)


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
    llm_endpoint_is_trusted: options.TrustOption = False,
    records_are_public: options.PublicOption = False,
) -> None:
    """Run what people run today: facets, clusters, thresholds, names, audit. The result is NOT private.

    Without a language model code does every step. One elsewhere needs --llm-endpoint-is-trusted or
    --records-are-public.
    """
    from dpspin_lab.baselines.clio import Thresholds, report_source
    from dpspin_lab.baselines.clio import clio as run_clio
    from dpspin_lab.baselines.references import read_records, refer, write

    chat = chat_of(llm_url, llm_model, seed, trusted=llm_endpoint_is_trusted)
    thresholds = Thresholds(min_records, min_users, per_group)
    tools = _tools(embedder, chat, public=records_are_public)
    report = run_clio(*read_records(records, text, user), thresholds=thresholds, tools=tools, seed=seed)
    written = refer(report_source(report), chat, records_are_public=records_are_public)
    say(f"NOT PRIVATE: wrote {write(out, written)}", err=True)
    for group in report.groups:
        say(f"{group.records:>7,}  {group.title}  (in: {group.parent})")
    say(f"held back: {report.too_small} too small, {report.failed_audit} refused by the audit\n{written.text}")


def clio_leaks(
    trials: Annotated[int, typer.Option("--trials", min=1, help="How many generated corpora.")] = 40,
    embedder: EmbedderOption = "words",
    llm_url: options.LlmUrlOption = None,
    llm_model: options.LlmModelOption = None,
    seed: writing.LlmSeedOption = 0,
    llm_endpoint_is_trusted: options.TrustOption = False,
    records_are_public: options.PublicOption = False,
) -> None:
    """Measure on generated tickets whether such a report betrays that one person's record was read."""
    from dpspin_lab.baselines.clio_membership import leaks

    chat = chat_of(llm_url, llm_model, seed, trusted=llm_endpoint_is_trusted)
    tools = _tools(embedder, chat, public=records_are_public)
    for leak in leaks(trials, tools=tools):
        say(json.dumps(asdict(leak)))


def _plan(records: str, text: str, atoms: str, denominator: int, size: int) -> "ReferencePlan":
    from dpspin.public.atoms.packs import load_named
    from dpspin_lab.baselines.exact_plan import exact_masses, reference_plan

    universe = load_named(atoms)
    return reference_plan(exact_masses(records, text, universe), universe, denominator=denominator, size=size)


def _tools(embedder: str, chat: "Chat | None", *, public: bool) -> "Tools":
    from dpspin.curator.assign.embedders import installed
    from dpspin_lab.baselines.clio import Tools, with_model
    from dpspin_lab.baselines.grouping import term_points

    points = term_points if embedder == "words" else installed(embedder)
    return Tools(points=points) if chat is None else with_model(chat, points, records_are_public=public)
