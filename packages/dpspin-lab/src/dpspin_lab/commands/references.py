"""``dpspin lab references``: the paper's non-private references of public or generated records."""

from typing import TYPE_CHECKING, Annotated

import typer

from dpspin.cli import options
from dpspin.cli.terminal import say
from dpspin.errors import RequestError
from dpspin_lab.commands.place import OutOption

if TYPE_CHECKING:
    from dpspin.llm.chat import Chat
    from dpspin_lab.reference import ReferencePlan

RecordsArgument = Annotated[
    str, typer.Argument(metavar="RECORDS", help="Public or generated records; NEVER protected ones.")
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
) -> None:
    """Write what is NOT private beside which private texts are judged: raw and redacted sample, clusters, plan.

    Without a language model a template extracts the texts. With one, it must be on this machine.
    """
    from dpspin_lab.baselines.records import read_records
    from dpspin_lab.baselines.references.all_references import references as all_references
    from dpspin_lab.baselines.references.source import write

    plan = _plan(records, text, atoms, denominator, size)
    texts, chat = read_records(records, text).texts, chat_here(llm_url, llm_model, seed)
    for reference in all_references(texts, plan, chat, records=sample, clusters=clusters, seed=seed):
        say(f"NOT PRIVATE: wrote {write(out, reference)}", err=True)
        say(f"{reference.method} ({reference.writer}):\n{reference.text}\n")


def chat_here(url: str | None, model: str | None, seed: int) -> "Chat | None":
    """Return the model, or nothing where none is named."""
    if url is None and model is None:
        return None
    if url is None or model is None:
        raise RequestError("--llm-url and --llm-model go together")
    from dpspin.llm.chat import Chat
    from dpspin.llm.endpoint import Endpoint

    return Chat(Endpoint(url, model), seed=seed)


def _plan(records: str, text: str, atoms: str | None, denominator: int | None, size: int) -> "ReferencePlan | None":
    if (atoms is None) != (denominator is None):
        raise RequestError("--atoms and --denominator go together: the plan's support is relative to it")
    if atoms is None or denominator is None:
        return None
    from dpspin.public.atoms.packs import load_named
    from dpspin_lab.reference import exact_masses, reference_plan

    universe = load_named(atoms)
    return reference_plan(exact_masses(records, text, universe), universe, denominator=denominator, size=size)
